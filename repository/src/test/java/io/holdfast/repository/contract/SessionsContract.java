package io.holdfast.repository.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.failure.CorruptRecordException;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.session.Message;
import io.holdfast.session.SessionSave;
import io.holdfast.session.SessionSummary;
import io.holdfast.session.ToolCall;
import io.holdfast.session.WorkspaceSession;
import io.holdfast.session.WorkspaceSessions;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Chat transcripts: what each operation answers, and what stands there afterwards. */
abstract class SessionsContract extends Contract {

    private static final List<Message> HELLO = List.of(Message.of("user", "hello"));
    private static final List<Message> ANSWER = List.of(Message.of("user", "hello"), Message.of("assistant", "hi"));

    SessionsContract(Environment environment) {
        super(environment);
    }

    @Test // R12
    void aSaveNamesTheRevisionItWasMadeFrom() {
        assertThat(sessions.save("s", HELLO, 0)).isEqualTo(new SessionSave.Saved(1));
        assertThat(sessions.save("s", ANSWER, 0)).isEqualTo(new SessionSave.Conflict(0, 1));
        assertThat(sessions.save("s", HELLO, 0)).as("the very same").isEqualTo(new SessionSave.AlreadySaved(1));
        assertThat(sessions.save("s", ANSWER, 1)).isEqualTo(new SessionSave.Saved(2));
        assertThat(sessions.save("s", HELLO, 1)).isEqualTo(new SessionSave.Conflict(1, 2));
        assertThat(sessions.save("missing", HELLO, 3)).isEqualTo(new SessionSave.Conflict(3, 0));
        for (long none : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE}) {
            assertThat(sessions.save("missing", HELLO, none)).isEqualTo(new SessionSave.Conflict(none, 0));
            assertThat(sessions.save("s", HELLO, none)).isEqualTo(new SessionSave.Conflict(none, 2));
        }
        WorkspaceSession session = sessions.find("s").orElseThrow();
        assertThat(session.messages()).isEqualTo(ANSWER);
        assertThat(session.revision()).isEqualTo(2);
    }

    @Test
    void everyFieldOfAMessageComesBackAsItWas() {
        Message odd = new Message(
                "assistant",
                Optional.of("\u00e9\n\"/\u2028\u007f\u0001\0\ud83d\ude00"),
                Optional.of(""),
                Optional.of("call-1"),
                Optional.of(List.of(
                        new ToolCall("call-2", "look", Map.of("q", List.of(1L, true)), Optional.of("{\"q\"")),
                        new ToolCall("", "", Collections.singletonMap("none", null), Optional.empty()))),
                List.of(Map.of("mime_type", "image/png", "url", "x")),
                Map.of("signature", "abc"));
        Message silent = new Message(
                "user", Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), List.of(), Map.of());
        Message none = silent.withToolCalls(List.of());
        List<Message> all = List.of(odd, silent, none);
        sessions.save("s/1", all, 0);
        assertThat(sessions.find("s/1").orElseThrow().messages()).isEqualTo(all);
        assertThat(environment.value("select payload from {workspace_session} where scope = ?", scope.id()))
                .startsWith("{\"messages\":[{\"attachments\":[{")
                .contains(
                        "{\"content\":null,\"name\":null,\"role\":\"user\",\"tool_call_id\":null,\"tool_calls\":null}")
                .endsWith("\"revision\":1,\"schema_version\":1,\"session_id\":\"s/1\"}");
        assertThat(sessions.find("s/1").toString() + all).doesNotContain("signature", "png", "look");
    }

    @Test
    void aTranscriptWithoutMessagesIsOne() {
        assertThat(sessions.save("s", List.of(), 0)).isEqualTo(new SessionSave.Saved(1));
        assertThat(sessions.find("s").orElseThrow().messages()).isEmpty();
        assertThat(sessions.find("t")).isEmpty();
        assertThat(sessions.find("a\0b")).isEmpty();
    }

    @Test // R10
    void theSameIdInTwoScopesIsTwoSessions() {
        Tenant other = new Tenant(environment, io.holdfast.Scope.of("other-" + UUID.randomUUID()));
        sessions.save("s", HELLO, 0);
        assertThat(other.sessions().find("s")).isEmpty();
        assertThat(other.sessions().save("s", ANSWER, 1)).isEqualTo(new SessionSave.Conflict(1, 0));
        assertThat(other.sessions().save("s", ANSWER, 0)).isEqualTo(new SessionSave.Saved(1));
        assertThat(sessions.find("s").orElseThrow().messages()).isEqualTo(HELLO);
        assertThat(other.sessions().list("", 10)).hasSize(1);
    }

    @Test
    void sessionsAreListedByTheirIdsInByteOrderWithoutTheirMessages() {
        for (String id : List.of("b", "a", "\ud83d\ude00", "\ue000", "B")) {
            sessions.save(id, ANSWER, 0);
        }
        sessions.save("a", HELLO, 1);
        assertThat(sessions.list("", 2)).extracting(SessionSummary::id).containsExactly("B", "a");
        assertThat(sessions.list("a", 10))
                .extracting(SessionSummary::id)
                .containsExactly("b", "\ue000", "\ud83d\ude00");
        SessionSummary a = sessions.list("B", 1).get(0);
        assertThat(a.revision()).isEqualTo(2);
        assertThat(a.messageCount()).isEqualTo(1);
        assertThat(a.updatedAt()).isAfter(a.createdAt());
    }

    @Test
    void eachLimitIsKeptAndOnePastItIsRefused() {
        String id = "\u00e9".repeat(WorkspaceSessions.MAX_ID_BYTES / 2);
        sessions.save(id, HELLO, 0);
        int rest = WorkspaceSessions.MAX_PAYLOAD_BYTES
                - Integer.parseInt(environment.value(
                        "select octet_length(payload) from {workspace_session} where scope = ?", scope.id()));
        String longest = "hello" + "x".repeat(rest);
        assertThat(sessions.save(id, List.of(Message.of("user", longest)), 1)).isEqualTo(new SessionSave.Saved(2));
        assertThat(sessions.find(id).orElseThrow().messages()).hasSize(1);
        refused(
                () -> sessions.save(id, List.of(Message.of("user", longest + "x")), 2),
                "messages must be at most 8388608");
        refused(() -> sessions.save(id + "x", HELLO, 0), "id must be 1 to 1024 bytes");
        refused(() -> sessions.save("", HELLO, 0), "id must");
        refused(() -> sessions.save("a\0b", HELLO, 0), "id must");
        refused(
                () -> sessions.save("s", List.of(Message.of("user", "\ud800")), 0),
                "lone surrogate",
                "/messages/0/content");
        refused(() -> Message.of("", "x"), "role must be 1 to 64 bytes");
        refused(() -> sessions.list("", 1_001), "limit must be 1 to 1000");
        refused(() -> sessions.list("", 0), "limit must be 1 to 1000");
    }

    private static void refused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String... says) {
        assertThatThrownBy(call).isInstanceOf(InvalidValueException.class).hasMessageContainingAll(says);
    }

    @Test
    void aPayloadThatIsNoTranscriptOfThisSessionIsDamaged() {
        sessions.save("s", HELLO, 0);
        String good = environment.value("select payload from {workspace_session} where scope = ?", scope.id());
        for (String damaged : List.of(
                "[]",
                "{secret",
                good.replace("\"schema_version\":1", "\"schema_version\":2"),
                good.replace("\"session_id\":\"s\"", "\"session_id\":1"),
                good.replace("\"session_id\":\"s\"", "\"session_id\":\"other\""),
                good.replace("\"revision\":1", "\"revision\":true"),
                good.replace("\"role\":\"user\",", ""),
                good.replace("\"role\":\"user\"", "\"role\":\"\""),
                good.replace("\"tool_calls\":null", "\"tool_calls\":[{\"name\":\"secret\"}]"),
                good.replace("\"tool_calls\":null", "\"tool_calls\":{}"),
                good.replace("\"content\":\"hello\"", "\"content\":[\"secret\"]"))) {
            assertThat(damaged).isNotEqualTo(good);
            environment.changeRow("update {workspace_session} set payload = ? where scope = ?", damaged, scope.id());
            assertThatThrownBy(() -> sessions.find("s"))
                    .as(damaged)
                    .isInstanceOf(CorruptRecordException.class)
                    .hasMessageContaining("The stored session \"s\" is damaged: ")
                    .hasMessageNotContaining("secret");
        }
        environment.changeRow(
                "update {workspace_session} set payload = ? where scope = ?",
                good.replace("\"revision\":1", "\"revision\":7"),
                scope.id());
        assertThat(sessions.find("s").orElseThrow().revision())
                .as("the row's decides")
                .isEqualTo(1);
    }
}
