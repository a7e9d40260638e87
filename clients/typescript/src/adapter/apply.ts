import { durationMs, timestampMs } from "@bufbuild/protobuf/wkt";

import { type Action, OnFailure, OutcomeResult, type Plan, type Snapshot, type Stage, type Step } from "../v1/index.js";
import type { Loop } from "./loop.js";
import { actionsOf, deletes, isNewer, operationOf } from "./operations.js";
import {
  Gone,
  type Key,
  keyText,
  neighboursOf,
  PlanDropped,
  policyOf,
  type Result,
  type SetIdentity,
  UnknownGuard,
  UnknownOperation,
} from "./types.js";
import { Refusal, Verifier } from "./verify/index.js";

// How long the fence counts as checked for a deletion: steps that wait for others may stretch a stage to minutes.
const CHECKED_MS = 1_000;

/** One plan on its way into the cluster: carries out the stages in order (SPEC.md, A4 to A10, A20, A21). */
export class Application {
  readonly #loop: Loop;
  readonly #key: Key;
  readonly #snapshot: Snapshot;
  readonly #plan: Plan;
  readonly #signal: AbortSignal | undefined;
  readonly #verifier: Verifier;
  readonly #failures: Error[] = [];
  /** When the fence was checked last. */
  #checked = -Infinity;
  /** Why the rest of the plan is not meant any more. */
  #dropped: Error | undefined;

  constructor(loop: Loop, key: Key, snapshot: Snapshot, plan: Plan, signal?: AbortSignal) {
    this.#loop = loop;
    this.#key = key;
    this.#snapshot = snapshot;
    this.#plan = plan;
    this.#signal = signal;
    this.#verifier = new Verifier(snapshot);
  }

  /** Applies the plan. `PlanDropped`: the world had moved. AggregateError: the actions that failed. Error: the signal has ended it. */
  async run(): Promise<void> {
    let begun = false;
    let stopped = false;
    const skipped = new Set<number>();
    for (const stage of this.#plan.stages) {
      if (stage.steps.length === 0 || skipped.has(stage.phase) || (stopped && !stage.alwaysRun)) continue;
      this.#checkEnd();
      if (!begun || actionsOf(stage).some(deletes)) this.#checkFence();
      begun = true;
      if (stage.requiresLiveSet) await this.#checkLiveSet();
      const done = await this.#runStage(stage);
      this.#checkEnd();
      if (done) continue;
      if (stage.onFailure === OnFailure.STOP) stopped = true;
      else if (stage.onFailure === OnFailure.SKIP_PHASE) skipped.add(stage.phase);
      else break; // ABORT; and what this build does not know is treated with the same care
    }
    if (this.#failures.length > 0) {
      const told = this.#failures.map(({ message }) => message).join("; ");
      throw new AggregateError(this.#failures, `actions of the plan for ${keyText(this.#key)} failed: ${told}`);
    }
  }

  /** What was not begun when the signal was aborted has not failed: nobody is told of it. */
  #checkEnd(): void {
    if (!this.#signal?.aborted) return;
    throw new Error(`the plan for ${keyText(this.#key)} was not finished`, { cause: this.#signal.reason });
  }

  /** Drops the plan unless it still fits the set and its current spec. It reads the cache. */
  #checkFence(): void {
    this.#checked = performance.now();
    const { fence } = this.#plan;
    if (fence === undefined) return this.#drop("fence", "the plan has no fence");
    if (isNewer(fence)) this.#drop("fence", "the fence has a field that this adapter does not know");
    const set = this.#cached();
    if (set.uid !== fence.setUid) this.#drop("fence", `the plan is for uid ${fence.setUid}, the set has uid ${set.uid}`);
    if (set.policy !== policyOf(this.#snapshot.set?.annotations ?? {})) {
      this.#drop("fence", "the set's policy annotations have changed since the plan was requested");
    }
    if ((set.neighbours ?? "") !== neighboursOf(this.#snapshot.claimNeighbours)) {
      this.#drop("fence", "another set with the same claim names was created or deleted since the plan was requested");
    }
    if (set.generation !== fence.generation) {
      this.#drop("fence", `the plan is for generation ${String(fence.generation)}, the set is at ${String(set.generation)}`);
    }
    const { observedAt } = this.#snapshot;
    const ageMs = this.#loop.options.now().getTime() - (observedAt ? timestampMs(observedAt) : -Infinity);
    if (fence.maxAge && ageMs > durationMs(fence.maxAge)) {
      this.#drop("fence", `the snapshot is ${String(ageMs)} ms old, the plan holds for ${String(durationMs(fence.maxAge))} ms`);
    }
  }

  #cached(): SetIdentity {
    try {
      return this.#loop.source.set(this.#key);
    } catch (error) {
      if (error instanceof Gone) this.#drop("fence", "the set is gone");
      throw error;
    }
  }

  /** Reads the set from the API server: an adoption that races with a deletion gives the object to the garbage collector. */
  async #checkLiveSet(): Promise<void> {
    let set: SetIdentity;
    try {
      set = await this.#loop.source.liveSet(this.#key);
    } catch (error) {
      this.#drop("live set", error instanceof Gone ? "the set is gone" : String(error));
    }
    const { uid = "" } = this.#snapshot.set ?? {};
    if (set.uid !== uid) this.#drop("live set", `the plan is for uid ${uid}, the set has uid ${set.uid}`);
    if (set.deleting) this.#drop("live set", "the set is being deleted");
  }

  #drop(reason: string, why: string): never {
    const error = new PlanDropped(`${reason}: ${why}`);
    this.#loop.observer.held?.(this.#key, reason, error);
    throw error;
  }

  /** Runs the steps of a stage side by side, and reports whether all succeeded. A failed step does not stop the others. */
  async #runStage(stage: Stage): Promise<boolean> {
    if (!this.#allowed(stage)) return false;
    const steps = stage.steps.values();
    const before = this.#failures.length;
    const work = async () => {
      for (const step of steps) await this.#runStep(step);
    };
    const workers = Array.from({ length: Math.max(1, Math.min(this.#loop.options.parallelism, stage.steps.length)) }, work);
    // All of them end before anything else begins, also where an observer throws.
    const thrown = (await Promise.allSettled(workers)).find((worker) => worker.status === "rejected");
    if (thrown) throw thrown.reason;
    if (this.#dropped !== undefined) throw this.#dropped;
    return this.#failures.length === before;
  }

  /**
   * Refuses a stage with an action that this build does not know or that fails a check.
   *
   * Nothing of it is sent: half of what nobody here understands, or of what an untrue plan wants, is no better than all of it.
   */
  #allowed(stage: Stage): boolean {
    const [culprit, error] = this.#unknown(stage) ?? this.#untrue(stage) ?? [];
    if (error === undefined || culprit === undefined) return true;
    this.#tell(culprit, { error, outcome: OutcomeResult.ERROR });
    this.#failures.push(error);
    return false;
  }

  #unknown(stage: Stage): [Action, Error] | undefined {
    for (const step of stage.steps) {
      for (const action of step.actions) {
        if (operationOf(action) === "unknown") return [action, new UnknownOperation("this adapter does not know the operation")];
        if ([stage, step, action.target, action.precondition].some(isNewer)) {
          return [action, new UnknownGuard("this adapter does not know a field that restricts when to write")];
        }
      }
    }
    return undefined;
  }

  #untrue(stage: Stage): [Action, Error] | undefined {
    try {
      this.#verifier.stage(stage);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#loop.observer.held?.(this.#key, "verification", error);
      return [error.action, error];
    }
    return undefined;
  }

  /** Runs the actions of a step in order; the first failure ends the step. */
  async #runStep(step: Step): Promise<void> {
    for (const action of step.actions) {
      if (this.#signal?.aborted || !this.#stillMeant(action)) return;
      const result = await this.#runAction(action);
      if (mayHaveBound(action, result)) {
        const { kind = "", name = "" } = action.target ?? {};
        this.#loop.gate.add(this.#key, { kind, name, uid: action.precondition?.uid ?? "" }, true);
      }
      this.#tell(action, result);
      if (result.error) {
        this.#failures.push(result.error);
        return;
      }
    }
  }

  /** Checks the fence again before a deletion that has waited long (D6). What is no longer meant is told once, and drops the rest. */
  #stillMeant(action: Action): boolean {
    if (this.#dropped === undefined && deletes(action) && performance.now() - this.#checked >= CHECKED_MS) {
      try {
        this.#checkFence();
      } catch (error) {
        this.#dropped = error as Error;
      }
    }
    return this.#dropped === undefined;
  }

  /** Carries out one action. Once begun it is finished: the signal is looked at between actions only. */
  async #runAction(action: Action): Promise<Result> {
    const end = new AbortController();
    const timer = setTimeout(() => {
      end.abort(new Error("the action took too long"));
    }, this.#loop.options.actionTimeoutMs);
    try {
      return await this.#loop.executor.apply(this.#key, action, end.signal);
    } catch (error) {
      return { error: error as Error, outcome: OutcomeResult.ERROR };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Passes a result on to everybody who keeps something about it. */
  #tell(action: Action, result: Result): void {
    if (result.write) this.#loop.gate.add(this.#key, result.write);
    this.#loop.outcomes.record(this.#key, action.id, result);
    this.#loop.observer.applied?.(this.#key, action, result);
  }
}

/**
 * Reports whether a failed action may have given a claim to a pod all the same.
 *
 * Whoever does not know deletes that pod, and the claim with it. What else may have been done does no such harm: it is tried again,
 * and found to be done.
 */
function mayHaveBound(action: Action, { error, outcome }: Result): boolean {
  return (
    operationOf(action) === "setClaimOwners" && error !== undefined && (outcome ?? OutcomeResult.ERROR) === OutcomeResult.ERROR
  );
}
