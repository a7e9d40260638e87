package io.setplan.adapter;

import io.setplan.v1.OutcomeResult;
import org.jspecify.annotations.Nullable;

/**
 * The result of one action.
 *
 * @param error why the action failed; null if it succeeded, or had been done before
 * @param outcome classifies the error; unspecified without one
 * @param write what was written; null if nothing was
 */
public record Result(
        @Nullable Exception error,
        OutcomeResult outcome,
        @Nullable Write write) {
    /**
     * There was nothing to do.
     *
     * @return the result
     */
    public static Result nothing() {
        return new Result(null, OutcomeResult.OUTCOME_RESULT_UNSPECIFIED, null);
    }

    /**
     * It was done.
     *
     * @param write the write
     * @return the result
     */
    public static Result done(Write write) {
        return new Result(null, OutcomeResult.OUTCOME_RESULT_UNSPECIFIED, write);
    }

    /**
     * It failed.
     *
     * @param error why it failed
     * @param outcome what kind of error it is
     * @return the result
     */
    public static Result failed(Exception error, OutcomeResult outcome) {
        return new Result(error, outcome, null);
    }
}
