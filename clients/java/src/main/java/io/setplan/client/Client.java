package io.setplan.client;

import com.google.protobuf.MessageLite;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.setplan.v1.Capability;
import io.setplan.v1.GetServerInfoRequest;
import io.setplan.v1.GetServerInfoResponse;
import io.setplan.v1.Plan;
import io.setplan.v1.PlanRequest;
import io.setplan.v1.PlanResponse;
import io.setplan.v1.PlannerServiceGrpc;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks a planner. One per process is enough, and it may have many calls under way, from any threads.
 *
 * <p>Only UNAVAILABLE is retried. An overloaded planner is an {@link OverloadedException}: the caller's queue knows better
 * than a waiting call. An interrupt of the thread ends its call.
 */
public final class Client implements AutoCloseable {
    /** How much later than its deadline gRPC may report the end of a call. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final Settings settings;
    private final Channels channels;

    Client(Settings settings) {
        this.settings = settings;
        this.channels = new Channels(settings);
    }

    /**
     * Begins the options of a client.
     *
     * @param target an address such as {@code planner.example.com:7450} or {@code dns:///planner:7450}; all addresses of a
     *     DNS name are used
     * @return the options
     */
    public static ClientBuilder builder(String target) {
        return new ClientBuilder(target);
    }

    /** {@return every operation that this build of the contract knows, ascending} */
    public static List<Capability> capabilities() {
        return Arrays.stream(Capability.values())
                .filter(one -> one != Capability.CAPABILITY_UNSPECIFIED && one != Capability.UNRECOGNIZED)
                .toList();
    }

    /**
     * Asks for the plan of one set.
     *
     * <p>A request without capabilities is sent with all of this build (C5), which is right for a caller that only looks.
     * A caller that carries out plans must list its own.
     *
     * @param request the snapshot, and what the caller can do
     * @return the plan
     * @throws PlannerException no plan was made
     */
    public Plan plan(PlanRequest request) {
        return plan(request, settings.timeout());
    }

    /**
     * Asks for the plan of one set.
     *
     * @param request the snapshot, and what the caller can do
     * @param timeout the deadline of this call, retries included
     * @return the plan
     * @throws PlannerException no plan was made
     */
    public Plan plan(PlanRequest request, Duration timeout) {
        PlanRequest sent = request.getCapabilitiesCount() > 0
                ? request
                : request.toBuilder().addAllCapabilities(capabilities()).build();
        PlanResponse response = call(PlannerServiceGrpc.getPlanMethod(), sent, timeout);
        if (!response.hasPlan()) { // which is not an empty plan
            throw Errors.noPlan();
        }
        return response.getPlan();
    }

    /**
     * Asks what the server can plan, and within which limits.
     *
     * @return what the server says of itself
     * @throws PlannerException no answer was given
     */
    public GetServerInfoResponse serverInfo() {
        return call(
                PlannerServiceGrpc.getGetServerInfoMethod(),
                GetServerInfoRequest.getDefaultInstance(),
                settings.timeout());
    }

    /** Ends the connection and all calls on it. */
    @Override
    public void close() {
        channels.close();
    }

    private <Q extends MessageLite, A> A call(MethodDescriptor<Q, A> method, Q request, Duration timeout) {
        int limit = settings.maxMessageBytes();
        int size = request.getSerializedSize();
        if (size > limit) {
            throw Errors.tooLarge("request", size, "this client's", limit);
        }
        try (Channels.Lease lease = channels.begin()) {
            CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
            lease.reconnect().now();
            return await(
                    ClientCalls.futureUnaryCall(lease.channel().newCall(method, options), request),
                    timeout.plus(GRACE),
                    lease.reconnect()::now);
        } catch (StatusRuntimeException e) {
            throw Errors.of(e);
        }
    }

    /**
     * Waits for an answer, so long at most, and does something every 100 ms meanwhile. ClientCalls.blockingUnaryCall would wait until gRPC reports the end of the call. Before
     * grpc-java 1.80 it may never do so where a call is cancelled, by an interrupt or by its deadline, at the moment in which gRPC
     * decides to try it again (grpc-java, issue 12620).
     */
    static <A> A await(Future<A> answer, Duration longest, Runnable meanwhile) {
        long end = System.nanoTime() + longest.toNanos();
        while (true) {
            long left = end - System.nanoTime();
            try {
                return answer.get(Math.min(left, Reconnect.EVERY.toNanos()), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw cancelled(answer, Status.CANCELLED.withDescription("the caller was interrupted"), e);
            } catch (TimeoutException e) {
                if (left <= Reconnect.EVERY.toNanos()) {
                    throw cancelled(
                            answer,
                            Status.DEADLINE_EXCEEDED.withDescription("the call did not end at its deadline"),
                            e);
                }
                meanwhile.run();
            } catch (ExecutionException e) {
                throw Status.fromThrowable(e).asRuntimeException(Status.trailersFromThrowable(e));
            }
        }
    }

    private static StatusRuntimeException cancelled(Future<?> answer, Status status, Exception why) {
        answer.cancel(true);
        return status.withCause(why).asRuntimeException();
    }
}
