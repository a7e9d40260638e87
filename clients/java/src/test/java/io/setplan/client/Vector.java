package io.setplan.client;

import com.google.gson.*;
import com.google.protobuf.*;
import com.google.protobuf.util.JsonFormat;
import io.setplan.v1.Objects;
import io.setplan.v1.Plan;
import io.setplan.v1.PlanRequest;
import io.setplan.v1.Snapshot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.*;
import java.util.Base64;
import java.util.List;
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
            Stream<String> names = files.map(file -> FOLDER.relativize(file).toString());
            return names.filter(name -> name.endsWith(".json"))
                    .sorted()
                    .map(Vector::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads one. */
    static Vector read(String name) {
        try {
            String text = Files.readString(FOLDER.resolve(name));
            return new Vector(name, text, JsonParser.parseString(text).getAsJsonObject());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean has(String key) {
        return content.has(key);
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

    /** The Kubernetes objects, of which each is a line, as the API server sent them. */
    List<String> documents() {
        return text.lines()
                .dropWhile(line -> !line.equals(" \"objects\": {"))
                .takeWhile(line -> !line.equals(" },"))
                .filter(line -> line.startsWith("  \"set\": {") || line.startsWith("   {"))
                .map(line -> line.replaceFirst("^  \"set\": ", "").replaceFirst(",$", ""))
                .toList();
    }

    /** The request with the objects in place of the snapshot; null if objects cannot say it. */
    PlanRequest byObjects() {
        PlanRequest request =
                parsed(content.get("request"), PlanRequest.newBuilder()).build();
        Snapshot snapshot = request.getSnapshot();
        if (snapshot.getOutcomesCount() > 0 || !snapshot.getSet().getRefusal().isEmpty()) {
            return null;
        }
        Objects.Builder objects = Objects.newBuilder()
                .setNamespace(snapshot.getSet().getNamespace())
                .setName(snapshot.getSet().getName())
                .setApiVersion(snapshot.getSet().getApiVersion())
                .setKind(snapshot.getSet().getKind())
                .setObservedAt(snapshot.getObservedAt())
                .setCoverage(snapshot.getCoverage());
        if (snapshot.hasPolicy()) {
            objects.setPolicy(snapshot.getPolicy());
        }
        documents().forEach(document -> objects.addDocuments(ByteString.copyFromUtf8(document)));
        for (String name : snapshot.getFixedStorageClassesList()) {
            String kind = "{'apiVersion':'storage.k8s.io/v1','kind':'StorageClass','metadata':{'name':'%s'}}";
            objects.addDocuments(ByteString.copyFromUtf8(kind.replace('\'', '"').formatted(name)));
        }
        return request.toBuilder().clearSnapshot().setObjects(objects).build();
    }

    /** The plan that comes back. */
    Plan plan() {
        return parsed(content.get("plan"), Plan.newBuilder()).build();
    }

    /** The flags of a server with the limits. */
    List<String> flags() {
        JsonObject limits = has("limits") ? content.getAsJsonObject("limits") : new JsonObject();
        return limits.keySet().stream()
                .map(key -> key.equals("maxPods")
                        ? "--max-pods=" + limits.get(key)
                        : "--max-message-bytes=" + limits.get(key))
                .toList();
    }

    /** Reads protobuf's JSON. */
    static <B extends Message.Builder> B parsed(JsonElement json, B into) {
        try {
            JsonFormat.parser().ignoringUnknownFields().merge(json.toString(), into);
            return into;
        } catch (InvalidProtocolBufferException e) {
            throw new UncheckedIOException(e);
        }
    }
}
