package io.holdfast.process;

import io.holdfast.codec.Given;
import io.holdfast.failure.InvalidValueException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A process as a lease's owner: {@code nx1.host.pid.ticks.random}. It fits an owner's form and length.
 *
 * @param host 16 lower-case hex digits that stand for host name, boot and process namespace; the first is {@code u} where the
 *     boot is not known: nobody of such a host is ever judged dead
 * @param pid the process's number in its namespace, 1 to 2^31-1
 * @param startTicks when it started, in the kernel's ticks since boot; 0 if that is not known
 * @param nonce 32 lower-case hex digits, made at random: two claims of one process are two owners
 */
public record ProcessIdentity(String host, long pid, long startTicks, String nonce) {

    private static final Pattern HOST = Pattern.compile("[0-9a-fu][0-9a-f]{15}");
    private static final Pattern NONCE = Pattern.compile("[0-9a-f]{32}");
    private static final Pattern TEXT = Pattern.compile(
            "nx1\\.([0-9a-fu][0-9a-f]{15})\\.([1-9][0-9]{0,9})\\.(0|[1-9][0-9]{0,17})\\.([0-9a-f]{32})");

    public ProcessIdentity {
        if (!HOST.matcher(Given.value("host", host)).matches()) {
            throw new InvalidValueException("host", "be 16 lower-case hex digits, or u and 15 of them");
        }
        if (pid < 1 || pid > Integer.MAX_VALUE) {
            throw new InvalidValueException("pid", "be 1 to 2^31-1");
        }
        if (startTicks < 0 || startTicks >= 1_000_000_000_000_000_000L) {
            throw new InvalidValueException("startTicks", "be 0 to 10^18-1");
        }
        if (!NONCE.matcher(Given.value("nonce", nonce)).matches()) {
            throw new InvalidValueException("nonce", "be 32 lower-case hex digits");
        }
    }

    /** What an owner's text says of its process; empty if it is not of this form. */
    public static Optional<ProcessIdentity> parse(String owner) {
        Matcher parts = TEXT.matcher(Given.value("owner", owner));
        if (!parts.matches() || Long.parseLong(parts.group(2)) > Integer.MAX_VALUE) {
            return Optional.empty();
        }
        return Optional.of(new ProcessIdentity(
                parts.group(1), Long.parseLong(parts.group(2)), Long.parseLong(parts.group(3)), parts.group(4)));
    }

    /** Whether its boot is known, without which nobody can tell that it is dead. */
    public boolean isTraceable() {
        return !host.startsWith("u");
    }

    /** The owner's text. */
    public String owner() {
        return "nx1." + host + "." + pid + "." + startTicks + "." + nonce;
    }

    /** The owner's text. */
    @Override
    public String toString() {
        return owner();
    }
}
