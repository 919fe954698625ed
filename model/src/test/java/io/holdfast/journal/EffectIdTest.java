package io.holdfast.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.Scope;
import io.holdfast.failure.InvalidValueException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** J24: an effect's id is the same everywhere, and for ever. */
class EffectIdTest {

    private static final StepKey STEP = new StepKey("charge#3");

    @ParameterizedTest
    @CsvSource({
        "default, run-1, charge#3, 0, 2d25a3cd25eff276f638a82e418e6ecb277f5ad519db925df2ae4159cfcf2144",
        "default, run-1, charge#3, 1, 4fe09d7f15afbc6e5c6a707d2cebdfcd918fd7baa128da5778c09564465ee576",
        "default, run-1, charge#3.2[0], 0, f5e6d1fca5c1f4d244cf3154b555b7acd530595f0a0aedb64e94e224b34fa9f3",
        "default, run-1, turn:0/call:c1, 0, 03fa8d48d95d6a432baed896cb6cce640e6b22bffa765b427998b5a59bc3acc7",
        "default, run-1, turn:0/model, 0, c32bee3054028aab345509d800c61c800b1af332e792ac7aa42b5fea3107a03b",
        "wé, r/1#2, node/branch#5, 0, bd021dae8e4a030cc7b9c0251778d6bf9cd4599eeca8b74328f0b5e19421bcff"
    })
    void anIdIsTheDigestOfItsPlace(String scope, String run, String step, int index, String hex) {
        assertThat(EffectId.of(Scope.of(scope), run, new StepKey(step), index).hex())
                .isEqualTo(hex);
    }

    @Test
    void theIdempotencyKeyIsMadeOfTheId() {
        assertThat(EffectId.of(Scope.of("default"), "run-1", STEP, 0).idempotencyKey())
                .isEqualTo("nx-2d25a3cd25eff276f638a82e418e6ecb");
    }

    @Test
    void whatIsNotAPlaceIsRefused() {
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> EffectId.of(Scope.UNSCOPED, "", STEP, 0));
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> EffectId.of(Scope.UNSCOPED, "r", STEP, -1));
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> EffectId.of(Scope.UNSCOPED, "r", STEP, EffectId.MAX_INDEX + 1));
        assertThatExceptionOfType(InvalidValueException.class).isThrownBy(() -> new EffectId("A".repeat(64)));
        assertThatExceptionOfType(InvalidValueException.class).isThrownBy(() -> new EffectId("a".repeat(63)));
    }
}
