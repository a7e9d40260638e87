import { create } from "@bufbuild/protobuf";
import { timestampFromDate, timestampMs } from "@bufbuild/protobuf/wkt";

import { type Outcome, OutcomeResult, OutcomeSchema, type Plan } from "../v1/index.js";
import { actionsIn } from "./operations.js";
import { type Key, keyText, type Result } from "./types.js";

const MAX_MESSAGE = 512; // bytes: keeps a long API answer from making every snapshot long
const MAX_OUTCOMES = 10_000; // the limit of the contract; what is left out counts as not tried yet
// A planner that waits before it asks a disruption budget again leaves the action out, and has to be told all the same.
const BUDGET_MEMORY_MS = 5 * 60_000;

/** Which actions of a set failed, so that a planner without memory can see that it repeats itself (SPEC.md, A14). */
export class Outcomes {
  readonly #failed = new Map<string, Map<string, Outcome>>();
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** Notes how an action ended. A success wipes what was known about it. */
  record(key: Key, actionId: string, { error, outcome = OutcomeResult.ERROR }: Result): void {
    const failed = this.#failed.get(keyText(key)) ?? new Map<string, Outcome>();
    this.#failed.set(keyText(key), failed);
    const count = (failed.get(actionId)?.count ?? 0) + 1;
    failed.delete(actionId);
    if (!error) return;
    const triedAt = timestampFromDate(this.#now());
    failed.set(actionId, create(OutcomeSchema, { actionId, result: outcome, count, message: cut(error.message), triedAt }));
  }

  /** Drops failures of actions that nobody wants any more. A truncated plan says nothing about what it left out. */
  prune(key: Key, plan: Plan): void {
    if (plan.truncated) return;
    const wanted = new Set(actionsIn(plan).map(({ id }) => id));
    const failed = this.#failed.get(keyText(key));
    for (const [id, outcome] of failed ?? []) {
      if (!wanted.has(id) && !this.#awaitsBudget(outcome)) failed?.delete(id);
    }
  }

  #awaitsBudget({ result, triedAt }: Outcome): boolean {
    if (result !== OutcomeResult.DISRUPTION_BUDGET || triedAt === undefined) return false;
    return this.#now().getTime() - timestampMs(triedAt) < BUDGET_MEMORY_MS;
  }

  /** Lists the failures, sorted by id: the same memory gives the same snapshot. */
  report(key: Key): Outcome[] {
    const failed = [...(this.#failed.get(keyText(key)) ?? new Map<string, Outcome>()).values()];
    return failed.sort((a, b) => (a.actionId < b.actionId ? -1 : 1)).slice(0, MAX_OUTCOMES);
  }

  /** Drops what is kept for a set that is gone. */
  forget(key: Key): void {
    this.#failed.delete(keyText(key));
  }
}

/** Cuts a message at a character. */
function cut(message: string): string {
  return new TextDecoder().decode(Buffer.from(message).subarray(0, MAX_MESSAGE), { stream: true });
}
