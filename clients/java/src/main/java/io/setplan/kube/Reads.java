package io.setplan.kube;

import io.setplan.rawjson.Raw;
import io.setplan.snapshot.Objects;
import io.setplan.snapshot.Snapshots;
import java.util.List;

/** Reads one set, without caches. */
public final class Reads {
    private Reads() {}

    /**
     * Reads a set and what a snapshot of it needs; all kinds are complete.
     *
     * @param api the cluster
     * @param namespace its namespace
     * @param name its name
     * @return the objects
     * @throws ApiException there is no such set, among others
     */
    public static Objects read(Api api, String namespace, String name) {
        Raw set = api.get(Resource.SETS.path(namespace, name));
        return new Objects(
                set,
                items(api, Resource.PODS, namespace),
                items(api, Resource.CLAIMS, namespace),
                items(api, Resource.REVISIONS, namespace),
                items(api, Resource.SETS, namespace));
    }

    private static List<Raw> items(Api api, Resource resource, String namespace) {
        return Snapshots.items(api.get(resource.path(namespace)));
    }
}
