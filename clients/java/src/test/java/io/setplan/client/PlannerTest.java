package io.setplan.client;

import static org.junit.jupiter.api.Assertions.*;

import com.google.protobuf.*;
import com.google.rpc.Code;
import com.google.rpc.RetryInfo;
import io.grpc.*;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import io.setplan.v1.*;
import java.net.InetSocketAddress;
import java.nio.file.*;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.*;
import org.junit.jupiter.api.*;

/** What the client does with deadlines, failures and odd answers. */
class PlannerTest {
    private static final Plan DONE = Plan.newBuilder().setConverged(true).build();
    private static final PlanResponse ANSWER =
            PlanResponse.newBuilder().setPlan(DONE).build();
    private static final PlanRequest REQUEST =
            PlanRequest.newBuilder().setSnapshot(Snapshot.getDefaultInstance()).build();
    private static final ForecastRequest FORECAST =
            ForecastRequest.newBuilder().setStart(REQUEST).build();
    private static final StatusRuntimeException NOT_NOW =
            Status.UNAVAILABLE.withDescription("not now").asRuntimeException();

    private Fake fake;
    private Planner planner;

    /** Starts a planner that gives these answers, and the last one again and again: responses or errors. */
    private void start(Object... answers) throws Exception {
        fake = new Fake(0, answers);
        planner = Planner.connectInsecure("127.0.0.1:" + fake.port);
    }

    @AfterEach
    void stop() throws Exception {
        if (fake != null) {
            planner.close();
            fake.stop();
        }
    }

    private static PlannerException failure(Planner planner) {
        return assertThrows(PlannerException.class, () -> planner.plan(REQUEST));
    }

    @Test
    void unavailableIsRetried() throws Exception {
        start(NOT_NOW, NOT_NOW, ANSWER);
        assertEquals(DONE, planner.plan(REQUEST));
    }

    @Test
    void nothingElseIs() throws Exception {
        for (Status status : List.of(Status.INTERNAL, Status.INVALID_ARGUMENT, Status.RESOURCE_EXHAUSTED)) {
            start(status.withDescription("no").asRuntimeException(), ANSWER);
            assertEquals(status.getCode() + ": no", failure(planner).getMessage());
            stop();
        }
    }

    @Test
    void aRetryComesNoSoonerThanThePlannerSays() throws Exception {
        Duration hour = Duration.newBuilder().setSeconds(3600).build();
        Any info = Any.pack(RetryInfo.newBuilder().setRetryDelay(hour).build());
        var later = com.google.rpc.Status.newBuilder()
                .setCode(Code.UNAVAILABLE_VALUE)
                .addDetails(info);
        start(StatusProto.toStatusRuntimeException(later.build()), ANSWER);
        assertEquals(3600, failure(planner).retryAfter().orElseThrow().toSeconds(), "which is after the deadline");
    }

    @Test
    void aServerRestarts() throws Exception {
        start(ANSWER);
        planner.plan(REQUEST);
        fake.stop();
        CompletableFuture<Plan> plan = CompletableFuture.supplyAsync(() -> planner.plan(REQUEST));
        Thread.sleep(20); // the restart takes a while, and the call comes in between
        fake = new Fake(fake.port, ANSWER);
        assertEquals(DONE, plan.get());
    }

    @Test
    void noServer() {
        Planner gone = Planner.connectInsecure("127.0.0.1:1");
        PlannerException failed = failure(gone);
        assertEquals(Code.UNAVAILABLE, failed.code());
        assertTrue(failed.getMessage().contains("refused"), failed.getMessage());
        gone.close();
        assertThrows(IllegalStateException.class, gone::serverInfo);
    }

    @Test
    void theDeadlineIsSent() throws Exception {
        start(ANSWER);
        planner.plan(REQUEST);
        planner.withTimeout(java.time.Duration.ofHours(1)).plan(REQUEST);
        assertTrue(fake.left.get(0) <= 10 && fake.left.get(1) > 10, fake.left.toString());
        Planner hasty = planner.withTimeout(java.time.Duration.ofNanos(1));
        assertEquals(Code.DEADLINE_EXCEEDED, failure(hasty).code());
    }

    @Test
    void anInterruptEndsACall() throws Exception {
        start(ANSWER);
        Thread.currentThread().interrupt();
        assertEquals(Code.CANCELLED, failure(planner).code());
        assertTrue(Thread.interrupted());
    }

    @Test
    void anAnswerWithoutAPlanIsNoEmptyPlan() throws Exception {
        start(PlanResponse.getDefaultInstance());
        String said = failure(planner).getMessage();
        assertEquals("INTERNAL: the planner answered without a plan", said);
    }

    @Test
    void aForecastThatIsCutIsNoForecast() throws Exception {
        start(NOT_NOW, ANSWER);
        List<ForecastStep> steps = new ArrayList<>();
        Exception error = assertThrows(PlannerException.class, () -> planner.forecast(FORECAST, steps::add));
        assertEquals("UNAVAILABLE: not now", error.getMessage());
        assertEquals(1, steps.size(), "no retry gives a step twice");
        error = assertThrows(PlannerException.class, () -> planner.forecast(FORECAST));
        assertEquals("INTERNAL: the forecast ended without a result", error.getMessage());
    }

    @Test
    void detailsThatNoPlannerHasWritten() throws Exception {
        Metadata trailers = new Metadata();
        trailers.put(Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER), new byte[] {1});
        start(Status.INTERNAL.withDescription("a proxy's").asRuntimeException(trailers));
        assertEquals("INTERNAL: a proxy's", failure(planner).getMessage());
    }

    @Test
    void theUserAgentHasTheVersion() throws Exception {
        String version = "<version>" + Connection.AGENT.replace("setplan-java/", "") + "</version>";
        assertTrue(
                Files.readString(Path.of("pom.xml")).contains("<artifactId>setplan-client</artifactId>\n  " + version));
    }

    @Test
    void capabilities() throws Exception {
        start(ANSWER);
        Capability one = Capability.CAPABILITY_CREATE_POD;
        planner.plan(REQUEST);
        planner.plan(REQUEST.toBuilder().addCapabilities(one).build());
        assertThrows(PlannerException.class, () -> planner.forecast(FORECAST));
        List<Capability> all = Arrays.stream(Capability.values())
                .filter(any -> any != Capability.UNRECOGNIZED && any.getNumber() > 0)
                .toList();
        assertEquals(List.of(all, List.of(one), all), fake.capabilities);
    }

    @Test
    void objectsAreOfThisMomentUnlessTheySay() {
        long before = Instant.now().getEpochSecond();
        Objects.Builder objects = Objects.newBuilder().setName("web");
        assertTrue(Requests.of(objects).getObjects().getObservedAt().getSeconds() >= before);
        Timestamp then = Timestamp.newBuilder().setSeconds(1).build();
        objects.setObservedAt(then);
        assertEquals(then, Requests.of(objects).getObjects().getObservedAt());
    }

    /** A planner that does what a test says, over real gRPC on loopback. */
    private static final class Fake extends PlannerServiceGrpc.PlannerServiceImplBase {
        final List<List<Capability>> capabilities = new CopyOnWriteArrayList<>();
        final List<Long> left = new CopyOnWriteArrayList<>(); // seconds, of each call
        final int port;
        private final Object[] answers;
        private final Server server;

        Fake(int port, Object... answers) throws Exception {
            this.answers = answers;
            InetSocketAddress address = new InetSocketAddress("127.0.0.1", port);
            NettyServerBuilder builder = NettyServerBuilder.forAddress(address, InsecureServerCredentials.create());
            this.server = builder.addService(this).build().start();
            this.port = server.getPort();
        }

        @Override
        public void plan(PlanRequest request, StreamObserver<PlanResponse> response) {
            if (answer(request, response) instanceof PlanResponse plan) {
                response.onNext(plan);
                response.onCompleted();
            }
        }

        /** Gives one step, and no result. */
        @Override
        public void forecast(ForecastRequest request, StreamObserver<ForecastResponse> response) {
            ForecastStep step = ForecastStep.getDefaultInstance();
            response.onNext(ForecastResponse.newBuilder().setStep(step).build());
            if (answer(request.getStart(), response) instanceof PlanResponse) {
                response.onCompleted();
            }
        }

        private Object answer(PlanRequest request, StreamObserver<?> response) {
            left.add(Context.current().getDeadline().timeRemaining(TimeUnit.SECONDS));
            capabilities.add(request.getCapabilitiesList());
            Object answer = answers[Math.min(left.size(), answers.length) - 1];
            if (answer instanceof StatusRuntimeException error) {
                response.onError(error);
            }
            return answer;
        }

        void stop() throws InterruptedException {
            server.shutdownNow().awaitTermination();
        }
    }
}
