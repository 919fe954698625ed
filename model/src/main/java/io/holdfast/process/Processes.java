package io.holdfast.process;

import io.holdfast.codec.Given;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

/** The processes of this machine: who this one is, and whether another one is dead. Thread-safe. */
public final class Processes {

    private static final SecureRandom RANDOM = new SecureRandom();

    /** Of the kernel's line about a process, from its state on, counted from 0. */
    private static final int STATE = 0;

    private static final int START_TICKS = 19;

    private final Machine machine;

    Processes(Machine machine) {
        this.machine = machine;
    }

    /** Those of the machine this process runs on. */
    public static Processes here() {
        return new Processes(Machine.Linux.HERE);
    }

    /** A new identity of this process; another one with each call, so that two claims never share a fence. */
    public ProcessIdentity identity() {
        byte[] nonce = new byte[16];
        RANDOM.nextBytes(nonce);
        long pid = machine.ownPid();
        return new ProcessIdentity(
                host(), pid, ticks(machine.stat(pid)), HexFormat.of().formatHex(nonce));
    }

    /**
     * Whether the process that an owner's text names is dead beyond doubt. False for every text of another form, for other
     * machines, for this process itself, and wherever something is not known.
     */
    public boolean isDead(String owner) {
        Optional<ProcessIdentity> named = ProcessIdentity.parse(Given.value("owner", owner));
        if (named.isEmpty() || !named.get().isTraceable() || !named.get().host().equals(host())) {
            return false;
        }
        ProcessIdentity process = named.get();
        if (process.pid() == machine.ownPid()) {
            return false;
        }
        Optional<String> stat = machine.stat(process.pid());
        if (stat.isEmpty()) {
            return machine.isGone(process.pid());
        }
        long ticks = ticks(stat);
        boolean another = process.startTicks() != 0 && ticks != 0 && ticks != process.startTicks();
        return another || "ZXx".contains(field(stat, STATE).orElse("?"));
    }

    private String host() {
        String name = machine.hostName().orElse("");
        String boot = machine.bootId().orElse("");
        String namespace = machine.processNamespace().orElse("");
        String hex = sha256(name + '\0' + boot + '\0' + namespace);
        return boot.isEmpty() || namespace.isEmpty() ? "u" + hex.substring(0, 15) : hex.substring(0, 16);
    }

    private static long ticks(Optional<String> stat) {
        return field(stat, START_TICKS)
                .filter(text -> text.matches("[0-9]{1,18}"))
                .map(Long::parseLong)
                .orElse(0L);
    }

    /** The program's name comes before, in brackets, and may hold blanks and brackets of its own. */
    private static Optional<String> field(Optional<String> stat, int index) {
        return stat.map(line ->
                        line.substring(line.lastIndexOf(')') + 1).strip().split("\\s+"))
                .filter(fields -> fields.length > index)
                .map(fields -> fields[index]);
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
