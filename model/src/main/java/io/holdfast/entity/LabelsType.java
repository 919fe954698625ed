package io.holdfast.entity;

import io.hypersistence.utils.hibernate.type.json.JsonBinaryType;
import tools.jackson.databind.json.JsonMapper;

/** Labels as {@code jsonb}, by a mapper of our own: the type's usual one is what the host's properties file says. */
class LabelsType extends JsonBinaryType {

    private static final long serialVersionUID = 1L;

    LabelsType() {
        super(JsonMapper.builder().build());
    }
}
