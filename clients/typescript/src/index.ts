/**
 * Setplan for TypeScript: ask a planner what a StatefulSet needs next, and carry it out.
 *
 * - {@link Client} asks the planner; the classes of {@link PlannerError} are what a call can fail with.
 * - `@setplan/client/snapshot` turns objects, as the API server sent them, into a request.
 * - `@setplan/client/adapter` has the parts of an adapter: the loop that carries out plans, and the checks of a plan.
 * - `@setplan/client/kube` has Kubernetes for it: caches, an executor, leader election. It needs `@kubernetes/client-node`.
 * - `@setplan/client/v1` has the messages of the contract.
 *
 * @module
 */

export { type CallOptions, Client } from "./client.js";
export * from "./errors.js";
export { capabilities, type ClientOptions, DEFAULT_MAX_MESSAGE_BYTES, DEFAULT_TIMEOUT_MS } from "./settings.js";
export type { TLSFiles } from "./tls.js";
