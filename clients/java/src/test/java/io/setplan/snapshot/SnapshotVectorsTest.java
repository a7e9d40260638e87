package io.setplan.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import io.setplan.testing.Vector;
import io.setplan.v1.Snapshot;
import io.setplan.v1.StatefulSet;
import io.setplan.v1.StatefulSetStatus;
import io.setplan.v1.Tables;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Requests are made of the objects of every vector. There is no list of exceptions. */
class SnapshotVectorsTest {
    private static final Pattern TOKEN = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"|[^\\s\"]");

    @Test
    void thereAreEnough() {
        assertTrue(Vector.all().stream().filter(vector -> vector.has("objects")).count() >= 290);
    }

    @TestFactory
    Stream<DynamicTest> snapshots() {
        return Vector.all().stream()
                .filter(vector -> vector.has("objects"))
                .map(vector -> DynamicTest.dynamicTest(vector.name(), () -> {
                    Snapshot want = vector.request().getSnapshot();
                    Instant observed = Instant.ofEpochSecond(
                            want.getObservedAt().getSeconds(),
                            want.getObservedAt().getNanos());
                    Snapshot made = Snapshots.of(vector.objects(), want.getCoverage(), observed);
                    // What objects do not tell.
                    Snapshot.Builder got = made.toBuilder()
                            .addAllOutcomes(want.getOutcomesList())
                            .addAllFixedStorageClasses(want.getFixedStorageClassesList());
                    if (want.hasPolicy()) {
                        got.setPolicy(want.getPolicy());
                    }
                    got.getSetBuilder().setRefusal(want.getSet().getRefusal());
                    assertEquals(spelledOut(want), spelledOut(got.build()));
                }));
    }

    /** Puts entries of tables in place of indexes, and lists into the order of names: what differs then differs in meaning. */
    private static String spelledOut(Snapshot of) throws Exception {
        List<String> lines = new ArrayList<>();
        StatefulSet.Builder set = of.getSet().toBuilder();
        lines.add(compact(set.getPodTemplate()));
        set.getClaimTemplatesList().forEach(template -> lines.add(compact(template)));
        lines.add(compact(set.getOwnFields()));
        set.clearPodTemplate().clearClaimTemplates().clearOwnFields();
        // In a snapshot, a field of the status that is 0 or empty says what one says that is not set.
        StatefulSetStatus.Builder status = set.getStatusBuilder();
        status.getAllFields().forEach((field, value) -> {
            if (!field.isRepeated() && value.equals(field.getDefaultValue())) {
                status.clearField(field);
            }
        });
        for (Message thing : Stream.of(of.getPodsList(), of.getClaimsList(), of.getRevisionsList())
                .flatMap(List::stream)
                .toList()) {
            lines.add(resolved(thing, of.getTables()));
        }
        List<String> things = new ArrayList<>();
        of.getClaimNeighboursList().forEach(neighbour -> things.add(neighbour.toString()));
        things.sort(null);
        Snapshot rest = of.toBuilder()
                .setSet(set)
                .clearPods()
                .clearClaims()
                .clearRevisions()
                .clearTables()
                .clearClaimNeighbours()
                .build();
        lines.subList(2 + of.getSet().getClaimTemplatesCount(), lines.size()).sort(null);
        return JsonFormat.printer().sortingMapKeys().print(rest) + "\n" + String.join("\n", lines) + things;
    }

    private static String resolved(Message thing, Tables tables) {
        Map<String, Object> fields = new TreeMap<>();
        for (Map.Entry<FieldDescriptor, Object> field : thing.getAllFields().entrySet()) {
            String name = field.getKey().getName();
            Object value = field.getValue();
            if (field.getKey().isMapField()) {
                value = sorted((List<?>) value);
            }
            fields.put(name, name.equals("data") ? compact((ByteString) value) : entry(name, value, tables));
        }
        return fields.toString();
    }

    private static Object entry(String name, Object value, Tables tables) {
        return switch (name) {
            case "label_set_index" ->
                new TreeMap<>(tables.getLabelSets((int) value).getLabelsMap());
            case "owner_set_index" -> tables.getOwnerSets((int) value);
            case "revision_name_index" -> List.of(tables.getRevisionNames((int) value));
            case "volume_set_index" -> tables.getVolumeSets((int) value);
            case "storage_index" -> tables.getClaimStorages((int) value);
            case "annotation_set_index" ->
                new TreeMap<>(tables.getAnnotationSets((int) value).getAnnotationsMap());
            default -> value;
        };
    }

    private static List<String> sorted(List<?> entries) {
        return entries.stream().map(Object::toString).sorted().toList();
    }

    /** Takes blanks out. Keys keep their order and strings their escapes: these requests are the text of their objects. */
    private static String compact(ByteString data) {
        StringBuilder kept = new StringBuilder();
        TOKEN.matcher(data.toStringUtf8()).results().forEach(token -> kept.append(token.group()));
        return kept.toString();
    }
}
