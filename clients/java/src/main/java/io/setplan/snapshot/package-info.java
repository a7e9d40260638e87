/**
 * Kubernetes objects, as the API server sent them, turned into the contract's Snapshot.
 *
 * <p>It decides nothing and asks no API: a snapshot says what the objects say, as snapshot.proto defines it.
 */
@NullMarked
package io.setplan.snapshot;

import org.jspecify.annotations.NullMarked;
