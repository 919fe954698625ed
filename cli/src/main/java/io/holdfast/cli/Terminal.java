package io.holdfast.cli;

import java.io.Console;
import java.lang.reflect.InvocationTargetException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Whether a person is there, and what that person answers. */
interface Terminal {

    /** Nobody is there: input or output is a pipe or a file. */
    Terminal NONE = new Terminal() {
        @Override
        public boolean present() {
            return false;
        }

        @Override
        public boolean colours() {
            return false;
        }

        @Override
        public @Nullable String ask(String question) {
            return null;
        }
    };

    boolean present();

    boolean colours();

    /** Null if the input ended. */
    @Nullable
    String ask(String question);

    /** That of this process. No colours with NO_COLOR (https://no-color.org) or a dumb terminal. */
    static Terminal of(Map<String, String> environment) {
        Console console = System.console();
        if (console == null || !isTerminal(console)) {
            return NONE;
        }
        boolean plain = !environment.getOrDefault("NO_COLOR", "").isEmpty()
                || environment.getOrDefault("TERM", "dumb").equals("dumb");
        return new Terminal() {
            @Override
            public boolean present() {
                return true;
            }

            @Override
            public boolean colours() {
                return !plain;
            }

            @Override
            public @Nullable String ask(String question) {
                return console.readLine("%s", question);
            }
        };
    }

    /** From Java 22 on there is a console also where there is no terminal, and a method that tells. */
    private static boolean isTerminal(Console console) {
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException e) {
            return true;
        } catch (IllegalAccessException | InvocationTargetException e) {
            return false;
        }
    }
}
