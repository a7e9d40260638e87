package io.setplan.kube;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.setplan.adapter.Key;
import io.setplan.client.OverloadedException;
import io.setplan.client.PlannerException;
import io.setplan.v1.ErrorReason;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A set is worked on once at a time. */
class QueueTest {
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final Thread caller = Thread.currentThread();

    private static Key key(String name) {
        return new Key("default", name);
    }

    private int count(String name) {
        return Collections.frequency(told, name);
    }

    @Test
    void worksOnAKeyOnceAtATimeAgainWhenItWasAddedMeanwhileAndLaterAfterAFailure() {
        AtomicBoolean twice = new AtomicBoolean();
        Set<String> running = ConcurrentHashMap.newKeySet();
        AtomicReference<Queue> queue = new AtomicReference<>();
        AtomicInteger failures = new AtomicInteger();
        queue.set(new Queue(
                key -> {
                    String name = key.name();
                    twice.compareAndSet(false, !running.add(name));
                    told.add(name);
                    if (count(name) == 1) {
                        queue.get().add(key);
                    }
                    running.remove(name);
                    if (name.equals("fails") && count(name) < 3) {
                        throw new IllegalStateException("no");
                    }
                    if (count("fails") == 3 && count("web") == 2) {
                        caller.interrupt();
                    }
                    return Duration.ofHours(1); // and at once where it has changed meanwhile
                },
                (key, error) -> failures.incrementAndGet(),
                4));
        queue.get().add(key("web"));
        queue.get().add(key("fails"));
        queue.get().add(key("web"));
        assertThrows(InterruptedException.class, queue.get()::run);
        assertFalse(twice.get());
        assertEquals(List.of(2, 3, 2), List.of(count("web"), count("fails"), failures.get()));
    }

    @Test
    void comesBackAfterTheTimeThatTheWorkSays() {
        Queue queue = new Queue(
                key -> {
                    told.add(key.name());
                    if (told.size() == 3) {
                        caller.interrupt();
                    }
                    return Duration.ofMillis(1);
                },
                (key, error) -> {},
                1);
        queue.add(key("web"));
        assertThrows(InterruptedException.class, queue::run);
        assertEquals(3, count("web"));
    }

    /** Runs a queue of one set at a time over these sets until the work interrupts; no worker ends before. */
    private void run(Function<Key, Duration> work, BiConsumer<Key, RuntimeException> failed, String... names) {
        List<Throwable> uncaught = new CopyOnWriteArrayList<>();
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, error) -> uncaught.add(error));
        try {
            Queue queue = new Queue(work, failed, 1);
            for (String name : names) {
                queue.add(key(name));
            }
            assertThrows(InterruptedException.class, queue::run);
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
        assertEquals(List.of(), uncaught);
    }

    @Test
    void aTimeThatIsLongerThanAnyClockCountsEndsNoWorker() {
        run(
                key -> {
                    told.add(key.name());
                    if (key.name().equals("next")) {
                        caller.interrupt();
                    }
                    return Duration.ofSeconds(10_000_000_000L);
                },
                (key, error) -> {},
                "web",
                "next");
        assertEquals(List.of("web", "next"), told);
    }

    @Test
    void aTimeBelowZeroIsNone() {
        run(
                key -> {
                    told.add(key.name());
                    if (count("next") == 5) {
                        caller.interrupt();
                    }
                    return key.name().equals("web") ? Duration.ofSeconds(-5) : Duration.ofMillis(1);
                },
                (key, error) -> {},
                "web",
                "next");
        assertEquals(1, count("web"));
    }

    @Test
    void anErrorEndsNoWorkerNorDoesWhatIsToldOfIt() {
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        OutOfMemoryError error = new OutOfMemoryError("a test");
        run(
                key -> {
                    told.add(key.name());
                    if (told.size() == 1) {
                        throw error;
                    }
                    caller.interrupt();
                    return Duration.ZERO;
                },
                (key, failure) -> {
                    failures.add(failure.getCause());
                    throw new IllegalStateException("a test, too");
                },
                "web");
        assertEquals(2, count("web"), "it is tried again");
        assertEquals(List.of(error), failures);
    }

    @Test
    void anOverloadedPlannerIsAskedAgainNoSoonerThanItSays() {
        Duration after = Duration.ofMillis(700); // the first back-off is shorter
        List<Long> at = new CopyOnWriteArrayList<>();
        run(
                key -> {
                    at.add(System.nanoTime());
                    if (at.size() == 1) {
                        throw new OverloadedException(new PlannerException.Failure(
                                Status.Code.RESOURCE_EXHAUSTED,
                                "",
                                ErrorReason.ERROR_REASON_OVERLOADED,
                                List.of(),
                                Map.of(),
                                after));
                    }
                    caller.interrupt();
                    return Duration.ZERO;
                },
                (key, error) -> {},
                "web");
        assertTrue(at.get(1) - at.get(0) >= after.toNanos());
    }

    @Test
    void worksOnNoMoreKeysAtOnceThanAllowedAndWaitsForThem() {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicBoolean interrupted = new AtomicBoolean();
        Queue queue = new Queue(
                key -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    told.add(key.name());
                    if (told.size() == 2) {
                        caller.interrupt();
                    }
                    try {
                        Thread.sleep(Long.MAX_VALUE);
                    } catch (InterruptedException e) {
                        interrupted.set(true);
                        Thread.currentThread().interrupt();
                    }
                    running.decrementAndGet();
                    return Duration.ZERO;
                },
                (key, error) -> {},
                2);
        for (int i = 0; i < 5; i++) {
            queue.add(key("web" + i));
        }
        assertThrows(InterruptedException.class, queue::run);
        assertEquals(2, most.get());
        assertEquals(0, running.get(), "what was under way has ended");
        assertTrue(interrupted.get());
        assertEquals(2, told.size(), "and nothing else has begun");
    }

    @Test
    void threadsAreWaitedForAlsoWhereTheWaitIsInterrupted() {
        AtomicBoolean ended = new AtomicBoolean();
        Thread thread = new Thread(() -> {
            caller.interrupt();
            ended.set(true);
        });
        caller.interrupt();
        thread.start();
        Threads.joinAll(List.of(thread));
        assertTrue(ended.get());
        assertTrue(Thread.interrupted());
    }

    /** Thousands of sets of one namespace wait, and those that have begun hang. */
    @Test
    @Timeout(60)
    void oneNamespaceDoesNotHoldUpAnother() {
        AtomicReference<Queue> queue = new AtomicReference<>();
        queue.set(new Queue(
                key -> {
                    told.add(key.toString());
                    if (told.size() == 2) {
                        queue.get().add(new Key("other", "db"));
                    }
                    if (key.namespace().equals("other")) {
                        caller.interrupt();
                    }
                    try {
                        Thread.sleep(Long.MAX_VALUE);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return Duration.ZERO;
                },
                (key, error) -> {},
                2));
        for (int i = 0; i < 1000; i++) {
            queue.get().add(key("web" + i));
        }
        assertThrows(InterruptedException.class, queue.get()::run);
        assertEquals(
                List.of("default/web0", "default/web1", "other/db"),
                told.stream().sorted().toList());
    }

    /** What is told of an error may throw one, too. */
    @Test
    void anErrorOfWhoIsToldEndsNoWorker() {
        run(
                key -> {
                    told.add(key.name());
                    if (told.size() == 1) {
                        throw new IllegalStateException("a test");
                    }
                    caller.interrupt();
                    return Duration.ZERO;
                },
                (key, failure) -> {
                    throw new OutOfMemoryError("a test");
                },
                "web");
        assertEquals(2, count("web"), "it is tried again");
    }
}
