package io.setplan.rawjson;

import com.google.protobuf.ByteString;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A value of a JSON document, with its text as it stands: every digit, escape and unknown field.
 *
 * <p>The names of revisions are computed from the text of templates, so a template must not pass through a parser that
 * turns numbers into doubles, or through typed objects (SPEC.md, A1). This class finds a value without changing it, and
 * reads it where a field of the contract needs it. Values do not change, and may be used by many threads.
 */
public final class Raw {
    private final String document;
    private final int begin;
    private final int end;
    private final Map<String, Raw> members;
    private final List<Raw> items;
    private final @Nullable String string;
    private final boolean repeatsKey;

    Raw(
            String document,
            int begin,
            int end,
            Map<String, Raw> members,
            List<Raw> items,
            @Nullable String string,
            boolean repeatsKey) {
        this.document = document;
        this.begin = begin;
        this.end = end;
        this.members = members;
        this.items = items;
        this.string = string;
        this.repeatsKey = repeatsKey;
    }

    /**
     * Reads a document.
     *
     * @param document the text
     * @return the value
     * @throws IllegalArgumentException it is no JSON
     */
    public static Raw parse(String document) {
        return Reader.read(document);
    }

    /**
     * Reads a document in UTF-8; bytes that are not become U+FFFD.
     *
     * @param document the text
     * @return the value
     * @throws IllegalArgumentException it is no JSON
     */
    public static Raw parse(byte[] document) {
        return parse(new String(document, StandardCharsets.UTF_8));
    }

    /** {@return the text of the value, unchanged} */
    public String text() {
        return document.substring(begin, end);
    }

    /** {@return the text of the value, unchanged, in UTF-8} */
    public ByteString bytes() {
        return ByteString.copyFromUtf8(text());
    }

    /** {@return the value as a document of its own, which does not keep the rest of a larger one in memory} */
    public Raw copy() {
        return parse(text());
    }

    /** {@return the members of an object; of a key that stands twice, the last} Empty for other values. */
    public Map<String, Raw> members() {
        return members;
    }

    /** {@return whether a key stands twice in an object: two readers may take different ones} */
    public boolean repeatsKey() {
        return repeatsKey;
    }

    /** {@return the items of an array} Empty for other values. */
    public List<Raw> items() {
        return items;
    }

    /**
     * Walks down the keys. Null where there is nothing, or a null.
     *
     * @param keys from the outside in; none is the value itself
     * @return the value
     */
    public @Nullable Raw get(String... keys) {
        Raw found = this;
        for (String key : keys) {
            found = found.members.get(key);
            if (found == null) {
                return null;
            }
        }
        return found.isNull() ? null : found;
    }

    /**
     * {@return the items of an array under these keys} Empty where there is none.
     *
     * @param keys from the outside in; none is the value itself
     */
    public List<Raw> list(String... keys) {
        Raw found = get(keys);
        return found == null ? List.of() : found.items;
    }

    /**
     * Reads a text. Half of a surrogate pair, which no message can carry, is U+FFFD. Empty where there is nothing.
     *
     * @param keys from the outside in; none is the value itself
     * @return the text
     * @throws IllegalArgumentException it is no text
     */
    public String string(String... keys) {
        Raw found = get(keys);
        if (found == null) {
            return "";
        }
        if (found.string == null) {
            throw new IllegalArgumentException(String.join(".", keys) + " is no text");
        }
        return found.string;
    }

    /** {@return whether the value is a text} */
    public boolean isString() {
        return string != null;
    }

    /**
     * Reads a map of texts. Empty where there is nothing; a null in it is an empty text, as for the API server.
     *
     * @param keys from the outside in; none is the value itself
     * @return the map
     * @throws IllegalArgumentException a member is no text
     */
    public Map<String, String> strings(String... keys) {
        Raw found = get(keys);
        if (found == null) {
            return Map.of();
        }
        return found.members.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(
                        Map.Entry::getKey, member -> member.getValue().string()));
    }

    /**
     * Reads a number of up to 64 bits. 0 where there is nothing.
     *
     * @param keys from the outside in; none is the value itself
     * @return the number
     * @throws IllegalArgumentException it is no whole number of 64 bits
     */
    public long int64(String... keys) {
        Raw found = get(keys);
        return found == null ? 0 : found.number().longValue();
    }

    /**
     * Reads a number of up to 32 bits. 0 where there is nothing.
     *
     * @param keys from the outside in; none is the value itself
     * @return the number
     * @throws IllegalArgumentException it is no whole number of 32 bits
     */
    public int int32(String... keys) {
        try {
            return Math.toIntExact(int64(keys));
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(String.join(".", keys) + " has more than 32 bits", e);
        }
    }

    /**
     * {@return whether there is a true under these keys}
     *
     * @param keys from the outside in; none is the value itself
     */
    public boolean isTrue(String... keys) {
        Raw found = get(keys);
        return found != null && found.text().equals("true");
    }

    private boolean isNull() {
        return end - begin == 4 && document.startsWith("null", begin);
    }

    private BigDecimal number() {
        try {
            BigDecimal value = new BigDecimal(text());
            value.longValueExact();
            return value;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("a value is no number", e);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("a value is no whole number of 64 bits", e);
        }
    }

    /** The text of the value. */
    @Override
    public String toString() {
        return text();
    }
}
