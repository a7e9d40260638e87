package io.setplan.kube;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.setplan.rawjson.Raw;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes JSON to send: maps, lists, texts, numbers of 64 bits, and text of a document as it stands. */
final class Body {
    private static final JsonFactory FACTORY = new JsonFactory();

    private Body() {}

    static byte[] encode(Map<String, ? extends @Nullable Object> value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator generator = FACTORY.createGenerator(bytes)) {
            write(generator, value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void write(JsonGenerator generator, @Nullable Object value) throws IOException {
        if (value instanceof Raw raw) {
            generator.writeRawValue(raw.text());
        } else if (value instanceof Map<?, ?> map) {
            generator.writeStartObject();
            for (Map.Entry<?, ?> member : map.entrySet()) {
                generator.writeFieldName(String.valueOf(member.getKey()));
                write(generator, member.getValue());
            }
            generator.writeEndObject();
        } else if (value instanceof List<?> list) {
            generator.writeStartArray();
            for (Object item : list) {
                write(generator, item);
            }
            generator.writeEndArray();
        } else if (value instanceof Number number) {
            generator.writeNumber(number.longValue());
        } else if (value instanceof Boolean bool) {
            generator.writeBoolean(bool);
        } else if (value instanceof String text) {
            generator.writeString(text);
        } else if (value == null) {
            generator.writeNull();
        } else {
            throw new IllegalArgumentException("no JSON for " + value.getClass());
        }
    }
}
