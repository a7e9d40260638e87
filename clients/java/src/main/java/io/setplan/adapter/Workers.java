package io.setplan.adapter;

import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Works on some things side by side. */
final class Workers<T> {
    private static final Logger LOG = LoggerFactory.getLogger(Workers.class);

    private final Queue<T> left;
    private final Consumer<T> work;
    private final AtomicBoolean over;
    private final CountDownLatch ends;
    private final AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();

    private Workers(Collection<T> things, Consumer<T> work, int workers, AtomicBoolean over) {
        this.left = new ConcurrentLinkedQueue<>(things);
        this.work = work;
        this.over = over;
        this.ends = new CountDownLatch(workers);
    }

    /**
     * Returns when all is done, or nothing is under way and {@code over} is true, which an interrupt of the caller makes it. Then nothing
     * more begins, and what has begun is not disturbed. Also where work throws, all of it ends before anything else begins.
     */
    static <T> void runAll(
            ExecutorService threads, int most, Collection<T> things, Consumer<T> work, AtomicBoolean over) {
        if (Thread.currentThread().isInterrupted()) {
            over.set(true);
            return;
        }
        int workers = Math.min(most, things.size());
        Workers<T> all = new Workers<>(things, work, workers, over);
        int started = 0;
        try {
            for (; started < workers; started++) {
                threads.execute(all::run);
            }
        } catch (OutOfMemoryError e) { // no more threads: those that are there do it all
            if (started == 0) {
                throw e;
            }
            LOG.warn("{} of {} workers have a thread: {}", started, workers, e.toString());
            for (int i = started; i < workers; i++) {
                all.ends.countDown();
            }
        }
        all.join();
    }

    private void join() {
        boolean interrupted = false;
        boolean ended = false;
        while (!ended) {
            try {
                ends.await();
                ended = true;
            } catch (InterruptedException e) {
                interrupted = true;
                over.set(true);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        Throwable first = thrown.get();
        if (first instanceof Error error) {
            throw error;
        }
        if (first instanceof RuntimeException error) {
            throw error;
        }
    }

    private void run() {
        try {
            for (T thing = left.poll(); thing != null && !over.get(); thing = left.poll()) {
                work.accept(thing);
            }
        } catch (RuntimeException | Error e) {
            thrown.compareAndSet(null, e);
        } finally {
            ends.countDown();
        }
    }
}
