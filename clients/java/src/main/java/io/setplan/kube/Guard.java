package io.setplan.kube;

import io.setplan.adapter.Key;
import io.setplan.rawjson.Raw;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sees when a status is written by the built-in controller: two controllers on one set delete each other's pods (SPEC.md, A15).
 *
 * <p>What was written before this process saw the set is history: the set was taken over. The hold ends when the process restarts, or when
 * the annotation {@code setplan.io/taken-over-at} of the set gets another text.
 */
final class Guard {
    private static final String TAKEN_OVER = "setplan.io/taken-over-at";
    private static final String BUILT_IN = "kube-controller-manager";

    private final Map<Key, Seen> seen = new HashMap<>();

    /** Which set was taken over, and the writes that were there then. */
    private record Seen(String uid, @Nullable String takenOver, List<String> writes) {}

    /** Drops what is kept for a set that is gone. */
    synchronized void forget(Key key) {
        seen.remove(key);
    }

    /** Looks at a set. ForeignWriterException: nothing may be written to it. */
    synchronized void check(Key key, Raw set) {
        List<String> writes = set.list("metadata", "managedFields").stream()
                .filter(field -> field.string("subresource").equals("status")
                        && field.string("manager").equals(BUILT_IN))
                .map(field -> "%s has written the status of %s at %s".formatted(BUILT_IN, key, field.string("time")))
                .toList();
        String uid = set.string("metadata", "uid");
        String takenOver = set.strings("metadata", "annotations").get(TAKEN_OVER);
        Seen before = seen.get(key);
        if (before == null || !before.uid.equals(uid) || !java.util.Objects.equals(before.takenOver, takenOver)) {
            seen.put(key, new Seen(uid, takenOver, writes));
            return;
        }
        // A write of ours may wipe the trace, so fewer are no news.
        for (String write : writes) {
            if (!before.writes.contains(write)) {
                throw new ForeignWriterException(write);
            }
        }
    }
}
