package io.setplan.adapter;

import com.google.protobuf.Message;
import io.setplan.v1.Action;
import io.setplan.v1.Action.OperationCase;
import io.setplan.v1.Plan;
import io.setplan.v1.Stage;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The operations of a plan. */
public final class Operations {
    // The operations that take nothing away. One that is forgotten here is fenced.
    private static final Set<OperationCase> HARMLESS = EnumSet.of(
            OperationCase.CREATE_POD,
            OperationCase.PATCH_POD,
            OperationCase.ADOPT_POD,
            OperationCase.RELEASE_POD,
            OperationCase.CREATE_CLAIM,
            OperationCase.SET_CLAIM_OWNERS,
            OperationCase.PATCH_CLAIM,
            OperationCase.CREATE_REVISION,
            OperationCase.RENUMBER_REVISION,
            OperationCase.ADOPT_REVISION,
            OperationCase.UPDATE_STATUS,
            OperationCase.PATCH_ANNOTATIONS,
            OperationCase.SET_FINALIZER);

    private Operations() {}

    /**
     * Names the operation of an action, such as {@code create_pod}; {@code unknown} for one that this build has no member for.
     *
     * @param action the action
     * @return the name
     */
    public static String nameOf(Action action) {
        OperationCase operation = action.getOperationCase();
        return operation == OperationCase.OPERATION_NOT_SET
                ? "unknown"
                : operation.name().toLowerCase(Locale.ROOT);
    }

    /**
     * {@return the actions of a stage, in order}
     *
     * @param stage the stage
     */
    public static List<Action> actionsOf(Stage stage) {
        return stage.getStepsList().stream()
                .flatMap(step -> step.getActionsList().stream())
                .toList();
    }

    /**
     * {@return the actions of a plan, in order}
     *
     * @param plan the plan
     */
    public static List<Action> actionsOf(Plan plan) {
        return plan.getStagesList().stream()
                .flatMap(stage -> actionsOf(stage).stream())
                .toList();
    }

    /** Reports whether an action takes something away, if only for a while: the fence is checked again before it (A4). */
    static boolean deletes(Action action) {
        if (action.hasUpdatePod()) { // for other images containers are stopped
            return action.getUpdatePod().getContainersCount()
                            + action.getUpdatePod().getInitContainersCount()
                    > 0;
        }
        return !HARMLESS.contains(action.getOperationCase());
    }

    /** Reports whether a message has fields of its own that this build's contract lacks (A21). */
    static boolean isNewer(Message message) {
        return !message.getUnknownFields().asMap().isEmpty();
    }
}
