package io.holdfast.journal;

import io.holdfast.codec.Given;
import io.holdfast.codec.Unicode;
import io.holdfast.failure.InvalidValueException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of one step of a run, the same in every process that comes to it again. Two forms:
 *
 * <ul>
 *   <li>of a workflow: {@code node#step}, a second and later attempt {@code node#step.2}, an item of a mapped step
 *       {@code node#step[0]} or {@code node#step.2[0]};
 *   <li>of an agent: {@code turn:3/model}, {@code turn:3/call:id}, a later attempt {@code turn:3/call:id#2}.
 * </ul>
 *
 * <p>Numbers have no leading zero and at most 18 digits. Attempt 1 is never written: {@code a#1.1} is read as {@code a#1}, so
 * that one step has one name.
 *
 * @param text 1 to 1,024 bytes of UTF-8 without U+0000 and lone surrogates; other control characters are allowed
 */
public record StepKey(String text) {

    /** The longest key, in bytes of UTF-8. */
    public static final int MAX_BYTES = 1_024;

    private static final String NUMBER = "(0|[1-9][0-9]{0,17})";
    private static final String ATTEMPT = "([1-9][0-9]{0,17})";
    private static final Pattern MODEL = Pattern.compile("turn:" + NUMBER + "/model");
    private static final Pattern CALL = Pattern.compile("turn:" + NUMBER + "/call:(.+)", Pattern.DOTALL);
    private static final Pattern CALL_AGAIN = Pattern.compile("(.+)#" + ATTEMPT, Pattern.DOTALL);
    private static final Pattern VISIT =
            Pattern.compile("(.+)#" + NUMBER + "(?:\\." + ATTEMPT + ")?(?:\\[" + NUMBER + "])?", Pattern.DOTALL);

    /** @throws InvalidValueException if the text is of neither form */
    public StepKey {
        Given.value("stepKey", text);
        if (text.isEmpty() || text.length() > MAX_BYTES || Unicode.utf8Length(text) > MAX_BYTES) {
            throw new InvalidValueException("stepKey", "be 1 to " + MAX_BYTES + " bytes of UTF-8");
        }
        if (text.indexOf('\0') >= 0 || Unicode.loneSurrogate(text) >= 0) {
            throw new InvalidValueException("stepKey", "hold no U+0000 and no lone surrogate");
        }
        if (!ofAgent(text)) {
            Matcher visit = VISIT.matcher(text);
            if (!visit.matches()) {
                throw new InvalidValueException(
                        "stepKey",
                        "be node#step, node#step.attempt, either with [item], turn:n/model or turn:n/call:id");
            }
            if ("1".equals(visit.group(3))) {
                text = text.substring(0, visit.start(3) - 1) + text.substring(visit.end(3));
            }
        }
    }

    /** Whether a text is a step key. */
    public static boolean isValid(@Nullable String text) {
        if (text == null) {
            return false;
        }
        try {
            new StepKey(text);
            return true;
        } catch (InvalidValueException e) {
            return false;
        }
    }

    /** The visit of a node: {@code node#step}. A branch of a node is a node {@code node/branch}. */
    public static StepKey visit(String node, long step) {
        StepKey key = new StepKey(Given.value("node", node) + "#" + atLeast("step", step, 0));
        if (!key.node().equals(Optional.of(node))) {
            throw new InvalidValueException("node", "not have the form of an agent's step");
        }
        return key;
    }

    /** The model call of a turn; a negative turn is turn 0. */
    public static StepKey model(long turn) {
        return new StepKey("turn:" + Math.max(0, turn) + "/model");
    }

    /** A tool call of a turn; a negative turn is turn 0, an empty id is {@code -}, {@code %} and {@code #} in it are escaped. */
    public static StepKey call(long turn, String id) {
        String escaped = Given.value("id", id).replace("%", "%25").replace("#", "%23");
        return new StepKey("turn:" + Math.max(0, turn) + "/call:" + (escaped.isEmpty() ? "-" : escaped));
    }

    /**
     * The same step at another attempt, from 1. A model call has none.
     *
     * @throws InvalidValueException if the attempt is less than 1, or if this is a model call and the attempt not 1
     */
    public StepKey withAttempt(long attempt) {
        atLeast("attempt", attempt, 1);
        Matcher visit = VISIT.matcher(text);
        if (ofAgent(text)) {
            return attempt == 1 ? new StepKey(firstCall()) : again(attempt);
        }
        require(visit);
        String item = visit.group(4) == null ? "" : "[" + visit.group(4) + "]";
        return new StepKey(visit.group(1) + "#" + visit.group(2) + (attempt == 1 ? "" : "." + attempt) + item);
    }

    private StepKey again(long attempt) {
        if (!CALL.matcher(text).matches()) {
            throw new InvalidValueException("attempt", "be 1 for a model call");
        }
        return new StepKey(firstCall() + "#" + attempt);
    }

    /** One item of this visit, from 0. */
    public StepKey withItem(long item) {
        atLeast("item", item, 0);
        Matcher visit = VISIT.matcher(text);
        if (ofAgent(text) || !visit.matches() || visit.group(4) != null) {
            throw new InvalidValueException("item", "be of a visit that has none yet");
        }
        return new StepKey(text + "[" + item + "]");
    }

    /** Which attempt at the step this is, from 1. */
    public long attempt() {
        if (ofAgent(text)) {
            String first = firstCall();
            return first.length() == text.length() ? 1 : Long.parseLong(text.substring(first.length() + 1));
        }
        String attempt = require(VISIT.matcher(text)).group(3);
        return attempt == null ? 1 : Long.parseLong(attempt);
    }

    /** The node of a workflow's step; empty for an agent's. */
    public Optional<String> node() {
        return ofAgent(text)
                ? Optional.empty()
                : Optional.of(require(VISIT.matcher(text)).group(1));
    }

    /** The number of a workflow's step; empty for an agent's. */
    public OptionalLong step() {
        return ofAgent(text)
                ? OptionalLong.empty()
                : number(require(VISIT.matcher(text)).group(2));
    }

    /** The item of a mapped step; empty for all others. */
    public OptionalLong item() {
        return ofAgent(text)
                ? OptionalLong.empty()
                : number(require(VISIT.matcher(text)).group(4));
    }

    /** The turn of an agent's step; empty for a workflow's. */
    public OptionalLong turn() {
        return ofAgent(text) ? number(text.substring("turn:".length(), text.indexOf('/'))) : OptionalLong.empty();
    }

    /** The id of an agent's tool call as it was before escaping; empty for all others. */
    public Optional<String> callId() {
        Matcher call = CALL.matcher(firstCall());
        return call.matches() ? Optional.of(call.group(2).replace("%23", "#").replace("%25", "%")) : Optional.empty();
    }

    private String firstCall() {
        Matcher call = CALL.matcher(text);
        if (call.matches()) {
            Matcher again = CALL_AGAIN.matcher(call.group(2));
            if (again.matches() && !again.group(2).equals("1")) {
                return text.substring(0, call.start(2) + again.end(1));
            }
        }
        return text;
    }

    private static boolean ofAgent(String text) {
        return MODEL.matcher(text).matches() || CALL.matcher(text).matches();
    }

    private static Matcher require(Matcher visit) {
        if (!visit.matches()) {
            throw new IllegalStateException("Neither form, and yet it was accepted");
        }
        return visit;
    }

    private static OptionalLong number(@Nullable String digits) {
        return digits == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(digits));
    }

    private static long atLeast(String field, long value, long least) {
        if (value < least || value >= 1_000_000_000_000_000_000L) {
            throw new InvalidValueException(field, "be " + least + " to 10^18-1");
        }
        return value;
    }

    /** The text. */
    @Override
    public String toString() {
        return text;
    }
}
