package io.setplan.adapter;

/** The plan was dropped because the world had moved. The next pass plans anew; nobody has to act. */
public final class PlanDroppedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Makes one.
     *
     * @param message why
     */
    public PlanDroppedException(String message) {
        super(message);
    }
}
