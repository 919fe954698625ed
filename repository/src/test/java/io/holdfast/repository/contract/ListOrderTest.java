package io.holdfast.repository.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Scope;
import io.holdfast.migrations.Components;
import io.holdfast.migrations.Migrator;
import io.holdfast.repository.Holdfast;
import io.holdfast.state.WorkflowState;
import io.holdfast.testing.TestDatabase;
import io.holdfast.workflow.WorkflowSummary;
import io.holdfast.workflow.Workflows;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Order on a database whose own order is another one. */
class ListOrderTest {

    @Test // D-20, H36, BL-57
    void idsAreInByteOrderAlsoWhereTheDatabaseSortsLikeADictionary() {
        try (TestDatabase database = TestDatabase.emptyWithLocale("order", "en-US");
                Holdfast holdfast = migrated(database)) {
            assertThat(database.value(
                            "select string_agg(x, ' ' order by x) from (values ('B'), ('a'), ('_')) as t (x)"))
                    .as("this database's own order")
                    .isEqualTo("_ a B");
            List<String> ordered = List.of("B", "Wf-1", "a", "wf-10", "wf-2", "wf.3", "wf1", "wf_2");
            Workflows workflows = holdfast.in(Scope.of("s")).workflows();
            Stream.of("wf_2", "a", "wf-2", "B", "wf1", "wf-10", "Wf-1", "wf.3")
                    .forEach(id -> workflows.create(WorkflowState.create(id, "req-1"), Map.of()));
            List<String> paged = new ArrayList<>();
            for (String last = ""; ; last = paged.get(paged.size() - 1)) {
                List<WorkflowSummary> page = workflows.list(last, 3);
                page.forEach(line -> paged.add(line.id()));
                if (page.size() < 3) {
                    break;
                }
            }
            assertThat(paged).isEqualTo(ordered);
        }
    }

    private static Holdfast migrated(TestDatabase database) {
        Migrator.of(database.directDataSource(), TestDatabase.SCHEMA).migrate(Components.own());
        return Holdfast.open(database.dataSource());
    }
}
