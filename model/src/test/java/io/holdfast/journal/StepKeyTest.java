package io.holdfast.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.failure.InvalidValueException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** J24: what is a step's name, and what it says. */
class StepKeyTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a#1",
                "a#0",
                "a#1.2[3]",
                "a#1[0]",
                "turn:1/call:a\nb",
                "turn:1/foo#3",
                "turn:0/model",
                "turn:12/call:c%231%25#3",
                "a#b#1",
                "##1",
                "node/branch#5",
                "a\u007F\u0001#1",
                "turn:01/call:x#1",
                "turn:1/call:#2",
                "turn:1/call:a#1"
            })
    void aKeyOfEitherFormIsKeptAsItIs(String text) {
        assertThat(new StepKey(text).text()).isEqualTo(text);
        assertThat(StepKey.isValid(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "#1",
                "a#01",
                "a#1.0",
                "a#1[00]",
                "a#-1",
                "turn:01/model",
                "turn:1/call:",
                "turn:1/modelx",
                "a#1.2.3",
                "a#1[2]x",
                "a#1.02",
                "a#",
                "a#1[]",
                "a#1 ",
                "a#1\n",
                "a#1234567890123456789",
                "a\0b#1",
                "a\uD800#1"
            })
    void allElseIsRefused(String text) {
        assertThat(StepKey.isValid(text)).isFalse();
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> new StepKey(text))
                .satisfies(e -> assertThat(e.field()).isEqualTo("stepKey"));
    }

    @Test
    void theFirstAttemptHasOneNameOnly() {
        assertThat(new StepKey("a#1.1")).isEqualTo(new StepKey("a#1"));
        assertThat(new StepKey("a#1.1[3]").text()).isEqualTo("a#1[3]");
        assertThat(new StepKey("a#1.10").text()).isEqualTo("a#1.10");
    }

    @Test
    void aKeyIsAtMostAThousandAndTwentyFourBytes() {
        String longest = "é".repeat(511) + "#1";
        assertThat(new StepKey(longest).text()).isEqualTo(longest);
        assertThatExceptionOfType(InvalidValueException.class).isThrownBy(() -> new StepKey(longest + "2"));
    }

    @Test
    void theFormsOfAWorkflowAreMadeAndRead() {
        StepKey visit = StepKey.visit("node/branch", 5);
        assertThat(visit.text()).isEqualTo("node/branch#5");
        assertThat(visit.withAttempt(2).text()).isEqualTo("node/branch#5.2");
        assertThat(visit.withItem(0).text()).isEqualTo("node/branch#5[0]");
        assertThat(visit.withItem(0).withAttempt(2))
                .isEqualTo(visit.withAttempt(2).withItem(0));
        StepKey item = new StepKey("node#5.2[7]");
        assertThat(item.node()).contains("node");
        assertThat(item.step()).hasValue(5);
        assertThat(item.attempt()).isEqualTo(2);
        assertThat(item.item()).hasValue(7);
        assertThat(item.turn()).isEmpty();
        assertThat(item.callId()).isEmpty();
        assertThat(item.withAttempt(1).text()).isEqualTo("node#5[7]");
        assertThat(new StepKey("turn:1/foo#3").node()).contains("turn:1/foo");
    }

    @Test
    void theFormsOfAnAgentAreMadeAndRead() {
        StepKey call = StepKey.call(3, "c#1%");
        assertThat(call.text()).isEqualTo("turn:3/call:c%231%25");
        assertThat(call.withAttempt(3).text()).isEqualTo("turn:3/call:c%231%25#3");
        assertThat(call.withAttempt(3).withAttempt(2).text()).isEqualTo("turn:3/call:c%231%25#2");
        assertThat(call.withAttempt(3).withAttempt(1)).isEqualTo(call);
        assertThat(call.withAttempt(3).attempt()).isEqualTo(3);
        assertThat(call.withAttempt(3).callId()).contains("c#1%");
        assertThat(call.turn()).hasValue(3);
        assertThat(call.node()).isEmpty();
        assertThat(call.step()).isEmpty();
        assertThat(call.item()).isEmpty();
        assertThat(StepKey.call(-1, "").text()).isEqualTo("turn:0/call:-");
        assertThat(StepKey.model(-4).text()).isEqualTo("turn:0/model");
        assertThat(StepKey.model(2).attempt()).isEqualTo(1);
        assertThat(StepKey.model(2).callId()).isEmpty();
    }

    @Test
    void anAttemptOfACallIsReadFromTwoOn() {
        assertThat(new StepKey("turn:1/call:a#1").attempt()).isEqualTo(1);
        assertThat(new StepKey("turn:1/call:a#1").callId()).contains("a#1");
        assertThat(new StepKey("turn:1/call:#2").attempt()).isEqualTo(1);
        assertThat(new StepKey("turn:1/call:a#2").attempt()).isEqualTo(2);
        assertThat(new StepKey("turn:1/call:a#02").attempt()).isEqualTo(1);
    }

    @Test
    void whatCannotBeNamedIsRefused() {
        StepKey visit = StepKey.visit("a", 1);
        assertThatExceptionOfType(InvalidValueException.class).isThrownBy(() -> StepKey.visit("a", -1));
        assertThatExceptionOfType(InvalidValueException.class).isThrownBy(() -> StepKey.visit("", 1));
        assertThatExceptionOfType(InvalidValueException.class).isThrownBy(() -> StepKey.visit("turn:1/call:x", 3));
        assertThatExceptionOfType(InvalidValueException.class).isThrownBy(() -> visit.withAttempt(0));
        assertThatExceptionOfType(InvalidValueException.class).isThrownBy(() -> visit.withItem(-1));
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> visit.withItem(1).withItem(2));
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> StepKey.model(1).withAttempt(2));
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> StepKey.call(1, "x").withItem(2));
    }
}
