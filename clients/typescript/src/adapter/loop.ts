import { create } from "@bufbuild/protobuf";
import type { Duration } from "@bufbuild/protobuf/wkt";

import { Code, Overloaded, PlannerError } from "../errors.js";
import { type Capability, type Plan, PlanRequestSchema, type Policy } from "../v1/index.js";
import { Application } from "./apply.js";
import { Gate } from "./gate.js";
import { Outcomes } from "./outcomes.js";
import { type Executor, Gone, type Key, type Observer, type Planner, type Source, type Write } from "./types.js";

/** The shortest wait, in milliseconds: the caller requeues the key at once. 0 means only when something changes. */
export const REQUEUE_NOW_MS = 1;

const LAST_GATE_RETRY_MS = 5_000; // a change of the set triggers a check at once

const REFUSED: readonly Code[] = [
  Code.INVALID_ARGUMENT,
  Code.FAILED_PRECONDITION,
  Code.RESOURCE_EXHAUSTED,
  Code.INTERNAL,
  Code.UNIMPLEMENTED,
  Code.PERMISSION_DENIED,
  Code.UNAUTHENTICATED,
];

/** Options of a loop. The defaults are right for production. */
export interface LoopOptions {
  /** Is told what happens. */
  observer?: Partial<Observer>;
  /** What a program asks for beside the set's annotations, which the planner reads (A18). */
  policy?: Policy;
  /** How long a write may stay unseen before the loop reads the object itself, in milliseconds; 30,000 without it. */
  gateTimeoutMs?: number;
  /** The first delay after a pass that met a closed gate, in milliseconds; 100 without it. */
  gateRetryMs?: number;
  /** Limits one action, in milliseconds; 30,000 without it. */
  actionTimeoutMs?: number;
  /** How many steps of a stage run at once; 100 without it. */
  parallelism?: number;
  /** Tells the age of a snapshot. */
  now?: () => Date;
}

/**
 * Reconciles one set at a time.
 *
 * The queue, its back-off and who may write are the caller's. {@link Loop.reconcile} may run for several keys at once, but never twice
 * for the same key.
 */
export class Loop {
  /** @internal */
  readonly source: Source;
  /** @internal */
  readonly executor: Executor;
  /** @internal */
  readonly observer: Partial<Observer>;
  /** @internal */
  readonly options: Required<Omit<LoopOptions, "observer" | "policy">>;
  /** @internal */
  readonly gate: Gate;
  /** @internal */
  readonly outcomes: Outcomes;
  readonly #planner: Planner;
  readonly #capabilities: Capability[];
  readonly #policy: Policy | undefined;

  /** `capabilities` is what the executor can do (C5). */
  constructor(
    source: Source,
    executor: Executor,
    planner: Planner,
    capabilities: readonly Capability[],
    options: LoopOptions = {},
  ) {
    const { observer = {}, policy, ...given } = options;
    this.source = source;
    this.executor = executor;
    this.observer = observer;
    this.options = {
      gateTimeoutMs: 30_000,
      gateRetryMs: 100,
      actionTimeoutMs: 30_000,
      parallelism: 100,
      now: () => new Date(),
      ...given,
    };
    this.gate = new Gate(this.options.gateTimeoutMs, () => performance.now());
    this.outcomes = new Outcomes(this.options.now);
    this.#planner = planner;
    this.#capabilities = [...capabilities];
    this.#policy = policy;
  }

  /**
   * Makes one pass over a set, and returns after how many milliseconds to call again; 0 is only when something changes.
   *
   * After an error the caller backs off and calls again. While the planner gives no plan, nothing is written (A11). When the signal is
   * aborted, no action is begun any more, and those under way are finished. A process that has lost the right to write must also cut
   * off what is under way: that is the executor's, as in `@setplan/client/kube`.
   */
  async reconcile(key: Key, signal?: AbortSignal): Promise<number> {
    const retryMs = await this.#passGate(key);
    if (retryMs > 0) return retryMs;
    const snapshot = this.#snapshot(key);
    if (snapshot === undefined) return 0;
    const request = create(PlanRequestSchema, { snapshot, capabilities: this.#capabilities });
    let plan: Plan;
    try {
      plan = await this.#planner.plan(request, { signal });
    } catch (error) {
      if (error instanceof PlannerError) this.observer.held?.(key, reason(error), error);
      throw error;
    }
    this.outcomes.prune(key, plan);
    this.observer.planned?.(key, snapshot, plan);
    await new Application(this, key, snapshot, plan, signal).run();
    if (plan.truncated && plan.stages.length > 0) return REQUEUE_NOW_MS;
    return plan.requeueAfter ? millisOf(plan.requeueAfter) : 0;
  }

  #snapshot(key: Key) {
    try {
      const snapshot = this.source.snapshot(key);
      snapshot.policy = this.#policy ?? snapshot.policy;
      snapshot.outcomes = this.outcomes.report(key);
      return snapshot;
    } catch (error) {
      if (!(error instanceof Gone)) {
        this.observer.held?.(key, "snapshot", error as Error);
        throw error;
      }
      this.gate.forget(key);
      this.outcomes.forget(key);
      this.observer.forgotten?.(key);
      return undefined;
    }
  }

  async #passGate(key: Key): Promise<number> {
    const current = async (write: Write): Promise<boolean> => {
      try {
        return await this.source.current(key, write);
      } catch (error) {
        this.observer.held?.(key, "gate timeout", error as Error);
        return false;
      }
    };
    const closed = await this.gate.check(key, (write) => this.source.observed(key, write), current);
    if (closed === undefined) return 0;
    this.observer.held?.(key, "gate", closed.unseen);
    return Math.max(this.options.gateRetryMs, Math.min(closed.afterMs, LAST_GATE_RETRY_MS));
  }
}

/** Rounds up: a part of a millisecond is not 0, which means only when something changes. */
function millisOf({ seconds, nanos }: Duration): number {
  return Math.ceil(Number(seconds) * 1_000 + nanos / 1_000_000);
}

/** Tells an unreachable or busy planner, which recovers by itself, from one that refuses, which seldom does. */
function reason(error: PlannerError): string {
  if (error instanceof Overloaded) return "planner busy";
  return REFUSED.includes(error.code) ? "planner refused" : "planner unreachable";
}
