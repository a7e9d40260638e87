package io.setplan.rawjson;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds in one pass where each value of a document begins and ends. */
final class Reader {
    // An API server's objects are bounded, in other ways than Jackson's defaults, and one that cannot be read would
    // hide all others.
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .build())
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .build();

    private final String document;
    private final JsonParser parser;

    private Reader(String document, JsonParser parser) {
        this.document = document;
        this.parser = parser;
    }

    static Raw read(String document) {
        try (JsonParser parser = FACTORY.createParser(document.toCharArray())) {
            if (parser.nextToken() == null) {
                throw new IllegalArgumentException("it is no JSON: it is empty");
            }
            Raw value = new Reader(document, parser).value();
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("it is no JSON: there is more behind the value");
            }
            return value;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("it is no JSON: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads the value whose first token the parser is at. It keeps its own stack: an object may be nested as deep as it likes. */
    private Raw value() throws IOException {
        Deque<Open> open = new ArrayDeque<>();
        while (true) {
            JsonToken token = parser.currentToken();
            if (token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY) {
                open.push(new Open(place(), token == JsonToken.START_OBJECT));
                next(open.peek());
                continue;
            }
            boolean closes = token == JsonToken.END_OBJECT || token == JsonToken.END_ARRAY;
            Raw value = closes ? open.pop().closed(document, place() + 1) : scalar(token);
            if (open.isEmpty()) {
                return value;
            }
            open.peek().add(value);
            next(open.peek());
        }
    }

    /** Goes to the next value of an object or an array, or to its end. */
    private void next(Open within) throws IOException {
        if (parser.nextToken() == JsonToken.FIELD_NAME) {
            within.key = wellFormed(parser.currentName());
            parser.nextToken();
        }
    }

    private Raw scalar(JsonToken token) throws IOException {
        int begin = place();
        if (token == JsonToken.VALUE_STRING) {
            String text = wellFormed(parser.getText());
            int end = (int) parser.currentLocation().getCharOffset();
            return new Raw(document, begin, end, Map.of(), List.of(), text, false);
        }
        return new Raw(document, begin, begin + parser.getTextLength(), Map.of(), List.of(), null, false);
    }

    /** An object or an array whose end has not come. */
    private static final class Open {
        private final int begin;
        private final boolean object;
        private final Map<String, Raw> members = new LinkedHashMap<>();
        private final List<Raw> items = new ArrayList<>();
        private String key = "";
        private boolean repeats;

        Open(int begin, boolean object) {
            this.begin = begin;
            this.object = object;
        }

        void add(Raw value) {
            if (object) {
                repeats |= members.put(key, value) != null;
            } else {
                items.add(value);
            }
        }

        Raw closed(String document, int end) {
            return object
                    ? new Raw(document, begin, end, Collections.unmodifiableMap(members), List.of(), null, repeats)
                    : new Raw(document, begin, end, Map.of(), Collections.unmodifiableList(items), null, false);
        }
    }

    private int place() {
        return (int) parser.currentTokenLocation().getCharOffset();
    }

    /** Puts U+FFFD in the place of half a surrogate pair, as the API server's readers do. */
    private static String wellFormed(String text) {
        StringBuilder mended = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!Character.isSurrogate(c)) {
                continue;
            }
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
                continue;
            }
            if (mended == null) {
                mended = new StringBuilder(text);
            }
            mended.setCharAt(i, '\ufffd');
        }
        return mended == null ? text : mended.toString();
    }
}
