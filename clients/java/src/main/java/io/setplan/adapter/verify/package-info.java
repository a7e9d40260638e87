/**
 * Checks every action of a plan against the snapshot of the request, before the action is sent (SPEC.md, A20).
 *
 * <p>A planner may be far away and serve many clusters, so its answer is input from outside. The checks decide nothing: they
 * refuse what no honest planner would plan for this set, and leave order, time and choice to the planner. {@link
 * io.setplan.adapter.verify.Check#ALL} is the list of docs/adapter.md, in its words and its order.
 */
@NullMarked
package io.setplan.adapter.verify;

import org.jspecify.annotations.NullMarked;
