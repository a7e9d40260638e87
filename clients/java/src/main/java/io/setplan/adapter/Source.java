package io.setplan.adapter;

import io.setplan.v1.Snapshot;

/** Reads a cluster, from caches if it has them. */
public interface Source {
    /**
     * Makes the snapshot of one set, without policy and outcomes, which the loop adds.
     *
     * @throws GoneException there is no such set
     */
    Snapshot snapshot(Key key);

    /**
     * Returns the cached identity of the set, for the fence.
     *
     * @throws GoneException there is no such set
     */
    SetIdentity set(Key key);

    /**
     * Returns the same from the API server, not from a cache (A7).
     *
     * @throws GoneException there is no such set
     */
    SetIdentity liveSet(Key key);

    /** Reports whether the caches show the effect of a write. */
    boolean observed(Key key, Write write);

    /** Reads the object of a write past every cache, and reports whether the cache has it as it is, or lacks it too. */
    boolean current(Key key, Write write);
}
