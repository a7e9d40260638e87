/**
 * Asks a planner what a StatefulSet needs next.
 *
 * <p>{@link io.setplan.client.Client} asks; the subclasses of {@link io.setplan.client.PlannerException} are what a call
 * can fail with.
 */
@NullMarked
package io.setplan.client;

import org.jspecify.annotations.NullMarked;
