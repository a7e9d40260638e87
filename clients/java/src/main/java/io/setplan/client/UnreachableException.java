package io.setplan.client;

/** No answer came: no connection, or the deadline passed. */
public final class UnreachableException extends PlannerException {
    private static final long serialVersionUID = 1;

    /**
     * Makes an error; for tests of a caller.
     *
     * @param failure what is known of the call
     */
    public UnreachableException(Failure failure) {
        super(failure);
    }
}
