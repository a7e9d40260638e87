package io.setplan.adapter.verify;

import io.setplan.v1.Claim;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/** The checks of new pods: what they are and what they run. */
final class PodChecks {
    private PodChecks() {}

    static String wanted(Subject s) {
        OptionalInt ordinal = s.ordinal();
        if (ordinal.isEmpty()) {
            return "the name is not the set's name with an ordinal";
        }
        if (s.isDrain()) {
            return s.mayDrain(ordinal.getAsInt()) ? "" : "the ordinal is in the range, and no drain of it was begun";
        }
        if (s.view.deleting()) {
            return "the set is being deleted";
        }
        return s.view.range().has(ordinal.getAsInt()) ? "" : "the ordinal is not in the range";
    }

    static String revision(Subject s) {
        String name = s.revisionLabel();
        boolean known = s.view.revisions.containsKey(name) || s.view.made.contains(name);
        return !name.isEmpty() && known
                ? ""
                : "its revision %s is neither in the snapshot nor made by the plan".formatted(Json.quote(name));
    }

    /** Lets a drain pod list only claims of its ordinal that it may drain, because its success allows their deletion. */
    static String drainClaims(Subject s) {
        OptionalInt ordinal = s.ordinal();
        if (ordinal.isEmpty() || !s.covers(ordinal.getAsInt())) {
            return "the ordinal was outside the range before the policy could cover it";
        }
        if (s.view.shared()) {
            return "another set uses the same claim name";
        }
        Set<String> may = s.view.claimsOf(ordinal.getAsInt()).stream()
                .filter(claim -> claim.getDeletionUnixMs() == 0 && isFree(s, claim))
                .map(Claim::getUid)
                .collect(Collectors.toSet());
        return Arrays.stream(claimsOf(s).split(",", -1))
                .filter(uid -> !may.contains(uid))
                .findFirst()
                .map(uid -> "it says that it drains %s, which is not a claim of its ordinal".formatted(Json.quote(uid)))
                .orElse("");
    }

    private static boolean isFree(Subject s, Claim claim) {
        String mark = s.markOf(claim);
        return mark.isEmpty() || s.view.ofSameName(mark);
    }

    private static String claimsOf(Subject s) {
        return s.manifest().get("metadata", "annotations", Names.DRAIN_CLAIMS).string();
    }

    /** Asks for exactly what the template says: containers, service account, host namespaces, node, all of it. */
    static String spec(Subject s) {
        Json spec = s.manifest().get("spec");
        Json template = s.template().get("spec");
        if (template.isNull()) {
            return "there is no template that it could be made of";
        }
        Set<String> but = new HashSet<>(Subject.OWN_SPEC);
        if (s.isDrain() && template.get("restartPolicy").isNull()) {
            but.add("restartPolicy");
            if (!spec.get("restartPolicy").is("OnFailure")) {
                return "its restartPolicy is not OnFailure";
            }
        }
        if (s.isDrain() && s.view.policy.proves()) {
            String wanted = Proof.token(s.view.mark(), claimsOf(s));
            for (String field : List.of("initContainers", "containers")) {
                but.add(field);
                if (Proof.containersDiffer(spec.get(field), template.get(field), wanted)) {
                    return field + " of its spec are not what the template says, with the token";
                }
            }
        }
        String key = spec.differing(template, but);
        return key.isEmpty() ? "" : key + " of its spec is not what the template says";
    }

    static String address(Subject s) {
        if (!s.manifest().get("spec", "hostname").is(s.name)) {
            return "the host name is not the pod's";
        }
        Json subdomain = s.manifest().get("spec", "subdomain");
        String service = s.set.getServiceName();
        boolean right = service.isEmpty() ? subdomain.isNull() : subdomain.is(service);
        return right ? "" : "the subdomain is not the set's service";
    }

    /** Asks for the claims of the ordinal first, in the order of the claim templates, then for the template's other volumes. */
    static String volumes(Subject s) {
        List<Json> wanted = new ArrayList<>();
        List<String> names =
                s.view.claimNames.stream().filter(name -> !isWithout(s, name)).toList();
        for (String name : names) {
            wanted.add(new Json.Members(Map.of(
                    "name",
                    new Json.Text(name),
                    "persistentVolumeClaim",
                    Json.object("claimName", name + "-" + s.name))));
        }
        s.template().get("spec", "volumes").items().stream()
                .filter(volume -> !names.contains(volume.get("name").string()))
                .forEach(wanted::add);
        boolean right = s.manifest().get("spec", "volumes").items().equals(wanted);
        return right ? "" : "its volumes are not the claims of its ordinal and the template's others";
    }

    /** Reports whether a new pod is without a claim template: a drain pod without one whose claim is not there, too. */
    private static boolean isWithout(Subject s, String template) {
        if (s.isDrain()) {
            boolean spare = s.view.isAdded(template) || s.view.mayRemove(template);
            return spare && !s.view.claims.containsKey(template + "-" + s.name);
        }
        return !s.view.has(s.revisionLabel(), template);
    }
}
