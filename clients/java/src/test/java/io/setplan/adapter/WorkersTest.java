package io.setplan.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Steps side by side. */
class WorkersTest {
    private final CountDownLatch refused = new CountDownLatch(1);

    /** As where a container may have no more threads. */
    private ExecutorService threads(int most) {
        AtomicInteger made = new AtomicInteger();
        return new ThreadPoolExecutor(0, 1000, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
            if (made.incrementAndGet() > most) {
                refused.countDown();
                throw new OutOfMemoryError("unable to create native thread");
            }
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** A pass that left some of it behind would have a pass of the same set beside it. */
    @Test
    void fewerThreadsDoAllOfIt() {
        Set<Integer> done = ConcurrentHashMap.newKeySet();
        Workers.runAll(
                threads(2),
                100,
                List.of(1, 2, 3, 4, 5),
                number -> {
                    assertTrue(awaits(refused));
                    done.add(number);
                },
                new AtomicBoolean());
        assertEquals(Set.of(1, 2, 3, 4, 5), done);
    }

    private static boolean awaits(CountDownLatch latch) {
        try {
            return latch.await(1, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    void noThreadIsAnError() {
        assertThrows(
                OutOfMemoryError.class,
                () -> Workers.runAll(threads(0), 100, List.of(1), number -> {}, new AtomicBoolean()));
    }
}
