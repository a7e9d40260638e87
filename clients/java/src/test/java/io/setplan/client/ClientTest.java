package io.setplan.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.setplan.testing.Fake;
import io.setplan.testing.Servers;
import io.setplan.testing.Servers.Planner;
import io.setplan.v1.Capability;
import io.setplan.v1.ErrorReason;
import io.setplan.v1.Plan;
import io.setplan.v1.PlanRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What the client does with options, failures and limits. */
class ClientTest {
    private static final Plan DONE = Plan.newBuilder().setConverged(true).build();

    /** Makes a request of about so many bytes. */
    private static PlanRequest sized(int size) {
        PlanRequest.Builder request = PlanRequest.newBuilder();
        request.getSnapshotBuilder().getSetBuilder().setPodTemplate(ByteString.copyFrom(new byte[size]));
        return request.build();
    }

    private static Client client(String address) {
        return Client.builder(address).insecure().build();
    }

    private static PlannerException failure(Client client, PlanRequest request) {
        return assertThrows(PlannerException.class, () -> client.plan(request));
    }

    private record Wrong(String about, String target, UnaryOperator<ClientBuilder> options, String message) {}

    @TestFactory
    Stream<DynamicTest> optionsAreChecked() {
        Path nowhere = Path.of("/nowhere/ca.crt");
        TlsFiles system = new TlsFiles(null, null, null);
        return Stream.of(
                        new Wrong("nothing said about protection", "localhost:1", b -> b, "insecure()"),
                        new Wrong(
                                "two answers about protection",
                                "localhost:1",
                                b -> b.insecure().tls(system),
                                "protected"),
                        new Wrong("no target", "", ClientBuilder::insecure, "no target"),
                        new Wrong("no time", "localhost:1", b -> b.insecure().timeout(Duration.ZERO), "timeout"),
                        new Wrong(
                                "no messages", "localhost:1", b -> b.insecure().maxMessageBytes(0), "limit"),
                        new Wrong(
                                "half a certificate",
                                "localhost:1",
                                b -> b.tls(new TlsFiles(null, nowhere, null)),
                                "both"),
                        new Wrong(
                                "no file", "localhost:1", b -> b.tls(new TlsFiles(nowhere, null, null)), "NoSuchFile"),
                        new Wrong(
                                "no certificate in the file",
                                "localhost:1",
                                b -> b.tls(new TlsFiles(Path.of("/dev/null"), null, null)),
                                "holds no certificate"))
                .map(wrong -> DynamicTest.dynamicTest(wrong.about, () -> {
                    Exception error = assertThrows(
                            IllegalArgumentException.class,
                            () -> wrong.options
                                    .apply(Client.builder(wrong.target))
                                    .build());
                    assertTrue(String.valueOf(error.getMessage()).contains(wrong.message), error.toString());
                }));
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
                    try (Fake fake = new Fake(call -> {
                                if (call < 3) {
                                    throw status.asRuntimeException();
                                }
                                return DONE;
                            });
                            Client asking = client(fake.address())) {
                        PlanRequest request = sized(20 << 20); // larger than gRPC's default buffers for retries
                        if (status.getCode() == Status.Code.UNAVAILABLE) {
                            assertEquals(DONE, asking.plan(request));
                        } else {
                            PlannerException failed = failure(asking, request);
                            assertEquals(status.getCode(), failed.code());
                            assertEquals("not now", failed.details());
                            assertEquals(ErrorReason.ERROR_REASON_UNSPECIFIED, failed.reason());
                        }
                        assertEquals(entry.getValue(), fake.requests.size());
                    }
                }));
    }

    @Test
    void aServerRestarts() throws Exception {
        Fake first = new Fake();
        try (Client asking = client(first.address())) {
            asking.plan(sized(1));
            first.close();
            CompletableFuture<Plan> plan = CompletableFuture.supplyAsync(() -> asking.plan(sized(1 << 20)));
            Thread.sleep(20); // the restart takes a while, and the call comes in between
            try (Fake second = new Fake(first.port(), call -> DONE)) {
                assertEquals(DONE, plan.get());
                assertEquals(1, second.requests.size());
            }
        }
    }

    @Test
    void noServer() {
        Fake gone = new Fake();
        gone.close();
        try (Client asking = client(gone.address())) {
            PlannerException failed = failure(asking, sized(1));
            assertInstanceOf(UnreachableException.class, failed);
            assertEquals(Status.Code.UNAVAILABLE, failed.code());
        }
    }

    @Test
    void theDeadlineIsSent() {
        try (Fake fake = new Fake();
                Client asking = client(fake.address())) {
            asking.plan(sized(1));
            asking.plan(sized(1), Duration.ofHours(1));
            assertTrue(fake.left.get(0) >= 5 && fake.left.get(0) <= 10, fake.left.toString());
            assertTrue(fake.left.get(1) >= 3500 && fake.left.get(1) <= 3600, fake.left.toString());
        }
    }

    @Test
    void anInterruptEndsACall() {
        Thread caller = Thread.currentThread();
        try (Fake fake = new Fake(call -> {
                    caller.interrupt();
                    throw Status.UNAVAILABLE.asRuntimeException();
                });
                Client asking = client(fake.address())) {
            PlannerException failed = failure(asking, sized(1));
            assertEquals(Status.Code.CANCELLED, failed.code());
            assertTrue(Thread.interrupted());
        }
    }

    @Test
    void aCallOfWhichGrpcReportsNoEndEndsAtItsDeadline() {
        CompletableFuture<Plan> never = new CompletableFuture<>();
        StatusRuntimeException late =
                assertThrows(StatusRuntimeException.class, () -> Client.await(never, Duration.ofMillis(1), () -> {}));
        assertEquals(Status.Code.DEADLINE_EXCEEDED, late.getStatus().getCode());
        assertTrue(never.isCancelled());
    }

    @Test
    void andAtAnInterrupt() {
        CompletableFuture<Plan> never = new CompletableFuture<>();
        Thread.currentThread().interrupt();
        StatusRuntimeException ended =
                assertThrows(StatusRuntimeException.class, () -> Client.await(never, Duration.ofHours(1), () -> {}));
        assertTrue(Thread.interrupted());
        assertEquals(Status.Code.CANCELLED, ended.getStatus().getCode());
        assertTrue(never.isCancelled());
    }

    @Test
    void anAnswerWithoutAPlanIsNoEmptyPlan() {
        try (Fake planner = new Fake(call -> null);
                Client client = Client.builder(planner.address()).insecure().build()) {
            PlannerException error =
                    assertThrows(PlannerException.class, () -> client.plan(PlanRequest.getDefaultInstance()));
            assertEquals(Status.Code.INTERNAL, error.code());
            assertEquals("the planner answered without a plan", error.details());
        }
    }

    @Test
    void limitsOfMessages() {
        int limit = 1 << 20;
        Plan.Builder large = Plan.newBuilder();
        large.addBlocksBuilder().setMessage("x".repeat(limit));
        try (Fake fake = new Fake(call -> large.build());
                Client asking = Client.builder(fake.address())
                        .insecure()
                        .maxMessageBytes(limit)
                        .build()) {
            Map.of("request", limit, "plan", 1).forEach((what, size) -> {
                PlannerException failed = failure(asking, sized(size));
                assertInstanceOf(MessageTooLargeException.class, failed, failed.toString());
                assertTrue(
                        failed.details().matches("the " + what + " has [0-9]+ bytes; this client's limit is " + limit),
                        failed.details());
                assertEquals(ErrorReason.ERROR_REASON_MESSAGE_TOO_LARGE, failed.reason());
                assertEquals(Integer.toString(limit), failed.metadata().get("limit"));
                assertTrue(Integer.parseInt(failed.metadata().getOrDefault("bytes", "0")) > limit);
            });
        }
    }

    @Test
    void aServersLimitOfMessages() throws Exception {
        try (Planner server = Servers.planner("--max-message-bytes=1024");
                Client asking = client(server.address())) {
            PlannerException failed = failure(asking, sized(2000));
            assertInstanceOf(MessageTooLargeException.class, failed, failed.toString());
            assertEquals("1024", failed.metadata().get("limit"));
        }
    }

    @Test
    void theUserAgent() {
        try (Fake fake = new Fake();
                Client asking = Client.builder(fake.address())
                        .insecure()
                        .userAgent("my-operator/1.2")
                        .build()) {
            asking.plan(sized(1));
            assertTrue(
                    fake.agents.get(0).matches("my-operator/1\\.2 setplan-java/0\\.1\\.0 grpc-java-netty/.*"),
                    fake.agents.toString());
        }
    }

    @Test
    void capabilities() {
        PlanRequest own = PlanRequest.newBuilder()
                .addCapabilities(Capability.CAPABILITY_CREATE_POD)
                .build();
        try (Fake fake = new Fake();
                Client asking = client(fake.address())) {
            asking.plan(sized(1));
            asking.plan(own);
            assertEquals(
                    List.of(Client.capabilities(), List.of(Capability.CAPABILITY_CREATE_POD)),
                    fake.requests.stream().map(PlanRequest::getCapabilitiesList).toList());
        }
    }

    @Test
    void aRealServer() throws Exception {
        try (Planner server = Servers.planner();
                Client asking = client(server.address())) {
            assertFalse(asking.serverInfo().getVersion().isEmpty());
            PlannerException failed = failure(asking, PlanRequest.getDefaultInstance());
            assertInstanceOf(InvalidSnapshotException.class, failed);
            assertEquals("snapshot", failed.violations().get(0).field());
        }
    }
}
