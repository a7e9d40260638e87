package io.setplan.kube;

import io.setplan.adapter.Key;
import io.setplan.client.PlannerException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A queue of sets: a set is worked on once at a time, again when it has changed meanwhile, and later after a failure. */
public final class Queue {
    private static final Logger LOG = LoggerFactory.getLogger(Queue.class);
    private static final Duration FIRST_RETRY = Duration.ofMillis(100);
    private static final Duration LAST_RETRY = Duration.ofSeconds(30);
    private static final Duration LATEST = Duration.ofDays(365); // a clock counts no longer times
    private static final int MOST_DOUBLINGS = 20;

    /** Sets more, of namespaces of which no set is worked on: sets of one namespace that are slow never hold up all others. */
    private static final int SPARE = 2;

    private final Function<Key, Duration> work;
    private final BiConsumer<Key, RuntimeException> failed;
    private final int atOnce;
    private final Rounds ready = new Rounds();
    private final Set<Key> waiting = new HashSet<>();
    private final Set<Key> running = new HashSet<>();
    private final Map<Key, Future<?>> timers = new HashMap<>();
    private final Map<Key, Integer> failures = new HashMap<>();
    private final ScheduledThreadPoolExecutor clock;

    /**
     * Makes a queue that works on {@code atOnce} sets side by side, and on a few more so that no namespace holds up all others.
     *
     * @param work returns after what time to call it again; at most zero is only when something changes
     * @param failed is told what it throws; an {@link Error} is a cause
     * @param atOnce how many
     */
    public Queue(Function<Key, Duration> work, BiConsumer<Key, RuntimeException> failed, int atOnce) {
        this.work = work;
        this.failed = failed;
        this.atOnce = atOnce;
        this.clock = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "queue clock");
            thread.setDaemon(true);
            return thread;
        });
        clock.setRemoveOnCancelPolicy(true);
    }

    /**
     * Asks for work on a set, at once or as soon as the work on it has ended; before {@link #run} it is kept.
     *
     * @param key the set
     */
    public synchronized void add(Key key) {
        Future<?> timer = timers.remove(key);
        if (timer != null) {
            timer.cancel(false);
        }
        if (waiting.add(key) && !running.contains(key)) {
            ready.add(key);
            notifyAll();
        }
    }

    /**
     * Works until the thread is interrupted and the work under way has ended, which is interrupted, too: {@link
     * io.setplan.adapter.Loop#reconcile} then lets the actions end that it has begun.
     *
     * @throws InterruptedException the thread was interrupted
     */
    public void run() throws InterruptedException {
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < atOnce + SPARE; i++) {
            Thread worker = new Thread(this::workAll, "queue worker");
            worker.setDaemon(true);
            workers.add(worker);
            worker.start();
        }
        try {
            for (Thread worker : workers) {
                worker.join();
            }
        } finally {
            clock.shutdownNow();
            workers.forEach(Thread::interrupt);
            Threads.joinAll(workers);
        }
    }

    private void workAll() {
        try {
            while (!Thread.interrupted()) {
                turn(next());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for a set that there is room for. */
    private synchronized Key next() throws InterruptedException {
        Optional<Key> key = ready.take(this::hasRoom);
        while (key.isEmpty()) {
            wait();
            key = ready.take(this::hasRoom);
        }
        waiting.remove(key.get());
        running.add(key.get());
        return key.get();
    }

    private boolean hasRoom(String namespace) {
        boolean room = running.size() < atOnce
                || running.stream().noneMatch(key -> key.namespace().equals(namespace));
        return room && !clock.isShutdown(); // at the end nothing begins
    }

    /** Works on a set once. What has changed meanwhile goes to the end of the queue; after a failure that waits, too. */
    private void turn(Key key) {
        Duration after = LAST_RETRY;
        boolean ok = false;
        try {
            after = work.apply(key);
            ok = true;
        } catch (RuntimeException e) {
            after = failed(key, e);
        } catch (Error e) { // of this set; the others go on
            after = failed(key, new IllegalStateException(e));
        } finally {
            ended(key, after, ok);
        }
    }

    /** Returns when to try again: after a back-off, and no sooner than the planner says (C1). */
    private Duration failed(Key key, RuntimeException error) {
        Duration after = backOff(key);
        try {
            failed.accept(key, error);
        } catch (RuntimeException | Error e) {
            LOG.error("the failure of {} was not told", key, e);
        }
        Duration least = error instanceof PlannerException e ? e.retryAfter().orElse(after) : after;
        return least.compareTo(after) > 0 ? least : after;
    }

    private synchronized void ended(Key key, Duration after, boolean ok) {
        running.remove(key);
        notifyAll(); // there is room
        if (ok) {
            failures.remove(key);
        }
        if (waiting.contains(key) && ok) {
            ready.add(key);
            return;
        }
        waiting.remove(key);
        if (after.compareTo(Duration.ZERO) > 0 && !clock.isShutdown()) {
            Duration in = after.compareTo(LATEST) < 0 ? after : LATEST;
            timers.put(key, clock.schedule(() -> add(key), in.toNanos(), TimeUnit.NANOSECONDS));
        }
    }

    private synchronized Duration backOff(Key key) {
        int times = failures.merge(key, 1, Integer::sum);
        Duration after = FIRST_RETRY.multipliedBy(1L << Math.min(times - 1, MOST_DOUBLINGS));
        return after.compareTo(LAST_RETRY) < 0 ? after : LAST_RETRY;
    }
}
