package io.holdfast.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.failure.CorruptRecordException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentTest {

    @Test // C1
    void aDocumentIsItsCanonicalTextAndItsDigest() {
        assertThat(Document.EMPTY.digest())
                .isEqualTo("44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
        Document mixed = Document.of(Map.of("b", 1, "a", List.of(1, 2.0, true)));
        assertThat(mixed.text()).isEqualTo("{\"a\":[1,2.0,true],\"b\":1}");
        assertThat(mixed.tree()).isEqualTo(Map.of("b", 1L, "a", List.of(1L, 2.0, true)));
        assertThat(mixed)
                .isEqualTo(Document.ofStored("checkpoint", "r", mixed.text()))
                .hasSameHashCodeAs(mixed);
        assertThat(Document.of(Map.of("a", 1))).isNotEqualTo(Document.of(Map.of("a", 1.0)));
    }

    @Test
    void itsContentIsNotShown() {
        assertThat(Document.of(Map.of("password", "hunter2"))).hasToString("Document[22 characters]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{hunter2", "[1]", "null", "", "{\"a\":1,\"a\":1}"})
    void aDamagedOneSaysWhereItIsAndNothingOfItsContent(String text) {
        Document damaged = Document.ofStored("checkpoint", "r-1", text);
        assertThatThrownBy(damaged::tree)
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageStartingWith("The stored checkpoint \"r-1\" is damaged: it must ")
                .hasMessageNotContaining("hunter2");
    }
}
