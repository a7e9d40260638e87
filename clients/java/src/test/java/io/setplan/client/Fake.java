package io.setplan.client;

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
import io.setplan.v1.ForecastRequest;
import io.setplan.v1.ForecastResponse;
import io.setplan.v1.PlanRequest;
import io.setplan.v1.PlanResponse;
import io.setplan.v1.PlannerServiceGrpc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** A planner that does what a test says, over real gRPC on loopback. */
final class Fake extends PlannerServiceGrpc.PlannerServiceImplBase implements AutoCloseable {
    private static final Metadata.Key<String> AGENT = Metadata.Key.of("user-agent", Metadata.ASCII_STRING_MARSHALLER);

    /** What has been asked. */
    final List<PlanRequest> requests = new CopyOnWriteArrayList<>();

    /** By which user agents. */
    final List<String> agents = new CopyOnWriteArrayList<>();

    /** How many seconds were left of each call. */
    final List<Long> left = new CopyOnWriteArrayList<>();

    private final IntFunction<PlanResponse> answer;
    private final Server server;
    private final int port;

    /** A planner whose {@code answer} gives the answer of a call, of which the first is number 1, or throws a status. */
    Fake(int port, IntFunction<PlanResponse> answer) {
        this.answer = answer;
        try {
            server = NettyServerBuilder.forAddress(
                            new InetSocketAddress("127.0.0.1", port), InsecureServerCredentials.create())
                    .maxInboundMessageSize(64 << 20)
                    .addService(this)
                    .intercept(new Notes())
                    .build()
                    .start();
            this.port = server.getPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return port;
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    @Override
    public void plan(PlanRequest request, StreamObserver<PlanResponse> response) {
        requests.add(request);
        Deadline deadline = Context.current().getDeadline();
        left.add(deadline == null ? -1 : deadline.timeRemaining(TimeUnit.SECONDS));
        try {
            response.onNext(answer.apply(requests.size()));
            response.onCompleted();
        } catch (StatusRuntimeException e) {
            response.onError(e);
        }
    }

    /** Gives one step, and fails or ends as the answer to the start says. */
    @Override
    public void forecast(ForecastRequest request, StreamObserver<ForecastResponse> response) {
        requests.add(request.getStart());
        ForecastResponse.Builder step = ForecastResponse.newBuilder();
        step.getStepBuilder().setNumber(1);
        response.onNext(step.build());
        try {
            answer.apply(requests.size());
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
