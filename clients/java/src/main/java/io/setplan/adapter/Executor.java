package io.setplan.adapter;

import io.setplan.v1.Action;
import java.time.Duration;

/** Writes to a cluster. */
@FunctionalInterface
public interface Executor {
    /**
     * Carries out one action, with its precondition checked with the write (A8). It never retries (A9). After {@code limit} it ends
     * soon, and says what it knows. It is not interrupted: who has lost the right to write must be refused by the executor.
     *
     * @param key the set
     * @param action the action
     * @param limit how long it may take
     * @return how it ended
     */
    Result apply(Key key, Action action, Duration limit);
}
