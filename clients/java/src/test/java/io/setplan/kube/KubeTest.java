package io.setplan.kube;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.setplan.adapter.GoneException;
import io.setplan.adapter.Key;
import io.setplan.adapter.Write;
import io.setplan.rawjson.Raw;
import io.setplan.snapshot.Objects;
import io.setplan.snapshot.Snapshots;
import io.setplan.testing.ApiServer;
import io.setplan.testing.ApiServer.Answer;
import io.setplan.testing.ApiServer.Asked;
import io.setplan.v1.Coverage;
import io.setplan.v1.Revision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths, lists, the guard, caches and the source. */
class KubeTest {
    private static final Key KEY = new Key("default", "web");

    private static Raw written(String uid, String time, String manager, String subresource, String annotations) {
        return Raw.parse("""
                {"metadata":{"uid":"%s","annotations":{%s},
                 "managedFields":[{"manager":"%s","subresource":"%s","time":"%s"}]}}
                """.formatted(uid, annotations, manager, subresource, time));
    }

    private static Raw written(String time) {
        return written("set", time, "kube-controller-manager", "status", "");
    }

    @Test
    void theGuardTakesWhatWasThereForHistory() {
        Guard guard = new Guard();
        guard.check(KEY, written("1"));
        guard.check(KEY, written("1"));
        for (int i = 0; i < 2; i++) {
            assertThrows(ForeignWriterException.class, () -> guard.check(KEY, written("2")));
        }
        guard.check(
                KEY, written("set", "2", "kube-controller-manager", "status", "\"setplan.io/taken-over-at\":\"now\""));
        guard.check(KEY, written("another", "3", "kube-controller-manager", "status", ""));
    }

    @Test
    void theGuardLooksAtControllersOnly() {
        Guard guard = new Guard();
        guard.check(KEY, written("1"));
        guard.check(KEY, written("set", "2", "kubectl", "status", ""));
        guard.check(KEY, written("set", "2", "kube-controller-manager", "scale", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "..", "a/b", "%2e%2e", ".", "a?b", "a#b", "a\\b", "a b"})
    void aNameIsOneSegment(String name) {
        assertThrows(IllegalArgumentException.class, () -> Resource.PODS.path("default", name));
        assertThrows(IllegalArgumentException.class, () -> Resource.PODS.path(name));
    }

    @Test
    void aRevisionThatTheSetControlsIsInTheSnapshotWhateverItsName() {
        Raw set = Raw.parse(
                "{\"apiVersion\":\"apps/v1\",\"kind\":\"StatefulSet\",\"metadata\":{\"name\":\"web\",\"namespace\":\"default\","
                        + "\"uid\":\"set\"},\"spec\":{}}");
        List<Raw> revisions = List.of(revision("other-1", "set"), revision("other-2", "somebody"));
        Objects objects = new Objects(set, List.of(), List.of(), revisions, List.of());
        assertEquals(
                List.of("other-1"),
                Snapshots.of(objects, Coverage.getDefaultInstance(), Instant.EPOCH).getRevisionsList().stream()
                        .map(Revision::getName)
                        .toList());
    }

    private static Raw revision(String name, String owner) {
        return Raw.parse(
                "{\"metadata\":{\"name\":\"%s\",\"namespace\":\"default\",\"ownerReferences\":[{\"uid\":\"%s\",\"controller\":true}]}}"
                        .formatted(name, owner));
    }

    @Test
    void itemsKnowTheirKind() {
        Raw listed = Raw.parse(
                "{\"apiVersion\":\"apps/v1\",\"kind\":\"StatefulSetList\",\"items\":[{\"metadata\":{\"name\":\"web\"},\"n\":1.0}]}");
        assertEquals(
                "[{\"apiVersion\":\"apps/v1\",\"kind\":\"StatefulSet\",\"metadata\":{\"name\":\"web\"},\"n\":1.0}]",
                Snapshots.items(listed).toString());
    }

    private static String pod(String version, String name) {
        return "{\"metadata\":{\"name\":\"%s\",\"namespace\":\"default\",\"uid\":\"u\",\"resourceVersion\":\"%s\"}}"
                .formatted(name, version);
    }

    private static String list(String version, String... pods) {
        return "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"%s\"},\"items\":[%s]}"
                .formatted(version, String.join(",", pods));
    }

    private static String event(String type, String object) {
        return "{\"type\":\"%s\",\"object\":%s}\n".formatted(type, object);
    }

    @Test
    void aCacheListsWatchesAndBeginsAnewWhenItsVersionIsGone() throws Exception {
        Iterator<Answer> answers = List.of(
                        new Answer(200, list("5", pod("1", "a"))),
                        new Answer(
                                200,
                                event("ADDED", pod("6", "b"))
                                        + event("BOOKMARK", pod("7", ""))
                                        + event("DELETED", pod("8", "a"))),
                        new Answer(200, event("ERROR", "{\"code\":410,\"message\":\"too old\"}")),
                        new Answer(200, list("20", pod("9", "c"))),
                        new Answer(410, "{\"kind\":\"Status\",\"code\":410}"),
                        new Answer(200, list("30", pod("9", "d"))))
                .iterator();
        Thread caller = Thread.currentThread();
        List<String> changed = new ArrayList<>();
        long begin = System.nanoTime();
        try (ApiServer server = new ApiServer(asked -> {
            if (answers.hasNext()) {
                return answers.next();
            }
            caller.interrupt();
            return new Answer(Answer.HANG, "");
        })) {
            Cache cache = new Cache(server.api, Resource.PODS, Resource.PODS.path("default"));
            assertFalse(cache.isFilled());
            assertThrows(
                    InterruptedException.class,
                    () -> cache.run(thing -> changed.add(thing.string("metadata", "name"))));
            assertTrue(cache.isFilled());
            assertEquals(List.of("a", "b", "a", "b", "c", "c", "d"), changed);
            assertEquals(
                    List.of("d"),
                    cache.all().stream()
                            .map(thing -> thing.string("metadata", "name"))
                            .toList());
            assertEquals(
                    List.of("", "5", "8", "", "20", "", "30"),
                    server.asked.stream().map(KubeTest::version).toList());
            assertTrue(System.nanoTime() - begin >= 2_000_000_000L, "not at once, twice");
        }
    }

    /** Runs a cache of pods with these answers, and fills it. */
    private static Cache cache(List<Answer> answers, List<String> versions, Consumer<Raw> changed) {
        return asking(answers, asked -> versions.add(version(asked)), changed);
    }

    private static Cache asking(List<Answer> answers, Consumer<Asked> told, Consumer<Raw> changed) {
        Iterator<Answer> left = answers.iterator();
        Thread caller = Thread.currentThread();
        try (ApiServer server = new ApiServer(asked -> {
            told.accept(asked);
            if (left.hasNext()) {
                return left.next();
            }
            caller.interrupt();
            return new Answer(Answer.HANG, "");
        })) {
            Cache cache = new Cache(server.api, Resource.PODS, Resource.PODS.path());
            assertThrows(InterruptedException.class, () -> cache.run(changed));
            return cache;
        }
    }

    /** It is shown when it is complete, and an API server that refuses a page has refused the list. */
    @Test
    void aListHasPages() {
        String first = list("7", pod("1", "a"))
                .replace("\"resourceVersion\":\"7\"", "\"resourceVersion\":\"7\",\"continue\":\"x=/\"");
        List<Answer> answers = List.of(
                new Answer(200, first),
                new Answer(410, "{}"),
                new Answer(200, first),
                new Answer(200, list("7", pod("2", "b"))));
        List<String> asked = new CopyOnWriteArrayList<>();
        List<String> changed = new ArrayList<>();
        Cache cache =
                asking(answers, one -> asked.add(one.url()), thing -> changed.add(thing.string("metadata", "name")));
        assertEquals(List.of("a", "b"), changed);
        assertEquals(2, cache.all().size());
        String path = Resource.PODS.path() + "?limit=500";
        assertEquals(List.of(path, path + "&continue=x%3D%2F", path, path + "&continue=x%3D%2F"), asked.subList(0, 4));
    }

    @Test
    void aWatchThatTellsNothingIsNotAskedForAtOnce() {
        long begin = System.nanoTime();
        List<String> versions = new CopyOnWriteArrayList<>();
        List<Answer> answers = List.of(
                new Answer(200, list("5")),
                new Answer(200, ""),
                new Answer(200, event("ADDED", pod("6", "a"))),
                new Answer(200, ""));
        cache(answers, versions, thing -> {});
        assertEquals(List.of("", "5", "5", "6", "6"), versions);
        assertTrue(System.nanoTime() - begin >= 2_000_000_000L, "not at once, twice");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"items\":[]}", "[]"})
    void whatHasNoVersionIsNoList(String answer) {
        assertFalse(cache(List.of(new Answer(200, answer)), new ArrayList<>(), thing -> {})
                .isFilled());
    }

    @Test
    void whatHasNoVersionIsNoEvent() {
        List<String> versions = new CopyOnWriteArrayList<>();
        List<Answer> answers = List.of(
                new Answer(200, list("5", pod("1", "a"))),
                new Answer(200, event("ADDED", "{}")),
                new Answer(200, list("6", pod("1", "a"))));
        Cache cache = cache(answers, versions, thing -> {});
        assertEquals(List.of("", "5", "", "6"), versions);
        assertEquals(1, cache.all().size());
    }

    @Test
    void whatIsDeletedNeedNotBeThere() {
        Cache cache = cache(
                List.of(
                        new Answer(200, list("5")),
                        new Answer(200, event("DELETED", pod("6", "a")) + event("ADDED", pod("7", "b")))),
                new ArrayList<>(),
                thing -> {});
        assertEquals(1, cache.all().size());
        assertTrue(cache.isComplete("default"));
    }

    @Test
    void aWatchThatIsCutOffBeginsWhereItEnded() {
        List<String> versions = new CopyOnWriteArrayList<>();
        // The HTTP client asks a few times by itself.
        List<Answer> answers = new ArrayList<>(Collections.nCopies(6, new Answer(Answer.CUT_OFF, "")));
        answers.add(0, new Answer(200, list("5")));
        answers.add(new Answer(200, event("ADDED", pod("6", "a"))));
        cache(answers, versions, thing -> {});
        assertEquals(List.of("", "5", "5", "5", "5", "5", "5", "5", "6"), versions);
    }

    private static final String UNREADABLE =
            "{\"metadata\":{\"name\":{},\"namespace\":\"other\",\"resourceVersion\":\"9\"}}";

    @Test
    void anObjectThatCannotBeReadHidesNoOtherAndItsNamespaceIsNotComplete() {
        List<String> changed = new ArrayList<>();
        Consumer<Raw> names = thing -> changed.add(thing.string("metadata", "name"));
        Cache listed = cache(List.of(new Answer(200, list("5", UNREADABLE, pod("1", "a")))), new ArrayList<>(), names);
        Cache watched = cache(
                List.of(
                        new Answer(200, list("5")),
                        new Answer(200, event("ADDED", UNREADABLE) + event("ADDED", pod("10", "b")))),
                new ArrayList<>(),
                names);
        assertEquals(List.of("a", "b"), changed);
        for (Cache cache : List.of(listed, watched)) {
            assertEquals(1, cache.of("default").size());
            assertTrue(cache.isComplete("default"));
            assertFalse(cache.isComplete("other"));
        }
    }

    @Test
    void aListThatCannotBeReadLeavesNothingComplete() {
        List<Answer> answers = List.of(
                new Answer(200, list("5")),
                new Answer(410, "{}"),
                new Answer(200, "no JSON"),
                new Answer(200, list("6")));
        Cache behind = cache(answers.subList(0, 3), new ArrayList<>(), thing -> {});
        assertTrue(behind.isFilled());
        assertFalse(behind.isComplete("default"));
        assertTrue(cache(answers, new ArrayList<>(), thing -> {}).isComplete("default"));
    }

    @Test
    void anErrorInACacheIsTheEndOfTheProcess() throws Exception {
        CompletableFuture<Error> ended = new CompletableFuture<>();
        OutOfMemoryError error = new OutOfMemoryError("a test");
        try (Scene scene = new Scene();
                CachedSource source = new CachedSource(scene.server.api, "default", ended::complete)) {
            source.start(key -> {
                throw error;
            });
            assertEquals(error, ended.get(1, TimeUnit.MINUTES));
        }
    }

    @Test
    void whatTheSourceCannotReadIsNotCovered() throws Exception {
        try (Scene scene = new Scene();
                CachedSource source = new CachedSource(scene.server.api, "default")) {
            String unreadable = UNREADABLE.replace("other", "default");
            scene.live.put("pods", list("7", pod("4", "web-0"), unreadable));
            source.start(key -> {});
            var snapshot = source.snapshot(KEY);
            assertFalse(snapshot.getCoverage().getPods());
            assertTrue(snapshot.getCoverage().getClaims());
            assertEquals(1, snapshot.getPodsCount());
        }
        try (Scene scene = new Scene();
                CachedSource source = new CachedSource(scene.server.api, "default")) {
            scene.live.merge(
                    "statefulsets",
                    UNREADABLE.replace("other", "default"),
                    (all, one) -> all.replace("\"items\":[", "\"items\":[" + one + ","));
            source.start(key -> {});
            assertThrows(IllegalStateException.class, () -> source.snapshot(KEY), "a neighbour, perhaps");
        }
    }

    /** What it knew of a set that is gone is not held against the next. */
    @Test
    void theGuardForgetsASetThatIsGone() throws Exception {
        String written =
                "{\"metadata\":{\"name\":\"web\",\"namespace\":\"default\",\"uid\":\"set\",\"resourceVersion\":\"9\","
                        + "\"managedFields\":[{\"manager\":\"kube-controller-manager\",\"subresource\":\"status\",\"time\":\"2\"}]}}";
        try (Scene scene = new Scene()) {
            scene.source.set(KEY);
            scene.events.add(event("DELETED", pod("8", "web")));
            until(() -> scene.source.sets().all().isEmpty());
            assertThrows(GoneException.class, () -> scene.source.set(KEY));
            scene.events.add(event("ADDED", written));
            until(() -> !scene.source.sets().all().isEmpty());
            assertEquals("set", scene.source.set(KEY).uid());
        }
    }

    private static void until(BooleanSupplier done) throws InterruptedException {
        for (int i = 0; i < 3000 && !done.getAsBoolean(); i++) {
            Thread.sleep(10); // waits for what ends what hangs, and measures nothing
        }
    }

    private static String version(Asked asked) {
        Matcher version = Pattern.compile("resourceVersion=(\\d+)").matcher(asked.url());
        return version.find() ? version.group(1) : "";
    }

    /** Caches with a set and a claim, and an API server that has what {@code live} says. */
    private static final class Scene implements AutoCloseable {
        final Map<String, String> live = new ConcurrentHashMap<>();
        final List<Key> changed = new CopyOnWriteArrayList<>();
        final BlockingQueue<String> events = new LinkedBlockingQueue<>(); // of sets
        final ApiServer server = new ApiServer(this::answer);
        final CachedSource source = new CachedSource(server.api, "default");

        Scene() throws InterruptedException {
            live.put(
                    "statefulsets",
                    list(
                            "7",
                            "{\"metadata\":{\"name\":\"web\",\"namespace\":\"default\",\"uid\":\"set\",\"resourceVersion\":\"7\","
                                    + "\"generation\":3},\"spec\":{\"volumeClaimTemplates\":[{\"metadata\":{\"name\":\"www\"}}]},"
                                    + "\"status\":{\"conditions\":[{\"type\":\"A\"}]}}"));
            String ending =
                    pod("4", "ending").replace("\"uid\"", "\"deletionTimestamp\":\"2026-01-01T00:00:00Z\",\"uid\"");
            live.put("pods", list("7", pod("4", "web-0"), ending));
            live.put("persistentvolumeclaims", list("7"));
            live.put("controllerrevisions", list("7"));
            source.start(changed::add);
        }

        private Answer answer(Asked asked) {
            String[] path = asked.url().replaceAll("\\?.*", "").split("/");
            if (asked.url().contains("watch=1")) {
                return path[path.length - 1].equals("statefulsets") ? nextEvent() : new Answer(Answer.HANG, "");
            }
            String found = live.get(path[path.length - 1]);
            return found == null
                    ? new Answer(404, "{\"kind\":\"Status\",\"reason\":\"NotFound\"}")
                    : new Answer(200, found);
        }

        private Answer nextEvent() {
            try {
                return new Answer(200, events.take());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return new Answer(Answer.CUT_OFF, "");
            }
        }

        @Override
        public void close() {
            source.close();
            server.close();
        }
    }

    @Test
    void theSourceReadsItsCaches() throws Exception {
        try (Scene scene = new Scene()) {
            assertEquals(3, scene.source.set(KEY).generation());
            var snapshot = scene.source.snapshot(KEY);
            assertTrue(snapshot.getCoverage().getPods()
                    && snapshot.getCoverage().getClaims()
                    && snapshot.getCoverage().getRevisions());
            assertEquals("7", snapshot.getCoverage().getPodsVersion());
            assertEquals(1, snapshot.getPodsCount());
            assertThrows(GoneException.class, () -> scene.source.snapshot(new Key("default", "other")));
            assertEquals(
                    Optional.of("[{\"type\":\"A\"}]"),
                    scene.source.conditions(KEY, "7").map(List::toString));
            assertEquals(Optional.empty(), scene.source.conditions(KEY, "6"));
            assertTrue(scene.changed.contains(KEY));
        }
    }

    @Test
    void theSourceReadsTheLiveSet() throws Exception {
        try (Scene scene = new Scene()) {
            assertThrows(GoneException.class, () -> scene.source.liveSet(KEY));
            scene.live.put(
                    "web",
                    "{\"metadata\":{\"uid\":\"new\",\"generation\":9,\"deletionTimestamp\":\"2026-01-01T00:00:00Z\"}}");
            assertEquals("new", scene.source.liveSet(KEY).uid());
            assertTrue(scene.source.liveSet(KEY).deleting());
        }
    }

    @Test
    void whatTheCachesShow() throws Exception {
        try (Scene scene = new Scene()) {
            assertTrue(scene.source.observed(KEY, new Write("Pod", "web-0", "u", "7", false)), "the kind is as new");
            assertTrue(scene.source.observed(KEY, new Write("Pod", "gone", "u", "6", false)));
            assertFalse(scene.source.observed(KEY, new Write("Pod", "web-0", "u", "10", false)), "10 is after 7");
            assertFalse(scene.source.observed(KEY, new Write("Pod", "web-0", "u", "", true)), "it is there");
            assertTrue(scene.source.observed(KEY, new Write("Pod", "web-0", "earlier", "", true)));
            assertTrue(scene.source.observed(KEY, new Write("Pod", "web-1", "u", "", true)));
            assertTrue(scene.source.observed(KEY, new Write("Pod", "ending", "u", "", true)));
        }
    }

    @Test
    void whatIsCurrent() throws Exception {
        Write write = new Write("Pod", "web-0", "u", "", false);
        try (Scene scene = new Scene()) {
            assertFalse(scene.source.current(KEY, write), "gone, and the cache has it");
            assertTrue(scene.source.current(KEY, new Write("Pod", "web-1", "u", "", false)), "neither has it");
            scene.live.put("web-0", pod("4", "web-0"));
            assertTrue(scene.source.current(KEY, write));
            scene.live.put("web-0", pod("5", "web-0"));
            assertFalse(scene.source.current(KEY, write));
        }
    }

    @Test
    void theSetsThatAnObjectConcerns() throws Exception {
        try (Scene scene = new Scene()) {
            assertEquals(Set.of(KEY), scene.source.concerned(Resource.PODS, Raw.parse(pod("1", "web-0"))));
            assertEquals(Set.of(KEY), scene.source.concerned(Resource.CLAIMS, Raw.parse(pod("1", "www-web-0"))));
            assertEquals(Set.of(), scene.source.concerned(Resource.CLAIMS, Raw.parse(pod("1", "www-db-0"))));
            assertEquals(
                    Set.of(new Key("default", "db"), new Key("default", "x")),
                    scene.source.concerned(
                            Resource.REVISIONS,
                            Raw.parse(
                                    "{\"metadata\":{\"name\":\"x-1\",\"namespace\":\"default\",\"ownerReferences\":[{\"name\":\"db\"}]}}")));
        }
    }

    @Test
    void aSetIsReadWithWhatItsSnapshotNeeds() throws Exception {
        try (Scene scene = new Scene()) {
            scene.live.put("web", "{\"kind\":\"StatefulSet\"}");
            scene.live.put("persistentvolumeclaims", list("7", pod("1", "www-web-0")));
            scene.live.put("controllerrevisions", list("7", pod("1", "web-1"), pod("1", "web-2")));
            Objects objects = Reads.read(scene.server.api, "default", "web");
            assertEquals("StatefulSet", objects.set().string("kind"));
            assertEquals(
                    List.of(2, 1, 2, 1),
                    List.of(
                            objects.pods().size(),
                            objects.claims().size(),
                            objects.revisions().size(),
                            objects.otherSets().size()));
        }
    }

    @Test
    void aReadThatFailsIsNotRepeated() {
        try (ApiServer server = new ApiServer(asked -> new Answer(500, "no JSON"))) {
            ApiException error = assertThrows(ApiException.class, () -> server.api.get(Resource.PODS.path()));
            assertEquals("HTTP 500", error.getMessage());
            assertEquals(1, server.asked.size());
        }
    }

    @Test
    void anEventIsSent() throws Exception {
        try (Scene scene = new Scene()) {
            new Events(scene.server.api, scene.source, "test").warn(KEY, "Blocked", "x".repeat(2000));
            until(() -> !posts(scene).isEmpty());
            Raw event = Raw.parse(posts(scene).get(0).body());
            assertEquals("set", event.string("involvedObject", "uid"));
            assertEquals(1024, event.string("message").length());
        }
    }

    /** Nor does what cannot be sent, with a lease that is not held, end in a thread that nobody looks at. */
    @Test
    void anEventWithoutALeaseIsLogged() throws Exception {
        CompletableFuture<Throwable> uncaught = new CompletableFuture<>();
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, error) -> uncaught.complete(error));
        try (Scene scene = new Scene()) {
            scene.server.api.begin(new Term(System.nanoTime()));
            Events events = new Events(scene.server.api, scene.source, "test");
            events.warn(KEY, "Blocked", "x");
            assertThrows(TimeoutException.class, () -> uncaught.get(500, TimeUnit.MILLISECONDS));
            assertEquals(List.of(), posts(scene));
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    @Test
    void noMoreEventsWaitThanMemoryHasRoomFor() throws Exception {
        try (Scene scene = new Scene()) {
            CountDownLatch end = new CountDownLatch(1);
            Events events = new Events(scene.server.api, scene.source, "test");
            events.sender.execute(() -> {
                try {
                    end.await(); // an API server that does not answer
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            for (int i = 0; i < 10_100; i++) {
                events.warn(new Key("default", "gone"), "Blocked", "x");
            }
            assertEquals(10_000, events.sender.getQueue().size());
            end.countDown();
        }
    }

    private static List<Asked> posts(Scene scene) {
        return scene.server.asked.stream()
                .filter(asked -> asked.method().equals("POST"))
                .toList();
    }
}
