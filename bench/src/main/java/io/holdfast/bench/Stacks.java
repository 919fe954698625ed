package io.holdfast.bench;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Stacks of a server's process, as {@code perf script} prints them, and what the process was at. */
final class Stacks {

    /** Of a function in PL/pgSQL: what is below belongs to the statement that called it. */
    private static final Pattern FUNCTION = Pattern.compile("plpgsql_|exec_stmt|exec_eval_|exec_assign_|exec_move_row");

    private static final String IN_FUNCTION = "PL/pgSQL";
    private static final String ELSE = "anything else";

    /** What a process is at if a function of its stack is named so; the first that fits. */
    private record Part(String name, Pattern functions) {

        Part(String name, String functions) {
            this(name, Pattern.compile(functions));
        }
    }

    private static final List<Part> PARTS = List.of(
            new Part("commit: the log to the disk", "XLogFlush|XLogWrite|issue_xlog_fsync|fdatasync"),
            new Part("commit: the rest", "CommitTransaction"),
            new Part(
                    "check constraints: parsing and preparing them",
                    "stringToNode|nodeRead|ExecPrepareExpr|ExecPrepareCheck|expression_planner"),
            new Part("... evaluating them", "ExecRelCheck|ExecConstraints"),
            new Part("rows: locking", "heap_lock_tuple|table_tuple_lock|ExecLockRows"),
            new Part(
                    "... finding, writing, index entries",
                    "heap_update|heap_insert|heapam_|ExecInsertIndexTuples|ExecOpenIndices|index_|btget|_bt_|heap_hot"),
            new Part("plans: finding and checking them", "GetCachedPlan|RevalidateCachedQuery|AcquireExecutorLocks"),
            new Part(
                    "statements: starting and ending them",
                    "ExecutorStart|ExecutorEnd|ExecutorFinish|InitPlan|ExecInit|ExecEnd|CreateExecutorState"
                            + "|FreeExecutorState|PortalStart|PortalDrop|PortalCleanup|CreatePortal|SPI_connect|SPI_finish"),
            new Part("executor, the rest", "ExecutorRun|ExecProcNode|ExecModifyTable|ExecScan|ExecInterpExpr"),
            new Part(
                    "receiving and answering",
                    "ReadCommand|SocketBackend|pq_|secure_read|secure_write|internal_flush|exec_bind_message"
                            + "|printtup|EndCommand|WaitEventSet|__send|__recv|epoll_wait"));

    private Stacks() {}

    static List<String> parts() {
        return Stream.concat(PARTS.stream().map(Part::name), Stream.of(IN_FUNCTION, ELSE))
                .toList();
    }

    /** @param lines of each sample the functions, the innermost first, and an empty line */
    static Map<String, Double> shares(List<String> lines) {
        Map<String, Integer> counts = new HashMap<>();
        List<String> stack = new ArrayList<>();
        int samples = 0;
        for (String line : Stream.concat(lines.stream(), Stream.of("")).toList()) {
            if (!line.isBlank()) {
                stack.add(line.strip().replaceFirst("^[0-9a-f]+ ", ""));
            } else if (!stack.isEmpty()) {
                counts.merge(part(stack), 1, Integer::sum);
                samples++;
                stack.clear();
            }
        }
        double all = samples;
        return counts.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, part -> part.getValue() / all));
    }

    private static String part(List<String> stack) {
        int function = 0;
        while (function < stack.size() && !FUNCTION.matcher(stack.get(function)).lookingAt()) {
            function++;
        }
        List<String> inner = stack.subList(0, function);
        return PARTS.stream()
                .filter(part -> inner.stream()
                        .anyMatch(name -> part.functions().matcher(name).lookingAt()))
                .map(Part::name)
                .findFirst()
                .orElse(function < stack.size() ? IN_FUNCTION : ELSE);
    }
}
