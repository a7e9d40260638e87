package io.setplan.client;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.setplan.client.PlannerException.Failure;
import io.setplan.v1.ErrorReason;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Makes errors of gRPC's statuses. */
final class Errors {
    /** The domain of the planner's ErrorInfo. */
    static final String DOMAIN = "setplan.io";

    private static final Metadata.Key<byte[]> TRAILER =
            Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);
    private static final String REASON = "ERROR_REASON_";

    // What gRPC says of a message over a limit: its own, of this client, and the server's.
    private static final Pattern OUR_LIMIT = Pattern.compile("message exceeds maximum size ([0-9]+): ([0-9]+)");
    private static final Pattern SERVERS_LIMIT = Pattern.compile("larger than max \\(([0-9]+) vs\\.? ([0-9]+)\\)");

    private static final Map<ErrorReason, Function<Failure, PlannerException>> KINDS = Map.of(
            ErrorReason.ERROR_REASON_INVALID_SNAPSHOT, InvalidSnapshotException::new,
            ErrorReason.ERROR_REASON_UNSUPPORTED_POLICY, UnsupportedPolicyException::new,
            ErrorReason.ERROR_REASON_TOO_MANY_PODS, TooManyPodsException::new,
            ErrorReason.ERROR_REASON_MESSAGE_TOO_LARGE, MessageTooLargeException::new,
            ErrorReason.ERROR_REASON_DRAINING, DrainingException::new,
            ErrorReason.ERROR_REASON_INTERNAL, InternalErrorException::new,
            ErrorReason.ERROR_REASON_OVERLOADED, OverloadedException::new,
            ErrorReason.ERROR_REASON_UNKNOWN_CALLER, UnknownCallerException::new);
    private static final Set<Status.Code> SILENT =
            EnumSet.of(Status.Code.UNAVAILABLE, Status.Code.DEADLINE_EXCEEDED, Status.Code.CANCELLED);

    private Errors() {}

    static PlannerException of(StatusRuntimeException error) {
        Metadata trailers = error.getTrailers();
        byte[] details = trailers == null ? null : trailers.get(TRAILER);
        String message = error.getStatus().getDescription();
        PlannerException told = of(error.getStatus().getCode(), message == null ? "" : message, details);
        told.initCause(error);
        return told;
    }

    /** Makes the error of a status, and of the trailer {@code grpc-status-details-bin}. */
    static PlannerException of(Status.Code code, String message, byte @Nullable [] trailer) {
        List<Any> details = details(trailer);
        ErrorInfo info = first(details, ErrorInfo.class, ErrorInfo.getDefaultInstance());
        boolean ours = info.getDomain().equals(DOMAIN) && !info.getReason().isEmpty();
        if (!ours && code == Status.Code.RESOURCE_EXHAUSTED) {
            PlannerException size = ofSize(message);
            if (size != null) {
                return size;
            }
        }
        Failure failure = new Failure(
                code,
                message,
                ours ? reason(info.getReason()) : ErrorReason.ERROR_REASON_UNSPECIFIED,
                violations(details),
                Map.copyOf(info.getMetadataMap()),
                retryAfter(details));
        Function<Failure, PlannerException> kind = KINDS.get(failure.reason());
        if (kind != null) {
            return kind.apply(failure);
        }
        return !ours && SILENT.contains(code) ? new UnreachableException(failure) : new PlannerException(failure);
    }

    /** Makes the error of an answer that has no plan. */
    static PlannerException noPlan() {
        return new PlannerException(new Failure(
                Status.Code.INTERNAL,
                "the planner answered without a plan",
                ErrorReason.ERROR_REASON_UNSPECIFIED,
                List.of(),
                Map.of(),
                null));
    }

    /** Makes the error of a message over a limit. */
    static MessageTooLargeException tooLarge(String what, long bytes, String whose, long limit) {
        return new MessageTooLargeException(new Failure(
                Status.Code.RESOURCE_EXHAUSTED,
                "the %s has %d bytes; %s limit is %d".formatted(what, bytes, whose, limit),
                ErrorReason.ERROR_REASON_MESSAGE_TOO_LARGE,
                List.of(),
                Map.of("bytes", Long.toString(bytes), "limit", Long.toString(limit)),
                null));
    }

    /** Says of gRPC's error for a message over a limit whose limit it was. The client measures its own requests. */
    private static @Nullable PlannerException ofSize(String message) {
        Matcher ours = OUR_LIMIT.matcher(message);
        if (ours.find()) {
            return tooLarge("plan", Long.parseLong(ours.group(2)), "this client's", Long.parseLong(ours.group(1)));
        }
        Matcher servers = SERVERS_LIMIT.matcher(message);
        if (servers.find()) {
            return tooLarge(
                    "request", Long.parseLong(servers.group(1)), "the server's", Long.parseLong(servers.group(2)));
        }
        return null;
    }

    /** Reads the details of a status; what is unreadable there is left out. */
    private static List<Any> details(byte @Nullable [] trailer) {
        try {
            return trailer == null
                    ? List.of()
                    : com.google.rpc.Status.parseFrom(trailer).getDetailsList();
        } catch (InvalidProtocolBufferException e) {
            return List.of();
        }
    }

    private static <M extends Message> M first(List<Any> details, Class<M> kind, M none) {
        for (Any detail : details) {
            if (detail.is(kind)) {
                try {
                    return detail.unpack(kind);
                } catch (InvalidProtocolBufferException e) {
                    return none;
                }
            }
        }
        return none;
    }

    private static List<Violation> violations(List<Any> details) {
        return first(details, BadRequest.class, BadRequest.getDefaultInstance()).getFieldViolationsList().stream()
                .map(one -> new Violation(one.getField(), one.getDescription()))
                .toList();
    }

    private static @Nullable Duration retryAfter(List<Any> details) {
        RetryInfo info = first(details, RetryInfo.class, RetryInfo.getDefaultInstance());
        var delay = info.getRetryDelay();
        return info.hasRetryDelay() ? Duration.ofSeconds(delay.getSeconds(), delay.getNanos()) : null;
    }

    /** Returns the value of the contract for a name in an ErrorInfo. */
    private static ErrorReason reason(String name) {
        for (ErrorReason reason : ErrorReason.values()) {
            if (reason.name().equals(REASON + name)) {
                return reason;
            }
        }
        return ErrorReason.ERROR_REASON_UNSPECIFIED;
    }
}
