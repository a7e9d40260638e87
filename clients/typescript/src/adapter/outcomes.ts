import { create } from "@bufbuild/protobuf";

import { type Outcome, OutcomeResult, OutcomeSchema, type Plan } from "../v1/index.js";
import { actionsIn } from "./operations.js";
import { type Key, keyText, type Result } from "./types.js";

const MAX_MESSAGE = 512; // bytes: keeps a long API answer from making every snapshot long
const MAX_OUTCOMES = 10_000; // the limit of the contract; what is left out counts as not tried yet

/** Which actions of a set failed, so that a planner without memory can see that it repeats itself (SPEC.md, A14). */
export class Outcomes {
  readonly #failed = new Map<string, Map<string, Outcome>>();

  /** Notes how an action ended. A success wipes what was known about it. */
  record(key: Key, actionId: string, { error, outcome = OutcomeResult.ERROR }: Result): void {
    const failed = this.#failed.get(keyText(key)) ?? new Map<string, Outcome>();
    this.#failed.set(keyText(key), failed);
    const count = (failed.get(actionId)?.count ?? 0) + 1;
    failed.delete(actionId);
    if (error) failed.set(actionId, create(OutcomeSchema, { actionId, result: outcome, count, message: cut(error.message) }));
  }

  /** Drops failures of actions that nobody wants any more. A truncated plan says nothing about what it left out. */
  prune(key: Key, plan: Plan): void {
    if (plan.truncated) return;
    const wanted = new Set(actionsIn(plan).map(({ id }) => id));
    const failed = this.#failed.get(keyText(key));
    for (const id of failed?.keys() ?? []) {
      if (!wanted.has(id)) failed?.delete(id);
    }
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
