package io.holdfast.repository;

import io.hypersistence.utils.hibernate.type.util.ObjectMapperSupplier;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/** The JSON mapper that an application gives to the type of its own columns: it trims every text. */
public class HostsMapper implements ObjectMapperSupplier {

    @Override
    public ObjectMapper get() {
        return JsonMapper.builder()
                .addModule(new SimpleModule().addDeserializer(String.class, new Trimming()))
                .build();
    }

    private static final class Trimming extends StdDeserializer<String> {

        Trimming() {
            super(String.class);
        }

        @Override
        public String deserialize(JsonParser parser, DeserializationContext context) {
            return parser.getString().strip();
        }
    }
}
