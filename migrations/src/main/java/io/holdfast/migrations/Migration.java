package io.holdfast.migrations;

import io.holdfast.failure.InvalidValueException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * One numbered file of SQL. In it, <code>${schema}</code> stands for the quoted schema name, and every table is made by
 * a line that begins with <code>create table ${schema}.</code>, from which {@link #tables()} is read, and every function by one
 * that begins with <code>create function ${schema}.</code>.
 *
 * <p>From version 2 on it should say, in a comment on the history table, with which older code the tables still work:
 * <code>comment on table ${schema}.schema_history_core is 'version 2 works with version 1';</code> Then a process of the older
 * release can start while a rolling upgrade is on its way; without it, a newer schema is refused.
 *
 * @param version from 1, without gaps within a component
 * @param file    {@code V<version>__<words>.sql}, as it appears in the history table
 * @param sql     the text of the file
 */
public record Migration(int version, String file, String sql) {

    private static final Pattern FILE = Pattern.compile("V([1-9][0-9]{0,5})__([a-z0-9]+(?:_[a-z0-9]+)*)\\.sql");
    private static final Pattern TABLE = Pattern.compile("(?m)^create table \\$\\{schema}\\.([a-z][a-z0-9_]*)");

    private static final Pattern FUNCTION =
            Pattern.compile("(?m)^create function \\$\\{schema}\\.([a-z][a-z0-9_]*)\\(");

    /** @throws InvalidValueException if the file's name is not of the documented form or tells another version */
    public Migration {
        Matcher name = FILE.matcher(file);
        if (!name.matches() || Integer.parseInt(name.group(1)) != version) {
            throw new InvalidValueException("file", "be V<version>__<words>.sql of its version");
        }
    }

    /** A migration that takes its version from the file's name. */
    public static Migration of(String file, String sql) {
        Matcher name = FILE.matcher(file);
        if (!name.matches()) {
            throw new InvalidValueException("file", "be V<version>__<words>.sql");
        }
        return new Migration(Integer.parseInt(name.group(1)), file, sql);
    }

    /** The words of the file's name. */
    public String description() {
        return file.substring(file.indexOf("__") + 2, file.length() - ".sql".length())
                .replace('_', ' ');
    }

    /** Names of the tables that this migration makes, in the order of the file. */
    public List<String> tables() {
        return TABLE.matcher(sql).results().map(table -> table.group(1)).toList();
    }

    /** Names of the functions that this migration makes, in the order of the file. */
    public List<String> functions() {
        return FUNCTION.matcher(sql)
                .results()
                .map(function -> function.group(1))
                .toList();
    }

    /** All that it makes, as it is told and looked for: functions with their brackets, which no table can have. */
    List<String> made() {
        return Stream.concat(tables().stream(), functions().stream().map(name -> name + "()"))
                .toList();
    }

    /**
     * What the history table remembers of the text: Flyway's checksum, a CRC-32 over the lines without their ends, so
     * that a checkout with other line ends is the same file. Source: {@code ChecksumCalculator} of Flyway; a test
     * compares.
     */
    public int checksum() {
        CRC32 crc = new CRC32();
        sql.lines().forEach(line -> crc.update(line.getBytes(StandardCharsets.UTF_8)));
        return (int) crc.getValue();
    }

    /** The file's name; the text is long. */
    @Override
    public String toString() {
        return file;
    }
}
