package io.holdfast.example.blackbox;

import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The command line. */
record Arguments(Place first, Place second) {

    static final String HELP = """
            Drives two instances of one application against one database over HTTP, and reports case by case.

              --first URL,PID    the instance that will be killed, as http://host:port and its process id
              --second URL,PID   the one that takes over
              --help             this text

            The process ids are those of the processes that serve, not of a script that started them. Waits until both
            answer GET /api/about. The first instance is dead afterwards; the second goes on.

            Exit status: 0 if no case failed, 1 if one did, 2 if it could not be tried.""";

    /** The command line is not one. */
    static final class Wrong extends Exception {

        private static final long serialVersionUID = 1L;

        Wrong(String message) {
            super(message);
        }
    }

    /** Where an instance is. */
    record Place(URI url, long pid) {

        private static Place parse(String option, String value) throws Wrong {
            int comma = value.lastIndexOf(',');
            try {
                URI url = URI.create(value.substring(0, Math.max(comma, 0)).replaceAll("/+$", ""));
                long pid = Long.parseLong(value.substring(comma + 1));
                if ("http".equals(url.getScheme()) && url.getHost() != null && pid > 0) {
                    return new Place(url, pid);
                }
            } catch (IllegalArgumentException e) { // said below
            }
            throw new Wrong(option + " must be URL,PID, as in http://localhost:8080,4711");
        }

        Optional<ProcessHandle> process() {
            return ProcessHandle.of(pid).filter(ProcessHandle::isAlive);
        }
    }

    static Arguments parse(String... arguments) throws Wrong {
        @Nullable Place first = null;
        @Nullable Place second = null;
        for (int i = 0; i < arguments.length; i += 2) {
            String option = arguments[i];
            if (!option.equals("--first") && !option.equals("--second")) {
                throw new Wrong("There is no option " + option);
            }
            if (i + 1 == arguments.length) {
                throw new Wrong(option + " must be URL,PID");
            }
            Place place = Place.parse(option, arguments[i + 1]);
            if (option.equals("--first")) {
                first = place;
            } else {
                second = place;
            }
        }
        if (first == null || second == null) {
            throw new Wrong("Both --first and --second are needed");
        }
        if (first.pid() == second.pid() || first.url().equals(second.url())) {
            throw new Wrong("--first and --second must be two instances");
        }
        return new Arguments(first, second);
    }
}
