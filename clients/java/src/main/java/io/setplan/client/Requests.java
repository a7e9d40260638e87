package io.setplan.client;

import com.google.protobuf.Timestamp;
import io.setplan.v1.Coverage;
import io.setplan.v1.Objects;
import io.setplan.v1.PlanRequest;
import java.time.Instant;

/** Makes requests from what kubectl or the API server printed. The planner reads the JSON; this client passes it on. */
public final class Requests {
    /**
     * Says that all pods, claims and revisions of the namespace are in the documents, as after {@code kubectl get
     * sts,pods,pvc,controllerrevisions -o json}. Without it, a missing object may still exist. A typed list, such as a
     * PodList, is complete by itself unless it is one page of several, so never send one that a selector has filtered.
     */
    public static final Coverage COMPLETE = Coverage.newBuilder()
            .setPods(true)
            .setClaims(true)
            .setRevisions(true)
            .build();

    private Requests() {}

    /**
     * Makes a request about a set.
     *
     * @param objects the name of the set, and the documents. The default of {@code observed_at} is now
     * @return the request
     */
    public static PlanRequest of(Objects.Builder objects) {
        Objects.Builder dated = objects.clone();
        if (!dated.hasObservedAt()) {
            Instant now = Instant.now();
            dated.setObservedAt(
                    Timestamp.newBuilder().setSeconds(now.getEpochSecond()).setNanos(now.getNano()));
        }
        return PlanRequest.newBuilder().setObjects(dated).build();
    }
}
