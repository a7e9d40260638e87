package io.setplan.kube;

/** The lease was not renewed in time: another process may write now. */
public final class LeaseLostException extends RuntimeException {
    private static final long serialVersionUID = 1;

    LeaseLostException(String message) {
        super(message);
    }
}
