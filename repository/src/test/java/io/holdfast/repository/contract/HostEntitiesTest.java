package io.holdfast.repository.contract;

import static io.holdfast.state.WorkflowStatus.QUEUED;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Scope;
import io.holdfast.entity.WorkflowEntity;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.lease.LeaseKey;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.Stores;
import io.holdfast.state.WorkflowRules;
import io.holdfast.state.WorkflowState;
import io.holdfast.testing.TestDatabase;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Workflow;
import jakarta.persistence.EntityManagerFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.hibernate.SessionFactory;
import org.hibernate.cache.spi.CacheImplementor;
import org.hibernate.stat.CacheRegionStatistics;
import org.hibernate.stat.Statistics;
import org.junit.jupiter.api.Test;

/** Our entities in an application's persistence unit: asked in JPQL, joined with its own, and out of its caches. */
class HostEntitiesTest {

    private final EntityManagerFactory unit = HostUnit.get();
    private final Scope scope = Scope.of("host-" + UUID.randomUUID());

    private void aWorkflow(Stores stores, String id, String team) {
        WorkflowState state = WorkflowState.create(id, "req-1");
        Workflow created = ((Creation.Created) stores.workflows().create(state, Map.of("team", team))).workflow();
        if (team.equals("blue")) {
            stores.workflows().update(created, WorkflowRules.transition(state, QUEUED, "e1", Contract.AT));
        }
    }

    @Test
    void anApplicationJoinsItsOwnEntitiesWithOursAndAsksForLabels() {
        try (Holdfast holdfast = Holdfast.over(unit)) {
            aWorkflow(holdfast.in(scope), "wf-1", "blue");
            aWorkflow(holdfast.in(scope), "wf-2", "red");
        }
        long id = System.nanoTime();
        unit.runInTransaction(em -> {
            em.persist(new Note(id, scope.id(), "wf-1", "about the blue one"));
            em.persist(new Note(id + 1, scope.id(), "wf-2", "about the red one"));
        });
        List<String> notes = unit.callInTransaction(em -> em.createQuery("""
                        select n.text || ': ' || w.status from Note n
                          join HoldfastWorkflow w on w.key.scope = n.scope and w.key.id = n.workflowId
                         where n.scope = :scope and function('jsonb_extract_path_text', w.labels, 'team') = :team
                        """, String.class)
                .setParameter("scope", scope.id())
                .setParameter("team", "blue")
                .getResultList());
        assertThat(notes).containsExactly("about the blue one: queued");
    }

    @Test
    void everyTableCanBeAskedInJpql() {
        try (Holdfast holdfast = Holdfast.over(unit)) {
            Stores stores = holdfast.in(scope);
            aWorkflow(stores, "wf-1", "blue");
            stores.leases().acquire(LeaseKey.ofWorkflow("wf-1"), "worker", Duration.ofSeconds(60));
            stores.idempotencyKeys().reserve("k", "req-1", "wf-1", KeepFor.DEFAULT);
        }
        List<String> line = unit.callInTransaction(em -> em.createQuery("""
                        select w.key.id || ' ' || l.owner || ' ' || k.requestId || ' ' || cast(f.floor as String)
                          from HoldfastWorkflow w
                          join HoldfastLease l on l.key.scope = w.key.scope and l.key.kind = 'workflow' and l.key.id = w.key.id
                          join HoldfastIdempotencyKey k on k.key.scope = w.key.scope and k.workflowId = w.key.id
                          join HoldfastLeaseFloor f on f.scope = w.key.scope
                         where w.key.scope = :scope and w.finishedAt is null
                        """, String.class)
                .setParameter("scope", scope.id())
                .getResultList());
        assertThat(line).containsExactly("wf-1 worker req-1 0");
    }

    @Test // with shared-cache-mode=ALL, which does not ask @Cacheable
    void ourRowsAreNeverInTheHostsSecondLevelCache() {
        SessionFactory factory = unit.unwrap(SessionFactory.class);
        Statistics statistics = factory.getStatistics();
        long puts = statistics.getSecondLevelCachePutCount();
        long misses = statistics.getSecondLevelCacheMissCount();
        long hits = statistics.getSecondLevelCacheHitCount();
        MapCache cache =
                (MapCache) factory.getCache().unwrap(CacheImplementor.class).getRegionFactory();
        Map<String, Map<Object, Object>> before = cache.contents();
        try (Holdfast holdfast = Holdfast.over(unit)) {
            Stores stores = holdfast.in(scope);
            aWorkflow(stores, "wf-1", "blue");
            stores.workflows().find("wf-1");
            stores.workflows().list("", 10);
            stores.idempotencyKeys().reserve("k", "req-1", "wf-1", KeepFor.DEFAULT);
            stores.idempotencyKeys().find("k");
            stores.leases().acquire(LeaseKey.ofWorkflow("wf-1"), "worker", Duration.ofSeconds(60));
        }
        assertThat(cache.contents()).isEqualTo(before);
        assertThat(statistics.getSecondLevelCachePutCount()).isEqualTo(puts);
        assertThat(statistics.getSecondLevelCacheMissCount()).isEqualTo(misses);
        assertThat(statistics.getSecondLevelCacheHitCount()).isEqualTo(hits);
        // Nor by the application's own reading of them.
        unit.runInTransaction(em -> assertThat(em.createQuery(
                                "select w from HoldfastWorkflow w where w.key.scope = :scope", WorkflowEntity.class)
                        .setParameter("scope", scope.id())
                        .getResultList())
                .hasSize(1));
        assertThat(cache.contents()).isEqualTo(before).doesNotContainKey("io.holdfast.entity.WorkflowEntity");
        CacheRegionStatistics notes = statistics.getDomainDataRegionStatistics(Note.class.getName());
        assertThat(notes).as("the host's own entities are cached").isNotNull();
    }

    @Test // BL-26
    void noTextIsKeptAsALargeObject() {
        assertThat(TestDatabase.get().value("""
                        select count(*) from information_schema.columns
                         where table_schema in ('holdfast', 'Odd {lease} {workflow}') and (data_type = 'oid' or udt_name in ('oid', 'lo'))
                        """)).isEqualTo("0");
        assertThat(TestDatabase.get().value("select count(*) from pg_largeobject_metadata"))
                .isEqualTo("0");
    }
}
