package io.setplan.testing;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import io.setplan.rawjson.Raw;
import io.setplan.snapshot.Objects;
import io.setplan.v1.Plan;
import io.setplan.v1.PlanRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/** One of the vectors of the contract, which no code of ours has made. */
public record Vector(String name, String text, JsonObject content) {
    private static final Path FOLDER = Servers.ROOT.resolve("proto/testdata/vectors");

    /** Reads all vectors. */
    public static List<Vector> all() {
        try (Stream<Path> files = Files.walk(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .map(Vector::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Vector read(Path file) {
        try {
            String text = Files.readString(file);
            return new Vector(
                    FOLDER.relativize(file).toString(),
                    text,
                    JsonParser.parseString(text).getAsJsonObject());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public boolean has(String key) {
        return content.has(key);
    }

    /** The request. Of a later release's, protobuf keeps what it does not know. */
    public PlanRequest request() {
        if (has("requestBytes")) {
            try {
                return PlanRequest.parseFrom(requestBytes());
            } catch (InvalidProtocolBufferException e) {
                throw new UncheckedIOException(e);
            }
        }
        return parsed(content.get("request").toString(), PlanRequest.newBuilder())
                .build();
    }

    /** What is sent. */
    public ByteString requestBytes() {
        return has("requestBytes")
                ? ByteString.copyFrom(
                        Base64.getDecoder().decode(content.get("requestBytes").getAsString()))
                : request().toByteString();
    }

    /** The plan that comes back. */
    public Plan plan() {
        return parsed(content.get("plan").toString(), Plan.newBuilder()).build();
    }

    /** The objects that become the request, as they stand in the file. */
    public Objects objects() {
        Raw raw = Raw.parse(text);
        Raw set = raw.get("objects", "set");
        if (set == null) {
            throw new AssertionError("the vector has no set");
        }
        return new Objects(
                set,
                raw.list("objects", "pods"),
                raw.list("objects", "claims"),
                raw.list("objects", "revisions"),
                raw.list("objects", "otherSets"));
    }

    /** The flags of a server with the limits. */
    public List<String> flags() {
        if (!has("limits")) {
            return List.of();
        }
        return content.getAsJsonObject("limits").entrySet().stream()
                .map(limit -> "--" + limit.getKey().replaceAll("([A-Z])", "-$1").toLowerCase(java.util.Locale.ROOT)
                        + "=" + limit.getValue())
                .toList();
    }

    /** Reads protobuf's JSON. */
    public static <B extends Message.Builder> B parsed(String json, B into) {
        try {
            JsonFormat.parser().merge(json, into);
            return into;
        } catch (InvalidProtocolBufferException e) {
            throw new UncheckedIOException(e);
        }
    }
}
