package io.setplan.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.rpc.Code;
import com.google.rpc.RetryInfo;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import io.setplan.client.Servers.Running;
import io.setplan.v1.Capability;
import io.setplan.v1.ErrorReason;
import io.setplan.v1.ForecastRequest;
import io.setplan.v1.ForecastStep;
import io.setplan.v1.Plan;
import io.setplan.v1.PlanRequest;
import io.setplan.v1.PlanResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What the client does with deadlines, failures and odd answers. */
class PlannerTest {
    private static final Plan DONE = Plan.newBuilder().setConverged(true).build();
    private static final PlanResponse ANSWER =
            PlanResponse.newBuilder().setPlan(DONE).build();

    /** Makes a request of about so many bytes. */
    private static PlanRequest sized(int size) {
        PlanRequest.Builder request = PlanRequest.newBuilder();
        request.getSnapshotBuilder().getSetBuilder().setPodTemplate(ByteString.copyFrom(new byte[size]));
        return request.build();
    }

    private static ForecastRequest forecast() {
        return ForecastRequest.newBuilder().setStart(sized(1)).build();
    }

    private static PlannerException failure(Planner planner, PlanRequest request) {
        return assertThrows(PlannerException.class, () -> planner.plan(request));
    }

    @TestFactory
    Stream<DynamicTest> onlyUnavailableIsRetried() {
        Map<Status, Integer> calls = Map.of(
                Status.UNAVAILABLE, 3,
                Status.INTERNAL, 1,
                Status.INVALID_ARGUMENT, 1,
                Status.RESOURCE_EXHAUSTED, 1,
                Status.FAILED_PRECONDITION, 1);
        return calls.entrySet().stream()
                .map(entry -> DynamicTest.dynamicTest(entry.getKey().getCode().name(), () -> {
                    Status status = entry.getKey().withDescription("not now");
                    try (Fake fake = new Fake(0, call -> {
                                if (call < 3) {
                                    throw status.asRuntimeException();
                                }
                                return ANSWER;
                            });
                            Planner planner = Planner.connectInsecure(fake.address())) {
                        PlanRequest request = sized(20 << 20);
                        if (status.getCode() == Status.Code.UNAVAILABLE) {
                            assertEquals(DONE, planner.plan(request));
                        } else {
                            PlannerException failed = failure(planner, request);
                            assertEquals(status.getCode().value(), failed.code().getNumber());
                            assertEquals("not now", failed.details());
                            assertEquals(ErrorReason.ERROR_REASON_UNSPECIFIED, failed.reason());
                        }
                        assertEquals(entry.getValue(), fake.requests.size());
                    }
                }));
    }

    @Test
    void aRetryComesNoSoonerThanThePlannerSays() {
        try (Fake fake = new Fake(0, call -> {
                    RetryInfo.Builder info = RetryInfo.newBuilder();
                    info.getRetryDelayBuilder().setSeconds(3600);
                    throw StatusProto.toStatusRuntimeException(com.google.rpc.Status.newBuilder()
                            .setCode(Code.UNAVAILABLE_VALUE)
                            .addDetails(Any.pack(info.build()))
                            .build());
                });
                Planner planner = Planner.connectInsecure(fake.address())) {
            assertEquals(
                    Duration.ofHours(1), failure(planner, sized(1)).retryAfter().orElseThrow());
            assertEquals(1, fake.requests.size(), "there is no time for a retry");
        }
    }

    @Test
    void aServerRestarts() throws Exception {
        Fake first = new Fake(0, call -> ANSWER);
        try (Planner planner = Planner.connectInsecure(first.address())) {
            planner.plan(sized(1));
            first.close();
            CompletableFuture<Plan> plan = CompletableFuture.supplyAsync(() -> planner.plan(sized(1 << 20)));
            Thread.sleep(20); // the restart takes a while, and the call comes in between
            try (Fake second = new Fake(first.port(), call -> ANSWER)) {
                assertEquals(DONE, plan.get());
                assertEquals(1, second.requests.size());
            }
        }
    }

    @Test
    void noServer() {
        Fake gone = new Fake(0, call -> ANSWER);
        gone.close();
        Planner planner = Planner.connectInsecure(gone.address());
        PlannerException failed = failure(planner, sized(1));
        assertEquals(Code.UNAVAILABLE, failed.code());
        assertTrue(failed.getMessage().contains("refused"), failed.getMessage());
        planner.close();
        assertThrows(IllegalStateException.class, planner::serverInfo);
    }

    @Test
    void theDeadlineIsSent() {
        try (Fake fake = new Fake(0, call -> ANSWER);
                Planner planner = Planner.connectInsecure(fake.address())) {
            planner.plan(sized(1));
            planner.withTimeout(Duration.ofHours(1)).plan(sized(1));
            assertTrue(fake.left.get(0) >= 5 && fake.left.get(0) <= 10, fake.left.toString());
            assertTrue(fake.left.get(1) >= 3500 && fake.left.get(1) <= 3600, fake.left.toString());
            assertEquals(
                    Code.DEADLINE_EXCEEDED,
                    failure(planner.withTimeout(Duration.ofNanos(1)), sized(1)).code());
        }
    }

    @Test
    void anInterruptEndsACall() {
        Thread caller = Thread.currentThread();
        try (Fake fake = new Fake(0, call -> {
                    caller.interrupt();
                    throw Status.UNAVAILABLE.asRuntimeException();
                });
                Planner planner = Planner.connectInsecure(fake.address())) {
            assertEquals(Code.CANCELLED, failure(planner, sized(1)).code());
            assertTrue(Thread.interrupted());
        }
    }

    @Test
    void anAnswerWithoutAPlanIsNoEmptyPlan() {
        try (Fake fake = new Fake(0, call -> PlanResponse.getDefaultInstance());
                Planner planner = Planner.connectInsecure(fake.address())) {
            PlannerException error = failure(planner, sized(1));
            assertEquals(Code.INTERNAL, error.code());
            assertEquals("the planner answered without a plan", error.details());
        }
    }

    @Test
    void aForecastThatIsCutIsNoForecast() {
        try (Fake fake = new Fake(0, call -> {
                    if (call == 1) {
                        throw Status.UNAVAILABLE.withDescription("not now").asRuntimeException();
                    }
                    return ANSWER;
                });
                Planner planner = Planner.connectInsecure(fake.address())) {
            List<ForecastStep> steps = new ArrayList<>();
            PlannerException error =
                    assertThrows(PlannerException.class, () -> planner.forecast(forecast(), steps::add));
            assertEquals("UNAVAILABLE: not now", error.getMessage());
            assertEquals(1, steps.size(), "no retry gives a step twice");
            error = assertThrows(PlannerException.class, () -> planner.forecast(forecast()));
            assertEquals("INTERNAL: the forecast ended without a result", error.getMessage());
        }
    }

    @Test
    void whoeverTakesTheStepsCanEndAForecast() {
        try (Fake fake = new Fake(0, call -> ANSWER);
                Planner planner = Planner.connectInsecure(fake.address())) {
            Exception error = assertThrows(
                    IllegalStateException.class,
                    () -> planner.forecast(forecast(), step -> {
                        throw new IllegalStateException("seen enough at step " + step.getNumber());
                    }));
            assertEquals("seen enough at step 1", error.getMessage());
        }
    }

    @Test
    void detailsThatNoPlannerHasWritten() {
        Metadata trailers = new Metadata();
        trailers.put(Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER), new byte[] {1});
        try (Fake fake = new Fake(0, call -> {
                    throw Status.INTERNAL.withDescription("a proxy's").asRuntimeException(trailers);
                });
                Planner planner = Planner.connectInsecure(fake.address())) {
            assertEquals("INTERNAL: a proxy's", failure(planner, sized(1)).getMessage());
        }
    }

    @Test
    void theUserAgentHasTheVersion() throws Exception {
        String pom = Files.readString(Path.of("pom.xml"));
        try (Fake fake = new Fake(0, call -> ANSWER);
                Planner planner = Planner.connectInsecure(fake.address())) {
            planner.plan(sized(1));
            String version = fake.agents.get(0).replaceAll("^setplan-java/(\\S+) grpc-java.*", "$1");
            assertTrue(
                    pom.contains("<artifactId>setplan-client</artifactId>\n  <version>" + version + "</version>"),
                    version);
        }
    }

    @Test
    void capabilities() {
        PlanRequest own = sized(1).toBuilder()
                .addCapabilities(Capability.CAPABILITY_CREATE_POD)
                .build();
        try (Fake fake = new Fake(0, call -> ANSWER);
                Planner planner = Planner.connectInsecure(fake.address())) {
            planner.plan(sized(1));
            planner.plan(own);
            assertThrows(PlannerException.class, () -> planner.forecast(forecast()));
            List<Capability> all = Arrays.stream(Capability.values())
                    .filter(one -> one.name().startsWith("CAPABILITY_") && one.ordinal() > 0)
                    .toList();
            assertEquals(
                    List.of(all, List.of(Capability.CAPABILITY_CREATE_POD), all),
                    fake.requests.stream().map(PlanRequest::getCapabilitiesList).toList());
        }
    }

    @Test
    void aRealServer() {
        try (Running server = Servers.planner("--max-message-bytes=4096");
                Planner planner = Planner.connectInsecure(server.address())) {
            assertFalse(planner.serverInfo().getVersion().isEmpty());
            PlannerException failed = failure(planner, sized(70 << 20));
            assertEquals(ErrorReason.ERROR_REASON_MESSAGE_TOO_LARGE, failed.reason());
            assertEquals("4096", failed.metadata().get("limit"));
        }
    }
}
