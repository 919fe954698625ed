package io.holdfast.approval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.failure.InvalidValueException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Digests, byte for byte; the expected ones were computed by another program. */
class CallDigestTest {

    private static final Map<String, Object> ARGUMENTS =
            Map.of("cents", 4_200, "note", "\u00e9\ud83d\ude00", "rate", 1.0);
    private static final String ACTION = "b81eded2f757703d930837fecef9971f2de61a0ce86b2feaa3d5c8083fb6f321";

    @Test
    void aCallIsDigestedInItsCanonicalForm() {
        assertThat(CallDigest.of(Map.of()))
                .isEqualTo("44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
        assertThat(CallDigest.of(Map.of("b", 1, "a", Arrays.asList(1, 2.0, null, true))))
                .isEqualTo("cad0b23918716709c31c4a177484dd1cce2f72c941ba5c3f5d35cd80b8c10d98");
        assertThat(CallDigest.of(Map.of("\ue000", 1, "\ud83d\ude00", 2)))
                .isEqualTo("871954531859c7572c6279f90eb83a594ddc3a289e8bdc28d2a84ffb8c1a1703");
    }

    @Test
    void anActionIsItsToolItsArgumentsAndItsScopeIfItHasOne() {
        assertThat(CallDigest.ofAction("charge", ARGUMENTS, null)).isEqualTo(ACTION);
        assertThat(CallDigest.ofAction("charge", ARGUMENTS, "tenant:1"))
                .isEqualTo("73f8473d1fe56259a07937843590b2181ccbdcf868e493103e37c633c5035752");
        assertThat(CallDigest.ofAction("t", null, null))
                .isEqualTo("8b7ff74be6ec0f7638e225034ce0e31a25dc58da6f10975b75c320e6b20a0247");
    }

    @Test
    void aDecisionIsAboutARunAnApprovalAndAnAction() {
        assertThat(CallDigest.ofDecision("run-1", "ap-1", ACTION))
                .isEqualTo("bbec2372b5b89bc90f7ed7051fda8477c08186dcaca2889ff19d5d4d8e728e93");
    }

    @Test
    void anotherNumberIsAnotherCall() {
        assertThat(CallDigest.of(1)).isNotEqualTo(CallDigest.of(1.0));
    }

    @Test
    void aRequestIsBoundToTheBytesOfItsPayload() {
        ApprovalRequest request = ApprovalRequest.of("ap-1", "run-1", Map.of("b", 1, "a", List.of()), Expiry.NEVER);
        assertThat(request.payload()).isEqualTo("{\"a\":[],\"b\":1}");
        assertThat(request.digest()).isEqualTo(CallDigest.of(Map.of("a", List.of(), "b", 1)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "sha256:", "B81EDED2F757703D930837FECEF9971F2DE61A0CE86B2FEAA3D5C8083FB6F321", "b81e"})
    void whatIsNoDigestIsRefused(String digest) {
        assertThatThrownBy(() -> CallDigest.ofDecision("run-1", "ap-1", digest))
                .isInstanceOfSatisfying(
                        InvalidValueException.class, e -> assertThat(e.field()).isEqualTo("actionDigest"));
    }
}
