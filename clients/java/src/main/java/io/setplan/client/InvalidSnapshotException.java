package io.setplan.client;

/** The request is malformed; {@link #violations} names each field. */
public final class InvalidSnapshotException extends PlannerException {
    private static final long serialVersionUID = 1;

    /**
     * Makes an error; for tests of a caller.
     *
     * @param failure what is known of the call
     */
    public InvalidSnapshotException(Failure failure) {
        super(failure);
    }
}
