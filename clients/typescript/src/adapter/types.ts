// What an adapter is made of: a source that reads, an executor that writes, an observer that is told.

import { createHash } from "node:crypto";

import type { CallOptions } from "../client.js";
import type { Action, ClaimNeighbour, OutcomeResult, Plan, PlanRequest, Snapshot } from "../v1/index.js";

/** Names a set in a cluster. */
export interface Key {
  readonly namespace: string;
  readonly name: string;
}

/** Writes a key as `namespace/name`. */
export function keyText({ namespace, name }: Key): string {
  return `${namespace}/${name}`;
}

/** What the fence compares (SPEC.md, A4). */
export interface SetIdentity {
  readonly uid: string;
  readonly generation: bigint;
  /** {@link policyOf} its annotations, which move no generation. */
  readonly policy: string;
  readonly deleting?: boolean;
  /** {@link neighboursOf} the snapshot that would be made now; not of the live set. */
  readonly neighbours?: string;
}

/** A finished write, which the caches must show before the next snapshot (SPEC.md, A3). */
export interface Write {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  /** What the API answered; empty for a delete. */
  readonly resourceVersion?: string;
  /** A delete: shown once the object is terminating, gone, or has another uid. */
  readonly deleted?: boolean;
}

/** The result of one action. */
export interface Result {
  /** Why the action failed; nothing if it succeeded, or had been done before. */
  readonly error?: Error;
  /** Classifies the error. */
  readonly outcome?: OutcomeResult;
  /** What was written, if anything was. */
  readonly write?: Write;
}

/** Decides: a `Client`. */
export interface Planner {
  /** Makes the plan of one set. `PlannerError`: no plan was made. */
  plan(request: PlanRequest, options?: CallOptions): Promise<Plan>;
}

/** Reads a cluster, from caches if it has them. */
export interface Source {
  /** Makes the snapshot of one set, without policy and outcomes, which the loop adds. {@link Gone}: there is no such set. */
  snapshot(key: Key): Snapshot;
  /** Returns the cached identity of the set, for the fence. {@link Gone} as above. */
  set(key: Key): SetIdentity;
  /** Returns the same from the API server, not from a cache (A7). */
  liveSet(key: Key): Promise<SetIdentity>;
  /** Reports whether the caches show the effect of a write. */
  observed(key: Key, write: Write): boolean;
  /** Reads the object of a write past every cache, and reports whether the cache has it as it is, or lacks it too. */
  current(key: Key, write: Write): Promise<boolean>;
}

/** Writes to a cluster. */
export interface Executor {
  /**
   * Carries out one action, with its precondition checked with the write (A8). It never retries (A9). When the signal is aborted it
   * ends soon, and says what it knows.
   */
  apply(key: Key, action: Action, signal: AbortSignal): Promise<Result>;
}

/** Is told what the loop does, for logs, events and metrics. */
export interface Observer {
  /** Takes note of a plan, before any of it is applied. */
  planned(key: Key, snapshot: Snapshot, plan: Plan): void;
  /** Takes note of an action that was tried. */
  applied(key: Key, action: Action, result: Result): void;
  /** Takes note of a pass that got no plan, or did not apply it. `reason` is one of few words. */
  held(key: Key, reason: string, error: Error): void;
  /** Drops what is kept for a set that is gone. */
  forgotten(key: Key): void;
}

/** The set does not exist: there is nothing to plan. */
export class Gone extends Error {
  override readonly name = "Gone";
}

/** The plan was dropped because the world had moved. The next pass plans anew; nobody has to act. */
export class PlanDropped extends Error {
  override readonly name = "PlanDropped";
}

/** The adapter does not know the operation (A10). */
export class UnknownOperation extends Error {
  override readonly name = "UnknownOperation";
}

/** The adapter does not know a field that restricts when to write (A21). */
export class UnknownGuard extends Error {
  override readonly name = "UnknownGuard";
}

/**
 * Names what a set's annotations ask for, so that the fence can tell that a policy was changed while the planner thought.
 *
 * Every annotation under a prefix that the planner may read counts, those of a later release too. Empty: there is none.
 */
export function policyOf(annotations: Readonly<Record<string, string>>): string {
  const own = Object.entries(annotations)
    .filter(([key]) => key.startsWith("setplan.io/") || key.startsWith("statefulsets.kubernetes.io/"))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return own.length === 0 ? "" : createHash("sha256").update(JSON.stringify(own)).digest("hex");
}

/** Puts claim neighbours into one text, so that the fence can tell that there is another set since the planner was asked (D6). */
export function neighboursOf(neighbours: Iterable<ClaimNeighbour>): string {
  return Array.from(neighbours, ({ set, claimTemplate }) => `${set} ${claimTemplate}`)
    .sort()
    .join(", ");
}
