package io.setplan.client;

/** The server does not know a behavior or policy of the request. Asking without it could widen what may be deleted (C2). */
public final class UnsupportedPolicyException extends PlannerException {
    private static final long serialVersionUID = 1;

    /**
     * Makes an error; for tests of a caller.
     *
     * @param failure what is known of the call
     */
    public UnsupportedPolicyException(Failure failure) {
        super(failure);
    }
}
