package io.setplan.adapter;

import io.setplan.v1.Plan;
import io.setplan.v1.PlanRequest;

/** Decides: {@code client::plan} of a {@link io.setplan.client.Client}. */
@FunctionalInterface
public interface Planner {
    /**
     * Makes the plan of one set.
     *
     * @param request the snapshot, and what the caller can do
     * @return the plan
     * @throws io.setplan.client.PlannerException no plan was made
     */
    Plan plan(PlanRequest request);
}
