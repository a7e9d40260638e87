package io.setplan.kube;

/** Another controller writes the set. The adapter stops acting on it. */
public final class ForeignWriterException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ForeignWriterException(String message) {
        super(message);
    }
}
