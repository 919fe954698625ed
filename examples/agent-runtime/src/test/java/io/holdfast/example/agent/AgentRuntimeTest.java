package io.holdfast.example.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Scope;
import io.holdfast.example.agent.Trials.Sample;
import io.holdfast.example.agent.Trials.Verdict;
import io.holdfast.failure.OutcomeUnknownException;
import io.holdfast.journal.EffectClass;
import io.holdfast.journal.RunStatus;
import io.holdfast.migrations.Components;
import io.holdfast.migrations.Migrator;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.LeaseKeeper;
import io.holdfast.repository.Stores;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A sample of the points; all of them are a lane of CI. And what the judge makes of tables that somebody has tampered with. */
class AgentRuntimeTest {

    private static final Scope SCOPE = Scope.of("demo");

    private static final Sample SOME = new Sample(9, 1);

    private static final AtomicInteger RUNS = new AtomicInteger();
    private static final ByteArrayOutputStream OUTPUT = new ByteArrayOutputStream();

    private static EmbeddedPostgres server;
    private static HikariDataSource dataSource;
    private static Holdfast holdfast;
    private static World world;
    private static List<Verdict> verdicts;

    @BeforeAll
    static void aSample() throws Exception {
        Main.quietLogs();
        server = EmbeddedPostgres.start();
        Database database = Main.database(server);
        dataSource = database.connect();
        Migrator.of(dataSource, "holdfast").migrate(Components.own());
        world = new World(dataSource);
        world.make();
        holdfast = Holdfast.open(dataSource);
        verdicts = new Trials(database, holdfast, world, SCOPE, SOME, screen()).run();
    }

    @AfterAll
    static void stop() throws Exception {
        holdfast.close();
        dataSource.close();
        server.close();
    }

    @Test
    void whereverTheAgentIsKilledItComesOutTheSame() {
        assertThat(verdicts)
                .hasSizeGreaterThan(5)
                .allSatisfy(verdict -> assertThat(verdict.differences())
                        .as(verdict.trial().place())
                        .isEmpty());
        assertThat(verdicts).extracting(verdict -> verdict.trial().kind()).contains(Trial.Kind.values());
    }

    @Test
    void whoDiesAroundTheBanksCallLeavesADoubtThatIsSettledByAsking() {
        assertThat(verdicts)
                .filteredOn(verdict -> verdict.trial().place().endsWith("refund.call"))
                .hasSize(2)
                .allSatisfy(verdict -> assertThat(verdict.doubts()).isEqualTo(1));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            transcript is another      | update holdfast.execution set state = '{"messages":[]}' where id = 'tampered'
            it is failed               | update holdfast.execution set status = 'failed' where id = 'tampered'
            steps are others           | update holdfast.execution_step set output = '"x"' where run_id = 'tampered' and ordinal = 1
            is pending                 | update holdfast.execution_effect set status = 'pending', result = null where run_id = 'tampered'
            event 1 is missing         | update holdfast.execution_event set sequence = 2 where run_id = 'tampered'
            consumed 0 times           | update holdfast.execution_event set type = 'x' where run_id = 'tampered'
            has approvals              | delete from holdfast.approval where run_id = 'tampered'
            has had 0 mails            | delete from agent_demo.mail where customer = 'tampered'
            has had 2 transfers        | insert into agent_demo.transfer (customer, reference, amount) values ('tampered', 'again', 1)
            """)
    void theJudgeSeesThatSomethingIsOtherwise(String difference, String tampering) throws SQLException {
        String run = "tampered-" + RUNS.incrementAndGet();
        Judge judge = new Judge(holdfast.in(SCOPE), world, "undisturbed");
        assertThat(judge.differences(run)).containsExactly("nothing is stored of it");
        try (LeaseKeeper keeper = LeaseKeeper.over(holdfast)) {
            Life.live(holdfast.in(SCOPE), keeper, world, run, Points.all());
        }
        assertThat(judge.differences(run)).isEmpty();
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate(tampering.replace("'tampered'", "'" + run + "'")))
                    .isPositive();
        }
        assertThat(judge.differences(run)).anyMatch(found -> found.contains(difference));
    }

    @Test
    void whoeverLooksFindsTheRunsOfTheDeadAndThoseThatWereDecidedAndNotToldSo() {
        Stores stores = holdfast.in(Scope.of("recovery"));
        try (LeaseKeeper keeper = LeaseKeeper.over(holdfast)) {
            AgentLoop dead = loop(stores, keeper, "dead", new Tool(World.MAIL, EffectClass.IDEMPOTENT, false, dying()));
            assertThatThrownBy(() -> dead.work("left", Life.TASK)).isInstanceOf(IllegalStateException.class);
            AgentLoop living =
                    loop(stores, keeper, "living", world.tools("left").get(0));
            living.recover();
            assertThat(stores.journal().find("left").orElseThrow().run().head().status())
                    .isEqualTo(RunStatus.PAUSED);
            new Person(stores.approvals()).decide("left");
            living.recover();
            assertThat(stores.journal().find("left").orElseThrow().run().head().status())
                    .isEqualTo(RunStatus.COMPLETED);
        }
        assertThat(world.books("left")).isEqualTo(new World.Books(1, 1, 1));
    }

    private static AgentLoop loop(Stores stores, LeaseKeeper keeper, String owner, Tool mail) {
        List<Tool> tools = List.of(mail, world.tools("left").get(1));
        return new AgentLoop(Parts.of(stores, Model.scripted(), tools), keeper, owner);
    }

    private static Tool.Outside dying() {
        return new Tool.Outside() {
            @Override
            public String call(String key, Map<String, String> arguments) {
                throw new IllegalStateException("out of memory, say");
            }

            @Override
            public Optional<String> find(String key) {
                return Optional.empty();
            }
        };
    }

    @Test
    void anAgentThatTakesTheBankForOneThatKnowsItsCallsPaysTwiceAndIsFoundOut() {
        String run = "careless";
        Stores stores = holdfast.in(SCOPE);
        Tool bank = world.tools(run).get(1);
        Tool careless = new Tool(bank.name(), EffectClass.IDEMPOTENT, bank.needsApproval(), new Tool.Outside() {
            private int calls;

            @Override
            public String call(String key, Map<String, String> arguments) {
                String answer = bank.outside().call(key, arguments);
                if (calls++ == 0) { // the transfer is made, and the answer is lost
                    throw new OutcomeUnknownException("no answer", Map.of());
                }
                return answer;
            }

            @Override
            public Optional<String> find(String key) {
                return bank.outside().find(key);
            }
        });
        try (LeaseKeeper keeper = LeaseKeeper.over(holdfast)) {
            List<Tool> tools = List.of(world.tools(run).get(0), careless);
            AgentLoop loop = new AgentLoop(Parts.of(stores, Model.scripted(), tools), keeper, "careless");
            assertThat(loop.work(run, Life.TASK)).isEqualTo(Ending.PAUSED);
            new Person(stores.approvals()).decide(run);
            assertThat(loop.work(run, Life.TASK)).isEqualTo(Ending.COMPLETED);
        }
        assertThat(new Judge(stores, world, "undisturbed").differences(run))
                .containsExactly("the customer has had 2 transfers");
    }

    @Test
    void aRunThatDiffersIsShownAndMakesTheWholeFail() {
        Verdict good = verdicts.get(0);
        Verdict bad = new Verdict(good.trial(), 0, 1, List.of("the customer has had 2 transfers"));
        assertThat(Main.report(List.of(good), Duration.ZERO, screen())).isTrue();
        assertThat(Main.report(List.of(good, bad), Duration.ZERO, screen())).isFalse();
        assertThat(OUTPUT.toString(StandardCharsets.UTF_8))
                .contains("DIFFERS: the customer has had 2 transfers", "2 runs, 1 differ")
                .doesNotContain("\u001b", "\r");
    }

    private static Screen screen() {
        return new Screen(new PrintStream(OUTPUT, true, StandardCharsets.UTF_8), false);
    }
}
