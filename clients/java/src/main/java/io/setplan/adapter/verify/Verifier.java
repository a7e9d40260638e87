package io.setplan.adapter.verify;

import io.setplan.adapter.Operations;
import io.setplan.v1.Action;
import io.setplan.v1.Action.OperationCase;
import io.setplan.v1.OwnerReference;
import io.setplan.v1.Snapshot;
import io.setplan.v1.Stage;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Checks one plan against one snapshot. */
public final class Verifier {
    private final SetView view;
    private final List<Check> checks;

    /**
     * Makes a verifier with all checks.
     *
     * @param snapshot what was sent
     */
    public Verifier(Snapshot snapshot) {
        this(snapshot, Check.ALL);
    }

    Verifier(Snapshot snapshot, List<Check> checks) {
        this.view = new SetView(snapshot);
        this.checks = checks;
    }

    /**
     * Checks every action of a stage, in the order of the plan.
     *
     * @param stage the stage
     * @throws RefusedException nothing of the stage may be sent
     */
    public void stage(Stage stage) throws RefusedException {
        for (Action action : Operations.actionsOf(stage)) {
            Subject subject = new Subject(view, stage, action);
            for (Check check : checks) {
                String why = check.about().test(subject) ? check.fault().apply(subject) : "";
                if (!why.isEmpty()) {
                    throw new RefusedException(check.name(), action, why);
                }
            }
            remember(subject);
        }
    }

    /** Keeps what later actions of the plan may rely on. */
    private void remember(Subject s) {
        if (s.is(OperationCase.CREATE_REVISION) || s.is(OperationCase.RENUMBER_REVISION)) {
            view.made.add(s.name);
        }
        if (s.is(OperationCase.CREATE_REVISION)) {
            view.removals.put(s.name, s.manifest().get("data").get(Names.CLAIM_TEMPLATES));
        }
        if (s.is(OperationCase.SET_CLAIM_OWNERS)) {
            Set<String> left = s.owners().stream().map(OwnerReference::getUid).collect(Collectors.toSet());
            for (OwnerReference owner : s.ownersNow()) {
                if (!left.contains(owner.getUid())) {
                    view.released.add(new SetView.Reference(s.claim().getUid(), owner.getUid()));
                }
            }
        }
    }
}
