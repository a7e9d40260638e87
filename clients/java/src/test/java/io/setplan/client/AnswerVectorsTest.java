package io.setplan.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.setplan.testing.Servers;
import io.setplan.testing.Servers.Planner;
import io.setplan.testing.Vector;
import io.setplan.v1.ErrorReason;
import io.setplan.v1.PlannerServiceGrpc;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Plans and errors come back as every vector says. There is no list of exceptions. */
class AnswerVectorsTest {
    private static final List<Vector> ALL = Vector.all();
    private static final Map<List<String>, Planner> SERVERS = new HashMap<>();

    // Sends bytes as they are: no library would make some of these requests.
    private static final MethodDescriptor<ByteString, ByteString> PLAN = PlannerServiceGrpc.getPlanMethod().toBuilder(
                    new Bytes(), new Bytes())
            .build();

    @BeforeAll
    static void serve() throws InterruptedException {
        for (Vector vector : ALL) {
            if (!SERVERS.containsKey(vector.flags())) {
                SERVERS.put(vector.flags(), Servers.planner(vector.flags().toArray(String[]::new)));
            }
        }
    }

    @AfterAll
    static void end() {
        SERVERS.values().forEach(Planner::close);
    }

    @Test
    void thereAreEnough() {
        assertTrue(ALL.stream().filter(vector -> vector.has("plan")).count() >= 340);
        assertTrue(ALL.stream().filter(vector -> vector.has("error")).count() >= 50);
    }

    @TestFactory
    Stream<DynamicTest> plans() {
        return ALL.stream()
                .filter(vector -> vector.has("plan"))
                .map(vector -> DynamicTest.dynamicTest(vector.name(), () -> {
                    try (Client client = Client.builder(address(vector))
                            .insecure()
                            .timeout(Duration.ofMinutes(1))
                            .build()) {
                        assertEquals(vector.plan(), client.plan(vector.request()));
                    }
                }));
    }

    @TestFactory
    Stream<DynamicTest> errors() {
        return ALL.stream()
                .filter(vector -> vector.has("error") && !vector.name().startsWith("status/"))
                .map(vector -> DynamicTest.dynamicTest(vector.name(), () -> {
                    ManagedChannel channel = Grpc.newChannelBuilder(
                                    address(vector), InsecureChannelCredentials.create())
                            .build();
                    try {
                        StatusRuntimeException error = assertThrows(
                                StatusRuntimeException.class,
                                () -> ClientCalls.blockingUnaryCall(
                                        channel, PLAN, CallOptions.DEFAULT, vector.requestBytes()));
                        assertEquals(vector.content().getAsJsonObject("error"), form(Errors.of(error)));
                    } finally {
                        channel.shutdownNow();
                    }
                }));
    }

    /** Errors of a server that cannot plan now. */
    @TestFactory
    Stream<DynamicTest> statuses() {
        return ALL.stream()
                .filter(vector -> vector.name().startsWith("status/"))
                .map(vector -> DynamicTest.dynamicTest(vector.name(), () -> {
                    JsonObject want = vector.content().getAsJsonObject("error");
                    byte[] trailer =
                            Base64.getDecoder().decode(want.remove("status").getAsString());
                    com.google.rpc.Status status = com.google.rpc.Status.parseFrom(trailer);
                    Status.Code code = Status.fromCodeValue(status.getCode()).getCode();
                    assertEquals(want, form(Errors.of(code, status.getMessage(), trailer)));
                }));
    }

    private static String address(Vector vector) {
        return SERVERS.get(vector.flags()).address();
    }

    /** Puts an error into the form that vectors have. */
    private static JsonElement form(PlannerException error) {
        JsonObject form = new JsonObject();
        form.addProperty("code", error.code().name());
        form.addProperty("message", error.details());
        if (error.reason() != ErrorReason.ERROR_REASON_UNSPECIFIED) {
            form.addProperty("reason", error.reason().name().substring("ERROR_REASON_".length()));
            form.addProperty("domain", Errors.DOMAIN);
        }
        JsonArray violations = new JsonArray();
        for (Violation violation : error.violations()) {
            JsonObject one = new JsonObject();
            one.addProperty("field", violation.field());
            one.addProperty("description", violation.description());
            violations.add(one);
        }
        if (!violations.isEmpty()) {
            form.add("violations", violations);
        }
        if (!error.metadata().isEmpty()) {
            JsonObject metadata = new JsonObject();
            error.metadata().forEach(metadata::addProperty);
            form.add("metadata", metadata);
        }
        error.retryAfter().ifPresent(after -> {
            String seconds = java.math.BigDecimal.valueOf(after.toMillis(), 3)
                    .stripTrailingZeros()
                    .toPlainString();
            form.addProperty("retryDelay", seconds + "s");
        });
        return form;
    }

    /** Bytes as they stand. */
    private static final class Bytes implements MethodDescriptor.Marshaller<ByteString> {
        @Override
        public InputStream stream(ByteString value) {
            return new ByteArrayInputStream(value.toByteArray());
        }

        @Override
        public ByteString parse(InputStream stream) {
            try {
                return ByteString.readFrom(stream);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
