package io.setplan.snapshot;

import io.setplan.rawjson.Raw;
import io.setplan.v1.AnnotationSet;
import io.setplan.v1.ClaimStorage;
import io.setplan.v1.LabelSet;
import io.setplan.v1.OwnerReference;
import io.setplan.v1.OwnerSet;
import io.setplan.v1.VolumeSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The tables of a snapshot: what pods, claims and revisions share is sent once. The first entry of each table is empty,
 * so that index 0, the value of an unset field, means none.
 */
final class Tables {
    private static final String ANNOTATION_PREFIX = "setplan.io/";

    private final Table<Map<String, String>> labels = new Table<>(Map.of());
    private final Table<List<OwnerReference>> owners = new Table<>(List.of());
    private final Table<String> revisionNames = new Table<>("");
    private final Table<List<String>> volumes = new Table<>(List.of());
    private final Table<Map<String, String>> annotations = new Table<>(Map.of());
    private final Table<ClaimStorage> storages = new Table<>(ClaimStorage.getDefaultInstance());

    /** One table. */
    private static final class Table<T> {
        private final T none;
        private final List<T> entries = new ArrayList<>();
        private final Map<T, Integer> places = new HashMap<>();

        Table(T none) {
            this.none = none;
        }

        int at(T entry) {
            if (entries.isEmpty()) {
                entries.add(none);
            }
            return places.computeIfAbsent(entry, one -> {
                entries.add(one);
                return entries.size() - 1;
            });
        }
    }

    int labels(Map<String, String> of) {
        return of.isEmpty() ? 0 : labels.at(of);
    }

    /** Returns the index of these owner references, in the object's order. */
    int owners(List<Raw> references) {
        List<OwnerReference> of = references.stream()
                .map(reference -> OwnerReference.newBuilder()
                        .setApiVersion(reference.string("apiVersion"))
                        .setKind(reference.string("kind"))
                        .setName(reference.string("name"))
                        .setUid(reference.string("uid"))
                        .setController(reference.isTrue("controller"))
                        .setBlockOwnerDeletion(reference.isTrue("blockOwnerDeletion"))
                        .build())
                .toList();
        return of.isEmpty() ? 0 : owners.at(of);
    }

    /** Returns the index of a value of the label controller-revision-hash. A pod without the label has index 0. */
    int revisionName(String name) {
        return revisionNames.at(name);
    }

    int volumes(List<String> of) {
        return of.isEmpty() ? 0 : volumes.at(of);
    }

    /** Returns the index of those annotations that a snapshot carries: all under our prefix, known or not, and no others (D5). */
    int annotations(Map<String, String> of) {
        Map<String, String> ours = new HashMap<>(of);
        ours.keySet().removeIf(key -> !key.startsWith(ANNOTATION_PREFIX));
        return ours.isEmpty() ? 0 : annotations.at(ours);
    }

    /** Returns the index of what a claim asks for and has. */
    int claimStorage(ClaimStorage of) {
        return of.equals(ClaimStorage.getDefaultInstance()) ? 0 : storages.at(of);
    }

    io.setplan.v1.Tables message() {
        io.setplan.v1.Tables.Builder message = io.setplan.v1.Tables.newBuilder();
        labels.entries.forEach(of -> message.addLabelSets(LabelSet.newBuilder().putAllLabels(of)));
        owners.entries.forEach(of -> message.addOwnerSets(OwnerSet.newBuilder().addAllOwners(of)));
        message.addAllRevisionNames(revisionNames.entries);
        volumes.entries.forEach(
                of -> message.addVolumeSets(VolumeSet.newBuilder().addAllVolumes(of)));
        annotations.entries.forEach(
                of -> message.addAnnotationSets(AnnotationSet.newBuilder().putAllAnnotations(of)));
        message.addAllClaimStorages(storages.entries);
        return message.build();
    }
}
