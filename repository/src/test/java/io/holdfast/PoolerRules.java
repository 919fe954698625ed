package io.holdfast;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What may not stand in SQL (P) or in Java and configuration (J), since behind a pooler in transaction mode it is lost or
 * found by a stranger. Further rules are of the same kind: what a statement that must be constant, judge by one clock, and
 * survive a new column cannot have.
 */
final class PoolerRules {

    /** A statement begins with the text, after a semicolon, or, in a file of SQL, after an empty line. */
    private static final String BEGINS = "(?:\\A|;|\n[ \t]*\n)\\s*";

    private static final String ENDS = "(?:[;(]|\\z)";

    private static final String ARGUMENT = "(?:[^(),]|\\((?:[^()]|\\([^()]*\\))*\\))*";

    private static final Map<String, Pattern> SQL = new TreeMap<>();
    private static final Map<String, Pattern> JAVA = new TreeMap<>();

    static {
        sql("P01", BEGINS + "set\\s+(?!(?:local|transaction|constraints)\\b)");
        sql("P02", BEGINS + "(?:reset|discard)\\b");
        sql("P03", "\\bset_config\\s*\\((?!" + ARGUMENT + "," + ARGUMENT + ",\\s*true\\s*\\))");
        sql("P04", "\\bpg_(?:try_)?advisory_(?:lock|unlock)\\w*\\s*\\(");
        sql("P05", BEGINS + "(?:listen|unlisten|notify)\\b|\\bpg_notify\\s*\\(");
        sql(
                "P06",
                BEGINS + "(?:(?:prepare|deallocate)\\b|execute\\s+\\w+\\s*" + ENDS
                        + ")|\\b(?:commit|rollback)\\s+prepared\\b");
        sql(
                "P07",
                "\\bwith\\s+hold\\b|" + BEGINS
                        + "(?:declare\\s.*\\bcursor\\b|(?:fetch|move)\\s[^;]*\\b(?:from|in)\\s)");
        sql("P08", "\\b(?:create|into)\\s+(?:(?:local|global)\\s+)?temp(?:orary)?\\b|\\bpg_temp\\b");
        sql("P09", BEGINS + "load\\b|\\b(?:create|alter|drop)\\s+extension\\b");
        sql("P10", "\\b(?:currval|lastval)\\s*\\(");
        sql(
                "P11",
                "\\bconcurrently\\b|" + BEGINS
                        + "(?:vacuum|cluster|alter\\s+system|(?:create|drop|alter)\\s+database)\\b");
        sql(
                "P12",
                BEGINS + "(?:(?:begin|commit|end|rollback|abort)(?:\\s+(?:work|transaction|isolation)\\b|\\s*" + ENDS
                        + ")" + "|start\\s+transaction\\b|(?:release\\s+)?savepoint\\s)");
        sql(
                "P13",
                "\\bnow\\s*\\(\\s*\\)|\\bcurrent_(?:timestamp|time|date)\\b|\\blocaltime(?:stamp)?\\b"
                        + "|\\b(?:transaction|statement)_timestamp\\s*\\(");
        sql("P14", "(?<!\\.)<(?:=|-|#|\\+)>|::\\s*(?:half|sparse)?vec(?:tor)?\\b|(?<![.}])\\bvector_\\w+\\s*\\(");
        sql("P15", "\\breturning\\s+(?:\\w+\\.)?\\*|\\bselect\\s+\\*\\s+from\\s+(?:only\\s+)?[{$]");
        sql("P16", "\\bpg_(?:backend_pid|cancel_backend|terminate_backend)\\s*\\(|\\binet_client_\\w+\\s*\\(");
        sql("P17", "\\blo_\\w+\\s*\\(|\n\\s*\\w+\\s+oid\\b(?!\\s*[,=)])");
        sql("P18", BEGINS + "copy\\b");
        sql("P19", BEGINS + "lock\\s+(?:table\\b|[{$])");

        java("J01", "\\.set(?:TransactionIsolation|ReadOnly|Schema|Catalog|Holdability|AutoCommit|ClientInfo)\\s*\\(");
        java(
                "J02",
                "\\.setConnectionInitSql\\s*\\(|\\.\\w*[pP]roperty\\s*\\(\\s*\"(?:dataSource\\.)?(?:connectionInitSql"
                        + "|transactionIsolation|schema|catalog|readOnly)\"");
        java(
                "J03",
                "[?&](?:currentSchema|options)=|\"(?:currentSchema|options)\"\\s*,"
                        + "|prepareThreshold(?:=|\"\\s*,\\s*\")(?!0\\b)|\\.setPrepareThreshold\\s*\\(\\s*(?!0\\b)");
        java("J04", "\\bThreadLocal\\s*[<(.]");
        java("J05", "\\bString\\.format\\s*\\(\\s*\"+\\s*(?i:select|insert|update|delete|with)\\s");
        java(
                "J06",
                "\\b(?:Instant|Local\\w+|Offset\\w+|ZonedDateTime|Year\\w*|MonthDay)\\.now\\s*\\(|\\bcurrentTimeMillis\\b"
                        + "|\\bThread\\.sleep\\b|\\bnew\\s+Date\\s*\\(\\s*\\)|\\bCalendar\\.getInstance\\s*\\("
                        + "|\\bClock\\.(?:system|tick)\\w*\\s*\\(|\\bInstantSource\\.system\\s*\\(");
        java(
                "J08",
                "\\.formatted\\s*\\(|\\.to(?:Lower|Upper)Case\\s*\\(\\s*\\)|\\bString\\.format\\s*\\((?!\\s*Locale\\.)");
        java("J07", "hibernate\\.connection\\.(?:isolation|autocommit|handling_mode|release_mode)");
    }

    /** A statement's constant that something else is put into. */
    private static final Pattern PUT_TOGETHER = Pattern.compile(
            "^\\s*(?:select|insert\\s+into|update|delete\\s+from|with\\s+\\w+\\s+(?:as|\\())\\s*.*" + JavaTexts.VARIABLE
                    + ".*",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    /** A table and what the statement calls it. */
    private static final Pattern ALIAS =
            Pattern.compile("[{$]\\{?\\w+}(?:\\.\\w+)?\\s+(?:as\\s+)?(?!(?:set|where|on|values|using)\\b)(\\w+)");

    private static final Pattern ADVISORY = Pattern.compile("\\bpg_(?:try_)?advisory_\\w+", Pattern.CASE_INSENSITIVE);

    private static final Pattern COMMENT = Pattern.compile("--[^\n]*|/\\*.*?\\*/", Pattern.DOTALL);

    private PoolerRules() {}

    private static void sql(String rule, String pattern) {
        SQL.put(rule, Pattern.compile(pattern, Pattern.CASE_INSENSITIVE));
    }

    private static void java(String rule, String pattern) {
        JAVA.put(rule, Pattern.compile(pattern));
    }

    static List<String> all() {
        List<String> rules = new ArrayList<>(SQL.keySet());
        rules.addAll(JAVA.keySet());
        return rules;
    }

    /** The rules that a Java source breaks, each with the words that break it. */
    static Map<String, String> brokenBy(String source) {
        JavaTexts texts = JavaTexts.of(source);
        Map<String, String> broken = new TreeMap<>();
        find(JAVA, texts.code(), broken);
        for (String constant : texts.constants()) {
            broken.putAll(brokenBySql(constant));
            if (PUT_TOGETHER.matcher(constant).matches()) {
                broken.put("J05", constant);
            }
        }
        return broken;
    }

    /** The rules that a piece of SQL breaks. */
    static Map<String, String> brokenBySql(String sql) {
        String bare = COMMENT.matcher(sql).replaceAll("");
        Map<String, String> broken = new TreeMap<>();
        find(SQL, bare, broken);
        Matcher alias = ALIAS.matcher(bare);
        while (alias.find()) {
            if (Pattern.compile("\\b" + alias.group(1) + "\\.\\*").matcher(bare).find()) {
                broken.put("P15", alias.group(1) + ".*");
            }
        }
        return broken;
    }

    /** Of a transaction too, which {@code P04} lets pass. */
    static boolean takesAnAdvisoryLock(String source) {
        return ADVISORY.matcher(source).find();
    }

    private static void find(Map<String, Pattern> rules, String text, Map<String, String> broken) {
        rules.forEach((rule, pattern) -> {
            Matcher found = pattern.matcher(text);
            if (found.find()) {
                broken.putIfAbsent(rule, found.group().strip());
            }
        });
    }
}
