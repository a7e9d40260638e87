package io.setplan.kube;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import io.setplan.adapter.Key;
import io.setplan.adapter.Result;
import io.setplan.adapter.Write;
import io.setplan.rawjson.Raw;
import io.setplan.testing.ApiServer;
import io.setplan.testing.ApiServer.Answer;
import io.setplan.v1.Action;
import io.setplan.v1.AdoptPod;
import io.setplan.v1.AdoptRevision;
import io.setplan.v1.ClaimBinding;
import io.setplan.v1.Condition;
import io.setplan.v1.ContainerImage;
import io.setplan.v1.ContainerResize;
import io.setplan.v1.CreateClaim;
import io.setplan.v1.CreatePod;
import io.setplan.v1.CreateRevision;
import io.setplan.v1.DeletePod;
import io.setplan.v1.EvictPod;
import io.setplan.v1.OutcomeResult;
import io.setplan.v1.OwnerReference;
import io.setplan.v1.PatchAnnotations;
import io.setplan.v1.PatchPod;
import io.setplan.v1.ReleasePod;
import io.setplan.v1.RenumberRevision;
import io.setplan.v1.ResizePod;
import io.setplan.v1.SetClaimOwners;
import io.setplan.v1.SetFinalizer;
import io.setplan.v1.StatefulSetStatus;
import io.setplan.v1.UpdatePod;
import io.setplan.v1.UpdateStatus;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What is sent for each operation, and what its answers mean. */
class ExecutorTest {
    private static final Key KEY = new Key("default", "web");
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String POD = "Pod";
    private static final String CLAIM = "PersistentVolumeClaim";
    private static final String REVISION = "ControllerRevision";
    private static final String SET = "StatefulSet";
    private static final String MERGE = "application/merge-patch+json";
    private static final String STRATEGIC = "application/strategic-merge-patch+json";

    private static final String OWNER =
            "{\"apiVersion\":\"apps/v1\",\"kind\":\"StatefulSet\",\"name\":\"web\",\"uid\":\"set\",\"controller\":true}";
    private static final OwnerReference REFERENCE = OwnerReference.newBuilder()
            .setApiVersion("apps/v1")
            .setKind("StatefulSet")
            .setName("web")
            .setUid("set")
            .setController(true)
            .build();
    private static final String MANIFEST =
            "{\"metadata\": {\"name\":\"web-0\",\"ownerReferences\":[{\"uid\":\"set\",\"controller\":true}]},"
                    + " \"data\":{\"n\":1.0,\"n2\":12345678901234567890}}";
    private static final ByteString BYTES = ByteString.copyFromUtf8(MANIFEST);

    private static Action action(String kind, UnaryOperator<Action.Builder> operation) {
        Action.Builder action = operation.apply(Action.newBuilder());
        action.getTargetBuilder().setKind(kind).setNamespace("default").setName("web-0");
        if (action.getOperationCase().name().startsWith("CREATE")) {
            action.getPreconditionBuilder().setMustNotExist(true);
        } else {
            action.getPreconditionBuilder().setUid("u").setResourceVersion("5");
        }
        return action.build();
    }

    private static ContainerImage.Builder image(String name, String image) {
        return ContainerImage.newBuilder().setName(name).setImage(image);
    }

    private static ContainerResize.Builder resize(String name) {
        return ContainerResize.newBuilder().setName(name);
    }

    private static String thing(String more) {
        return "{\"metadata\":{\"name\":\"web-0\",\"namespace\":\"default\",\"uid\":\"u\",\"resourceVersion\":\"6\""
                + more + "}}";
    }

    private static String refusal(String reason, String field) {
        return "{\"kind\":\"Status\",\"reason\":\"%s\",\"message\":\"%s!\",\"details\":{\"causes\":[{\"field\":\"%s\"}]}}"
                .formatted(reason, reason, field);
    }

    private static Optional<List<Raw>> stored(Key key, String version) {
        return version.equals("5")
                ? Optional.of(Raw.parse("[{\"type\":\"A\",\"n\":1.0},{\"type\":\"B\"}]")
                        .items())
                : Optional.empty();
    }

    private static Write wrote(String kind) {
        return new Write(kind, "web-0", "u", "6", false);
    }

    private record Sent(
            String about,
            String kind,
            UnaryOperator<Action.Builder> operation,
            String method,
            String path,
            String type,
            String body) {}

    @TestFactory
    Stream<DynamicTest> requests() {
        String pods = "/api/v1/namespaces/default/pods";
        String pod = pods + "/web-0?fieldManager=setplan-adapter";
        String resized = pods + "/web-0/resize?fieldManager=setplan-adapter";
        String revisions = "/apis/apps/v1/namespaces/default/controllerrevisions";
        String identity = "\"uid\":\"u\",\"resourceVersion\":\"5\"";
        return Stream.of(
                        new Sent(
                                "delete_pod",
                                POD,
                                a -> a.setDeletePod(DeletePod.getDefaultInstance()),
                                "DELETE",
                                pods + "/web-0",
                                Api.JSON,
                                "{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\",\"preconditions\":{" + identity
                                        + "}}"),
                        new Sent(
                                "evict_pod",
                                POD,
                                a -> a.setEvictPod(EvictPod.getDefaultInstance()),
                                "POST",
                                pods + "/web-0/eviction?fieldManager=setplan-adapter",
                                Api.JSON,
                                "{\"apiVersion\":\"policy/v1\",\"kind\":\"Eviction\",\"metadata\":{\"name\":\"web-0\"},"
                                        + "\"deleteOptions\":{\"preconditions\":{" + identity + "}}}"),
                        new Sent(
                                "create_pod",
                                POD,
                                a -> a.setCreatePod(CreatePod.newBuilder().setManifest(BYTES)),
                                "POST",
                                pods + "?fieldManager=setplan-adapter",
                                Api.JSON,
                                MANIFEST),
                        new Sent(
                                "patch_pod",
                                POD,
                                a -> a.setPatchPod(PatchPod.newBuilder()
                                        .putLabels("a", "b")
                                        .addClaims(ClaimBinding.newBuilder()
                                                .setVolume("www")
                                                .setClaim("www-web-0"))),
                                "PATCH",
                                pod,
                                STRATEGIC,
                                "{\"metadata\":{" + identity + ",\"labels\":{\"a\":\"b\"}},\"spec\":{\"volumes\":"
                                        + "[{\"name\":\"www\",\"persistentVolumeClaim\":{\"claimName\":\"www-web-0\"}}]}}"),
                        new Sent(
                                "adopt_pod",
                                POD,
                                a -> a.setAdoptPod(AdoptPod.newBuilder().setOwner(REFERENCE)),
                                "PATCH",
                                pod,
                                STRATEGIC,
                                "{\"metadata\":{" + identity + ",\"ownerReferences\":[" + OWNER + "]}}"),
                        new Sent(
                                "adopt_revision",
                                REVISION,
                                a -> a.setAdoptRevision(
                                        AdoptRevision.newBuilder().setOwner(REFERENCE)),
                                "PATCH",
                                revisions + "/web-0?fieldManager=setplan-adapter",
                                STRATEGIC,
                                "{\"metadata\":{" + identity + ",\"ownerReferences\":[" + OWNER + "]}}"),
                        new Sent(
                                "release_pod",
                                POD,
                                a -> a.setReleasePod(ReleasePod.newBuilder().setOwnerUid("set")),
                                "PATCH",
                                pod,
                                STRATEGIC,
                                "{\"metadata\":{" + identity
                                        + ",\"ownerReferences\":[{\"$patch\":\"delete\",\"uid\":\"set\"}]}}"),
                        new Sent(
                                "set_claim_owners",
                                CLAIM,
                                a -> a.setSetClaimOwners(
                                        SetClaimOwners.newBuilder().addOwners(REFERENCE)),
                                "PATCH",
                                "/api/v1/namespaces/default/persistentvolumeclaims/web-0?fieldManager=setplan-adapter",
                                MERGE,
                                "{\"metadata\":{" + identity + ",\"ownerReferences\":[" + OWNER + "]}}"),
                        new Sent(
                                "renumber_revision",
                                REVISION,
                                a -> a.setRenumberRevision(
                                        RenumberRevision.newBuilder().setNumber(9007199254740993L)),
                                "PATCH",
                                revisions + "/web-0?fieldManager=setplan-adapter",
                                MERGE,
                                "{\"metadata\":{" + identity + "},\"revision\":9007199254740993}"),
                        new Sent(
                                "update_pod",
                                POD,
                                a -> a.setUpdatePod(UpdatePod.newBuilder()
                                        .putLabels("a", "b")
                                        .addRemoveLabels("c")
                                        .putAnnotations("d", "e")
                                        .addRemoveAnnotations("f")),
                                "PATCH",
                                pod,
                                MERGE,
                                "{\"metadata\":{" + identity
                                        + ",\"labels\":{\"a\":\"b\",\"c\":null},\"annotations\":{\"d\":\"e\",\"f\":null}}}"),
                        new Sent(
                                "update_pod with images",
                                POD,
                                a -> a.setUpdatePod(UpdatePod.newBuilder()
                                        .putAnnotations("d", "{}")
                                        .addContainers(image("web", "web:2"))
                                        .addContainers(image("logs", "logs:1"))
                                        .addInitContainers(image("proxy", "proxy:2"))),
                                "PATCH",
                                pod,
                                STRATEGIC,
                                "{\"metadata\":{" + identity
                                        + ",\"labels\":{},\"annotations\":{\"d\":\"{}\"}},\"spec\":{"
                                        + "\"$setElementOrder/containers\":[{\"name\":\"web\"},{\"name\":\"logs\"}],"
                                        + "\"containers\":[{\"name\":\"web\",\"image\":\"web:2\"},{\"name\":\"logs\",\"image\":\"logs:1\"}],"
                                        + "\"$setElementOrder/initContainers\":[{\"name\":\"proxy\"}],"
                                        + "\"initContainers\":[{\"name\":\"proxy\",\"image\":\"proxy:2\"}]}}"),
                        new Sent(
                                "resize_pod",
                                POD,
                                a -> a.setResizePod(ResizePod.newBuilder()
                                        .addContainers(resize("logs"))
                                        .addContainers(resize("web")
                                                .putRequests("cpu", "1")
                                                .putLimits("cpu", "2")
                                                .putLimits("memory", "1Gi"))
                                        .addContainers(resize("cache").putLimits("memory", "1Gi"))
                                        .addInitContainers(resize("first"))
                                        .addInitContainers(resize("proxy").putRequests("memory", "1Gi"))),
                                "PATCH",
                                resized,
                                STRATEGIC,
                                "{\"metadata\":{" + identity + "},\"spec\":{"
                                        + "\"$setElementOrder/containers\":[{\"name\":\"logs\"},{\"name\":\"web\"},{\"name\":\"cache\"}],"
                                        + "\"containers\":[{\"name\":\"web\",\"resources\":{\"requests\":{\"cpu\":\"1\"},"
                                        + "\"limits\":{\"cpu\":\"2\",\"memory\":\"1Gi\"}}},"
                                        + "{\"name\":\"cache\",\"resources\":{\"limits\":{\"memory\":\"1Gi\"}}}],"
                                        + "\"$setElementOrder/initContainers\":[{\"name\":\"first\"},{\"name\":\"proxy\"}],"
                                        + "\"initContainers\":[{\"name\":\"proxy\",\"resources\":{\"requests\":{\"memory\":\"1Gi\"}}}]}}"),
                        new Sent(
                                "resize_pod of one container, with nothing of init containers",
                                POD,
                                a -> a.setResizePod(ResizePod.newBuilder()
                                        .addContainers(resize("web").putLimits("cpu", "2"))
                                        .addInitContainers(resize("first"))),
                                "PATCH",
                                resized,
                                STRATEGIC,
                                "{\"metadata\":{" + identity + "},\"spec\":{"
                                        + "\"$setElementOrder/containers\":[{\"name\":\"web\"}],"
                                        + "\"containers\":[{\"name\":\"web\",\"resources\":{\"limits\":{\"cpu\":\"2\"}}}]}}"),
                        new Sent(
                                "patch_annotations",
                                POD,
                                a -> a.setPatchAnnotations(PatchAnnotations.newBuilder()
                                        .putSet("a", "b")
                                        .addRemove("c")),
                                "PATCH",
                                pod,
                                MERGE,
                                "{\"metadata\":{" + identity + ",\"annotations\":{\"a\":\"b\",\"c\":null}}}"),
                        new Sent(
                                "update_status",
                                SET,
                                a -> a.setUpdateStatus(UpdateStatus.newBuilder()
                                        .setStatus(StatefulSetStatus.newBuilder()
                                                .setReplicas(0)
                                                .setCurrentRevision("")
                                                .setObservedGeneration(3)
                                                .addConditions(Condition.newBuilder()
                                                        .setType("B")
                                                        .setStatus("True")
                                                        .setLastTransitionTime(Timestamp.newBuilder()
                                                                .setNanos(7))))),
                                "PATCH",
                                "/apis/apps/v1/namespaces/default/statefulsets/web-0/status?fieldManager=setplan-adapter",
                                MERGE,
                                "{\"metadata\":{" + identity + "},\"status\":{\"observedGeneration\":3,\"replicas\":0,"
                                        + "\"currentRevision\":\"\",\"conditions\":[{\"type\":\"A\",\"n\":1.0},"
                                        + "{\"type\":\"B\",\"status\":\"True\",\"reason\":\"\",\"message\":\"\","
                                        + "\"lastTransitionTime\":\"1970-01-01T00:00:00Z\"}]}}"))
                .map(one -> DynamicTest.dynamicTest(one.about, () -> {
                    try (ApiServer server = new ApiServer(asked -> new Answer(200, thing("")))) {
                        Result result = new ApiExecutor(server.api, ExecutorTest::stored)
                                .apply(KEY, action(one.kind, one.operation), LIMIT);
                        Write want = one.method.equals("DELETE") || one.about.equals("evict_pod")
                                ? new Write(one.kind, "web-0", "u", "", true)
                                : wrote(one.kind);
                        assertEquals(Result.done(want), result);
                        assertEquals(
                                List.of(new ApiServer.Asked(one.method, one.path, one.type, one.body)),
                                server.asked.stream()
                                        .map(asked -> new ApiServer.Asked(
                                                asked.method(),
                                                asked.url(),
                                                asked.type(),
                                                same(one.body, asked.body()) ? one.body : asked.body()))
                                        .toList());
                    }
                }));
    }

    /** The order of the members of small maps may differ; manifests are sent byte by byte. */
    private static boolean same(String want, String got) {
        return !want.equals(MANIFEST)
                && io.setplan.adapter.verify.Documents.same(ByteString.copyFromUtf8(want), ByteString.copyFromUtf8(got))
                && want.contains("1.0") == got.contains("1.0")
                && want.contains("9007199254740993") == got.contains("9007199254740993");
    }

    private record Means(
            String about, String kind, UnaryOperator<Action.Builder> operation, List<Answer> answers, Result want) {}

    private static Result fails(OutcomeResult outcome) {
        return Result.failed(new IllegalStateException(), outcome);
    }

    @TestFactory
    Stream<DynamicTest> answers() {
        Result conflict = fails(OutcomeResult.OUTCOME_RESULT_CONFLICT);
        Result error = fails(OutcomeResult.OUTCOME_RESULT_ERROR);
        Result gone = Result.done(new Write(POD, "web-0", "u", "", true));
        Answer notFound = new Answer(404, refusal("NotFound", ""));
        Answer exists = new Answer(409, refusal("AlreadyExists", ""));
        String owned = thing(",\"ownerReferences\":[" + OWNER + "]");
        UnaryOperator<Action.Builder> delete = a -> a.setDeletePod(DeletePod.getDefaultInstance());
        UnaryOperator<Action.Builder> evict = a -> a.setEvictPod(EvictPod.getDefaultInstance());
        String spent =
                "{\"kind\":\"Status\",\"message\":\"Cannot evict pod.\",\"details\":{\"causes\":[{\"reason\":\"DisruptionBudget\","
                        + "\"message\":\"The disruption budget guard needs 2\"}]}}";
        String many = "{\"kind\":\"Status\",\"message\":\"This pod has more than one PodDisruptionBudget.\"}";
        UnaryOperator<Action.Builder> release =
                a -> a.setReleasePod(ReleasePod.newBuilder().setOwnerUid("set"));
        UnaryOperator<Action.Builder> note = a -> a.setPatchAnnotations(PatchAnnotations.getDefaultInstance());
        UnaryOperator<Action.Builder> resize = a -> a.setResizePod(ResizePod.getDefaultInstance());
        UnaryOperator<Action.Builder> pod =
                a -> a.setCreatePod(CreatePod.newBuilder().setManifest(BYTES));
        UnaryOperator<Action.Builder> revision =
                a -> a.setCreateRevision(CreateRevision.newBuilder().setManifest(BYTES));
        UnaryOperator<Action.Builder> add = a ->
                a.setSetFinalizer(SetFinalizer.newBuilder().setFinalizer("f").setPresent(true));
        return Stream.of(
                        new Means("a delete of what is gone", POD, delete, List.of(notFound), gone),
                        new Means("an eviction of what is gone", POD, evict, List.of(notFound), gone),
                        new Means(
                                "a spent budget",
                                POD,
                                evict,
                                List.of(new Answer(429, spent)),
                                fails(OutcomeResult.OUTCOME_RESULT_DISRUPTION_BUDGET)),
                        new Means(
                                "too much to do",
                                POD,
                                evict,
                                List.of(new Answer(429, refusal("TooManyRequests", ""))),
                                error),
                        new Means(
                                "two budgets",
                                POD,
                                evict,
                                List.of(new Answer(500, many)),
                                fails(OutcomeResult.OUTCOME_RESULT_REJECTED)),
                        new Means("a release of what is gone", POD, release, List.of(notFound), Result.nothing()),
                        new Means(
                                "a release of no owner",
                                POD,
                                release,
                                List.of(new Answer(422, refusal("Invalid", "metadata.uid"))),
                                Result.nothing()),
                        new Means("a patch of what is gone", POD, note, List.of(notFound), conflict),
                        new Means("a resize of what is gone", POD, resize, List.of(notFound), conflict),
                        new Means(
                                "a resize of what has changed",
                                POD,
                                resize,
                                List.of(new Answer(409, refusal("Conflict", ""))),
                                conflict),
                        new Means(
                                "a resize to another class of service",
                                POD,
                                resize,
                                List.of(new Answer(422, refusal("Invalid", "spec"))),
                                fails(OutcomeResult.OUTCOME_RESULT_REJECTED)),
                        new Means(
                                "an API server that has no resize: no time cures it",
                                POD,
                                resize,
                                List.of(new Answer(404, "404 page not found")),
                                fails(OutcomeResult.OUTCOME_RESULT_REJECTED)),
                        new Means(
                                "another version",
                                POD,
                                note,
                                List.of(new Answer(409, refusal("Conflict", ""))),
                                conflict),
                        new Means(
                                "another uid",
                                POD,
                                note,
                                List.of(new Answer(422, refusal("Invalid", "metadata.uid"))),
                                conflict),
                        new Means(
                                "another field",
                                POD,
                                note,
                                List.of(new Answer(422, refusal("Invalid", "spec"))),
                                fails(OutcomeResult.OUTCOME_RESULT_REJECTED)),
                        new Means(
                                "no right",
                                POD,
                                delete,
                                List.of(new Answer(403, refusal("Forbidden", ""))),
                                fails(OutcomeResult.OUTCOME_RESULT_REJECTED)),
                        new Means("a server's failure", POD, delete, List.of(new Answer(500, "no JSON")), error),
                        new Means("too many requests", POD, pod, List.of(new Answer(429, "{}")), error),
                        new Means("no answer", POD, delete, List.of(new Answer(Answer.CUT_OFF, "")), error),
                        new Means(
                                "a pod that was made already",
                                POD,
                                pod,
                                List.of(exists, new Answer(200, owned)),
                                Result.done(wrote(POD))),
                        new Means(
                                "a pod that another has made",
                                POD,
                                pod,
                                List.of(exists, new Answer(200, thing(""))),
                                conflict),
                        new Means(
                                "a claim that is there",
                                CLAIM,
                                a -> a.setCreateClaim(CreateClaim.newBuilder().setManifest(BYTES)),
                                List.of(exists),
                                conflict),
                        new Means(
                                "a revision that was made already",
                                REVISION,
                                revision,
                                List.of(
                                        exists,
                                        new Answer(
                                                200,
                                                owned.substring(0, owned.length() - 1)
                                                        + ",\"data\":{\"n2\":1.2345678901234567e19,\"n\":1}}")),
                                Result.done(wrote(REVISION))),
                        new Means(
                                "a revision with other data",
                                REVISION,
                                revision,
                                List.of(
                                        exists,
                                        new Answer(
                                                200, owned.substring(0, owned.length() - 1) + ",\"data\":{\"n\":2}}")),
                                conflict),
                        new Means(
                                "a finalizer that is there",
                                SET,
                                add,
                                List.of(new Answer(200, thing(",\"finalizers\":[\"f\"]"))),
                                Result.done(wrote(SET))),
                        new Means(
                                "a finalizer to remove from a set that is gone",
                                SET,
                                a -> a.setSetFinalizer(SetFinalizer.newBuilder().setFinalizer("f")),
                                List.of(notFound),
                                Result.nothing()),
                        new Means("a finalizer of a set that is gone", SET, add, List.of(notFound), conflict),
                        new Means(
                                "a finalizer of another set",
                                SET,
                                add,
                                List.of(new Answer(200, thing("").replace("\"uid\":\"u\"", "\"uid\":\"other\""))),
                                conflict),
                        new Means("another kind", "Secret", delete, List.of(), error))
                .map(one -> DynamicTest.dynamicTest(one.about, () -> {
                    Iterator<Answer> left = one.answers.iterator();
                    try (ApiServer server =
                            new ApiServer(asked -> left.hasNext() ? left.next() : new Answer(500, ""))) {
                        Result got = new ApiExecutor(server.api, ExecutorTest::stored)
                                .apply(KEY, action(one.kind, one.operation), LIMIT);
                        assertEquals(one.want.outcome(), got.outcome(), String.valueOf(got.error()));
                        assertEquals(one.want.write(), got.write());
                        assertEquals(one.want.error() == null, got.error() == null);
                        assertEquals(one.answers.size(), server.asked.size(), "and nothing is sent again");
                    }
                }));
    }

    private static Result apply(ApiServer server, Action action, Duration limit) {
        return new ApiExecutor(server.api, ExecutorTest::stored).apply(KEY, action, limit);
    }

    @Test
    void oneFinalizerIsChangedAndTheOthersStay() {
        try (ApiServer server = new ApiServer(asked -> new Answer(200, thing(",\"finalizers\":[\"a\",\"f\",\"b\"]")))) {
            apply(
                    server,
                    action(SET, a -> a.setSetFinalizer(SetFinalizer.newBuilder().setFinalizer("f"))),
                    LIMIT);
            assertEquals(
                    "{\"metadata\":{\"uid\":\"u\",\"resourceVersion\":\"6\",\"finalizers\":[\"a\",\"b\"]}}",
                    server.asked.get(1).body());
        }
    }

    @Test
    void conditionsOfAnotherVersionAreAConflict() {
        Action status = action(
                        SET,
                        a -> a.setUpdateStatus(UpdateStatus.newBuilder()
                                .setStatus(
                                        StatefulSetStatus.newBuilder().addConditions(Condition.getDefaultInstance()))))
                .toBuilder()
                .setPrecondition(
                        io.setplan.v1.Precondition.newBuilder().setUid("u").setResourceVersion("4"))
                .build();
        try (ApiServer server = new ApiServer(asked -> new Answer(200, thing("")))) {
            assertEquals(
                    OutcomeResult.OUTCOME_RESULT_CONFLICT,
                    apply(server, status, LIMIT).outcome());
            assertEquals(List.of(), server.asked);
        }
    }

    @Test
    void anActionWithoutAUidIsNotSent() {
        Action delete = action(POD, a -> a.setDeletePod(DeletePod.getDefaultInstance())).toBuilder()
                .clearPrecondition()
                .build();
        try (ApiServer server = new ApiServer(asked -> new Answer(200, thing("")))) {
            Result result = apply(server, delete, LIMIT);
            assertTrue(String.valueOf(result.error()).contains("names no uid"), String.valueOf(result.error()));
            assertEquals(OutcomeResult.OUTCOME_RESULT_ERROR, result.outcome());
            assertEquals(List.of(), server.asked);
        }
    }

    @Test
    void aNameIsOneSegment() {
        Action delete = action(POD, a -> {
            a.setDeletePod(DeletePod.getDefaultInstance());
            return a;
        });
        Action.Builder other = delete.toBuilder();
        other.getTargetBuilder().setName("web-0/eviction");
        try (ApiServer server = new ApiServer(asked -> new Answer(200, thing("")))) {
            assertInstanceOf(
                    IllegalArgumentException.class,
                    apply(server, other.build(), LIMIT).error());
            assertEquals(List.of(), server.asked);
        }
    }

    @Test
    void aLimitOrAnInterruptEndsARequestAndNobodyKnowsItsResult() {
        Action delete = action(POD, a -> a.setDeletePod(DeletePod.getDefaultInstance()));
        Thread caller = Thread.currentThread();
        try (ApiServer server = new ApiServer(asked -> new Answer(Answer.HANG, ""))) {
            Result late = apply(server, delete, Duration.ofMillis(500));
            assertInstanceOf(UnavailableException.class, late.error());
            assertEquals(OutcomeResult.OUTCOME_RESULT_ERROR, late.outcome());
        }
        try (ApiServer server = new ApiServer(asked -> {
            caller.interrupt();
            return new Answer(Answer.HANG, "");
        })) {
            Result cut = apply(server, delete, LIMIT);
            assertTrue(Thread.interrupted());
            assertInstanceOf(UnavailableException.class, cut.error());
            assertEquals(OutcomeResult.OUTCOME_RESULT_ERROR, cut.outcome());
        }
    }
}
