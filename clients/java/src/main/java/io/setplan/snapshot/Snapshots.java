package io.setplan.snapshot;

import com.google.protobuf.Timestamp;
import io.setplan.rawjson.Raw;
import io.setplan.v1.Coverage;
import io.setplan.v1.Snapshot;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;

/**
 * Makes snapshots.
 *
 * <p>Objects are {@link Raw} values: the JSON text of an answer of the API server, so that templates and the data of
 * revisions are sent as they stand (SPEC.md, A1).
 */
public final class Snapshots {
    private Snapshots() {}

    /**
     * Takes the objects out of a list that the API server sent.
     *
     * <p>The items of a list do not say their kind and version; they get those of the list, because a snapshot has the
     * set's.
     *
     * @param listed the list
     * @return the objects
     */
    public static List<Raw> items(Raw listed) {
        String kind = listed.string("kind");
        String head = "{\"apiVersion\":\"%s\",\"kind\":\"%s\","
                .formatted(
                        listed.string("apiVersion"),
                        kind.endsWith("List") ? kind.substring(0, kind.length() - "List".length()) : kind);
        return listed.list("items").stream()
                .map(item -> item.get("kind") != null
                        ? item.copy()
                        : Raw.parse(head + item.text().substring(1)))
                .toList();
    }

    /**
     * Makes the snapshot of a set, without the caller's part: outcomes and policy.
     *
     * @param objects the set and what is around it
     * @param coverage only the kinds whose lists are complete (A2)
     * @param observedAt when the objects were read
     * @return the snapshot
     * @throws IllegalArgumentException an object is not what an API server sends
     */
    public static Snapshot of(Objects objects, Coverage coverage, Instant observedAt) {
        Tables tables = new Tables();
        Raw set = objects.set();
        Snapshot.Builder snapshot = Snapshot.newBuilder()
                .setObservedAt(Timestamp.newBuilder()
                        .setSeconds(observedAt.getEpochSecond())
                        .setNanos(observedAt.getNano()))
                .setCoverage(coverage);
        try {
            snapshot.setSet(Sets.message(set));
            Membership.pods(set, objects.pods()).forEach(pod -> snapshot.addPods(Pods.message(tables, pod)));
            Membership.claims(set, objects.claims(), objects.revisions())
                    .forEach(claim -> snapshot.addClaims(ClaimsAndRevisions.claim(tables, claim)));
            Membership.revisions(set, objects.revisions())
                    .forEach(revision -> snapshot.addRevisions(ClaimsAndRevisions.revision(tables, revision)));
            snapshot.addAllClaimNeighbours(Membership.neighbours(set, objects.otherSets(), objects.revisions()));
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new IllegalArgumentException("an object is not what an API server sends: " + e.getMessage(), e);
        }
        return snapshot.setTables(tables.message()).build();
    }
}
