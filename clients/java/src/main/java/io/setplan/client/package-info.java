/**
 * Asks a planner what a StatefulSet needs next.
 *
 * <p>{@link io.setplan.client.Planner} asks; {@link io.setplan.client.PlannerException} is what a call can fail with. The
 * messages are those of the contract, in {@code io.setplan.v1}.
 */
package io.setplan.client;
