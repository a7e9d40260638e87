package io.setplan.snapshot;

import com.google.protobuf.Timestamp;
import io.setplan.rawjson.Raw;
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

    static Timestamp moment(String text) {
        Instant time = Instant.parse(text);
        return Timestamp.newBuilder()
                .setSeconds(time.getEpochSecond())
                .setNanos(time.getNano())
                .build();
    }
}
