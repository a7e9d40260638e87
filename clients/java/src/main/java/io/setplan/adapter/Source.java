package io.setplan.adapter;

import io.setplan.v1.Snapshot;

/** Reads a cluster, from caches if it has them. */
public interface Source {
    /**
     * Makes the snapshot of one set, without policy and outcomes, which the loop adds.
     *
     * @param key the set
     * @return the snapshot
     * @throws GoneException there is no such set
     */
    Snapshot snapshot(Key key);

    /**
     * {@return the cached identity of the set, for the fence}
     *
     * @param key the set
     * @throws GoneException there is no such set
     */
    SetIdentity set(Key key);

    /**
     * {@return the same from the API server, not from a cache (A7)}
     *
     * @param key the set
     * @throws GoneException there is no such set
     */
    SetIdentity liveSet(Key key);

    /**
     * {@return whether the caches show the effect of a write}
     *
     * @param key the set
     * @param write the write
     */
    boolean observed(Key key, Write write);

    /**
     * Reads the object of a write past every cache, and reports whether the cache has it as it is, or lacks it too.
     *
     * @param key the set
     * @param write the write
     * @return whether the cache has it so
     */
    boolean current(Key key, Write write);
}
