package io.setplan.kube;

/** The API server gave no answer. Whether it has carried out a write is not known. */
public final class UnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnavailableException(String message, Throwable cause) {
        super(message + ": " + cause, cause);
    }
}
