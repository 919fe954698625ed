package io.holdfast.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class StacksTest {

    @Test
    void aSampleIsOfTheFirstPartThatItsStackFits() {
        List<String> lines = List.of(
                "    7f01 memcpy",
                "    5501 nodeRead",
                "    5502 ExecRelCheck",
                "    5503 ExecutorRun",
                "",
                "    5504 ExecRelCheck",
                "    5505 ExecutorRun",
                "",
                "    7f02 fdatasync",
                "    5506 XLogFlush",
                "    5507 CommitTransaction",
                "",
                "    5508 unheard_of",
                "");
        assertThat(Stacks.shares(lines))
                .containsEntry("check constraints: parsing and preparing them", 0.25)
                .containsEntry("... evaluating them", 0.25)
                .containsEntry("commit: the log to the disk", 0.25)
                .containsEntry("anything else", 0.25)
                .hasSize(4);
    }

    @Test
    void whatCalledAFunctionIsNotCountedForIt() {
        List<String> lines = List.of(
                "    5501 exec_stmts",
                "    5502 plpgsql_exec_function",
                "    5503 ExecutorRun",
                "",
                "    5504 heap_update",
                "    5505 ExecutorRun",
                "    5506 exec_stmt_execsql",
                "    5507 ExecutorRun");
        assertThat(Stacks.shares(lines))
                .containsEntry("PL/pgSQL", 0.5)
                .containsEntry("... finding, writing, index entries", 0.5)
                .hasSize(2);
    }
}
