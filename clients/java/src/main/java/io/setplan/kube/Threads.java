package io.setplan.kube;

import java.util.List;

/** Threads of this package. */
final class Threads {
    private Threads() {}

    /** Waits for the end of all, also where the waiting thread is interrupted meanwhile. */
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
