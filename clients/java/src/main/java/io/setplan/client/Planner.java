package io.setplan.client;

import com.google.rpc.Code;
import com.google.rpc.Status;
import io.grpc.CallOptions;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.setplan.v1.Capability;
import io.setplan.v1.ForecastRequest;
import io.setplan.v1.ForecastResult;
import io.setplan.v1.ForecastStep;
import io.setplan.v1.GetServerInfoRequest;
import io.setplan.v1.GetServerInfoResponse;
import io.setplan.v1.Plan;
import io.setplan.v1.PlanRequest;
import io.setplan.v1.PlanResponse;
import io.setplan.v1.PlannerServiceGrpc;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Asks a planner. One per process is enough, and any number of threads may use it at once.
 *
 * <p>Only UNAVAILABLE is retried, three times within the deadline; a planner changes nothing, so a retry is always safe. An
 * interrupt of the thread ends its call, with the code CANCELLED.
 */
public final class Planner implements AutoCloseable {
    /** The deadline of a call, retries included, unless {@link #withTimeout} sets another. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

    /** The waits before the retries, which bridge the restart of a server. */
    private static final List<Duration> WAITS =
            List.of(Duration.ofMillis(200), Duration.ofMillis(600), Duration.ofMillis(1800));

    private static final List<Capability> CAPABILITIES = Arrays.stream(Capability.values())
            .filter(one -> one != Capability.CAPABILITY_UNSPECIFIED && one != Capability.UNRECOGNIZED)
            .toList();

    private final Connection connection;
    private final Duration timeout;

    private Planner(Connection connection, Duration timeout) {
        this.connection = connection;
        this.timeout = timeout;
    }

    /**
     * Names a planner and how the connection to it is protected. The first call connects.
     *
     * @param target an address such as {@code planner.example.com:7450} or {@code dns:///planner:7450}; all addresses of a
     *     DNS name are used
     * @param tls the certificates
     * @return the planner
     * @throws IllegalArgumentException a file cannot be used
     */
    public static Planner connect(String target, TlsFiles tls) {
        return new Planner(new Connection(target, Objects.requireNonNull(tls)), DEFAULT_TIMEOUT);
    }

    /**
     * Names a planner on the same machine, for a connection without TLS: requests and plans hold pod templates, and those
     * hold secrets.
     *
     * @param target an address such as {@code 127.0.0.1:7450}
     * @return the planner
     */
    public static Planner connectInsecure(String target) {
        return new Planner(new Connection(target, null), DEFAULT_TIMEOUT);
    }

    /**
     * Sets the deadline of calls.
     *
     * @param timeout how long a call may take, retries included
     * @return this planner with that deadline, over the same connection
     */
    public Planner withTimeout(Duration timeout) {
        return new Planner(connection, timeout);
    }

    /**
     * Asks for the plan of one set.
     *
     * @param request the objects or the snapshot. A snapshot without capabilities is sent with all that this build knows, which
     *     is right for a caller that does not act
     * @return the plan
     * @throws PlannerException no plan was made
     */
    public Plan plan(PlanRequest request) {
        PlanResponse response = one(PlannerServiceGrpc.getPlanMethod(), capable(request));
        if (!response.hasPlan()) { // which is not an empty plan
            throw cut("the planner answered without a plan");
        }
        return response.getPlan();
    }

    /**
     * Asks how one set's rollout will go.
     *
     * @param request what {@link #plan} would be asked, and how long hosts take
     * @return the result
     * @throws PlannerException no forecast was made
     */
    public ForecastResult forecast(ForecastRequest request) {
        return forecast(request, step -> {});
    }

    /**
     * Asks how one set's rollout will go, step by step.
     *
     * @param request what {@link #plan} would be asked, and how long hosts take
     * @param steps is called with each step as it comes; an exception from it ends the call
     * @return the result
     * @throws PlannerException no forecast was made, or only a part of it
     */
    public ForecastResult forecast(ForecastRequest request, Consumer<ForecastStep> steps) {
        ForecastRequest sent =
                request.toBuilder().setStart(capable(request.getStart())).build();
        ForecastResult.Builder result = ForecastResult.newBuilder();
        call(PlannerServiceGrpc.getForecastMethod(), sent, part -> {
            if (part.hasStep()) {
                steps.accept(part.getStep());
            } else {
                result.mergeFrom(part.getResult());
            }
        });
        if (result.getVerdictValue() == 0) {
            throw cut("the forecast ended without a result");
        }
        return result.build();
    }

    /**
     * Asks for the planner's release, what it can plan, and its limits.
     *
     * @return the answer
     * @throws PlannerException no answer was given
     */
    public GetServerInfoResponse serverInfo() {
        return one(PlannerServiceGrpc.getGetServerInfoMethod(), GetServerInfoRequest.getDefaultInstance());
    }

    /** Ends the connection and all calls on it. */
    @Override
    public void close() {
        connection.close();
    }

    private static PlanRequest capable(PlanRequest request) {
        return request.hasSnapshot() && request.getCapabilitiesCount() == 0
                ? request.toBuilder().addAllCapabilities(CAPABILITIES).build()
                : request;
    }

    private static PlannerException cut(String message) {
        return new PlannerException(Status.newBuilder()
                .setCode(Code.INTERNAL_VALUE)
                .setMessage(message)
                .build());
    }

    <Q, A> A one(MethodDescriptor<Q, A> method, Q request) {
        List<A> answers = new ArrayList<>(1);
        call(method, request, answers::add);
        if (answers.size() != 1) {
            throw cut("the planner gave " + answers.size() + " answers");
        }
        return answers.get(0);
    }

    private <Q, A> void call(MethodDescriptor<Q, A> method, Q request, Consumer<A> take) {
        Deadline deadline = Deadline.after(timeout.toNanos(), TimeUnit.NANOSECONDS);
        for (int retries = 0; ; retries++) {
            ManagedChannel channel = connection.channel();
            boolean begun = false;
            Context.CancellableContext context = Context.current().withCancellation();
            Context before = context.attach();
            try {
                Iterator<A> answers = ClientCalls.blockingServerStreamingCall(
                        channel, method, CallOptions.DEFAULT.withDeadline(deadline), request);
                while (answers.hasNext()) {
                    begun = true;
                    take.accept(answers.next());
                }
                return;
            } catch (StatusRuntimeException e) {
                PlannerException failed = PlannerException.of(e);
                if (failed.code() != Code.UNAVAILABLE || begun || retries == WAITS.size()) {
                    throw failed;
                }
                channel.resetConnectBackoff(); // connects now; by itself gRPC waits longer after each failure
                pause(WAITS.get(retries), deadline, failed);
            } finally {
                context.detach(before);
                context.cancel(null);
            }
        }
    }

    /** Waits before a retry, for as long as the planner asks for. Throws the failure if there is no time, or at an interrupt. */
    private static void pause(Duration least, Deadline deadline, PlannerException failed) {
        long wait = Math.max(least.toMillis(), failed.retryAfter().orElse(least).toMillis());
        if (wait >= deadline.timeRemaining(TimeUnit.MILLISECONDS)) {
            throw failed;
        }
        try {
            Thread.sleep(wait);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the retry ends at once, with CANCELLED
        }
    }
}
