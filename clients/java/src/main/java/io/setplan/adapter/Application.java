package io.setplan.adapter;

import io.setplan.adapter.verify.RefusedException;
import io.setplan.adapter.verify.Verifier;
import io.setplan.v1.Action;
import io.setplan.v1.Action.OperationCase;
import io.setplan.v1.Fence;
import io.setplan.v1.OnFailure;
import io.setplan.v1.OutcomeResult;
import io.setplan.v1.Plan;
import io.setplan.v1.Snapshot;
import io.setplan.v1.Stage;
import io.setplan.v1.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One plan on its way into the cluster: carries out the stages in order (SPEC.md, A4 to A10, A20, A21). */
final class Application {
    /** How old a check may be that a deletion relies on: other sets' writes may stretch a stage to minutes (D6). */
    private static final long LONG_WAIT = 1_000_000_000; // ns

    private final Loop loop;
    private final Key key;
    private final Snapshot snapshot;
    private final Plan plan;
    private final Verifier verifier;
    private final List<Exception> failures = Collections.synchronizedList(new ArrayList<>());

    /** Nothing more begins: the thread was interrupted, or a deletion is not meant any more. */
    private final AtomicBoolean over = new AtomicBoolean();

    private long checked; // on a clock that does not jump
    private @Nullable RuntimeException notMeant;

    Application(Loop loop, Key key, Snapshot snapshot, Plan plan) {
        this.loop = loop;
        this.key = key;
        this.snapshot = snapshot;
        this.plan = plan;
        this.verifier = new Verifier(snapshot);
    }

    /**
     * Applies the plan. PlanDroppedException: the world had moved. ActionsFailedException: actions failed. CancellationException: the
     * thread was interrupted, and what had begun has ended.
     */
    void run() {
        boolean begun = false;
        boolean stopped = false;
        Set<Integer> skipped = new HashSet<>();
        for (Stage stage : plan.getStagesList()) {
            if (stage.getStepsCount() == 0
                    || skipped.contains(stage.getPhaseValue())
                    || (stopped && !stage.getAlwaysRun())) {
                continue;
            }
            endIfOver();
            if (!begun || Operations.actionsOf(stage).stream().anyMatch(Operations::deletes)) {
                checkFence();
            }
            begun = true;
            if (stage.getRequiresLiveSet()) {
                checkLiveSet();
            }
            boolean succeeded = runStage(stage);
            endIfOver();
            if (succeeded) {
                continue;
            }
            if (stage.getOnFailure() == OnFailure.ON_FAILURE_STOP) {
                stopped = true;
            } else if (stage.getOnFailure() == OnFailure.ON_FAILURE_SKIP_PHASE) {
                skipped.add(stage.getPhaseValue());
            } else {
                break; // ABORT; and what this build does not know is treated with the same care
            }
        }
        if (!failures.isEmpty()) {
            throw new ActionsFailedException(key, failures);
        }
    }

    private synchronized void endIfOver() {
        if (notMeant != null) {
            throw notMeant;
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("the plan for " + key + " was not finished: the thread was interrupted");
        }
    }

    /** Checks a deletion again that has waited: for its turn, or for the actions before it. One that is not meant ends the whole plan. */
    private synchronized boolean stillMeant(Action action) {
        boolean waited = loop.nanos.getAsLong() - checked >= LONG_WAIT;
        if (over.get() || !waited || !Operations.deletes(action)) {
            return !over.get();
        }
        try {
            checkFence();
            return true;
        } catch (RuntimeException e) {
            notMeant = e;
            over.set(true);
            return false;
        }
    }

    /** Drops the plan unless it still fits the set and its current spec. It reads the cache. */
    private void checkFence() {
        checked = loop.nanos.getAsLong();
        if (!plan.hasFence()) {
            throw dropped("fence", "the plan has no fence");
        }
        Fence fence = plan.getFence();
        if (Operations.isNewer(fence)) {
            throw dropped("fence", "the fence has a field that this adapter does not know");
        }
        SetIdentity set = cached();
        if (!set.uid().equals(fence.getSetUid())) {
            throw dropped(
                    "fence", "the plan is for uid %s, the set has uid %s".formatted(fence.getSetUid(), set.uid()));
        }
        if (!set.policy().equals(SetIdentity.policyOf(snapshot.getSet().getAnnotationsMap()))) {
            throw dropped("fence", "the set's policy annotations have changed since the plan was requested");
        }
        if (!set.neighbours().equals(SetIdentity.neighboursOf(snapshot.getClaimNeighboursList()))) {
            throw dropped(
                    "fence",
                    "another set with the same claim names was created or deleted since the plan was requested");
        }
        if (set.generation() != fence.getGeneration()) {
            throw dropped(
                    "fence",
                    "the plan is for generation %d, the set is at %d"
                            .formatted(fence.getGeneration(), set.generation()));
        }
        checkAge(fence);
    }

    private void checkAge(Fence fence) {
        var observed = snapshot.getObservedAt();
        Instant since = Instant.ofEpochSecond(observed.getSeconds(), observed.getNanos());
        Duration age = Duration.between(since, loop.clock.instant());
        Duration most = duration(fence.getMaxAge());
        if (fence.hasMaxAge() && age.compareTo(most) > 0) {
            throw dropped("fence", "the snapshot is %s old, the plan holds for %s".formatted(age, most));
        }
    }

    private SetIdentity cached() {
        try {
            return loop.source.set(key);
        } catch (GoneException e) {
            throw dropped("fence", "the set is gone");
        }
    }

    /** Reads the set from the API server: an adoption that races with a deletion gives the object to the garbage collector. */
    private void checkLiveSet() {
        SetIdentity set;
        try {
            set = loop.source.liveSet(key);
        } catch (GoneException e) {
            throw dropped("live set", "the set is gone");
        } catch (RuntimeException e) {
            throw dropped("live set", e.toString());
        }
        String uid = snapshot.getSet().getUid();
        if (!set.uid().equals(uid)) {
            throw dropped("live set", "the plan is for uid %s, the set has uid %s".formatted(uid, set.uid()));
        }
        if (set.deleting()) {
            throw dropped("live set", "the set is being deleted");
        }
    }

    private PlanDroppedException dropped(String reason, String why) {
        PlanDroppedException error = new PlanDroppedException(reason + ": " + why);
        loop.observer.held(key, reason, error);
        return error;
    }

    /** Runs the steps of a stage side by side, and reports whether all succeeded. A failed step does not stop the others. */
    private boolean runStage(Stage stage) {
        if (!allowed(stage)) {
            return false;
        }
        int before = failures.size();
        Workers.runAll(loop.threads, loop.parallelism, stage.getStepsList(), this::runStep, over);
        return failures.size() == before;
    }

    /**
     * Refuses a stage with an action that this build does not know or that fails a check.
     *
     * <p>Nothing of it is sent: half of what nobody here understands, or of what an untrue plan wants, is no better than all of it.
     */
    private boolean allowed(Stage stage) {
        Optional<Culprit> found = unknown(stage).or(() -> untrue(stage));
        found.ifPresent(culprit -> {
            tell(culprit.action, Result.failed(culprit.error, OutcomeResult.OUTCOME_RESULT_ERROR));
            failures.add(culprit.error);
        });
        return found.isEmpty();
    }

    private record Culprit(Action action, Exception error) {}

    private static Optional<Culprit> unknown(Stage stage) {
        for (Step step : stage.getStepsList()) {
            for (Action action : step.getActionsList()) {
                if (action.getOperationCase() == OperationCase.OPERATION_NOT_SET) {
                    return Optional.of(new Culprit(
                            action, new UnknownOperationException("this adapter does not know the operation")));
                }
                if (Stream.of(stage, step, action.getTarget(), action.getPrecondition())
                        .anyMatch(Operations::isNewer)) {
                    return Optional.of(new Culprit(
                            action,
                            new UnknownGuardException(
                                    "this adapter does not know a field that restricts when to write")));
                }
            }
        }
        return Optional.empty();
    }

    private Optional<Culprit> untrue(Stage stage) {
        try {
            verifier.stage(stage);
            return Optional.empty();
        } catch (RefusedException e) {
            loop.observer.held(key, "verification", e);
            return Optional.of(new Culprit(e.action(), e));
        }
    }

    /** Runs the actions of a step in order; the first failure ends the step. What has begun is finished. */
    private void runStep(Step step) {
        for (Action action : step.getActionsList()) {
            if (!stillMeant(action)) {
                return;
            }
            Result result = runAction(action);
            if (mayHaveBound(action, result)) {
                Write target = new Write(
                        action.getTarget().getKind(),
                        action.getTarget().getName(),
                        action.getPrecondition().getUid(),
                        "",
                        false);
                loop.gate.add(key, target, true);
            }
            tell(action, result);
            if (result.error() != null) {
                failures.add(result.error());
                return;
            }
        }
    }

    private Result runAction(Action action) {
        try {
            return loop.executor.apply(key, action, loop.actionTimeout);
        } catch (RuntimeException e) {
            return Result.failed(e, OutcomeResult.OUTCOME_RESULT_ERROR);
        } catch (Error e) { // what was under way is noted all the same
            return Result.failed(new IllegalStateException(e), OutcomeResult.OUTCOME_RESULT_ERROR);
        }
    }

    /** Passes a result on to everybody who keeps something about it. */
    private void tell(Action action, Result result) {
        if (result.write() != null) {
            loop.gate.add(key, result.write(), false);
        }
        loop.outcomes.record(key, action.getId(), result);
        loop.observer.applied(key, action, result);
    }

    /**
     * Reports whether a failed action may have given a claim to a pod all the same.
     *
     * <p>Whoever does not know deletes that pod, and the claim with it. What else may have been done does no such harm: it is tried
     * again, and found to be done.
     */
    private static boolean mayHaveBound(Action action, Result result) {
        return action.getOperationCase() == OperationCase.SET_CLAIM_OWNERS
                && result.error() != null
                && result.outcome() == OutcomeResult.OUTCOME_RESULT_ERROR;
    }

    static Duration duration(com.google.protobuf.Duration of) {
        return Duration.ofSeconds(of.getSeconds(), of.getNanos());
    }
}
