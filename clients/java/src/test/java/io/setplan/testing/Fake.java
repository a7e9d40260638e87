package io.setplan.testing;

import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.setplan.v1.Plan;
import io.setplan.v1.PlanRequest;
import io.setplan.v1.PlanResponse;
import io.setplan.v1.PlannerServiceGrpc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** A planner that does what a test says, over real gRPC on loopback. */
public final class Fake extends PlannerServiceGrpc.PlannerServiceImplBase implements AutoCloseable {
    private static final int LIMIT = 64 << 20;
    private static final Metadata.Key<String> AGENT = Metadata.Key.of("user-agent", Metadata.ASCII_STRING_MARSHALLER);

    /** What has been asked. */
    public final List<PlanRequest> requests = new CopyOnWriteArrayList<>();

    /** By which user agents. */
    public final List<String> agents = new CopyOnWriteArrayList<>();

    /** How many seconds were left of each call. */
    public final List<Long> left = new CopyOnWriteArrayList<>();

    private final Function<Integer, Plan> answer;
    private final Server server;
    private final int port;

    /** A planner on a free port that finds everything as it should be. */
    public Fake() {
        this(0, call -> Plan.newBuilder().setConverged(true).build());
    }

    /** A planner on a free port; {@code answer} gives the plan of a call, of which the first is number 1, or null, or throws a status. */
    public Fake(Function<Integer, Plan> answer) {
        this(0, answer);
    }

    public Fake(int port, Function<Integer, Plan> answer) {
        this.answer = answer;
        try {
            server = NettyServerBuilder.forAddress(
                            new InetSocketAddress("127.0.0.1", port), InsecureServerCredentials.create())
                    .maxInboundMessageSize(LIMIT)
                    .addService(this)
                    .intercept(new Notes())
                    .build()
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.port = server.getPort();
    }

    public int port() {
        return port;
    }

    public String address() {
        return "127.0.0.1:" + port;
    }

    @Override
    public void plan(PlanRequest request, StreamObserver<PlanResponse> response) {
        requests.add(request);
        Deadline deadline = Context.current().getDeadline();
        left.add(deadline == null ? -1 : deadline.timeRemaining(TimeUnit.SECONDS));
        try {
            PlanResponse.Builder told = PlanResponse.newBuilder();
            Plan plan = answer.apply(requests.size());
            response.onNext((plan == null ? told : told.setPlan(plan)).build());
            response.onCompleted();
        } catch (StatusRuntimeException e) {
            response.onError(e);
        }
    }

    @Override
    public void close() {
        server.shutdownNow();
        try {
            server.awaitTermination();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private final class Notes implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            agents.add(String.valueOf(headers.get(AGENT)));
            return next.startCall(call, headers);
        }
    }
}
