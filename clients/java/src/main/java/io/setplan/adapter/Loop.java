package io.setplan.adapter;

import io.grpc.Status;
import io.setplan.client.OverloadedException;
import io.setplan.client.PlannerException;
import io.setplan.v1.Capability;
import io.setplan.v1.Plan;
import io.setplan.v1.PlanRequest;
import io.setplan.v1.Policy;
import io.setplan.v1.Snapshot;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reconciles one set at a time.
 *
 * <p>The queue, its back-off and who may write are the caller's. {@link #reconcile} may run for several keys at once, but never twice
 * for the same key.
 */
public final class Loop {
    /** The shortest wait: the caller requeues the key at once. Zero means only when something changes. */
    public static final Duration REQUEUE_NOW = Duration.ofMillis(1);

    private static final Duration FIRST_GATE_RETRY = Duration.ofMillis(100);
    private static final Duration LAST_GATE_RETRY =
            Duration.ofSeconds(5); // a change of the set triggers a check at once
    private static final Set<Status.Code> REFUSED = EnumSet.of(
            Status.Code.INVALID_ARGUMENT,
            Status.Code.FAILED_PRECONDITION,
            Status.Code.RESOURCE_EXHAUSTED,
            Status.Code.INTERNAL,
            Status.Code.UNIMPLEMENTED,
            Status.Code.PERMISSION_DENIED,
            Status.Code.UNAUTHENTICATED);

    final Source source;
    final Executor executor;
    final Observer observer;
    final Duration actionTimeout;
    final int parallelism;
    final Clock clock;
    final LongSupplier nanos;
    final Gate gate;
    final Outcomes outcomes;
    final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "setplan step");
        thread.setDaemon(true);
        return thread;
    });

    private final Planner planner;
    private final List<Capability> capabilities;
    private final @Nullable Policy policy;

    private Loop(Builder of) {
        this.source = of.source;
        this.executor = of.executor;
        this.planner = of.planner;
        this.capabilities = List.copyOf(of.capabilities);
        this.observer = of.observer;
        this.policy = of.policy;
        this.actionTimeout = of.actionTimeout;
        this.parallelism = of.parallelism;
        this.clock = of.clock;
        this.outcomes = new Outcomes(of.clock);
        this.nanos = of.nanos;
        this.gate = new Gate(of.gateTimeout, of.nanos);
    }

    /**
     * Begins the options of a loop.
     *
     * @param source what reads
     * @param executor what writes
     * @param planner what decides
     * @param capabilities what the executor can do (C5)
     * @return the options
     */
    public static Builder builder(Source source, Executor executor, Planner planner, List<Capability> capabilities) {
        return new Builder(source, executor, planner, capabilities);
    }

    /** Options of a loop. The defaults are right for production. */
    public static final class Builder {
        private final Source source;
        private final Executor executor;
        private final Planner planner;
        private final List<Capability> capabilities;
        private Observer observer = new Observer() {};
        private @Nullable Policy policy;
        private Duration gateTimeout = Duration.ofSeconds(30);
        private Duration actionTimeout = Duration.ofSeconds(30);
        private int parallelism = 100;
        private Clock clock = Clock.systemUTC();
        private LongSupplier nanos = System::nanoTime;

        private Builder(Source source, Executor executor, Planner planner, List<Capability> capabilities) {
            this.source = source;
            this.executor = executor;
            this.planner = planner;
            this.capabilities = capabilities;
        }

        /**
         * Is told what happens.
         *
         * @param observer who is told
         * @return this
         */
        public Builder observer(Observer observer) {
            this.observer = observer;
            return this;
        }

        /**
         * What a program asks for beside the set's annotations, which the planner reads (A18).
         *
         * @param policy the policy
         * @return this
         */
        public Builder policy(Policy policy) {
            this.policy = policy;
            return this;
        }

        /**
         * How long a write may stay unseen before the loop reads the object itself; 30 s without it.
         *
         * @param timeout how long
         * @return this
         */
        public Builder gateTimeout(Duration timeout) {
            this.gateTimeout = timeout;
            return this;
        }

        /**
         * Limits one action; 30 s without it.
         *
         * @param timeout how long
         * @return this
         */
        public Builder actionTimeout(Duration timeout) {
            this.actionTimeout = timeout;
            return this;
        }

        /**
         * How many steps of a stage run at once; 100 without it.
         *
         * @param steps how many; at least 1
         * @return this
         */
        public Builder parallelism(int steps) {
            if (steps < 1) {
                throw new IllegalArgumentException("at least one step runs at once, not " + steps);
            }
            this.parallelism = steps;
            return this;
        }

        /**
         * Tells the age of a snapshot.
         *
         * @param clock the clock
         * @return this
         */
        public Builder clock(Clock clock) {
            this.clock = clock;
            return this;
        }

        /** Counts nanoseconds and does not jump; it tells how long something has waited. */
        Builder nanos(LongSupplier nanos) {
            this.nanos = nanos;
            return this;
        }

        /**
         * Makes the loop.
         *
         * @return what was asked for
         */
        public Loop build() {
            return new Loop(this);
        }
    }

    /**
     * Makes one pass over a set, and returns after what time to call again; zero is only when something changes.
     *
     * <p>After an error the caller backs off and calls again. While the planner gives no plan, nothing is written (A11). After
     * an interrupt nothing more begins; it cuts off the question to the planner, and lets actions that have begun end.
     *
     * @param key the set
     * @return when to call again
     * @throws PlannerException no plan was made
     * @throws PlanDroppedException the world had moved
     * @throws ActionsFailedException actions failed
     * @throws java.util.concurrent.CancellationException the thread was interrupted
     */
    public Duration reconcile(Key key) {
        Optional<Duration> closed = passGate(key);
        if (closed.isPresent()) {
            return closed.get();
        }
        Snapshot snapshot;
        try {
            snapshot = snapshot(key);
        } catch (GoneException e) {
            gate.forget(key);
            outcomes.forget(key);
            observer.forgotten(key);
            return Duration.ZERO;
        }
        Plan plan = plan(key, snapshot);
        outcomes.prune(key, plan);
        observer.planned(key, snapshot, plan);
        new Application(this, key, snapshot, plan).run();
        if (plan.getTruncated() && plan.getStagesCount() > 0) {
            return REQUEUE_NOW;
        }
        return max(Application.duration(plan.getRequeueAfter()), Duration.ZERO);
    }

    private Snapshot snapshot(Key key) {
        try {
            Snapshot.Builder snapshot =
                    source.snapshot(key).toBuilder().clearOutcomes().addAllOutcomes(outcomes.report(key));
            return (policy == null ? snapshot : snapshot.setPolicy(policy)).build();
        } catch (GoneException e) {
            throw e;
        } catch (RuntimeException e) {
            observer.held(key, "snapshot", e);
            throw e;
        }
    }

    private Plan plan(Key key, Snapshot snapshot) {
        try {
            return planner.plan(PlanRequest.newBuilder()
                    .setSnapshot(snapshot)
                    .addAllCapabilities(capabilities)
                    .build());
        } catch (PlannerException e) {
            observer.held(key, reason(e), e);
            throw e;
        }
    }

    /** Returns when to look again; empty where the gate is open. */
    private Optional<Duration> passGate(Key key) {
        Optional<Gate.Closed> closed = gate.check(key, write -> source.observed(key, write), write -> {
            try {
                return source.current(key, write);
            } catch (RuntimeException e) {
                observer.held(key, "gate timeout", e);
                return false;
            }
        });
        closed.ifPresent(why -> observer.held(key, "gate", why.unseen()));
        return closed.map(why -> min(max(why.since().dividedBy(4), FIRST_GATE_RETRY), LAST_GATE_RETRY));
    }

    /** Tells an unreachable or busy planner, which recovers by itself, from one that refuses, which seldom does. */
    private static String reason(PlannerException error) {
        if (error instanceof OverloadedException) {
            return "planner busy";
        }
        return REFUSED.contains(error.code()) ? "planner refused" : "planner unreachable";
    }

    private static Duration max(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
