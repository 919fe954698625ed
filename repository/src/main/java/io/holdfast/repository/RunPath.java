package io.holdfast.repository;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A run's id in the form whose byte order is the order of runs below another: segment by segment, by name, then by the numbers
 * of step, attempt and item. A number has its length before it, so that 10 comes after 9; a name ends with a tab, which no id
 * holds and which comes before whatever one may. Different ids have different paths.
 */
final class RunPath {

    /** Attempt 1 is never written; a segment of another form is a name and nothing else. */
    private static final Pattern STEP =
            Pattern.compile("(.+)#(0|[1-9][0-9]{0,17})(?:\\.([2-9]|[1-9][0-9]{1,17}))?(?:\\[(0|[1-9][0-9]{0,17})])?");

    private RunPath() {}

    static String of(String runId) {
        StringBuilder path = new StringBuilder(runId.length() + 16);
        int from = 0;
        for (int slash = runId.indexOf('/'); slash >= 0; slash = runId.indexOf('/', from)) {
            segment(path, runId.substring(from, slash)).append('/');
            from = slash + 1;
        }
        return segment(path, runId.substring(from)).toString();
    }

    /** Everything below a run comes after this. */
    static String below(String runId) {
        return of(runId) + '/';
    }

    /** Everything below a run comes before this: 0 is next to the slash. */
    static String beyond(String runId) {
        return of(runId) + '0';
    }

    private static StringBuilder segment(StringBuilder path, String segment) {
        Matcher step = STEP.matcher(segment);
        if (!step.matches()) {
            return path.append(segment).append('\t');
        }
        number(path.append(step.group(1)).append('\t'), step.group(2));
        // The marks in the order of what they begin: nothing, what is below (/), an item, a later attempt.
        if (step.group(3) != null) {
            number(path.append('~'), step.group(3));
        }
        if (step.group(4) != null) {
            number(path.append('['), step.group(4));
        }
        return path;
    }

    private static void number(StringBuilder path, String digits) {
        path.append((char) ('a' + digits.length())).append(digits);
    }
}
