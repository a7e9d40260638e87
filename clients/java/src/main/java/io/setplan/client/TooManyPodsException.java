package io.setplan.client;

/** The snapshot has more pods than the limit; {@link #metadata} has {@code pods} and {@code limit}. */
public final class TooManyPodsException extends PlannerException {
    private static final long serialVersionUID = 1;

    /**
     * Makes an error; for tests of a caller.
     *
     * @param failure what is known of the call
     */
    public TooManyPodsException(Failure failure) {
        super(failure);
    }
}
