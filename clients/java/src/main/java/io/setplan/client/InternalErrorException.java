package io.setplan.client;

/** A bug in the planner, which its log has under {@code metadata.request_id}. */
public final class InternalErrorException extends PlannerException {
    private static final long serialVersionUID = 1;

    /**
     * Makes an error; for tests of a caller.
     *
     * @param failure what is known of the call
     */
    public InternalErrorException(Failure failure) {
        super(failure);
    }
}
