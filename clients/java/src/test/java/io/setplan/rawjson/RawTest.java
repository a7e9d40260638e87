package io.setplan.rawjson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The text of a document is cut out, and never written anew. */
class RawTest {
    private static final String TEXT = " {\"a\" : [1.0, {\"b\":\"\\\"]}\\\\\"}, 12345678901234567890 ] ,\"n\":null,"
            + "\"a\\u0062\":\"\\ud800\",\"x\":1,\"x\":2, \"e\": -1e999} ";
    private final Raw raw = Raw.parse(TEXT);

    @Test
    void cutsOutTheText() {
        assertEquals(
                List.of("1.0", "{\"b\":\"\\\"]}\\\\\"}", "12345678901234567890"),
                raw.list("a").stream().map(Raw::text).toList());
        assertEquals(TEXT.trim(), raw.text());
        assertEquals("-1e999", raw.members().get("e").text());
    }

    @Test
    void cutsOutTextBeyondABuffer() {
        String long_ = "\"" + "é😀\\n".repeat(50_000) + "\"";
        Raw parsed = Raw.parse("[" + long_ + ",1.0," + long_ + "]");
        assertEquals(
                List.of(long_, "1.0", long_),
                parsed.items().stream().map(Raw::text).toList());
        assertEquals(long_.replace("\\n", "\n"), "\"" + parsed.items().get(2).string() + "\"");
    }

    /** One object that cannot be read would hide all others. */
    @Test
    void readsLongNamesAndDeepObjects() {
        String name = "n".repeat(100_000);
        assertEquals(1, Raw.parse("{\"" + name + "\":1}").int64(name));
        String arrays = "[".repeat(100_000) + "]".repeat(100_000);
        String objects = "{\"a\":".repeat(100_000) + "1" + "}".repeat(100_000);
        assertEquals(arrays, Raw.parse(arrays).copy().text());
        assertEquals(objects, Raw.parse(objects).copy().text());
    }

    @Test
    void readsKeysAsTheyAreMeantAndOfTwoTheLast() {
        assertEquals(
                List.of("a", "n", "ab", "x", "e"), List.copyOf(raw.members().keySet()));
        assertEquals(2, raw.int64("x"));
    }

    @Test
    void nullIsNothing() {
        assertNull(raw.get("n", "more"));
        assertNull(raw.get("n"));
        assertEquals("", raw.string("n"));
    }

    @Test
    void mendsHalfOfAPair() {
        assertEquals("\ufffd", raw.string("ab"));
    }

    @Test
    void reads64Bits() {
        assertEquals(9007199254740993L, Raw.parse("{\"n\":9007199254740993}").int64("n"));
        assertThrows(
                IllegalArgumentException.class,
                () -> Raw.parse("9223372036854775808").int64());
        assertThrows(IllegalArgumentException.class, () -> Raw.parse("1.5").int64());
        assertThrows(
                IllegalArgumentException.class, () -> Raw.parse("4294967296").int32());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "{} x", "{\"a\":}", "[1,]", "{'a':1}", "01", "NaN", "{\"a\":1", "\"\n\"", "// no\n1"})
    void takesNoMoreThanJson(String text) {
        assertThrows(IllegalArgumentException.class, () -> Raw.parse(text));
    }
}
