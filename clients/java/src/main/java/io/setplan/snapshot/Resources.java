package io.setplan.snapshot;

import io.setplan.rawjson.Raw;
import io.setplan.v1.ContainerResources;
import io.setplan.v1.PodResize;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What containers may use, and what a node says of a change of it. */
final class Resources {
    private static final List<String> NAMES = List.of("cpu", "memory"); // no others change while a pod stays
    private static final int MAX_MESSAGE = 1024; // bytes: what the contract allows

    private Resources() {}

    /** Puts the resources of a spec or a status into the contract's form, with the texts of the API server. */
    static ContainerResources message(Raw resources) {
        return ContainerResources.newBuilder()
                .putAllRequests(amounts(resources, "requests"))
                .putAllLimits(amounts(resources, "limits"))
                .build();
    }

    private static Map<String, String> amounts(Raw resources, String list) {
        Map<String, String> amounts = new HashMap<>();
        for (String name : NAMES) {
            if (resources.get(list, name) != null) {
                amounts.put(name, resources.string(list, name));
            }
        }
        return amounts;
    }

    /** Finds a condition of a pod whose resources change, if it is there and true. */
    static Optional<PodResize> condition(Raw pod, String type) {
        return pod.list("status", "conditions").stream()
                .filter(one ->
                        one.string("type").equals(type) && one.string("status").equals("True"))
                .findFirst()
                .map(one -> PodResize.newBuilder()
                        .setReason(one.string("reason"))
                        .setMessage(Fields.cut(one.string("message"), MAX_MESSAGE))
                        .setSinceUnixMs(Fields.millis(one, "lastTransitionTime"))
                        .setObservedGeneration(one.int64("observedGeneration"))
                        .build());
    }
}
