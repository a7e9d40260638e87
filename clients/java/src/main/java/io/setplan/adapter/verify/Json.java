package io.setplan.adapter.verify;

import com.google.protobuf.ByteString;
import io.setplan.rawjson.Raw;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** JSON values that are equal as the checks mean it: order of keys, blanks and the spelling of a number do not count. */
sealed interface Json {
    /** Bytes: no API server accepts a larger object. */
    int MAX_DOCUMENT = 3 << 20;

    int MAX_DEPTH = 200;
    int LONGEST = 80;

    /** What is no text, number or structure. */
    enum Word implements Json {
        /** Also stands for nothing. */
        NULL,
        TRUE,
        FALSE
    }

    /** A text. */
    record Text(String value) implements Json {}

    /** An array. */
    record Items(List<Json> list) implements Json {}

    /** An object. */
    record Members(Map<String, Json> map) implements Json {}

    /** A number, by its text. A stored revision holds what a float64 keeps of a number, the set holds its text. */
    record Numeral(String text) implements Json {
        @Override
        public boolean equals(Object other) {
            if (!(other instanceof Numeral numeral)) {
                return false;
            }
            double value = value();
            return text.equals(numeral.text) || (value == numeral.value() && Double.isFinite(value));
        }

        @Override
        public int hashCode() {
            return Double.hashCode(value());
        }

        private double value() {
            return Double.parseDouble(text) + 0.0; // so that -0 is 0
        }
    }

    /**
     * Reads a document. {@code strict} refuses a key that stands twice in an object: two readers may take different ones.
     * IllegalArgumentException says why it cannot be read.
     */
    static Json parse(ByteString document, boolean strict) {
        if (document.size() > MAX_DOCUMENT) {
            throw new IllegalArgumentException("it is larger than an API server takes");
        }
        return of(Raw.parse(document.toByteArray()), strict, 0);
    }

    private static Json of(Raw raw, boolean strict, int depth) {
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException("it is nested too deep");
        }
        String text = raw.text();
        switch (text.charAt(0)) {
            case '{' -> {
                if (strict && raw.repeatsKey()) {
                    throw new IllegalArgumentException("a key stands twice in an object");
                }
                Map<String, Json> members = new LinkedHashMap<>();
                raw.members().forEach((key, value) -> members.put(key, of(value, strict, depth + 1)));
                return new Members(members);
            }
            case '[' -> {
                List<Json> items = new ArrayList<>();
                raw.items().forEach(item -> items.add(of(item, strict, depth + 1)));
                return new Items(items);
            }
            case '"' -> {
                return new Text(raw.string());
            }
            case 't' -> {
                return Word.TRUE;
            }
            case 'f' -> {
                return Word.FALSE;
            }
            case 'n' -> {
                return Word.NULL;
            }
            default -> {
                return new Numeral(text);
            }
        }
    }

    /** Lays the members of an object over those of this one, at every level. */
    default Json merged(Json over) {
        if (!(this instanceof Members) || !(over instanceof Members)) {
            return over;
        }
        Map<String, Json> out = new LinkedHashMap<>(members());
        over.members().forEach((key, value) -> out.put(key, get(key).merged(value)));
        return new Members(out);
    }

    /** Returns an object in which a value replaces another one. It shares the rest. */
    default Json with(Json value, String... keys) {
        if (keys.length == 0) {
            return value;
        }
        Map<String, Json> out = new LinkedHashMap<>(members());
        out.put(keys[0], get(keys[0]).with(value, Arrays.copyOfRange(keys, 1, keys.length)));
        return new Members(out);
    }

    /** Returns an object without a member. It shares the rest. */
    default Json without(String key) {
        Map<String, Json> out = new LinkedHashMap<>(members());
        out.remove(key);
        return new Members(out);
    }

    /** Makes an object of texts: a key, its text, and so on. */
    static Members object(String... fields) {
        Map<String, Json> members = new LinkedHashMap<>();
        for (int i = 0; i < fields.length; i += 2) {
            members.put(fields[i], new Text(fields[i + 1]));
        }
        return new Members(members);
    }

    /** Makes an object of a map of texts. */
    static Members object(Map<String, String> fields) {
        Map<String, Json> members = new LinkedHashMap<>();
        fields.forEach((key, text) -> members.put(key, new Text(text)));
        return new Members(members);
    }

    /** Walks down the keys; null where there is nothing. */
    default Json get(String... keys) {
        Json found = this;
        for (String key : keys) {
            found = found.members().getOrDefault(key, Word.NULL);
        }
        return found;
    }

    /** The members of an object; none of other values. */
    default Map<String, Json> members() {
        return this instanceof Members object ? object.map : Map.of();
    }

    /** Reports whether an object has null for a claim template, which then is removed. */
    default boolean removes(String template) {
        return Word.NULL.equals(members().get(template));
    }

    /** The items of an array; none of other values. */
    default List<Json> items() {
        return this instanceof Items array ? array.list : List.of();
    }

    /** A text; empty for other values. */
    default String string() {
        return this instanceof Text text ? text.value : "";
    }

    /** Reports whether the value is this text. */
    default boolean is(String text) {
        return this instanceof Text own && own.value.equals(text);
    }

    /** Reports whether there is nothing, or a null. */
    default boolean isNull() {
        return equals(Word.NULL);
    }

    /** Reports whether there is nothing, or a null, or an object without members: older API servers wrote them. */
    default boolean isNothing() {
        return isNull() || (this instanceof Members && members().isEmpty());
    }

    /** Reports whether a member of an object is missing, or true. */
    default boolean isTrueOrNone(String key) {
        Json member = members().get(key);
        return member == null || member.equals(Word.TRUE);
    }

    /**
     * Returns a key under which two objects differ, in quotes, exceptions aside; empty if there is none.
     *
     * <p>A null member differs from a missing one: in a map of strings it is a key.
     */
    default String differing(Json other, Set<String> but) {
        Set<String> keys = new LinkedHashSet<>(members().keySet());
        keys.addAll(other.members().keySet());
        keys.removeAll(but);
        for (String key : keys) {
            Json left = members().get(key);
            if (left == null || !left.equals(other.members().get(key))) {
                return quote(key);
            }
        }
        return "";
    }

    /** Quotes a planner's text, and keeps it from filling logs and events. */
    static String quote(String text) {
        String shown = text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < shown.length(); i++) {
            char c = shown.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\');
            }
            if (c < ' ') {
                quoted.append("\\u%04x".formatted((int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
