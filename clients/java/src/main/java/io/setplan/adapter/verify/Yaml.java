package io.setplan.adapter.verify;

import com.google.protobuf.ByteString;
import java.io.StringReader;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.parser.Parser;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;

/** YAML as kubectl reads it: yes and on are true, and a date is a text. The library gives events; what a scalar means is said here. */
final class Yaml {
    private static final int MAX_BYTES = 64 << 10;
    private static final String TEXT = "tag:yaml.org,2002:str";

    private static final Set<String> NULL = Set.of("", "~", "null", "Null", "NULL");
    private static final Set<String> TRUE =
            Set.of("true", "True", "TRUE", "y", "Y", "yes", "Yes", "YES", "on", "On", "ON");
    private static final Set<String> FALSE =
            Set.of("false", "False", "FALSE", "n", "N", "no", "No", "NO", "off", "Off", "OFF");
    private static final Pattern DECIMAL = Pattern.compile("-?(0|[1-9][0-9]*)");
    private static final Pattern OCTAL = Pattern.compile("0[0-7]+");
    private static final Pattern INTEGER = Pattern.compile("[-+]?(0[xob]|[0-9])[0-9a-fA-F_]*");
    private static final Pattern FLOAT = Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");
    private static final Map<String, Integer> RADIX = Map.of("0x", 16, "0o", 8, "0b", 2);

    private final Parser parser;

    private Yaml(Parser parser) {
        this.parser = parser;
    }

    /** Reads a document; null if it cannot be read, or has anchors or aliases, which can make much of little. */
    static Json parse(ByteString text) {
        if (text.size() > MAX_BYTES) {
            return Json.Word.NULL;
        }
        Yaml yaml =
                new Yaml(new ParserImpl(new StreamReader(new StringReader(text.toStringUtf8())), new LoaderOptions()));
        try {
            return yaml.document();
        } catch (YAMLException | IllegalArgumentException e) {
            return Json.Word.NULL;
        }
    }

    private Json document() {
        parser.getEvent(); // the stream begins
        if (!parser.checkEvent(Event.ID.DocumentStart)) {
            return Json.Word.NULL;
        }
        parser.getEvent();
        Json value = value(0);
        parser.getEvent(); // the document ends
        if (!parser.checkEvent(Event.ID.StreamEnd)) {
            throw new IllegalArgumentException("there is more than one document");
        }
        return value;
    }

    private Json value(int depth) {
        Event event = parser.getEvent();
        if (depth > Json.MAX_DEPTH
                || event instanceof AliasEvent
                || (event instanceof NodeEvent node && node.getAnchor() != null)) {
            throw new IllegalArgumentException("it is nested too deep, or has anchors or aliases");
        }
        if (event instanceof MappingStartEvent) {
            return mapping(depth);
        }
        if (event instanceof SequenceStartEvent) {
            List<Json> items = new ArrayList<>();
            while (!parser.checkEvent(Event.ID.SequenceEnd)) {
                items.add(value(depth + 1));
            }
            parser.getEvent();
            return new Json.Items(items);
        }
        return scalar((ScalarEvent) event);
    }

    private Json mapping(int depth) {
        Map<String, Json> members = new LinkedHashMap<>();
        while (!parser.checkEvent(Event.ID.MappingEnd)) {
            String key = "";
            if (parser.peekEvent() instanceof ScalarEvent word) {
                key = word.getValue();
            }
            value(depth + 1);
            members.put(key, value(depth + 1));
        }
        parser.getEvent();
        return new Json.Members(members);
    }

    private static Json scalar(ScalarEvent event) {
        @Nullable String tag = event.getTag();
        if (tag != null && !tag.equals(TEXT) && !tag.equals("!")) {
            throw new IllegalArgumentException("it has a tag of its own");
        }
        String word = event.getValue();
        return event.getScalarStyle() == ScalarStyle.PLAIN && tag == null ? plain(word) : new Json.Text(word);
    }

    private static Json plain(String word) {
        if (NULL.contains(word)) {
            return Json.Word.NULL;
        }
        if (TRUE.contains(word) || FALSE.contains(word)) {
            return TRUE.contains(word) ? Json.Word.TRUE : Json.Word.FALSE;
        }
        if (OCTAL.matcher(word).matches()) {
            return new Json.Numeral(new BigInteger(word, 8).toString());
        }
        if (DECIMAL.matcher(word).matches() || FLOAT.matcher(word).matches()) {
            return new Json.Numeral(word);
        }
        return INTEGER.matcher(word).matches() ? integer(word) : new Json.Text(word);
    }

    /** Reads a number with a prefix or underscores; what is none is a text. */
    private static Json integer(String word) {
        String digits = word.replaceAll("^[-+]|_", "");
        int radix = digits.length() > 2 ? RADIX.getOrDefault(digits.substring(0, 2), 10) : 10;
        try {
            BigInteger value = new BigInteger(radix == 10 ? digits : digits.substring(2), radix);
            return new Json.Numeral((word.startsWith("-") ? value.negate() : value).toString());
        } catch (NumberFormatException e) {
            return new Json.Text(word);
        }
    }
}
