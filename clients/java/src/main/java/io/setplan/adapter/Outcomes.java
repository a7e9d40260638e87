package io.setplan.adapter;

import com.google.protobuf.Timestamp;
import io.setplan.v1.Action;
import io.setplan.v1.Outcome;
import io.setplan.v1.OutcomeResult;
import io.setplan.v1.Plan;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
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

    /** A planner that waits before it asks a disruption budget again leaves the action out, and has to be told all the same. */
    private static final Duration BUDGET_MEMORY = Duration.ofMinutes(5);

    private final Clock clock;
    private final Map<Key, Map<String, Outcome>> failed = new HashMap<>();

    Outcomes(Clock clock) {
        this.clock = clock;
    }

    /** Notes how an action ended. A success wipes what was known about it. */
    synchronized void record(Key key, String actionId, Result result) {
        Map<String, Outcome> ofSet = failed.computeIfAbsent(key, one -> new TreeMap<>());
        Outcome before = ofSet.remove(actionId);
        if (result.error() != null) {
            Instant now = clock.instant();
            ofSet.put(
                    actionId,
                    Outcome.newBuilder()
                            .setActionId(actionId)
                            .setResult(result.outcome())
                            .setCount((before == null ? 0 : before.getCount()) + 1)
                            .setMessage(cut(String.valueOf(result.error().getMessage())))
                            .setTriedAt(Timestamp.newBuilder()
                                    .setSeconds(now.getEpochSecond())
                                    .setNanos(now.getNano()))
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
        failed.getOrDefault(key, new TreeMap<>())
                .entrySet()
                .removeIf(one -> !wanted.contains(one.getKey()) && !awaitsBudget(one.getValue()));
    }

    private boolean awaitsBudget(Outcome outcome) {
        Timestamp tried = outcome.getTriedAt();
        Duration since = Duration.between(Instant.ofEpochSecond(tried.getSeconds(), tried.getNanos()), clock.instant());
        return outcome.getResult() == OutcomeResult.OUTCOME_RESULT_DISRUPTION_BUDGET
                && since.compareTo(BUDGET_MEMORY) < 0;
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
