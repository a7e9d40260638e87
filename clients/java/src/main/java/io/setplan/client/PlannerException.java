package io.setplan.client;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.BadRequest.FieldViolation;
import com.google.rpc.Code;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.setplan.v1.ErrorReason;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A call without an answer. {@link #reason} says why, if the planner itself refused; without a reason, {@link #code} says
 * what happened to the call: with UNAVAILABLE and DEADLINE_EXCEEDED, no planner answered in time.
 */
public final class PlannerException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private static final String DOMAIN = "setplan.io";

    private final Status status;

    /**
     * Makes the error of a status, such as a planner sends.
     *
     * @param status the code, the message and the details
     */
    public PlannerException(Status status) {
        super(Code.forNumber(status.getCode()) + ": " + status.getMessage());
        this.status = status;
    }

    static PlannerException of(StatusRuntimeException error) {
        PlannerException told = new PlannerException(status(error));
        told.initCause(error);
        return told;
    }

    private static Status status(StatusRuntimeException error) {
        io.grpc.Status status = error.getStatus();
        if (status.getCause() != null) { // gRPC's own words say only "io exception"
            return StatusProto.fromStatusAndTrailers(
                    status.augmentDescription(status.getCause().getMessage()), null);
        }
        try {
            return StatusProto.fromThrowable(error);
        } catch (IllegalArgumentException unreadable) { // details that no planner has written
            return StatusProto.fromStatusAndTrailers(status, null);
        }
    }

    /** {@return gRPC's code} */
    public Code code() {
        return Code.forNumber(status.getCode());
    }

    /** {@return what happened, for people} It holds no template data. */
    public String details() {
        return status.getMessage();
    }

    /** {@return why the planner made no plan; unspecified if the error is not the planner's, or the reason is a newer one} */
    public ErrorReason reason() {
        ErrorInfo info = detail(ErrorInfo.getDefaultInstance());
        return Arrays.stream(ErrorReason.values())
                .filter(one -> info.getDomain().equals(DOMAIN) && one.name().equals("ERROR_REASON_" + info.getReason()))
                .findFirst()
                .orElse(ErrorReason.ERROR_REASON_UNSPECIFIED);
    }

    /** {@return the mistakes in the request, each with the path of its field, such as {@code snapshot.pods[3].uid}} */
    public List<FieldViolation> violations() {
        return detail(BadRequest.getDefaultInstance()).getFieldViolationsList();
    }

    /** {@return numbers and names of the reason, such as {@code limit}; error.proto says which} */
    public Map<String, String> metadata() {
        return detail(ErrorInfo.getDefaultInstance()).getMetadataMap();
    }

    /** {@return how long to wait before the next call, if the planner says so} */
    public Optional<Duration> retryAfter() {
        var delay = detail(RetryInfo.getDefaultInstance()).getRetryDelay();
        Duration after = Duration.ofSeconds(delay.getSeconds(), delay.getNanos());
        return after.isZero() ? Optional.empty() : Optional.of(after);
    }

    /** Returns the first detail of a kind; an empty one if there is none that can be read. */
    @SuppressWarnings("unchecked")
    private <M extends Message> M detail(M none) {
        for (Any detail : status.getDetailsList()) {
            if (detail.is(none.getClass())) {
                try {
                    return (M) detail.unpack(none.getClass());
                } catch (InvalidProtocolBufferException e) {
                    return none;
                }
            }
        }
        return none;
    }
}
