package io.setplan.kube;

import io.setplan.adapter.Executor;
import io.setplan.adapter.GoneException;
import io.setplan.adapter.Key;
import io.setplan.adapter.Result;
import io.setplan.rawjson.Raw;
import io.setplan.v1.Action;
import io.setplan.v1.Capability;
import io.setplan.v1.OutcomeResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/** Writes through the API server, which checks each precondition together with the write (SPEC.md, A8). */
public final class ApiExecutor implements Executor {
    /** What the executor can do. */
    public static final List<Capability> CAPABILITIES = List.of(
            Capability.CAPABILITY_CREATE_POD,
            Capability.CAPABILITY_DELETE_POD,
            Capability.CAPABILITY_EVICT_POD,
            Capability.CAPABILITY_PATCH_POD,
            Capability.CAPABILITY_ADOPT_POD,
            Capability.CAPABILITY_RELEASE_POD,
            Capability.CAPABILITY_CREATE_CLAIM,
            Capability.CAPABILITY_SET_CLAIM_OWNERS,
            Capability.CAPABILITY_CREATE_REVISION,
            Capability.CAPABILITY_RENUMBER_REVISION,
            Capability.CAPABILITY_ADOPT_REVISION,
            Capability.CAPABILITY_DELETE_REVISION,
            Capability.CAPABILITY_UPDATE_STATUS,
            Capability.CAPABILITY_PATCH_ANNOTATIONS,
            Capability.CAPABILITY_DELETE_CLAIM,
            Capability.CAPABILITY_PATCH_CLAIM,
            Capability.CAPABILITY_ADD_CLAIM_TEMPLATES,
            Capability.CAPABILITY_UPDATE_POD,
            Capability.CAPABILITY_UPDATE_IMAGES,
            Capability.CAPABILITY_RESIZE_POD,
            Capability.CAPABILITY_SET_FINALIZER,
            Capability.CAPABILITY_SET_CONDITIONS);

    private static final Set<Integer> REJECTED = Set.of(400, 401, 403, 404, 405, 413, 422);

    private final Api api;
    private final BiFunction<Key, String, Optional<List<Raw>>> stored;

    /**
     * Makes an executor. A patch replaces whole lists, so a write of one condition repeats the others: it needs to know what is stored.
     *
     * @param api the cluster
     * @param stored returns the conditions of a set at a resource version, empty if that is not known: {@link CachedSource#conditions}
     */
    public ApiExecutor(Api api, BiFunction<Key, String, Optional<List<Raw>>> stored) {
        this.api = api;
        this.stored = stored;
    }

    @Override
    public Result apply(Key key, Action action, Duration limit) {
        try {
            return new Call(api, stored, key, action, limit).run();
        } catch (GoneException e) {
            return Result.failed(e, OutcomeResult.OUTCOME_RESULT_CONFLICT);
        } catch (ApiException e) {
            return Result.failed(e, outcome(e));
        } catch (RuntimeException e) {
            return Result.failed(e, OutcomeResult.OUTCOME_RESULT_ERROR);
        }
    }

    /** Says what an error of the API server means to the planner. It calls another uid invalid, because a uid cannot change. */
    private static OutcomeResult outcome(ApiException error) {
        boolean otherUid =
                error.status() == ApiException.INVALID && error.fields().contains("metadata.uid");
        if (error.status() == ApiException.CONFLICT || otherUid) {
            return OutcomeResult.OUTCOME_RESULT_CONFLICT;
        }
        if (!error.budget().isEmpty()) {
            return OutcomeResult.OUTCOME_RESULT_DISRUPTION_BUDGET;
        }
        return REJECTED.contains(error.status()) || error.hasManyBudgets()
                ? OutcomeResult.OUTCOME_RESULT_REJECTED
                : OutcomeResult.OUTCOME_RESULT_ERROR;
    }
}
