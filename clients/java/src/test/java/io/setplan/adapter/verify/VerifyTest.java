package io.setplan.adapter.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.ByteString;
import io.setplan.adapter.Operations;
import io.setplan.testing.Servers;
import io.setplan.testing.Vector;
import io.setplan.v1.Pod;
import io.setplan.v1.PodPhase;
import io.setplan.v1.Snapshot;
import io.setplan.v1.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lies of a planner are refused, each by the check for it; what a planner really plans passes. */
class VerifyTest {
    // Checks whose lies another check would find, too: what they add is the reason. A claim of another name has no
    // ordinal, and
    // nothing is allowed for none.
    private static final Set<String> BACKED_UP = Set.of("operation", "manifest", "own-claim");

    private static final JsonObject TOLD = told();

    private static JsonObject told() {
        try {
            return JsonParser.parseString(Files.readString(Servers.ROOT.resolve("proto/testdata/lies.json")))
                    .getAsJsonObject();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** A stage, perhaps with a snapshot of its own. */
    private record Scene(String about, String check, Snapshot snapshot, Stage stage) {
        static Scene of(JsonElement element) {
            JsonObject scene = element.getAsJsonObject();
            JsonElement snapshot = scene.has("snapshot") ? scene.get("snapshot") : TOLD.get("snapshot");
            return new Scene(
                    scene.get("about").getAsString(),
                    scene.has("check") ? scene.get("check").getAsString() : "",
                    Vector.parsed(snapshot.toString(), Snapshot.newBuilder()).build(),
                    Vector.parsed(scene.get("stage").toString(), Stage.newBuilder())
                            .build());
        }
    }

    private static List<Scene> scenes(String key) {
        return StreamSupport.stream(TOLD.getAsJsonArray(key).spliterator(), false)
                .map(Scene::of)
                .toList();
    }

    /** Returns the check that refuses a stage; empty where none does. */
    private static String verdict(Scene scene, List<Check> checks) {
        try {
            new Verifier(scene.snapshot, checks).stage(scene.stage);
            return "";
        } catch (RefusedException refused) {
            return refused.check();
        }
    }

    @TestFactory
    Stream<DynamicTest> truths() {
        return scenes("truths").stream()
                .map(truth -> DynamicTest.dynamicTest(truth.about, () -> assertEquals("", verdict(truth, Check.ALL))));
    }

    @TestFactory
    Stream<DynamicTest> lies() {
        return scenes("lies").stream()
                .map(lie -> DynamicTest.dynamicTest(lie.about, () -> assertEquals(lie.check, verdict(lie, Check.ALL))));
    }

    @TestFactory
    Stream<DynamicTest> withoutACheckOneOfItsLiesPasses() {
        List<Scene> lies = scenes("lies");
        return Check.ALL.stream()
                .map(removed -> DynamicTest.dynamicTest(removed.name(), () -> {
                    List<Check> without = new ArrayList<>(Check.ALL);
                    without.remove(removed);
                    List<Scene> own = lies.stream()
                            .filter(lie -> lie.check.equals(removed.name()))
                            .toList();
                    assertFalse(own.isEmpty());
                    assertTrue(BACKED_UP.contains(removed.name())
                            || own.stream()
                                    .anyMatch(lie -> verdict(lie, without).isEmpty()));
                }));
    }

    /** Who may write to a set may write a long annotation; a check of it must not take minutes. */
    @Test
    void reservedOrdinalsWithManyBlanks() {
        String blanks = " ".repeat(1_000_000);
        Snapshot.Builder snapshot = Snapshot.newBuilder();
        snapshot.getSetBuilder()
                .setReplicas(2)
                .putAnnotations("setplan.io/reserved-ordinals", "0" + blanks + "x," + blanks + "[\"1\"]" + blanks);
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
            Range range = new Range(snapshot.build());
            assertTrue(range.has(0) && !range.has(1) && range.has(2) && !range.has(3));
        });
    }

    @Test
    void aManifestThatIsTooLarge() {
        Scene truth = scenes("truths").stream()
                .filter(one -> one.about.equals("create_pod"))
                .findFirst()
                .orElseThrow();
        Stage.Builder stage = truth.stage.toBuilder();
        var pod = stage.getStepsBuilder(0).getActionsBuilder(0).getCreatePodBuilder();
        pod.setManifest(pod.getManifest().concat(ByteString.copyFromUtf8(" ".repeat(Json.MAX_DOCUMENT))));
        assertEquals("manifest", verdict(new Scene("", "", truth.snapshot, stage.build()), Check.ALL));
    }

    /** A copy of a pod's annotation in the template says nothing of its pods, which are updated like marked ones. */
    @ParameterizedTest
    @CsvSource({"?, ''", "!, pod-images"})
    void aNoteThatEveryPodOfATemplateHas(String ofEveryPod, String check) {
        Scene truth = scenes("truths").stream()
                .filter(one -> one.about.equals("update_pod with images"))
                .findFirst()
                .orElseThrow();
        Snapshot.Builder snapshot = truth.snapshot.toBuilder();
        snapshot.getTablesBuilder().getAnnotationSetsBuilderList().stream()
                .filter(set -> set.containsAnnotations(Names.UPDATE))
                .forEach(set -> set.putAnnotations(Names.UPDATE, "?"));
        UnaryOperator<ByteString> withNote = document -> ByteString.copyFromUtf8(document.toStringUtf8()
                .replace("\"a\":\"b\"", "\"a\":\"b\",\"%s\":\"%s\"".formatted(Names.UPDATE, ofEveryPod)));
        snapshot.getSetBuilder().setPodTemplate(withNote.apply(snapshot.getSet().getPodTemplate()));
        snapshot.getRevisionsBuilderList().forEach(revision -> revision.setData(withNote.apply(revision.getData())));
        assertEquals(check, verdict(new Scene("", "", snapshot.build(), truth.stage), Check.ALL));
    }

    @Test
    void aNameIsADnsSubdomainOfAtMost253Characters() {
        assertTrue(Names.isName("a".repeat(253)) && Names.isName("a.b-0"));
        for (String wrong : List.of("", "a".repeat(254), "a..b", "A", "a/b", "-a", "a.")) {
            assertFalse(Names.isName(wrong), wrong);
        }
    }

    @Test
    void onlyTheDrainPodsOwnTokenProvesADrainFromAllOfItsContainers() {
        Map<String, String> notes = Map.of("setplan.io/drain-set", "web/set", "setplan.io/drain-claims", "a,b");
        String right = Proof.token("web/set", "a,b");
        assertTrue(proves(notes, right, right + "\n"));
        assertFalse(proves(notes));
        assertFalse(proves(notes, right, ""));
        assertFalse(proves(notes, Proof.token("web/set", "a")));
        assertFalse(proves(notes, Proof.token("web/other", "a,b")));
    }

    private static boolean proves(Map<String, String> notes, String... messages) {
        Pod pod = Pod.newBuilder()
                .setPhase(PodPhase.POD_PHASE_SUCCEEDED)
                .addAllTerminationMessages(Arrays.asList(messages))
                .build();
        return Proof.hasDrained(pod, notes, true);
    }

    @Test
    void thePageHasTheListInTheSameWordsAndOrder() throws IOException {
        String page = Files.readString(Servers.ROOT.resolve("docs/adapter.md"));
        Matcher rows = Pattern.compile("^\\| `([^`]*)` \\| (.*) \\|$", Pattern.MULTILINE)
                .matcher(page.substring(page.indexOf("## What is verified")));
        List<List<String>> told =
                rows.results().map(row -> List.of(row.group(1), row.group(2))).toList();
        assertEquals(
                told,
                Check.ALL.stream()
                        .map(check -> List.of(check.name(), check.words()))
                        .toList());
    }

    @Test
    void everyActionOfEveryVectorsPlanPasses() {
        int actions = 0;
        for (Vector vector : Vector.all()) {
            if (!vector.has("plan") || !vector.has("request")) {
                continue;
            }
            Verifier verifier = new Verifier(vector.request().getSnapshot());
            for (Stage stage : vector.plan().getStagesList()) {
                try {
                    verifier.stage(stage);
                } catch (RefusedException refused) {
                    // It has a pod with the name "web-", which no API server stores.
                    assertEquals(
                            List.of("objects/pod-names.json", "name"),
                            List.of(vector.name(), refused.check()),
                            refused.getMessage());
                }
                actions += Operations.actionsOf(stage).size();
            }
        }
        assertTrue(actions > 500);
    }

    @TestFactory
    Stream<DynamicTest> yamlAsKubectlReadsIt() {
        return Map.ofEntries(
                        Map.entry(
                                "a: yes\nb: 'yes'\nc: ~\nd: 2020-01-01\ne: on",
                                "{\"a\":true,\"b\":\"yes\",\"c\":null,\"d\":\"2020-01-01\",\"e\":true}"),
                        Map.entry(
                                "[010, 0x10, 1_000, +5, .5, 1e3, 089, 0x, 1abc]",
                                "[8,16,1000,5,0.5,1000,89,\"0x\",\"1abc\"]"),
                        Map.entry("a: 1\na: 2", "{\"a\":2}"),
                        Map.entry("a: |\n  text\n", "{\"a\":\"text\\n\"}"),
                        Map.entry("a: &x 1", "null"),
                        Map.entry("a: &x 1\nb: *x", "null"),
                        Map.entry("a: !!int '1'", "null"),
                        Map.entry("a: !own b", "null"),
                        Map.entry("a: !!str 1", "{\"a\":\"1\"}"),
                        Map.entry("a: 1\n---\na: 2", "null"),
                        Map.entry("a: [", "null"),
                        Map.entry("[".repeat(10_000), "null"),
                        Map.entry("", "null"))
                .entrySet()
                .stream()
                .map(one -> DynamicTest.dynamicTest(
                        "YAML "
                                + one.getKey()
                                        .substring(0, Math.min(one.getKey().length(), 40)),
                        () -> assertEquals(
                                Json.parse(ByteString.copyFromUtf8(one.getValue()), true),
                                Yaml.parse(ByteString.copyFromUtf8(one.getKey())))));
    }

    @ParameterizedTest
    @CsvSource({"1, 1.0, true", "1, 2, false", "1e999, 1e998, false", "9007199254740993, 9007199254740992, true"})
    void numbersCompareByWhatTheyMean(String a, String b, boolean equal) {
        assertEquals(equal, new Json.Numeral(a).equals(new Json.Numeral(b)));
        assertTrue(!equal || new Json.Numeral(a).hashCode() == new Json.Numeral(b).hashCode());
    }

    @Test
    void aDocumentIsNotNestedTooDeep() {
        assertThrows(
                IllegalArgumentException.class,
                () -> Json.parse(ByteString.copyFromUtf8("[".repeat(202) + "]".repeat(202)), false));
        assertThrows(
                IllegalArgumentException.class, () -> Json.parse(ByteString.copyFromUtf8("[".repeat(100_000)), false));
    }
}
