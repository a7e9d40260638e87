package io.setplan.kube;

import java.time.Duration;
import java.util.List;

/** Waits for threads, also where the waiting thread is interrupted meanwhile. */
final class Threads {
    private Threads() {}

    /** Waits for the end of one, and no longer than this. */
    static void join(Thread thread, Duration most) {
        boolean interrupted = false;
        long end = System.nanoTime() + most.toNanos();
        while (thread.isAlive() && System.nanoTime() - end < 0) {
            try {
                thread.join(Math.max((end - System.nanoTime()) / 1_000_000, 1));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the end of all. */
    static void joinAll(List<Thread> threads) {
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
