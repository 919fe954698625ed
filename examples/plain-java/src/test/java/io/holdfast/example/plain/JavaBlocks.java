package io.holdfast.example.plain;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * The {@code java} blocks of a page, compiled together in their order as the body of one method, so that a later block sees
 * what an earlier one declared. A {@code dataSource} and an {@code entityManager} are given.
 */
final class JavaBlocks {

    private static final String FENCE = "```";

    private final List<String> imports = new ArrayList<>();
    private final List<String> body = new ArrayList<>();
    private int count;

    JavaBlocks(List<String> page) {
        boolean fenced = false;
        boolean java = false;
        for (String line : page) {
            boolean fence = line.startsWith(FENCE);
            boolean code = java && !fence;
            if (fence) {
                fenced = !fenced;
                java = fenced && line.equals(FENCE + "java");
                count += java ? 1 : 0;
            }
            if (code && line.startsWith("import ")) {
                imports.add(line);
                code = false;
            }
            body.add(code ? line : ""); // a line each, so that the compiler counts as the page does
        }
    }

    int count() {
        return count;
    }

    /** What the compiler has to say, with the page's line numbers; nothing if all is well. */
    List<String> errors(Path output) throws IOException {
        String head = "package readme; " + String.join(" ", imports)
                + " final class Blocks { static Object run(javax.sql.DataSource dataSource,"
                + " jakarta.persistence.EntityManager entityManager) throws Exception { ";
        String source = head + String.join("\n", body) + "\n return null; } }";
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        var diagnostics = new DiagnosticCollector<JavaFileObject>();
        List<String> options = List.of(
                "--release",
                "17",
                "-proc:none",
                "-classpath",
                System.getProperty("java.class.path"),
                "-d",
                output.toString());
        try (var files = compiler.getStandardFileManager(diagnostics, Locale.ROOT, null)) {
            compiler.getTask(null, files, diagnostics, options, null, List.of(new Source(source)))
                    .call();
        }
        return diagnostics.getDiagnostics().stream()
                .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
                .map(diagnostic -> "line " + diagnostic.getLineNumber() + ": " + diagnostic.getMessage(Locale.ROOT))
                .toList();
    }

    private static final class Source extends SimpleJavaFileObject {

        private final String text;

        Source(String text) {
            super(URI.create("string:///readme/Blocks.java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
