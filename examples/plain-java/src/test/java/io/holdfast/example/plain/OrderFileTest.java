package io.holdfast.example.plain;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.example.plain.OrderFile.RefusedLine;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrderFileTest {

    private static final String GOOD = order("order-1", "Harbour Books", "19.90");

    @Test
    void theFileThatShipsHasTwentyOrdersAndNoBadLine() throws IOException {
        try (InputStream shipped = OrderFileTest.class.getResourceAsStream("/orders.jsonl")) {
            OrderFile file = OrderFile.read(shipped);
            assertThat(file.orders()).hasSize(20);
            assertThat(file.refused()).isEmpty();
            assertThat(file.repeats()).isEmpty();
        }
    }

    @Test
    void aLineIsAnOrder() throws IOException {
        assertThat(read(GOOD).orders().values())
                .containsExactly(new Order("order-1", "Harbour Books", "labels", new BigDecimal("19.90")));
    }

    @Test
    void aBadLineIsRefusedWithItsNumberAndTheRestGoesOn() throws IOException {
        OrderFile file =
                read(GOOD + "\n\nnot JSON\n" + order("order-2", "Bakery", "1.00") + "\r\n{\"request\":\"order-3\"}");
        assertThat(file.orders()).containsOnlyKeys("order-1", "order-2");
        assertThat(file.refused()).extracting(RefusedLine::number).containsExactly(3, 5);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            []                                                                            | JSON object
            {"request":"o-1","customer":"A","item":"b","amount":"1.00"} x                 | one JSON object
            {"request":"o-1","request":"o-2","customer":"A","item":"b","amount":"1.00"}   | one JSON object
            {"request":"o-1","customer":"A","item":"b","amount":"1.00","note":"?"}        | nothing else
            {"request":"o 1","customer":"A","item":"b","amount":"1.00"}                   | request
            {"request":"","customer":"A","item":"b","amount":"1.00"}                      | request
            {"request":1,"customer":"A","item":"b","amount":"1.00"}                       | request
            {"request":"o-1","customer":"","item":"b","amount":"1.00"}                    | customer
            {"request":"o-1","customer":"A\\u001b[2J","item":"b","amount":"1.00"}         | customer
            {"request":"o-1","customer":"A","item":"\\ud800","amount":"1.00"}             | item
            {"request":"o-1","customer":"A","item":"b","amount":1.00}                     | amount
            {"request":"o-1","customer":"A","item":"b","amount":"0.00"}                   | amount
            {"request":"o-1","customer":"A","item":"b","amount":"-1.00"}                  | amount
            {"request":"o-1","customer":"A","item":"b","amount":"1.001"}                  | amount
            {"request":"o-1","customer":"A","item":"b","amount":"1000000.01"}             | amount
            {"request":"o-1","customer":"A","item":"b","amount":"1e3"}                    | amount
            """)
    void theReasonNamesWhatIsWrong(String line, String what) throws IOException {
        OrderFile file = read(line);
        assertThat(file.orders()).isEmpty();
        assertThat(file.refused()).singleElement().satisfies(refused -> {
            assertThat(refused.number()).isEqualTo(1);
            assertThat(refused.reason()).contains(what);
        });
    }

    @Test
    void aLineThatRepeatsAnotherIsNoOrderOfItsOwn() throws IOException {
        OrderFile file = read(GOOD + "\n" + GOOD);
        assertThat(file.orders()).hasSize(1);
        assertThat(file.repeats()).containsExactly(2);
    }

    @Test
    void theSameRequestWithOtherContentIsRefused() throws IOException {
        OrderFile file = read(GOOD + "\n" + order("order-1", "Harbour Books", "20.90"));
        assertThat(file.orders().get("order-1").amount()).isEqualByComparingTo("19.90");
        assertThat(file.refused()).extracting(RefusedLine::number).containsExactly(2);
    }

    @Test
    void bytesThatAreNoTextAndLinesWithoutEndAreRefused() throws IOException {
        byte[] latin1 = order("order-2", "Café", "1.00").getBytes(StandardCharsets.ISO_8859_1);
        assertThat(OrderFile.read(new ByteArrayInputStream(latin1)).refused())
                .extracting(RefusedLine::reason)
                .containsExactly("line must be UTF-8");
        assertThat(read("{\"request\":\"" + "x".repeat(OrderFile.MAX_LINE_BYTES))
                        .refused())
                .extracting(RefusedLine::reason)
                .containsExactly("line must be at most 8192 bytes");
    }

    private static String order(String request, String customer, String amount) {
        return "{\"request\":\"%s\",\"customer\":\"%s\",\"item\":\"labels\",\"amount\":\"%s\"}"
                .formatted(request, customer, amount);
    }

    private static OrderFile read(String text) throws IOException {
        return OrderFile.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }
}
