package io.setplan.adapter;

import java.util.List;
import java.util.stream.Collectors;

/** Actions of a plan failed. The next pass tells the planner. */
public final class ActionsFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient List<Exception> failures;

    ActionsFailedException(Key key, List<Exception> failures) {
        super("actions of the plan for %s failed: %s"
                .formatted(key, failures.stream().map(Exception::getMessage).collect(Collectors.joining("; "))));
        this.failures = List.copyOf(failures);
        failures.forEach(this::addSuppressed);
    }

    /** {@return why each of them failed} */
    public List<Exception> failures() {
        return failures;
    }
}
