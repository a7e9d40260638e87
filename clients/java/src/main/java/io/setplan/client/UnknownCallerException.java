package io.setplan.client;

/** The planner serves the clusters of a policy, and the caller's certificate or token names none of them (C6). */
public final class UnknownCallerException extends PlannerException {
    private static final long serialVersionUID = 1;

    /**
     * Makes an error; for tests of a caller.
     *
     * @param failure what is known of the call
     */
    public UnknownCallerException(Failure failure) {
        super(failure);
    }
}
