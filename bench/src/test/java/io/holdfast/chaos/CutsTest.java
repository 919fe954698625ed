package io.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.approval.ApprovalState;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.Stores;
import io.holdfast.testing.ServerProxy;
import io.holdfast.testing.TestDatabase;
import jakarta.persistence.EntityManagerFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cut at a text that no write has, or that a read has as well, would not be where the plan says. */
class CutsTest {

    private static final String WRITES = "(?s).*(\\b(insert into|update|delete from) holdfast\\.|_v1\\().*";

    @TempDir
    Path directory;

    private final TestDatabase database = TestDatabase.migrated("cuts");
    private final ServerProxy proxy = ServerProxy.to(database);
    private HikariDataSource pool;
    private EntityManagerFactory factory;
    private Desk desk;

    @BeforeEach
    void open() {
        database.execute(FencedEffect.TABLE);
        pool = new HikariDataSource();
        pool.setDataSource(proxy.dataSource());
        factory = Worker.factory(pool, false);
        desk = desk("worker-1.1.t1");
    }

    @AfterEach
    void close() {
        factory.close();
        pool.close();
        proxy.close();
        database.close();
    }

    private Desk desk(String who) {
        Ledger ledger = new Ledger(directory.resolve("ledger"));
        return new Desk(factory, Holdfast.over(factory), ledger, new Told(directory.resolve("history")), who, 1);
    }

    @Test
    void eachTextIsThatOfAWriteThatWorkersMake() throws InterruptedException {
        List<Workload> workloads = List.of(
                new LeasedWork(), new RunEvents(), new ChatSessions(), new KeyedRequests(), new JournaledRuns());
        List<String> missing = new ArrayList<>(Cuts.WRITES);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (!missing.isEmpty() && System.nanoTime() < end) {
            for (Workload workload : workloads) {
                workload.work(desk);
            }
            List<String> sent = sent();
            missing.removeIf(
                    text -> sent.stream().anyMatch(statement -> statement.contains(text) && statement.matches(WRITES)));
            proxy.reset();
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void noReadHasOne() {
        Stores stores = desk.stores;
        proxy.reset();
        stores.workflows().find("a");
        stores.workflows().list("", 1);
        stores.runs().find("a");
        stores.runs().events("a", 0, 1);
        stores.runs().list("", 1);
        stores.workspaceSessions().find("a");
        stores.workspaceSessions().list("", 1);
        stores.journal().find("a");
        stores.journal().events("a", 0, 1);
        stores.runLeases().recoverable("", 1);
        stores.checkpoints().find("a");
        stores.agentCheckpoints().load("a");
        stores.approvals().find("a");
        stores.approvals().list(ApprovalState.PENDING, Optional.empty(), 1);
        Frontier.ofSlots("workflow", "slot", 1).get(0).id(desk);
        assertThat(sent())
                .hasSizeGreaterThan(10)
                .noneMatch(statement -> Cuts.WRITES.stream().anyMatch(statement::contains));
    }

    @Test
    void aNewLifeBeginsWhereTheOthersAre() {
        List<Frontier> old = Frontier.ofSlots("run", "log", 2);
        assertThat(old.get(1).id(desk)).isEqualTo("log-1.0");
        for (int i = 0; i < 12; i++) {
            desk.stores.runs().create(old.get(1).id(desk), Map.of(), Map.of());
            old.get(1).moveOn(desk);
        }
        List<Frontier> fresh = Frontier.ofSlots("run", "log", 2);
        assertThat(fresh.get(1).id(desk("worker-1.2.t1"))).isEqualTo("log-1.11"); // 9 would be the last as text
        assertThat(fresh.get(0).id(desk)).isEqualTo("log-0.0");
        assertThat(old.get(1).id(desk)).isEqualTo("log-1.12");
    }

    private List<String> sent() {
        return proxy.statements().stream()
                .map(statement -> statement.toLowerCase(Locale.ROOT))
                .toList();
    }
}
