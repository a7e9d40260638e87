package io.setplan.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import com.google.rpc.Status;
import io.grpc.MethodDescriptor;
import io.setplan.client.Servers.Running;
import io.setplan.v1.ErrorReason;
import io.setplan.v1.PlanResponse;
import io.setplan.v1.PlannerServiceGrpc;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Plans and errors come back as every vector says. There is no list of exceptions. */
class VectorsTest {
    private static final List<Vector> ALL = Vector.all();
    private static final Map<List<String>, Running> SERVERS = new HashMap<>();
    private static final Map<List<String>, Planner> PLANNERS = new HashMap<>();

    private static final MethodDescriptor<ByteString, ByteString> PLAN = PlannerServiceGrpc.getPlanMethod().toBuilder(
                    new Bytes(), new Bytes())
            .build();

    /** A planner with the limits of a vector. */
    private static synchronized Planner planner(Vector vector) throws InterruptedException {
        if (!PLANNERS.containsKey(vector.flags())) {
            Running server = Servers.planner(vector.flags().toArray(String[]::new));
            SERVERS.put(vector.flags(), server);
            PLANNERS.put(vector.flags(), Planner.connectInsecure(server.address()));
        }
        return PLANNERS.get(vector.flags());
    }

    @AfterAll
    static void end() {
        PLANNERS.values().forEach(Planner::close);
        SERVERS.values().forEach(Running::close);
    }

    @Test
    void thereAreEnough() {
        assertTrue(ALL.stream().filter(vector -> vector.has("plan")).count() >= 300);
        assertTrue(ALL.stream().filter(vector -> vector.has("error")).count() >= 50);
    }

    @TestFactory
    Stream<DynamicTest> plans() {
        return ALL.stream()
                .filter(vector -> vector.has("plan"))
                .map(vector -> DynamicTest.dynamicTest(vector.name(), () -> {
                    ByteString answer = planner(vector).one(PLAN, vector.request());
                    assertEquals(vector.plan(), PlanResponse.parseFrom(answer).getPlan());
                }));
    }

    @TestFactory
    Stream<DynamicTest> errors() {
        return ALL.stream()
                .filter(vector -> vector.has("error"))
                .map(vector -> DynamicTest.dynamicTest(vector.name(), () -> {
                    JsonObject want = vector.content().getAsJsonObject("error").deepCopy();
                    JsonElement status = want.remove("status");
                    PlannerException error = status == null
                            ? assertThrows(
                                    PlannerException.class,
                                    () -> planner(vector).one(PLAN, vector.request()))
                            : new PlannerException(
                                    Status.parseFrom(Base64.getDecoder().decode(status.getAsString())));
                    assertEquals(want, form(error));
                }));
    }

    /** Puts an error into the form that vectors have. */
    private static JsonElement form(PlannerException error) {
        JsonObject form = new JsonObject();
        form.addProperty("code", error.code().name());
        form.addProperty("message", error.details());
        if (error.reason() != ErrorReason.ERROR_REASON_UNSPECIFIED) {
            form.addProperty("reason", error.reason().name().substring("ERROR_REASON_".length()));
            form.addProperty("domain", "setplan.io");
        }
        JsonArray violations = new JsonArray();
        error.violations().forEach(violation -> {
            JsonObject one = new JsonObject();
            one.addProperty("field", violation.getField());
            one.addProperty("description", violation.getDescription());
            violations.add(one);
        });
        if (!violations.isEmpty()) {
            form.add("violations", violations);
        }
        JsonObject metadata = new JsonObject();
        error.metadata().forEach(metadata::addProperty);
        if (metadata.size() > 0) {
            form.add("metadata", metadata);
        }
        error.retryAfter().ifPresent(after -> form.addProperty("retryDelay", after.toSeconds() + "s"));
        return form;
    }

    /** Bytes as they stand. */
    private static final class Bytes implements MethodDescriptor.Marshaller<ByteString> {
        @Override
        public InputStream stream(ByteString value) {
            return value.newInput();
        }

        @Override
        public ByteString parse(InputStream stream) {
            try {
                return UnsafeByteOperations.unsafeWrap(stream.readAllBytes());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
