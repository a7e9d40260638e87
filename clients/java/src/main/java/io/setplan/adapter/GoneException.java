package io.setplan.adapter;

/** The set does not exist: there is nothing to plan. */
public final class GoneException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Makes one.
     *
     * @param message why
     */
    public GoneException(String message) {
        super(message);
    }
}
