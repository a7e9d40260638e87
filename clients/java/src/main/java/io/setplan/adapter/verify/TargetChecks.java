package io.setplan.adapter.verify;

import io.setplan.v1.Action.OperationCase;
import io.setplan.v1.Precondition;
import io.setplan.v1.Scope;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The checks of an action's target and preconditions. */
final class TargetChecks {
    private static final String THE_SETS = "";
    private static final Map<OperationCase, List<String>> KINDS = new EnumMap<>(Map.ofEntries(
            Map.entry(OperationCase.CREATE_POD, List.of(Names.POD)),
            Map.entry(OperationCase.DELETE_POD, List.of(Names.POD)),
            Map.entry(OperationCase.EVICT_POD, List.of(Names.POD)),
            Map.entry(OperationCase.PATCH_POD, List.of(Names.POD)),
            Map.entry(OperationCase.UPDATE_POD, List.of(Names.POD)),
            Map.entry(OperationCase.RESIZE_POD, List.of(Names.POD)),
            Map.entry(OperationCase.ADOPT_POD, List.of(Names.POD)),
            Map.entry(OperationCase.RELEASE_POD, List.of(Names.POD)),
            Map.entry(OperationCase.CREATE_CLAIM, List.of(Names.CLAIM)),
            Map.entry(OperationCase.SET_CLAIM_OWNERS, List.of(Names.CLAIM)),
            Map.entry(OperationCase.DELETE_CLAIM, List.of(Names.CLAIM)),
            Map.entry(OperationCase.PATCH_CLAIM, List.of(Names.CLAIM)),
            Map.entry(OperationCase.CREATE_REVISION, List.of(Names.REVISION)),
            Map.entry(OperationCase.RENUMBER_REVISION, List.of(Names.REVISION)),
            Map.entry(OperationCase.ADOPT_REVISION, List.of(Names.REVISION)),
            Map.entry(OperationCase.DELETE_REVISION, List.of(Names.REVISION)),
            Map.entry(OperationCase.PATCH_ANNOTATIONS, List.of(Names.POD, Names.CLAIM)),
            Map.entry(OperationCase.UPDATE_STATUS, List.of(THE_SETS)),
            Map.entry(OperationCase.SET_FINALIZER, List.of(THE_SETS))));

    // An action that would do harm on an old view names the version that was seen.
    private static final Set<OperationCase> NEEDS_VERSION = EnumSet.of(
            OperationCase.PATCH_POD,
            OperationCase.UPDATE_POD,
            OperationCase.RESIZE_POD,
            OperationCase.SET_CLAIM_OWNERS,
            OperationCase.PATCH_CLAIM,
            OperationCase.RENUMBER_REVISION,
            OperationCase.UPDATE_STATUS,
            OperationCase.DELETE_CLAIM);

    private TargetChecks() {}

    static String operation(Subject s) {
        return KINDS.containsKey(s.operation) ? "" : "this adapter has no checks for it";
    }

    static String kind(Subject s) {
        boolean wanted = KINDS.getOrDefault(s.operation, List.of()).stream()
                .map(kind -> kind.equals(THE_SETS) ? s.set.getKind() : kind)
                .anyMatch(s.kind::equals);
        return wanted ? "" : "the operation is not for this kind";
    }

    static String namespace(Subject s) {
        if (s.namespace.equals(s.set.getNamespace())) {
            return "";
        }
        return "the target is in namespace %s, the set in %s".formatted(Json.quote(s.namespace), s.set.getNamespace());
    }

    static String name(Subject s) {
        return Names.isName(s.name) ? "" : "the target's name is not a DNS name";
    }

    static String create(Subject s) {
        Precondition precondition = s.action.getPrecondition();
        boolean right = precondition.getMustNotExist() && precondition.getUid().isEmpty();
        return right ? "" : "a create must require that no object of the name exists";
    }

    /** Refuses an action that changes an object and does not name the uid that the snapshot shows. */
    static String uid(Subject s) {
        String uid = seen(s).uid;
        String named = s.action.getPrecondition().getUid();
        if (uid.isEmpty()) {
            return "the snapshot has no such object";
        }
        if (named.isEmpty()) {
            return "the action names no uid";
        }
        return named.equals(uid) ? "" : "the snapshot shows another uid";
    }

    static String version(Subject s) {
        String version = s.action.getPrecondition().getResourceVersion();
        if (version.isEmpty()) {
            boolean needed = NEEDS_VERSION.contains(s.operation) || s.marksClaim() || UnderWay.marksPod(s);
            return needed ? "the action names no resource version" : "";
        }
        return version.equals(seen(s).version) ? "" : "the snapshot shows another resource version";
    }

    private record Seen(String uid, String version) {}

    /** Returns the target's uid and version in the snapshot. */
    private static Seen seen(Subject s) {
        if (s.kind.equals(s.set.getKind()) && s.name.equals(s.set.getName())) {
            return new Seen(s.set.getUid(), s.set.getResourceVersion());
        }
        return switch (s.kind) {
            case Names.POD -> new Seen(s.pod().getUid(), s.pod().getResourceVersion());
            case Names.CLAIM -> new Seen(s.claim().getUid(), s.claim().getResourceVersion());
            case Names.REVISION -> new Seen(s.revision().getUid(), s.revision().getResourceVersion());
            default -> new Seen("", "");
        };
    }

    /** Reports whether another controller runs the set. A scope that we do not know is no wider. */
    static boolean isAlone(Subject s) {
        return s.view.snapshot.getPolicy().getScopeValue() > Scope.SCOPE_WHOLE_SET_VALUE;
    }

    /** Refuses what is not part of a drain. */
    static String alone(Subject s) {
        boolean may =
                switch (s.operation) {
                    case PATCH_ANNOTATIONS -> !UnderWay.marksPod(s);
                    case DELETE_CLAIM, SET_FINALIZER -> true;
                    case SET_CLAIM_OWNERS -> s.view.draining() && s.ownersNow().containsAll(s.owners());
                    case CREATE_POD -> s.isDrain();
                    case DELETE_POD -> s.view.drainPod(s.pod()) || s.view.emptying();
                    default -> false;
                };
        return may ? "" : "another controller runs the set, and this is not part of a drain";
    }
}
