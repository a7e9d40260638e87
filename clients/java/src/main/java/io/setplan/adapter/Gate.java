package io.setplan.adapter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * The gate: no snapshot of a set before the caches show what was written to it (SPEC.md, A3).
 *
 * <p>A snapshot without that would make the planner repeat itself: create a pod twice, or delete a second one during an update. The
 * gate never opens with a cache that is known to be behind, however long that takes. A write that no cache will ever show, because
 * the object was gone or changed again before anybody looked, holds the set no longer than it takes to read the object itself and to
 * find it as the cache has it. A write with an unknown result is one of those: no version tells when the cache shows it.
 */
final class Gate {
    private final Duration timeout;
    private final LongSupplier nanos;
    private final Map<Key, List<Pending>> pending = new HashMap<>();

    /** {@code unanswered}: nobody knows whether it was carried out. {@code read}: the last look at the object itself. */
    private record Pending(Write write, boolean unanswered, long since, long read) {}

    /** Why the gate is closed, and for how long it has been. */
    record Closed(UnseenException unseen, Duration since) {}

    /** {@code nanos} counts nanoseconds and does not jump. */
    Gate(Duration timeout, LongSupplier nanos) {
        this.timeout = timeout;
        this.nanos = nanos;
    }

    /** Registers a write; {@code unanswered} is one with an unknown result. */
    synchronized void add(Key key, Write write, boolean unanswered) {
        long now = nanos.getAsLong();
        pending.computeIfAbsent(key, one -> new ArrayList<>()).add(new Pending(write, unanswered, now, now));
    }

    /**
     * Drops what was observed, and what cannot be shown any more. Returns what is left; empty where the gate is open.
     *
     * <p>It reads one overdue object at most, and each once in a timeout; unanswered writes each time, until one differs from the
     * cache. Nothing is added for a set meanwhile, since it has one pass at a time.
     */
    Optional<Closed> check(Key key, Predicate<Write> observed, Predicate<Write> current) {
        long now = nanos.getAsLong();
        List<Pending> left = new ArrayList<>();
        boolean asked = false;
        for (Pending one : of(key)) {
            if (!one.unanswered && observed.test(one.write)) {
                continue;
            }
            boolean overdue = now - one.read >= timeout.toNanos();
            if (asked || !(overdue || one.unanswered)) {
                left.add(one);
                continue;
            }
            boolean isCurrent = current.test(one.write);
            asked = !isCurrent || !one.unanswered;
            if (!isCurrent) {
                left.add(overdue ? new Pending(one.write, one.unanswered, one.since, now) : one);
            }
        }
        keep(key, left);
        if (left.isEmpty()) {
            return Optional.empty();
        }
        Pending first = left.get(0);
        return Optional.of(new Closed(new UnseenException(first.write), Duration.ofNanos(now - first.since)));
    }

    /** Drops what is kept for a set that is gone. */
    void forget(Key key) {
        keep(key, List.of());
    }

    private synchronized List<Pending> of(Key key) {
        return List.copyOf(pending.getOrDefault(key, List.of()));
    }

    private synchronized void keep(Key key, List<Pending> left) {
        if (left.isEmpty()) {
            pending.remove(key);
        } else {
            pending.put(key, left);
        }
    }
}
