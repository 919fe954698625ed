package io.holdfast.example.shared;

import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Every map of the shop's is a line of {@code name=value}. */
@Converter(autoApply = true)
public class TextTags implements AttributeConverter<Map<String, String>, String> {

    @Override
    public @Nullable String convertToDatabaseColumn(@Nullable Map<String, String> tags) {
        return tags == null
                ? null
                : new TreeMap<>(tags)
                        .entrySet().stream()
                                .map(tag -> tag.getKey() + "=" + tag.getValue())
                                .collect(Collectors.joining(";"));
    }

    @Override
    public @Nullable Map<String, String> convertToEntityAttribute(@Nullable String line) {
        return line == null
                ? null
                : Arrays.stream(line.split(";"))
                        .map(tag -> tag.split("=", 2))
                        .collect(Collectors.toMap(tag -> tag[0], tag -> tag[1]));
    }
}
