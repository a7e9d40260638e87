/**
 * Kubernetes for the adapter kit: caches, an executor, leader election, over fabric8's kubernetes-client.
 *
 * <p>{@link io.setplan.kube.Api} is a cluster. {@link io.setplan.kube.Reads} reads one set with everything of it, for programs that only
 * look. {@link io.setplan.kube.CachedSource} keeps caches, {@link io.setplan.kube.ApiExecutor} writes, {@link io.setplan.kube.Queue} has the
 * sets that something is to be done for, and {@link io.setplan.kube.Lease} says which process may write; {@code examples/Controller.java} is a
 * controller made of them. It runs sets of {@code apps/v1}.
 *
 * <p>Of fabric8's client it uses the configuration, the credentials and the HTTP client. Its informers and typed calls give objects that
 * have lost unknown fields and the text of numbers, and SPEC.md A1 and A12 ask for the bytes.
 */
@NullMarked
package io.setplan.kube;

import org.jspecify.annotations.NullMarked;
