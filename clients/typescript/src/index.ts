/**
 * Setplan for TypeScript: ask a planner what a StatefulSet needs next, and why it waits.
 *
 * {@link Planner} asks; the classes of {@link PlannerError} are what a call can fail with; `@setplan/client/v1` has the messages of the
 * contract.
 *
 * @module
 */

export {
  Code,
  Draining,
  type Failure,
  InternalError,
  InvalidSnapshot,
  MessageTooLarge,
  Overloaded,
  PlannerError,
  TooManyPods,
  UnknownCaller,
  Unreachable,
  UnsupportedPolicy,
  type Violation,
} from "./errors.js";
export { type CallOptions, type ForecastPart, Planner } from "./planner.js";
export type { ConnectOptions, TLSFiles } from "./remote.js";
