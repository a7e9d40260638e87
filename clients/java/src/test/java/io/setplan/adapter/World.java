package io.setplan.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import io.setplan.kube.ApiExecutor;
import io.setplan.v1.Action;
import io.setplan.v1.Claim;
import io.setplan.v1.DeletePod;
import io.setplan.v1.Fence;
import io.setplan.v1.LabelSelector;
import io.setplan.v1.OutcomeResult;
import io.setplan.v1.OwnerReference;
import io.setplan.v1.OwnerSet;
import io.setplan.v1.Plan;
import io.setplan.v1.PlanRequest;
import io.setplan.v1.Pod;
import io.setplan.v1.Precondition;
import io.setplan.v1.Snapshot;
import io.setplan.v1.Stage;
import io.setplan.v1.StatefulSet;
import io.setplan.v1.Step;
import io.setplan.v1.Tables;
import io.setplan.v1.Target;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A source, an executor, a planner and an observer that do what a test says. */
final class World implements Source, Executor, Planner, Observer {
    static final Key KEY = new Key("default", "web");
    static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    static final SetIdentity SET = new SetIdentity("set", 1, "", false, "");

    final Plan.Builder plan =
            Plan.newBuilder().setFence(Fence.newBuilder().setSetUid("set").setGeneration(1));
    Supplier<SetIdentity> identity = () -> SET;
    Supplier<SetIdentity> live = () -> SET;
    boolean gone;
    boolean shown = true;
    boolean isCurrent = true;
    int askedForCurrent;
    Runnable during = () -> {};
    Consumer<Duration> writing = limit -> {};
    final List<PlanRequest> requests = new CopyOnWriteArrayList<>();
    final List<String> done = new CopyOnWriteArrayList<>();
    final List<String> held = new CopyOnWriteArrayList<>();
    final List<Key> forgotten = new CopyOnWriteArrayList<>();
    final Map<String, Result> failing = new ConcurrentHashMap<>();

    Loop loop() {
        return options().build();
    }

    Loop.Builder options() {
        return Loop.builder(this, this, this, ApiExecutor.CAPABILITIES)
                .observer(this)
                .clock(Clock.fixed(NOW, ZoneOffset.UTC));
    }

    /** Adds a stage that deletes pods, each in a step of its own. */
    Stage.Builder deletes(int... ordinals) {
        Stage.Builder stage = plan.addStagesBuilder();
        for (int ordinal : ordinals) {
            stage.addSteps(Step.newBuilder().addActions(deletion("web-" + ordinal)));
        }
        return stage;
    }

    static Action.Builder deletion(String name) {
        return Action.newBuilder()
                .setId("delete-" + name)
                .setTarget(Target.newBuilder()
                        .setKind("Pod")
                        .setNamespace("default")
                        .setName(name))
                .setPrecondition(Precondition.newBuilder().setUid("uid-" + name))
                .setDeletePod(DeletePod.getDefaultInstance());
    }

    static Result refused(String why) {
        return Result.failed(new IllegalStateException(why), OutcomeResult.OUTCOME_RESULT_REJECTED);
    }

    @Override
    public Snapshot snapshot(Key key) {
        assertEquals(KEY, key);
        if (gone) {
            throw new GoneException("gone");
        }
        Snapshot.Builder snapshot = Snapshot.newBuilder()
                .setObservedAt(Timestamp.newBuilder().setSeconds(NOW.getEpochSecond()))
                .setSet(StatefulSet.newBuilder()
                        .setApiVersion("apps/v1")
                        .setKind("StatefulSet")
                        .setNamespace("default")
                        .setName("web")
                        .setUid("set")
                        .setGeneration(1)
                        .setResourceVersion("7")
                        .setReplicas(0)
                        .setSelector(LabelSelector.newBuilder().putMatchLabels("app", "web"))
                        .addClaimTemplates(ByteString.copyFromUtf8("{\"metadata\":{\"name\":\"www\"}}")))
                .setTables(Tables.newBuilder()
                        .addOwnerSets(OwnerSet.getDefaultInstance())
                        .addOwnerSets(OwnerSet.newBuilder()
                                .addOwners(OwnerReference.newBuilder()
                                        .setUid("set")
                                        .setController(true))))
                .addClaims(Claim.newBuilder()
                        .setName("www-web-0")
                        .setUid("uid-www-web-0")
                        .setResourceVersion("1"));
        for (int i = 0; i < 3; i++) {
            snapshot.addPods(Pod.newBuilder()
                    .setName("web-" + i)
                    .setUid("uid-web-" + i)
                    .setResourceVersion("1")
                    .setOwnerSetIndex(1));
        }
        return snapshot.build();
    }

    @Override
    public SetIdentity set(Key key) {
        return identity.get();
    }

    @Override
    public SetIdentity liveSet(Key key) {
        return live.get();
    }

    @Override
    public boolean observed(Key key, Write write) {
        return shown;
    }

    @Override
    public boolean current(Key key, Write write) {
        askedForCurrent++;
        return isCurrent;
    }

    @Override
    public Plan plan(PlanRequest request) {
        requests.add(request);
        during.run();
        return plan.build();
    }

    @Override
    public Result apply(Key key, Action action, Duration limit) {
        Target target = action.getTarget();
        String what = Operations.nameOf(action) + " " + target.getName();
        done.add(what);
        writing.accept(limit);
        Write write = new Write(
                target.getKind(), target.getName(), action.getPrecondition().getUid(), "", true);
        return failing.getOrDefault(what, Result.done(write));
    }

    @Override
    public void held(Key key, String reason, Exception error) {
        held.add(reason);
    }

    @Override
    public void forgotten(Key key) {
        forgotten.add(key);
    }
}
