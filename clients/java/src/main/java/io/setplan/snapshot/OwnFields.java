package io.setplan.snapshot;

import io.setplan.rawjson.Raw;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the spec of a set of another kind has beyond apps/v1, as its text (SPEC.md, A22). */
final class OwnFields {
    // The fields of the spec of apps/v1 that the contract has, and of which fields inside them.
    private static final Set<String> WHOLE = Set.of(
            "minReadySeconds",
            "podManagementPolicy",
            "replicas",
            "revisionHistoryLimit",
            "selector",
            "serviceName",
            "template",
            "volumeClaimTemplates");
    private static final Known SPEC = new Known(
            WHOLE,
            Map.of(
                    "ordinals", new Known(Set.of("start"), Map.of()),
                    "persistentVolumeClaimRetentionPolicy", new Known(Set.of("whenDeleted", "whenScaled"), Map.of()),
                    "updateStrategy",
                            new Known(
                                    Set.of("type"),
                                    Map.of(
                                            "rollingUpdate",
                                            new Known(Set.of("maxUnavailable", "partition"), Map.of())))));

    /** Fields that the contract has as a whole, and those with more fields inside. */
    private record Known(Set<String> whole, Map<String, Known> inside) {}

    private OwnFields() {}

    /** Returns one JSON object; empty where there is nothing. */
    static String of(Raw spec) {
        return beyond(spec, SPEC);
    }

    private static String beyond(Raw raw, Known known) {
        List<String> rest = new ArrayList<>();
        raw.members().forEach((key, member) -> {
            @Nullable Known inside = known.inside.get(key);
            String text = inside != null ? beyond(member, inside) : known.whole.contains(key) ? "" : member.text();
            if (!text.isEmpty()) {
                rest.add("\""
                        + new String(com.fasterxml.jackson.core.io.JsonStringEncoder.getInstance()
                                .quoteAsString(key)) + "\":" + text);
            }
        });
        return rest.isEmpty() ? "" : "{" + String.join(",", rest) + "}";
    }
}
