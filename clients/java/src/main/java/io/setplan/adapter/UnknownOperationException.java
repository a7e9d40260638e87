package io.setplan.adapter;

/** The adapter does not know the operation (A10). */
public final class UnknownOperationException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Makes one.
     *
     * @param message why
     */
    public UnknownOperationException(String message) {
        super(message);
    }
}
