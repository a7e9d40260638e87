package io.setplan.adapter.verify;

import io.setplan.adapter.Operations;
import io.setplan.v1.Action;

/** Why an action is not sent. */
public final class RefusedException extends Exception {
    private static final long serialVersionUID = 1;

    /** The check's name. */
    private final String check;

    private final transient Action action;

    RefusedException(String check, Action action, String why) {
        super("refused unsent (%s): %s %s %s: %s"
                .formatted(
                        check,
                        Operations.nameOf(action),
                        Json.quote(action.getTarget().getKind()),
                        Json.quote(action.getTarget().getName()),
                        why));
        this.check = check;
        this.action = action;
    }

    /** {@return the check's name: there are few, so it can be a metric's label} */
    public String check() {
        return check;
    }

    /** {@return what is not sent} */
    public Action action() {
        return action;
    }
}
