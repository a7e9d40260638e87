package io.setplan.client;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import io.setplan.v1.Plan;
import io.setplan.v1.PlanRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** One of the vectors of the contract, which no code of ours has made. */
record Vector(String name, String text, JsonObject content) {
    private static final Path FOLDER = Optional.ofNullable(System.getenv("SETPLAN_VECTORS"))
            .map(Path::of)
            .orElse(Servers.ROOT.resolve("proto/testdata/vectors"));

    /** Reads all vectors. */
    static List<Vector> all() {
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
            JsonObject content = JsonParser.parseString(text).getAsJsonObject();
            return new Vector(FOLDER.relativize(file).toString(), text, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean has(String key) {
        return content.has(key);
    }

    /** Whether a planner is asked; a status of a server that cannot plan now comes as it is. */
    boolean asks() {
        return has("request") || has("requestBytes");
    }

    /** What is sent. No library would make some of these requests. */
    ByteString request() {
        return has("request")
                ? parsed(content.get("request"), PlanRequest.newBuilder())
                        .build()
                        .toByteString()
                : ByteString.copyFrom(
                        Base64.getDecoder().decode(content.get("requestBytes").getAsString()));
    }

    /** The plan that comes back. */
    Plan plan() {
        return parsed(content.get("plan"), Plan.newBuilder()).build();
    }

    /** The flags of a server with the limits. */
    List<String> flags() {
        if (!has("limits")) {
            return List.of();
        }
        return content.getAsJsonObject("limits").entrySet().stream()
                .map(limit -> "--" + limit.getKey().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT) + "="
                        + limit.getValue())
                .toList();
    }

    private static <B extends Message.Builder> B parsed(JsonElement json, B into) {
        try {
            JsonFormat.parser().merge(json.toString(), into);
            return into;
        } catch (InvalidProtocolBufferException e) {
            throw new UncheckedIOException(e);
        }
    }
}
