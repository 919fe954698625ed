package io.holdfast.cli;

import java.util.Locale;
import java.util.regex.Pattern;

/** Looks for credentials among the arguments before anything else does, since whoever reads arguments repeats them in errors. */
final class CommandLineSecrets {

    private static final Pattern OPTION = Pattern.compile("--?(?:pass(?:word|wd)?|pw|pwd|pgpassword|w)(?:[=:].*)?");
    private static final Pattern ASSIGNMENT =
            Pattern.compile("(?:holdfast[._])?(?:pg)?(?:ssl)?pass(?:word|wd)=.*", Pattern.DOTALL);
    private static final String ADDRESS = "(?:.*=)?(?:jdbc:postgresql:|postgres(?:ql)?://)";
    private static final Pattern IN_URL =
            Pattern.compile(ADDRESS + "(?:.*@.*|.*[?&](?:user|[a-z]*password)=.*)", Pattern.DOTALL);
    private static final Pattern URL = Pattern.compile(ADDRESS + ".*", Pattern.DOTALL);

    private CommandLineSecrets() {}

    /** @throws Refusal with the reason, never with the argument */
    static void refuse(String... arguments) {
        for (String argument : arguments) {
            String text = argument.toLowerCase(Locale.ROOT);
            if (OPTION.matcher(text).matches()
                    || ASSIGNMENT.matcher(text).matches()
                    || IN_URL.matcher(text).matches()) {
                throw Refusal.usage(
                        "a password is not taken on the command line: every user of this machine sees it in the list of"
                                + " processes, and the shell keeps it in its history. Set HOLDFAST_PASSWORD, or put"
                                + " holdfast.password into a file that only you can read and give --config FILE. If it was"
                                + " the real one, change it");
            }
            if (URL.matcher(text).matches()) {
                throw Refusal.usage(
                        "the URL is not taken on the command line: set HOLDFAST_URL, or put holdfast.url into a"
                                + " file and give --config FILE");
            }
        }
    }
}
