package io.setplan.kube;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A collection of one kind.
 *
 * @param kind the kind of an object
 * @param base the path of the API group's version
 * @param plural the last segment of the collection's path
 */
public record Resource(String kind, String base, String plural) {
    /** StatefulSets. */
    public static final Resource SETS = new Resource("StatefulSet", "/apis/apps/v1", "statefulsets");

    /** Pods. */
    public static final Resource PODS = new Resource("Pod", "/api/v1", "pods");

    /** Claims. */
    public static final Resource CLAIMS = new Resource("PersistentVolumeClaim", "/api/v1", "persistentvolumeclaims");

    /** Controller revisions. */
    public static final Resource REVISIONS = new Resource("ControllerRevision", "/apis/apps/v1", "controllerrevisions");

    /** Leases. */
    public static final Resource LEASES = new Resource("Lease", "/apis/coordination.k8s.io/v1", "leases");

    /** Events. */
    public static final Resource EVENTS = new Resource("Event", "/api/v1", "events");

    // What a name of Kubernetes may have, and no path of two segments, dots or escapes.
    private static final Pattern SEGMENT = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9._:-]+");

    /** {@return the path of the collection in all namespaces} */
    public String path() {
        return base + "/" + plural;
    }

    /**
     * {@return the path of the collection in a namespace, of an object in it, or of a part of that}
     *
     * @param namespace the namespace
     * @param names the object's name and perhaps a subresource
     * @throws IllegalArgumentException a name is not a single segment
     */
    public String path(String namespace, String... names) {
        List<String> segments = new ArrayList<>(List.of("namespaces", namespace, plural));
        segments.addAll(Arrays.asList(names));
        for (String segment : segments) {
            if (!SEGMENT.matcher(segment).matches()) {
                throw new IllegalArgumentException("the name '%s' is not a path segment"
                        .formatted(segment.substring(0, Math.min(segment.length(), 80))));
            }
        }
        return base + "/" + String.join("/", segments);
    }
}
