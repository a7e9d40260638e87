/** The operations of a plan, by the contract's names. */

import type { Message } from "@bufbuild/protobuf";

import type { Action, Plan, Stage } from "../v1/index.js";

/** The name of an operation, such as `createPod`. */
export type Operation = NonNullable<Action["operation"]["case"]>;

/** The message of an operation. */
export type Body<Of extends Operation> = Extract<Action["operation"], { case: Of }>["value"];

// The operations that take nothing away. One that is forgotten here is fenced.
const HARMLESS: ReadonlySet<Operation | "unknown"> = new Set<Operation>([
  "createPod",
  "patchPod",
  "adoptPod",
  "releasePod",
  "createClaim",
  "setClaimOwners",
  "patchClaim",
  "createRevision",
  "renumberRevision",
  "adoptRevision",
  "updateStatus",
  "patchAnnotations",
  "setFinalizer",
]);

/** Names the operation of an action, such as `createPod`; `unknown` for one that this build has no member for. */
export function operationOf(action: Action): Operation | "unknown" {
  return action.operation.case ?? "unknown";
}

/** Lists the actions of a stage, in order. */
export function actionsOf(stage: Stage): Action[] {
  return stage.steps.flatMap((step) => step.actions);
}

/** Lists the actions of a plan, in order. */
export function actionsIn(plan: Plan): Action[] {
  return plan.stages.flatMap(actionsOf);
}

/**
 * Reports whether an action takes something away, if only for a while: the fence is checked again before it (A4). For other resources
 * containers may be stopped as well as for other images: resizePod is not among the harmless ones.
 */
export function deletes(action: Action): boolean {
  const { operation } = action;
  if (operation.case !== "updatePod") return !HARMLESS.has(operationOf(action));
  return operation.value.containers.length + operation.value.initContainers.length > 0; // for other images containers are stopped
}

/** Reports whether a message has fields of its own that this build's contract lacks (A21). */
export function isNewer(message: Message | undefined): boolean {
  return (message?.$unknown?.length ?? 0) > 0;
}
