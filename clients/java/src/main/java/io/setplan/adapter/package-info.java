/**
 * The parts of an adapter in any cluster: what it does with a plan, by the rules of SPEC.md, and what it checks before.
 *
 * <p>{@link io.setplan.adapter.Loop} is one pass over a set: gate, snapshot, plan, verification, stages. It works with a {@link
 * io.setplan.adapter.Source} that reads and an {@link io.setplan.adapter.Executor} that writes; {@code io.setplan.kube} has both
 * for Kubernetes.
 */
@NullMarked
package io.setplan.adapter;

import org.jspecify.annotations.NullMarked;
