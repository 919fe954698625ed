package io.holdfast.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** What the operating system says of its processes. Empty is "not known" throughout. */
interface Machine {

    Optional<String> hostName();

    Optional<String> bootId();

    /** The number of the process namespace this process lives in. */
    Optional<String> processNamespace();

    long ownPid();

    /** The kernel's line about a process. */
    Optional<String> stat(long pid);

    /** Whether there certainly is no such process; false in doubt. */
    boolean isGone(long pid);

    /** Linux, by its file system of processes. Elsewhere nothing is known, and nobody is judged dead. */
    record Linux(Path proc) implements Machine {

        static final Linux HERE = new Linux(Path.of("/proc"));

        @Override
        public Optional<String> hostName() {
            return text("sys/kernel/hostname").map(String::strip);
        }

        @Override
        public Optional<String> bootId() {
            return text("sys/kernel/random/boot_id").map(String::strip).filter(id -> !id.isEmpty());
        }

        @Override
        public Optional<String> processNamespace() {
            try {
                String link =
                        Files.readSymbolicLink(proc.resolve("self/ns/pid")).toString();
                String inode = link.replaceAll("[^0-9]", "");
                return inode.isEmpty() ? Optional.empty() : Optional.of(inode);
            } catch (IOException | UnsupportedOperationException | SecurityException e) {
                return Optional.empty();
            }
        }

        @Override
        public long ownPid() {
            return ProcessHandle.current().pid();
        }

        @Override
        public Optional<String> stat(long pid) {
            return text(pid + "/stat");
        }

        /** Where others' processes are hidden from us, one that is not to be seen may well be alive. */
        @Override
        public boolean isGone(long pid) {
            try {
                Files.readString(proc.resolve(pid + "/stat"));
                return false;
            } catch (NoSuchFileException e) {
                return showsEverybody() && ProcessHandle.of(pid).isEmpty();
            } catch (IOException | SecurityException e) {
                return false;
            }
        }

        private boolean showsEverybody() {
            return text("self/mounts")
                    .map(mounts -> mounts.lines()
                            .map(line -> line.split(" "))
                            .filter(mount -> mount.length > 3 && mount[1].equals(proc.toString()))
                            .reduce((earlier, later) -> later)
                            .map(mount -> mount[2].equals("proc") && !hides(mount[3]))
                            .orElse(false))
                    .orElse(false);
        }

        private static boolean hides(String options) {
            return options.contains("hidepid=") && !options.matches(".*hidepid=(0|off)(,.*)?");
        }

        private Optional<String> text(String file) {
            try {
                return Optional.of(Files.readString(proc.resolve(file)));
            } catch (IOException | SecurityException e) {
                return Optional.empty();
            }
        }
    }
}
