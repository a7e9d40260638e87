/**
 * Setplan for TypeScript: ask a planner what a StatefulSet needs next, and why it waits.
 *
 * {@link Planner} asks, and {@link planRequest} makes a request of what the API server says. The classes of {@link PlannerError} are what
 * a call can fail with; `@setplan/client/v1` has the messages of the contract.
 *
 * @module
 */

export * from "./errors.js";
export { type CallOptions, type ForecastPart, Planner } from "./planner.js";
export type { ConnectOptions, TLSFiles } from "./remote.js";
export { planRequest, type RequestOptions } from "./request.js";
