// Setplan for TypeScript: ask a planner what a StatefulSet needs next, and why it waits.

export * from "./errors.js";
export { type CallOptions, type ForecastPart, Planner } from "./planner.js";
export type { ConnectOptions, TLSFiles } from "./remote.js";
export { planRequest, type RequestOptions } from "./request.js";
