package io.setplan.adapter;

import io.setplan.v1.Action;
import io.setplan.v1.Plan;
import io.setplan.v1.Snapshot;

/** Is told what the loop does, for logs, events and metrics, by many threads. Implement what you need. */
public interface Observer {
    /**
     * Takes note of a plan, before any of it is applied.
     *
     * @param key the set
     * @param snapshot what was sent
     * @param plan the plan
     */
    default void planned(Key key, Snapshot snapshot, Plan plan) {}

    /**
     * Takes note of an action that was tried.
     *
     * @param key the set
     * @param action the action
     * @param result how it ended
     */
    default void applied(Key key, Action action, Result result) {}

    /**
     * Takes note of a pass that got no plan, or did not apply it. {@code reason} is one of few words.
     *
     * @param key the set
     * @param reason one of few words
     * @param error why
     */
    default void held(Key key, String reason, Exception error) {}

    /**
     * Drops what is kept for a set that is gone.
     *
     * @param key the set
     */
    default void forgotten(Key key) {}
}
