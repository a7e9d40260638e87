package io.setplan.adapter;

/** The adapter does not know a field that restricts when to write (A21). */
public final class UnknownGuardException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Makes one.
     *
     * @param message why
     */
    public UnknownGuardException(String message) {
        super(message);
    }
}
