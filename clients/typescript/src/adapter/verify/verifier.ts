import type { Action, Snapshot, Stage } from "../../v1/index.js";
import { actionsOf, operationOf } from "../operations.js";
import { get, quote } from "./json.js";
import { type Check, CHECKS } from "./list.js";
import { CLAIM_TEMPLATES } from "./names.js";
import { Subject } from "./subject.js";
import { reference, SetView } from "./view.js";

/** Why an action is not sent. */
export class Refusal extends Error {
  /** The check's name: there are few, so it can be a metric's label. */
  readonly check: string;
  readonly action: Action;

  constructor(check: string, action: Action, why: string) {
    const { kind = "", name = "" } = action.target ?? {};
    super(`refused unsent (${check}): ${operationOf(action)} ${quote(kind)} ${quote(name)}: ${why}`);
    this.name = "Refusal";
    this.check = check;
    this.action = action;
  }
}

/** Checks one plan against one snapshot. */
export class Verifier {
  readonly #view: SetView;
  readonly #checks: readonly Check[];

  /** Makes a verifier. Other checks than {@link CHECKS} are for tests of the list. */
  constructor(snapshot: Snapshot, checks = CHECKS) {
    this.#view = new SetView(snapshot);
    this.#checks = checks;
  }

  /** Checks every action of a stage, in the order of the plan. `Refusal`: nothing of the stage may be sent. */
  stage(stage: Stage): void {
    for (const action of actionsOf(stage)) {
      const subject = new Subject(this.#view, stage, action);
      for (const check of this.#checks) {
        const why = check.about(subject) ? check.fault(subject) : "";
        if (why) throw new Refusal(check.name, action, why);
      }
      this.#remember(subject);
    }
  }

  /** Keeps what later actions of the plan may rely on. */
  #remember(s: Subject): void {
    if (s.operation === "createRevision" || s.operation === "renumberRevision") this.#view.made.add(s.name);
    if (s.operation === "createRevision") this.#view.removals.set(s.name, get(s.manifest, "data", CLAIM_TEMPLATES));
    if (s.operation === "setClaimOwners") {
      const left = new Set(s.owners.map(({ uid }) => uid));
      for (const { uid } of this.#view.owners(s.claim)) {
        if (!left.has(uid)) this.#view.released.add(reference(s.claim.uid, uid));
      }
    }
  }
}
