package io.setplan.client;

/** The planner is reachable and has no room now. Nothing is wrong with the request: ask again after {@link #retryAfter} (C4). */
public final class OverloadedException extends PlannerException {
    private static final long serialVersionUID = 1;

    /**
     * Makes an error; for tests of a caller.
     *
     * @param failure what is known of the call
     */
    public OverloadedException(Failure failure) {
        super(failure);
    }
}
