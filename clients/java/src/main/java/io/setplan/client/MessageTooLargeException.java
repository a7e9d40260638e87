package io.setplan.client;

/** The request or the plan has more bytes than a limit of the server or of this client; {@link #metadata} has {@code bytes} and {@code limit}. */
public final class MessageTooLargeException extends PlannerException {
    private static final long serialVersionUID = 1;

    /**
     * Makes an error; for tests of a caller.
     *
     * @param failure what is known of the call
     */
    public MessageTooLargeException(Failure failure) {
        super(failure);
    }
}
