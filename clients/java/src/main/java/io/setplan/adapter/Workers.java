package io.setplan.adapter;

import java.util.Collection;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Works on some things side by side. */
final class Workers<T> {
    private final Queue<T> left;
    private final Consumer<T> work;
    private final CountDownLatch ends;
    private final Set<Thread> running = new HashSet<>();
    private final AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    private boolean interrupted;

    private Workers(Collection<T> things, Consumer<T> work, int workers) {
        this.left = new ConcurrentLinkedQueue<>(things);
        this.work = work;
        this.ends = new CountDownLatch(workers);
    }

    /**
     * Returns when all is done. An interrupt is passed on to all that work; also then, and where work throws, all of it ends before
     * anything else begins.
     */
    static <T> void runAll(ExecutorService threads, int most, Collection<T> things, Consumer<T> work) {
        int workers = Math.min(most, things.size());
        Workers<T> all = new Workers<>(things, work, workers);
        for (int i = 0; i < workers; i++) {
            threads.execute(all::run);
        }
        all.join();
    }

    private void join() {
        boolean ended = false;
        while (!ended) {
            try {
                ends.await();
                ended = true;
            } catch (InterruptedException e) {
                interruptAll();
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
        begin();
        try {
            for (T thing = left.poll(); thing != null; thing = left.poll()) {
                work.accept(thing);
            }
        } catch (RuntimeException | Error e) {
            thrown.compareAndSet(null, e);
        } finally {
            end();
            ends.countDown();
        }
    }

    private synchronized void begin() {
        running.add(Thread.currentThread());
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the work of a thread, which then works on something else, where an interrupt would be out of place. */
    private synchronized void end() {
        running.remove(Thread.currentThread());
        Thread.interrupted();
    }

    private synchronized void interruptAll() {
        interrupted = true;
        running.forEach(Thread::interrupt);
    }
}
