package io.setplan.client;

import io.grpc.Status;
import io.setplan.v1.ErrorReason;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A call that gave no plan (SPEC.md, P3).
 *
 * <p>Its class is the planner's reason, so {@code catch (OverloadedException e)} needs no look at codes; {@link #reason}
 * has the same as a value of the contract.
 */
public class PlannerException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Failure failure;

    /**
     * What is known of a failed call.
     *
     * @param code gRPC's code
     * @param details what happened, for people; it holds no template data
     * @param reason why the planner made no plan; unspecified if the error is not the planner's, or the reason is a newer one
     * @param violations the mistakes in the request, for {@link InvalidSnapshotException}
     * @param metadata numbers and names of the reason, such as {@code limit}; error.proto says which
     * @param retryAfter not to ask again sooner, where the planner says so
     */
    public record Failure(
            Status.Code code,
            String details,
            ErrorReason reason,
            List<Violation> violations,
            Map<String, String> metadata,
            @Nullable Duration retryAfter) {}

    /**
     * Makes an error; for tests of a caller.
     *
     * @param failure what is known of the call
     */
    public PlannerException(Failure failure) {
        super(failure.code + ": " + failure.details);
        this.failure = failure;
    }

    /** {@return gRPC's code} */
    public final Status.Code code() {
        return failure.code;
    }

    /** {@return what happened, for people} It holds no template data. */
    public final String details() {
        return failure.details;
    }

    /** {@return why the planner made no plan; unspecified if the error is not the planner's, or the reason is a newer one} */
    public final ErrorReason reason() {
        return failure.reason;
    }

    /** {@return the mistakes in the request} */
    public final List<Violation> violations() {
        return failure.violations;
    }

    /** {@return numbers and names of the reason, such as {@code limit}; error.proto says which} */
    public final Map<String, String> metadata() {
        return failure.metadata;
    }

    /** {@return not to ask again sooner than after this, where the planner says so} */
    public final Optional<Duration> retryAfter() {
        return Optional.ofNullable(failure.retryAfter);
    }
}
