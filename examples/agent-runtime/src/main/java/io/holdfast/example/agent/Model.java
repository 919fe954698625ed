package io.holdfast.example.agent;

import java.util.Map;

/** What thinks. A real one may answer otherwise when it is asked again: only what is in the journal counts. */
interface Model {

    Message reply(Transcript said);

    /** One that has read its lines: an answer for each turn. */
    static Model scripted() {
        return said -> switch (said.turns()) {
            case 0 -> Message.calls("c1", "mail", Map.of("to", "harbour-books", "text", "We are looking into it."));
            case 1 -> Message.calls("c2", "refund", Map.of("order", "4711", "amount", "19.90"));
            case 2 -> Message.answer("Order 4711 is refunded: " + said.last().text());
            default -> throw new IllegalStateException("the play is over");
        };
    }
}
