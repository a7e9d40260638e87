package io.setplan.client;

/** The server is shutting down, and so was every other that the retries reached. */
public final class DrainingException extends PlannerException {
    private static final long serialVersionUID = 1;

    /**
     * Makes an error; for tests of a caller.
     *
     * @param failure what is known of the call
     */
    public DrainingException(Failure failure) {
        super(failure);
    }
}
