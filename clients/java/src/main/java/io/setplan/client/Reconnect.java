package io.setplan.client;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Connects again and again while calls wait for a channel that has no connection. By itself gRPC waits between two connections for
 * up to two minutes, longer than all retries of a call, and an attempt fails at once with what the last connection said: a planner
 * that is back would not be noticed.
 */
final class Reconnect {
    /** How often a channel connects, however many calls wait for it. */
    static final Duration EVERY = Duration.ofMillis(100);

    private final ManagedChannel channel;
    private final AtomicLong next = new AtomicLong(System.nanoTime());

    Reconnect(ManagedChannel channel) {
        this.channel = channel;
    }

    /** Connects, if the last connection has failed and none was begun a moment ago. */
    void now() {
        long due = next.get();
        long now = System.nanoTime();
        if (now - due >= 0
                && channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE
                && next.compareAndSet(due, now + EVERY.toNanos())) {
            channel.resetConnectBackoff();
        }
    }
}
