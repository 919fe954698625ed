package io.holdfast;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Java source as a scan wants it: without comments, and with its string constants apart. Constants that are put
 * together with {@code +} are one; whatever is not a constant stands in it as {@link #VARIABLE}.
 */
record JavaTexts(String code, List<String> constants) {

    static final String VARIABLE = "\uFFFC";

    private static final Pattern TOKEN = Pattern.compile(
            "(?<comment>/\\*.*?\\*/|//[^\n]*)"
                    + "|\"\"\"[ \t]*\n(?<block>(?:[^\"\\\\]++|\\\\.|\"(?!\"\"))*+)\"\"\""
                    + "|\"(?<string>(?:[^\"\\\\\n]++|\\\\.)*+)\""
                    + "|'(?:\\\\.|[^'\\\\\n])+'",
            Pattern.DOTALL);

    private static final Pattern JOINT = Pattern.compile("\\s*\\+\\s*");
    private static final Pattern JOINT_OF_ANOTHER = Pattern.compile("\\s*\\+[^;,\"]+\\+\\s*");
    private static final Pattern MORE = Pattern.compile("\\s*\\+.*", Pattern.DOTALL);

    static JavaTexts of(String source) {
        List<String> constants = new ArrayList<>();
        StringBuilder code = new StringBuilder();
        StringBuilder constant = null;
        String between = "";
        int last = 0;
        Matcher token = TOKEN.matcher(source);
        while (token.find()) {
            String gap = source.substring(last, token.start());
            code.append(gap);
            between += gap;
            last = token.end();
            if (token.group("comment") != null) {
                continue;
            }
            code.append(token.group());
            String text = token.group("block") != null ? token.group("block") : token.group("string");
            if (text == null) {
                between += token.group();
                continue;
            }
            boolean plain = JOINT.matcher(between).matches();
            if (constant != null && (plain || JOINT_OF_ANOTHER.matcher(between).matches())) {
                constant.append(plain ? "" : VARIABLE).append(text);
            } else {
                add(constants, constant, between);
                constant = new StringBuilder(text);
            }
            between = "";
        }
        String rest = source.substring(last);
        code.append(rest);
        add(constants, constant, between + rest);
        return new JavaTexts(code.toString(), List.copyOf(constants));
    }

    private static void add(List<String> constants, StringBuilder constant, String after) {
        if (constant != null) {
            constants.add(MORE.matcher(after).matches() ? constant + VARIABLE : constant.toString());
        }
    }
}
