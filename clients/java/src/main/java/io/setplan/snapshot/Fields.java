package io.setplan.snapshot;

import com.google.protobuf.Timestamp;
import io.setplan.rawjson.Raw;
import io.setplan.v1.Condition;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/** Fields that objects of all kinds have. */
final class Fields {
    private Fields() {}

    static String name(Raw thing) {
        return thing.string("metadata", "name");
    }

    static String uid(Raw thing) {
        return thing.string("metadata", "uid");
    }

    static String version(Raw thing) {
        return thing.string("metadata", "resourceVersion");
    }

    static List<Raw> owners(Raw thing) {
        return thing.list("metadata", "ownerReferences");
    }

    /** Reads a time of the API server, RFC 3339, into the contract's form, milliseconds since the epoch. 0 where there is none. */
    static long millis(Raw thing, String... keys) {
        String text = thing.string(keys);
        return text.isEmpty() ? 0 : Instant.parse(text).toEpochMilli();
    }

    /** Cuts a text down to a number of bytes; half a character at the end stays out. */
    static String cut(String text, int most) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= most) {
            return text;
        }
        CharBuffer kept = CharBuffer.allocate(most);
        StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .decode(ByteBuffer.wrap(bytes, 0, most), kept, false);
        return kept.flip().toString();
    }

    /** Puts the conditions of an object into the contract's form, in its order. */
    static List<Condition> conditions(Raw thing) {
        return thing.list("status", "conditions").stream()
                .map(Fields::condition)
                .toList();
    }

    private static Condition condition(Raw one) {
        Condition.Builder condition = Condition.newBuilder()
                .setType(one.string("type"))
                .setStatus(one.string("status"))
                .setReason(one.string("reason"))
                .setMessage(one.string("message"));
        String changed = one.string("lastTransitionTime");
        if (!changed.isEmpty()) {
            condition.setLastTransitionTime(moment(changed));
        }
        return condition.build();
    }

    private static Timestamp moment(String text) {
        Instant time = Instant.parse(text);
        return Timestamp.newBuilder()
                .setSeconds(time.getEpochSecond())
                .setNanos(time.getNano())
                .build();
    }
}
