package io.setplan.kube;

import io.setplan.rawjson.Raw;
import java.util.List;

/** The API server refused. */
public final class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1;

    static final int NOT_FOUND = 404;
    static final int CONFLICT = 409;
    static final int GONE = 410;
    static final int INVALID = 422;
    private static final int TOO_MANY = 429;
    private static final int INTERNAL = 500;

    /** The code of HTTP. */
    private final int status;

    private final transient Raw body;

    ApiException(int status, Raw body) {
        super(message(status, body));
        this.status = status;
        this.body = body;
    }

    /** {@code answer} is a Status of the API server, or a text of something between. */
    static ApiException of(int status, byte[] answer) {
        try {
            Raw body = Raw.parse(answer);
            return new ApiException(status, body.string("kind").equals("Status") ? body : Raw.parse("{}"));
        } catch (IllegalArgumentException e) {
            return new ApiException(status, Raw.parse("{}"));
        }
    }

    /** {@return the code of HTTP} */
    public int status() {
        return status;
    }

    /** {@return the API server's word for it, such as {@code AlreadyExists}} */
    public String reason() {
        return body.string("reason");
    }

    /** {@return the fields that it is about} */
    public List<String> fields() {
        return body.list("details", "causes").stream()
                .map(cause -> cause.string("field"))
                .toList();
    }

    private static String message(int status, Raw body) {
        String message = body.string("message").isEmpty() ? "HTTP " + status : body.string("message");
        return (message + " " + budget(status, body)).strip();
    }

    /**
     * What a disruption budget says that does not allow an eviction; empty if it is not that. An API server that has too much to do
     * answers with the same status, and without the cause.
     */
    private static String budget(int status, Raw body) {
        if (status != TOO_MANY) {
            return "";
        }
        return body.list("details", "causes").stream()
                .filter(cause -> cause.string("reason").equals("DisruptionBudget"))
                .map(cause -> cause.string("message").isEmpty() ? "?" : cause.string("message"))
                .findFirst()
                .orElse("");
    }

    String budget() {
        return budget(status, body);
    }

    /** Reports whether several disruption budgets select a pod that was to be evicted. Only the text says so. */
    boolean hasManyBudgets() {
        return status == INTERNAL && body.string("message").contains("more than one PodDisruptionBudget");
    }

    boolean isNotFound() {
        return status == NOT_FOUND;
    }

    /** Reports whether the API server does not have the path, and not merely the object there. */
    boolean hasNoSuchPath() {
        return isNotFound() && !reason().equals("NotFound");
    }
}
