package io.setplan.adapter;

import io.setplan.v1.Action;
import io.setplan.v1.Outcome;
import io.setplan.v1.Plan;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Which actions of a set failed, so that a planner without memory can see that it repeats itself (SPEC.md, A14). */
final class Outcomes {
    private static final int MAX_MESSAGE = 512; // bytes: keeps a long API answer from making every snapshot long
    private static final int MAX_OUTCOMES =
            10_000; // the limit of the contract; what is left out counts as not tried yet

    private final Map<Key, Map<String, Outcome>> failed = new HashMap<>();

    /** Notes how an action ended. A success wipes what was known about it. */
    synchronized void record(Key key, String actionId, Result result) {
        Map<String, Outcome> ofSet = failed.computeIfAbsent(key, one -> new TreeMap<>());
        Outcome before = ofSet.remove(actionId);
        if (result.error() != null) {
            ofSet.put(
                    actionId,
                    Outcome.newBuilder()
                            .setActionId(actionId)
                            .setResult(result.outcome())
                            .setCount((before == null ? 0 : before.getCount()) + 1)
                            .setMessage(cut(String.valueOf(result.error().getMessage())))
                            .build());
        }
    }

    /** Drops failures of actions that nobody wants any more. A truncated plan says nothing about what it left out. */
    synchronized void prune(Key key, Plan plan) {
        if (plan.getTruncated()) {
            return;
        }
        Set<String> wanted = new HashSet<>();
        Operations.actionsOf(plan).stream().map(Action::getId).forEach(wanted::add);
        failed.getOrDefault(key, new TreeMap<>()).keySet().retainAll(wanted);
    }

    /** Lists the failures, sorted by id: the same memory gives the same snapshot. */
    synchronized List<Outcome> report(Key key) {
        return failed.getOrDefault(key, Map.of()).values().stream()
                .limit(MAX_OUTCOMES)
                .toList();
    }

    /** Drops what is kept for a set that is gone. */
    synchronized void forget(Key key) {
        failed.remove(key);
    }

    /** Cuts a message at a character. */
    private static String cut(String message) {
        byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
        CharBuffer kept = CharBuffer.allocate(MAX_MESSAGE);
        ByteBuffer first = ByteBuffer.wrap(bytes, 0, Math.min(bytes.length, MAX_MESSAGE));
        StandardCharsets.UTF_8.newDecoder().decode(first, kept, false);
        return kept.flip().toString();
    }
}
