package io.setplan.adapter;

import static io.setplan.adapter.World.KEY;
import static io.setplan.adapter.World.deletion;
import static io.setplan.adapter.World.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.UnknownFieldSet;
import io.grpc.Status;
import io.setplan.adapter.verify.RefusedException;
import io.setplan.client.OverloadedException;
import io.setplan.client.PlannerException;
import io.setplan.client.UnreachableException;
import io.setplan.kube.ApiExecutor;
import io.setplan.testing.Servers;
import io.setplan.v1.Action;
import io.setplan.v1.ErrorReason;
import io.setplan.v1.OnFailure;
import io.setplan.v1.OutcomeResult;
import io.setplan.v1.PlanResponse;
import io.setplan.v1.Precondition;
import io.setplan.v1.SetClaimOwners;
import io.setplan.v1.Stage;
import io.setplan.v1.StagePhase;
import io.setplan.v1.Step;
import io.setplan.v1.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What the loop does with a plan: the rules for adapters of SPEC.md that do not need a cluster. */
class LoopTest {
    // A field of number 127 that no message has.
    private static final UnknownFieldSet UNKNOWN = UnknownFieldSet.newBuilder()
            .addField(127, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
            .build();

    private final World world = new World();

    private static List<Exception> failures(Loop loop) {
        return assertThrows(ActionsFailedException.class, () -> loop.reconcile(KEY))
                .failures();
    }

    @Test
    void stagesAreCarriedOutInOrder() {
        world.deletes(2);
        world.deletes(0, 1);
        assertEquals(Duration.ZERO, world.loop().reconcile(KEY));
        assertEquals("delete_pod web-2", world.done.get(0));
        assertEquals(
                List.of("delete_pod web-0", "delete_pod web-1"),
                world.done.stream().skip(1).sorted().toList());
        assertEquals(ApiExecutor.CAPABILITIES, world.requests.get(0).getCapabilitiesList());
    }

    @Test
    void noMoreStepsAtOnceThanAllowed() {
        world.deletes(0, 1, 2);
        CyclicBarrier both = new CyclicBarrier(2);
        world.writing = limit -> {
            if (world.done.size() < 3) {
                wait(both); // two run side by side
            }
        };
        Loop loop = world.options().parallelism(2).build();
        loop.reconcile(KEY);
        assertEquals(2, ((ThreadPoolExecutor) loop.threads).getLargestPoolSize());
        assertEquals(3, world.done.size());
    }

    @Test
    void noStepAtOnceIsNoLoop() {
        assertThrows(IllegalArgumentException.class, () -> world.options().parallelism(0));
    }

    private static void wait(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void theFirstFailureEndsAStep() {
        world.deletes(0, 1).getStepsBuilder(0).addActions(deletion("web-2"));
        world.failing.put("delete_pod web-0", refused("no"));
        assertEquals(1, failures(world.loop()).size());
        assertEquals(
                List.of("delete_pod web-0", "delete_pod web-1"),
                world.done.stream().sorted().toList());
    }

    @TestFactory
    Stream<DynamicTest> afterAFailure() {
        Map<Integer, List<String>> cases = Map.of(
                OnFailure.ON_FAILURE_ABORT_VALUE,
                List.of(),
                OnFailure.ON_FAILURE_UNSPECIFIED_VALUE,
                List.of(),
                77,
                List.of(),
                OnFailure.ON_FAILURE_STOP_VALUE,
                List.of("delete_pod web-2"),
                OnFailure.ON_FAILURE_SKIP_PHASE_VALUE,
                List.of("delete_pod web-1"));
        return cases.entrySet().stream()
                .map(one -> DynamicTest.dynamicTest("on failure " + one.getKey(), () -> {
                    World world = new World();
                    world.deletes(0).setPhase(StagePhase.STAGE_PHASE_DRAIN).setOnFailureValue(one.getKey());
                    world.deletes(1).setPhase(StagePhase.STAGE_PHASE_UPDATE);
                    world.deletes(2).setPhase(StagePhase.STAGE_PHASE_DRAIN).setAlwaysRun(true);
                    world.failing.put("delete_pod web-0", refused("no"));
                    failures(world.loop());
                    assertEquals(one.getValue(), world.done.subList(1, world.done.size()));
                }));
    }

    private record Fenced(String about, Consumer<World> change, String message) {}

    @TestFactory
    Stream<DynamicTest> theFence() {
        String policy = SetIdentity.policyOf(Map.of("setplan.io/pause", "All", "other", "x"));
        return Stream.of(
                        new Fenced("none", w -> w.plan.clearFence(), "no fence"),
                        new Fenced("uid", w -> w.identity = () -> new SetIdentity("other", 1, "", false, ""), "uid"),
                        new Fenced(
                                "generation",
                                w -> w.identity = () -> new SetIdentity("set", 2, "", false, ""),
                                "generation"),
                        new Fenced(
                                "annotations",
                                w -> w.identity = () -> new SetIdentity("set", 1, policy, false, ""),
                                "annotations"),
                        new Fenced(
                                "neighbours",
                                w -> w.identity = () -> new SetIdentity("set", 1, "", false, "b a"),
                                "same claim names"),
                        new Fenced(
                                "age",
                                w -> w.plan.getFenceBuilder().getMaxAgeBuilder().setSeconds(-1),
                                "old"),
                        new Fenced(
                                "unknown field",
                                w -> w.plan.getFenceBuilder().setUnknownFields(UNKNOWN),
                                "does not know"),
                        new Fenced(
                                "gone",
                                w -> w.identity = () -> {
                                    throw new GoneException("gone");
                                },
                                "gone"))
                .map(one -> DynamicTest.dynamicTest(one.about, () -> {
                    World world = new World();
                    world.deletes(0);
                    world.during = () -> one.change.accept(world);
                    Exception dropped = assertThrows(
                            PlanDroppedException.class, () -> world.loop().reconcile(KEY));
                    assertTrue(String.valueOf(dropped.getMessage()).contains(one.message), dropped.toString());
                    assertEquals(List.of(), world.done);
                    assertEquals(List.of("fence"), world.held);
                }));
    }

    @Test
    void policiesOfOtherTextsDiffer() {
        assertEquals(
                5,
                Stream.of(
                                Map.of("other", "x"),
                                Map.of("setplan.io/a", "b"),
                                Map.of("setplan.io/a", "c"),
                                Map.of("setplan.io/ab", ""),
                                Map.of("statefulsets.kubernetes.io/a", "b"))
                        .map(SetIdentity::policyOf)
                        .distinct()
                        .count());
    }

    @Test
    void theFenceAgainBeforeADeletion() {
        world.deletes(0);
        world.deletes(1);
        world.writing = limit -> world.identity = () -> new SetIdentity("set", 2, "", false, "");
        assertThrows(PlanDroppedException.class, () -> world.loop().reconcile(KEY));
        assertEquals(List.of("delete_pod web-0"), world.done);
    }

    @TestFactory
    Stream<DynamicTest> theLiveSet() {
        Map<String, Consumer<World>> cases = Map.of(
                "another one", w -> w.live = () -> new SetIdentity("other", 1, "", false, ""),
                "being deleted", w -> w.live = () -> new SetIdentity("set", 1, "", true, ""),
                "gone",
                        w -> w.live = () -> {
                            throw new GoneException("gone");
                        },
                "no answer",
                        w -> w.live = () -> {
                            throw new IllegalStateException("no answer");
                        });
        return cases.entrySet().stream()
                .map(one -> DynamicTest.dynamicTest(one.getKey(), () -> {
                    World world = new World();
                    world.deletes(0).setRequiresLiveSet(true);
                    one.getValue().accept(world);
                    assertThrows(PlanDroppedException.class, () -> world.loop().reconcile(KEY));
                    assertEquals(List.of(), world.done);
                    assertEquals(List.of("live set"), world.held);
                }));
    }

    @Test
    void anUnknownOperationFailsItsStage() {
        world.deletes(0, 1).getStepsBuilder(1).getActionsBuilder(0).clearOperation();
        assertInstanceOf(UnknownOperationException.class, failures(world.loop()).get(0));
        assertEquals(List.of(), world.done, "nothing of the stage");
    }

    @TestFactory
    Stream<DynamicTest> anUnknownFieldThatRestricts() {
        Map<String, Consumer<Stage.Builder>> cases = Map.of(
                "stage", stage -> stage.setUnknownFields(UNKNOWN),
                "step", stage -> stage.getStepsBuilder(0).setUnknownFields(UNKNOWN),
                "target",
                        stage -> stage.getStepsBuilder(0)
                                .getActionsBuilder(0)
                                .getTargetBuilder()
                                .setUnknownFields(UNKNOWN),
                "precondition",
                        stage -> stage.getStepsBuilder(0)
                                .getActionsBuilder(0)
                                .getPreconditionBuilder()
                                .setUnknownFields(UNKNOWN));
        return cases.entrySet().stream()
                .map(one -> DynamicTest.dynamicTest(one.getKey(), () -> {
                    World world = new World();
                    one.getValue().accept(world.deletes(0));
                    assertInstanceOf(
                            UnknownGuardException.class, failures(world.loop()).get(0));
                    assertEquals(List.of(), world.done);
                }));
    }

    @TestFactory
    Stream<DynamicTest> aPlannerOfALaterRelease() throws IOException {
        String file = Files.readString(Servers.ROOT.resolve("proto/testdata/later.json"));
        Map<String, Class<?>> refusals =
                Map.of("guard", UnknownGuardException.class, "operation", UnknownOperationException.class);
        JsonObject later = JsonParser.parseString(file).getAsJsonObject();
        return StreamSupport.stream(later.getAsJsonArray("answers").spliterator(), false)
                .map(JsonElement::getAsJsonObject)
                .map(answer -> DynamicTest.dynamicTest(answer.get("about").getAsString(), () -> {
                    World world = new World();
                    byte[] response =
                            Base64.getDecoder().decode(answer.get("response").getAsString());
                    world.plan
                            .clear()
                            .mergeFrom(PlanResponse.parseFrom(response).getPlan());
                    if (!answer.has("refused")) {
                        world.loop().reconcile(KEY);
                    } else if (answer.get("refused").getAsString().equals("fence")) {
                        assertThrows(
                                PlanDroppedException.class, () -> world.loop().reconcile(KEY));
                    } else {
                        assertInstanceOf(
                                refusals.get(answer.get("refused").getAsString()),
                                failures(world.loop()).get(0));
                    }
                    List<String> deleted = StreamSupport.stream(
                                    answer.getAsJsonArray("deleted").spliterator(), false)
                            .map(name -> "delete_pod " + name.getAsString())
                            .toList();
                    assertEquals(deleted, world.done.stream().sorted().toList());
                }));
    }

    @Test
    void aLie() {
        world.deletes(0, 1)
                .getStepsBuilder(1)
                .getActionsBuilder(0)
                .getTargetBuilder()
                .setName("db-0");
        assertInstanceOf(RefusedException.class, failures(world.loop()).get(0));
        assertEquals(List.of(), world.done);
        assertEquals(List.of("verification"), world.held);
    }

    @Test
    void theGate() {
        world.deletes(0);
        Loop loop = world.loop();
        loop.reconcile(KEY);
        world.shown = false;
        assertEquals(Duration.ofMillis(100), loop.reconcile(KEY));
        assertEquals(List.of("gate"), world.held);
        assertEquals(1, world.requests.size());
        assertEquals(0, world.askedForCurrent);
        world.shown = true;
        loop.reconcile(KEY);
        assertEquals(2, world.requests.size());
    }

    @Test
    void timeAloneDoesNotOpenTheGate() {
        world.deletes(0);
        Loop loop = world.options().gateTimeout(Duration.ZERO).build();
        loop.reconcile(KEY);
        world.shown = false;
        world.isCurrent = false;
        assertEquals(Duration.ofMillis(100), loop.reconcile(KEY));
        assertEquals(1, world.askedForCurrent);
        world.isCurrent = true;
        loop.reconcile(KEY);
        assertEquals(2, world.requests.size());
    }

    @Test
    void ownersWithoutAnAnswerCloseTheGate() {
        Action.Builder owners = Action.newBuilder()
                .setId("owners")
                .setTarget(Target.newBuilder()
                        .setKind("PersistentVolumeClaim")
                        .setNamespace("default")
                        .setName("www-web-0"))
                .setPrecondition(
                        Precondition.newBuilder().setUid("uid-www-web-0").setResourceVersion("1"))
                .setSetClaimOwners(SetClaimOwners.getDefaultInstance());
        world.plan.addStagesBuilder().addSteps(Step.newBuilder().addActions(owners));
        world.failing.put(
                "set_claim_owners www-web-0",
                Result.failed(new IllegalStateException("lost"), OutcomeResult.OUTCOME_RESULT_ERROR));
        Loop loop = world.loop();
        failures(loop);
        world.plan.clearStages();
        world.isCurrent = false;
        assertEquals(Duration.ofMillis(100), loop.reconcile(KEY));
        world.isCurrent = true;
        assertEquals(Duration.ZERO, loop.reconcile(KEY));
    }

    @Test
    void outcomesAreToldUntilTheActionSucceeds() {
        String message = "x".repeat(511);
        world.deletes(0);
        world.failing.put("delete_pod web-0", refused(message + "é")); // cut at a character
        Loop loop = world.loop();
        failures(loop);
        failures(loop);
        world.failing.clear();
        loop.reconcile(KEY);
        loop.reconcile(KEY);
        assertEquals(
                List.of(List.of(), List.of(1), List.of(2), List.of()),
                world.requests.stream()
                        .map(request -> request.getSnapshot().getOutcomesList().stream()
                                .map(outcome -> {
                                    assertEquals("delete-web-0", outcome.getActionId());
                                    assertEquals(message, outcome.getMessage());
                                    assertEquals(OutcomeResult.OUTCOME_RESULT_REJECTED, outcome.getResult());
                                    return outcome.getCount();
                                })
                                .toList())
                        .toList());
    }

    @Test
    void outcomesOfWhatNobodyWantsAreForgotten() {
        Stage stage = world.deletes(0).build();
        world.failing.put("delete_pod web-0", refused("no"));
        Loop loop = world.loop();
        failures(loop);
        world.plan.clearStages().setTruncated(true); // that says nothing about what was left out
        loop.reconcile(KEY);
        world.plan.setTruncated(false);
        loop.reconcile(KEY);
        world.plan.addStages(stage);
        failures(loop);
        assertEquals(
                List.of(0, 1, 1, 0),
                world.requests.stream()
                        .map(request -> request.getSnapshot().getOutcomesCount())
                        .toList());
    }

    @Test
    void aRefusalByADisruptionBudgetIsToldForFiveMinutes() {
        world.deletes(0, 1);
        world.failing.put(
                "delete_pod web-0",
                Result.failed(new IllegalStateException("guard"), OutcomeResult.OUTCOME_RESULT_DISRUPTION_BUDGET));
        world.failing.put("delete_pod web-1", refused("no"));
        AtomicReference<Instant> now = new AtomicReference<>(World.NOW);
        InstantSource time = now::get;
        Loop loop = world.options().clock(time.withZone(ZoneOffset.UTC)).build();
        failures(loop);
        world.plan.clearStages(); // as while the planner waits before it asks the budget again
        for (int seconds : new int[] {0, 299, 300, 300}) {
            now.set(World.NOW.plusSeconds(seconds));
            loop.reconcile(KEY);
        }
        String refusal = "delete-web-0 " + World.NOW;
        assertEquals(
                List.of(
                        List.of(),
                        List.of(refusal, "delete-web-1 " + World.NOW),
                        List.of(refusal),
                        List.of(refusal),
                        List.of()),
                world.requests.stream()
                        .map(request -> request.getSnapshot().getOutcomesList().stream()
                                .map(outcome -> outcome.getActionId() + " "
                                        + Instant.ofEpochSecond(
                                                outcome.getTriedAt().getSeconds()))
                                .toList())
                        .toList());
    }

    @Test
    void anActionIsLimited() {
        world.deletes(0);
        world.writing = limit -> {
            throw new IllegalStateException("no answer within " + limit);
        };
        Loop loop = world.options().actionTimeout(Duration.ofMillis(7)).build();
        assertEquals("no answer within PT0.007S", failures(loop).get(0).getMessage());
    }

    @Test
    void afterAnInterruptNothingBeginsAndWhatHasBegunEnds() {
        world.deletes(0).getStepsBuilder(0).addActions(deletion("web-1"));
        world.deletes(2).setAlwaysRun(true);
        Thread caller = Thread.currentThread();
        AtomicBoolean ended = new AtomicBoolean();
        world.writing = limit -> {
            caller.interrupt();
            try {
                Thread.sleep(50); // the interrupt is not passed on
                ended.set(true);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        assertThrows(CancellationException.class, () -> world.loop().reconcile(KEY));
        assertTrue(Thread.interrupted());
        assertTrue(ended.get());
        assertEquals(List.of("delete_pod web-0"), world.done);
    }

    @Test
    void anInterruptWhileThePlanIsMadeBeginsNothing() {
        world.deletes(0, 1, 2);
        world.during = Thread.currentThread()::interrupt;
        world.identity = () -> {
            throw new IllegalStateException("nothing is looked at");
        };
        assertThrows(CancellationException.class, () -> world.loop().reconcile(KEY));
        assertTrue(Thread.interrupted());
        assertEquals(List.of(), world.done);
    }

    @Test
    void anInterruptDuringTheChecksOfAStageBeginsNothing() {
        world.deletes(0, 1, 2).setRequiresLiveSet(true);
        world.live = () -> {
            Thread.currentThread().interrupt();
            return World.SET;
        };
        assertThrows(CancellationException.class, () -> world.loop().reconcile(KEY));
        assertTrue(Thread.interrupted());
        assertEquals(List.of(), world.done);
    }

    /** Steps that wait for their turn, and actions that wait for those before them; whatever is done to the clock meanwhile. */
    @Test
    void aDeletionThatHasWaitedLongIsCheckedAgain() {
        world.deletes(0, 1, 2).getStepsBuilder(0).addActions(deletion("web-1"));
        AtomicLong nanos = new AtomicLong(Long.MAX_VALUE);
        AtomicReference<Instant> now = new AtomicReference<>(World.NOW);
        InstantSource clock = now::get;
        long begin = nanos.get();
        world.writing = limit -> {
            nanos.set(begin + (world.done.size() == 1 ? 999_999_999 : 1_000_000_000));
            now.set(World.NOW.minusSeconds(3600));
            world.identity = () -> new SetIdentity("set", 1, "", false, "a neighbour");
        };
        Loop loop = world.options()
                .parallelism(1)
                .clock(clock.withZone(ZoneOffset.UTC))
                .nanos(nanos::get)
                .build();
        assertThrows(PlanDroppedException.class, () -> loop.reconcile(KEY));
        assertEquals(List.of("delete_pod web-0", "delete_pod web-1"), world.done);
        assertEquals(List.of("fence"), world.held);
    }

    @Test
    void whatAnObserverThrowsWaitsForAllSteps() {
        world.deletes(0, 1, 2);
        RuntimeException broken = new IllegalStateException("broken");
        Loop loop = world.options()
                .observer(new Observer() {
                    @Override
                    public void applied(Key key, Action action, Result result) {
                        throw broken;
                    }
                })
                .build();
        assertSame(broken, assertThrows(IllegalStateException.class, () -> loop.reconcile(KEY)));
        assertEquals(3, world.done.size());
    }

    @Test
    void whenToAskAgain() {
        world.plan.getRequeueAfterBuilder().setSeconds(-3);
        assertEquals(Duration.ZERO, world.loop().reconcile(KEY), "as without it");
        world.plan.getRequeueAfterBuilder().setSeconds(3);
        assertEquals(Duration.ofSeconds(3), world.loop().reconcile(KEY));
        world.plan.setTruncated(true);
        assertEquals(Duration.ofSeconds(3), world.loop().reconcile(KEY));
        world.deletes(0);
        assertEquals(Loop.REQUEUE_NOW, world.loop().reconcile(KEY));
    }

    @TestFactory
    Stream<DynamicTest> failStatic() {
        Map<String, PlannerException> cases = Map.of(
                "planner unreachable", new UnreachableException(failure(Status.Code.UNAVAILABLE)),
                "planner refused", new PlannerException(failure(Status.Code.INTERNAL)),
                "planner busy", new OverloadedException(failure(Status.Code.RESOURCE_EXHAUSTED)));
        return cases.entrySet().stream()
                .map(one -> DynamicTest.dynamicTest(one.getKey(), () -> {
                    World world = new World();
                    world.deletes(0);
                    world.during = () -> {
                        throw one.getValue();
                    };
                    assertSame(
                            one.getValue(),
                            assertThrows(
                                    PlannerException.class, () -> world.loop().reconcile(KEY)));
                    assertEquals(List.of(), world.done);
                    assertEquals(List.of(one.getKey()), world.held);
                }));
    }

    private static PlannerException.Failure failure(Status.Code code) {
        return new PlannerException.Failure(
                code, "no", ErrorReason.ERROR_REASON_UNSPECIFIED, List.of(), Map.of(), null);
    }

    @Test
    void aSetThatIsGone() {
        world.deletes(0);
        Loop loop = world.loop();
        loop.reconcile(KEY);
        world.gone = true;
        assertEquals(Duration.ZERO, loop.reconcile(KEY));
        assertEquals(1, world.requests.size());
        assertEquals(List.of(KEY), world.forgotten);
    }
}
