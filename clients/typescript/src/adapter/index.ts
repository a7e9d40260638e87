/**
 * The parts of an adapter in any cluster: what it does with a plan, by the rules of SPEC.md, and what it checks before.
 *
 * {@link Loop} is one pass over a set: gate, snapshot, plan, verification, stages. It works with a {@link Source} that reads and an
 * {@link Executor} that writes; `@setplan/client/kube` has both for Kubernetes. `@setplan/client/adapter/verify` has the checks of a
 * plan.
 *
 * @module
 */

export { Unseen } from "./gate.js";
export { Loop, type LoopOptions, REQUEUE_NOW_MS } from "./loop.js";
export { actionsIn, actionsOf, type Operation, operationOf } from "./operations.js";
export {
  type Executor,
  Gone,
  type Key,
  keyText,
  neighboursOf,
  type Observer,
  PlanDropped,
  type Planner,
  policyOf,
  type Result,
  type SetIdentity,
  type Source,
  UnknownGuard,
  UnknownOperation,
  type Write,
} from "./types.js";
