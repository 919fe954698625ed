package io.holdfast.example.shared;

import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Every time of the shop's is a text. */
@Converter(autoApply = true)
public class TextTime implements AttributeConverter<Instant, String> {

    @Override
    public @Nullable String convertToDatabaseColumn(@Nullable Instant time) {
        return time == null ? null : "at " + time;
    }

    @Override
    public @Nullable Instant convertToEntityAttribute(@Nullable String text) {
        return text == null ? null : Instant.parse(text.substring("at ".length()));
    }
}
