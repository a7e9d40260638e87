/**
 * Kubernetes for the adapter kit: caches, an executor, leader election, over `@kubernetes/client-node`.
 *
 * {@link connect} gives an {@link Api}. {@link read} reads one set with everything of it, for programs that only look. {@link Source}
 * keeps caches, {@link Executor} writes, {@link Queue} has the sets that something is to be done for, and {@link Lease} says which
 * process may write; `examples/controller.ts` is a controller made of them. It runs sets of `apps/v1`.
 *
 * Of `@kubernetes/client-node` it uses the configuration and its credentials. The requests are Node's own: that client's informers and
 * calls give what `JSON.parse` made of an answer, in which numbers have lost digits, and SPEC.md A1 and A12 ask for the bytes.
 *
 * @module
 */

export {
  Api,
  ApiError,
  CLAIMS,
  connect,
  type ConnectOptions,
  EVENTS,
  LEASES,
  PODS,
  Resource,
  REVISIONS,
  type SendOptions,
  SETS,
  Unavailable,
} from "./api.js";
export { Cache, type Changed } from "./cache.js";
export { CAPABILITIES, Executor, type StoredConditions } from "./executor.js";
export { ForeignWriter, Guard } from "./guard.js";
export { Lease, type LeaseOptions } from "./lease.js";
export { Queue } from "./queue.js";
export { read } from "./read.js";
export { Source } from "./source.js";
export { LeaseLost } from "./term.js";
