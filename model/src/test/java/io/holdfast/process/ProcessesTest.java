package io.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.codec.Identifier;
import io.holdfast.failure.InvalidValueException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessesTest {

    private static final String NONCE = "0123456789abcdef".repeat(2);

    private final Fake machine = new Fake();
    private final Processes processes = new Processes(machine);
    private final String host = processes.identity().host();

    @Test
    void anIdentityIsAnOwner() {
        String owner = new ProcessIdentity("f".repeat(16), Integer.MAX_VALUE, 999_999_999_999_999_999L, NONCE).owner();
        assertThat(Identifier.ident("owner", owner)).isEqualTo(owner);
        assertThat(ProcessIdentity.parse(owner).orElseThrow().owner()).isEqualTo(owner);
    }

    @Test
    void thisProcessNamesItselfAnewEachTime() {
        ProcessIdentity one = processes.identity();
        assertThat(one.pid()).isEqualTo(100);
        assertThat(one.startTicks()).isEqualTo(5);
        assertThat(one.host()).isEqualTo("0c24e531784954c7"); // sha256("node" NUL "boot" NUL "4026531836")
        assertThat(processes.identity().nonce()).isNotEqualTo(one.nonce());
        assertThat(processes.isDead(one.owner())).isFalse();
    }

    @Test
    void aProcessThatIsGoneIsDead() {
        machine.gone = true;
        assertThat(processes.isDead(owner(host, 200, 7))).isTrue();
    }

    @Test
    void aProcessThatMayOnlyBeHiddenIsNotDead() {
        assertThat(processes.isDead(owner(host, 200, 7))).isFalse();
    }

    @Test
    void anotherProcessOfTheSameNumberMeansThatItIsDead() { // L5
        machine.stats.put(200L, stat("S", 8));
        assertThat(processes.isDead(owner(host, 200, 7))).isTrue();
        assertThat(processes.isDead(owner(host, 200, 8))).isFalse();
        assertThat(processes.isDead(owner(host, 200, 0))).isFalse();
    }

    @Test
    void aZombieIsDead() { // L6
        for (String state : new String[] {"Z", "X", "x"}) {
            machine.stats.put(200L, stat(state, 7));
            assertThat(processes.isDead(owner(host, 200, 7))).as(state).isTrue();
        }
        machine.stats.put(200L, "200 (odd) Z (name) S" + " 0".repeat(18) + " 7 0");
        assertThat(processes.isDead(owner(host, 200, 7))).isFalse();
    }

    @Test
    void whoIsNotOfThisMachineOrNotKnownIsNotDead() { // L4
        machine.gone = true;
        assertThat(processes.isDead(owner("0".repeat(16), 200, 7))).isFalse();
        assertThat(processes.isDead(owner(host, 100, 7))).isFalse();
        assertThat(processes.isDead("worker-1")).isFalse();
        assertThat(processes.isDead("nx1." + host + ".0.7." + NONCE)).isFalse();
        assertThat(processes.isDead("nx1." + host + ".9999999999.7." + NONCE)).isFalse();
        assertThat(processes.isDead("nx2." + host + ".200.7." + NONCE)).isFalse();
    }

    @Test
    void whereTheBootIsNotKnownNobodyIsDead() {
        machine.boot = Optional.empty();
        machine.gone = true;
        ProcessIdentity blind = processes.identity();
        assertThat(blind.host()).startsWith("u").hasSize(16);
        assertThat(blind.isTraceable()).isFalse();
        assertThat(processes.isDead(owner(blind.host(), 200, 7))).isFalse();
    }

    @Test
    void whatIsNotAnIdentityIsRefused() {
        assertThat(ProcessIdentity.parse("nx1.a.b")).isEmpty();
        assertThatExceptionOfType(InvalidValueException.class).isThrownBy(() -> new ProcessIdentity("x", 1, 1, NONCE));
        assertThatExceptionOfType(InvalidValueException.class).isThrownBy(() -> new ProcessIdentity(host, 0, 1, NONCE));
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> new ProcessIdentity(host, 1, -1, NONCE));
        assertThatExceptionOfType(InvalidValueException.class).isThrownBy(() -> new ProcessIdentity(host, 1, 1, "a"));
    }

    @Test
    void linuxIsReadByItsFileSystemOfProcesses(@TempDir Path proc) throws IOException {
        Files.createDirectories(proc.resolve("self/ns"));
        Files.createDirectories(proc.resolve("200"));
        Files.createSymbolicLink(proc.resolve("self/ns/pid"), Path.of("pid:[4026531836]"));
        Files.writeString(proc.resolve("200/stat"), stat("S", 7));
        Machine linux = new Machine.Linux(proc);
        assertThat(linux.processNamespace()).contains("4026531836");
        assertThat(linux.bootId()).isEmpty();
        assertThat(linux.stat(200)).contains(stat("S", 7));
        assertThat(linux.isGone(200)).isFalse();
        assertThat(linux.isGone(Integer.MAX_VALUE)).isFalse(); // no list of mounts: not sure
        Files.writeString(proc.resolve("self/mounts"), "proc " + proc + " proc rw,hidepid=2 0 0\n");
        assertThat(linux.isGone(Integer.MAX_VALUE)).isFalse();
        Files.writeString(proc.resolve("self/mounts"), "proc " + proc + " proc rw,nosuid 0 0\n");
        assertThat(linux.isGone(Integer.MAX_VALUE)).isTrue();
    }

    @Test
    void thisMachineKnowsThisProcess() {
        Processes here = Processes.here();
        ProcessIdentity own = here.identity();
        assertThat(own.pid()).isEqualTo(ProcessHandle.current().pid());
        assertThat(here.isDead(own.owner())).isFalse();
    }

    private static String owner(String host, long pid, long ticks) {
        return "nx1." + host + "." + pid + "." + ticks + "." + NONCE;
    }

    private static String stat(String state, long ticks) {
        return "200 (java) " + state + " 1".repeat(18) + " " + ticks + " 0 0";
    }

    private static final class Fake implements Machine {

        private final Map<Long, String> stats = new HashMap<>(Map.of(100L, ProcessesTest.stat("S", 5)));
        private Optional<String> boot = Optional.of("boot");
        private boolean gone;

        @Override
        public Optional<String> hostName() {
            return Optional.of("node");
        }

        @Override
        public Optional<String> bootId() {
            return boot;
        }

        @Override
        public Optional<String> processNamespace() {
            return Optional.of("4026531836");
        }

        @Override
        public long ownPid() {
            return 100;
        }

        @Override
        public Optional<String> stat(long pid) {
            return Optional.ofNullable(stats.get(pid));
        }

        @Override
        public boolean isGone(long pid) {
            return gone;
        }
    }
}
