package io.setplan.rawjson;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds in one pass where each value of a document begins and ends. */
final class Reader {
    // An API server's objects are bounded; its lists may be longer than Jackson's defaults.
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
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

    /** Reads the value whose first token the parser is at. */
    private Raw value() throws IOException {
        int begin = place();
        JsonToken token = parser.currentToken();
        if (token == JsonToken.START_OBJECT) {
            return object(begin);
        }
        if (token == JsonToken.START_ARRAY) {
            return array(begin);
        }
        if (token == JsonToken.VALUE_STRING) {
            String text = wellFormed(parser.getText());
            int end = (int) parser.currentLocation().getCharOffset();
            return new Raw(document, begin, end, Map.of(), List.of(), text, false);
        }
        return new Raw(document, begin, begin + parser.getTextLength(), Map.of(), List.of(), null, false);
    }

    private Raw object(int begin) throws IOException {
        Map<String, Raw> members = new LinkedHashMap<>();
        boolean repeats = false;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = wellFormed(parser.currentName());
            parser.nextToken();
            repeats |= members.put(key, value()) != null;
        }
        return new Raw(document, begin, place() + 1, Collections.unmodifiableMap(members), List.of(), null, repeats);
    }

    private Raw array(int begin) throws IOException {
        List<Raw> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(value());
        }
        return new Raw(document, begin, place() + 1, Map.of(), Collections.unmodifiableList(items), null, false);
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
