package io.setplan.client;

import static org.junit.jupiter.api.Assertions.*;

import com.google.gson.JsonObject;
import com.google.protobuf.ByteString;
import com.google.rpc.*;
import io.grpc.MethodDescriptor;
import io.setplan.v1.PlanResponse;
import io.setplan.v1.PlannerServiceGrpc;
import java.io.*;
import java.time.Duration;
import java.util.*;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.function.ThrowingConsumer;

/** Plans and errors come back as every vector says. There is no list of exceptions. */
class VectorsTest {
    private static final List<Vector> ALL = Vector.all();
    private static final Map<List<String>, Planner> PLANNERS = new HashMap<>();

    private static final MethodDescriptor<ByteString, ByteString> PLAN = PlannerServiceGrpc.getPlanMethod().toBuilder(
                    new Bytes(), new Bytes())
            .build();

    /** A planner with the limits of a vector. */
    private static Planner planner(Vector vector) {
        return PLANNERS.computeIfAbsent(
                vector.flags(),
                flags -> Planner.connectInsecure(
                        Servers.planner(flags.toArray(String[]::new)).address()));
    }

    @AfterAll
    static void end() {
        PLANNERS.values().forEach(Planner::close);
        ProcessHandle.current().children().forEach(ProcessHandle::destroyForcibly);
    }

    private static Stream<DynamicTest> each(Predicate<Vector> which, ThrowingConsumer<Vector> test) {
        return DynamicTest.stream(ALL.stream().filter(which), Vector::name, test);
    }

    @Test
    void thereAreEnough() {
        assertTrue(ALL.stream().filter(vector -> vector.has("plan")).count() >= 300);
        assertTrue(ALL.stream().filter(vector -> vector.has("error")).count() >= 50);
        assertTrue(ALL.stream().filter(VectorsTest::saidByObjects).count() >= 300);
    }

    @TestFactory
    Stream<DynamicTest> plans() {
        return each(vector -> vector.has("plan"), vector -> {
            ByteString answer = planner(vector).one(PLAN, vector.request());
            assertEquals(vector.plan(), PlanResponse.parseFrom(answer).getPlan());
        });
    }

    @TestFactory
    Stream<DynamicTest> plansByObjects() {
        return each(VectorsTest::saidByObjects, vector -> {
            Planner planner = planner(vector);
            ByteString answer = planner.one(PLAN, vector.byObjects().toByteString());
            assertEquals(planner.one(PLAN, vector.request()), answer);
        });
    }

    private static boolean saidByObjects(Vector vector) {
        return vector.has("plan") && vector.has("objects") && vector.byObjects() != null;
    }

    @TestFactory
    Stream<DynamicTest> errors() {
        return each(vector -> vector.has("error"), vector -> {
            JsonObject want = vector.content().getAsJsonObject("error");
            PlannerException error = want.has("status")
                    ? new PlannerException(Status.parseFrom(
                            Base64.getDecoder().decode(want.get("status").getAsString())))
                    : assertThrows(PlannerException.class, () -> planner(vector).one(PLAN, vector.request()));
            assertEquals(want.get("code").getAsString(), error.code().name());
            assertEquals(want.get("message").getAsString(), error.details());
            ErrorInfo info = Vector.parsed(want, ErrorInfo.newBuilder()).build();
            assertEquals("ERROR_REASON_" + info.getReason(), error.reason().name());
            assertEquals(info.getMetadataMap(), error.metadata());
            JsonObject violations = new JsonObject();
            violations.add("fieldViolations", want.get("violations"));
            BadRequest bad = Vector.parsed(violations, BadRequest.newBuilder()).build();
            assertEquals(bad.getFieldViolationsList(), error.violations());
            RetryInfo retry = Vector.parsed(want, RetryInfo.newBuilder()).build();
            assertEquals(
                    retry.getRetryDelay().getSeconds(),
                    error.retryAfter().map(Duration::toSeconds).orElse(0L));
        });
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
                return ByteString.readFrom(stream);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
