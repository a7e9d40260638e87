// What a call can fail with.

import { type DescMessage, fromBinary, type MessageShape } from "@bufbuild/protobuf";
import { anyIs, anyUnpack, durationMs } from "@bufbuild/protobuf/wkt";
import { status as Code } from "@grpc/grpc-js";

import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema, type Status, StatusSchema } from "./gen/details_pb.js";
import { ErrorReason } from "./v1/index.js";

export { Code };

// gRPC's words for an answer over this client's limit.
const SIZES = /^Received message larger than max \((\d+) vs\.? (\d+)\)/;

/** One mistake in a request. */
export interface Violation {
  /** The path of the field, such as `snapshot.pods[3].uid` or `objects.name`. */
  readonly field: string;
  /** What is wrong with it. */
  readonly description: string;
}

/** What is known of a failed call. */
export interface Failure {
  /** gRPC's code. */
  readonly code: Code;
  /** What happened, for people. It holds no template data. */
  readonly details: string;
  /** Why the planner made no plan; unspecified if the error is not the planner's, or the reason is a newer one. */
  readonly reason?: ErrorReason;
  /** The mistakes in the request, for {@link InvalidSnapshot}. */
  readonly violations?: readonly Violation[];
  /** Numbers and names of the reason, such as `limit`; error.proto says which. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Not to ask again sooner than after so many milliseconds, where the planner says so. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * A call that has no answer: no plan was made (SPEC.md, P3). Its class is the planner's reason, and PlannerError itself where the planner
 * gave none, or one of a later release.
 */
export class PlannerError extends Error implements Failure {
  readonly code: Code;
  readonly details: string;
  readonly reason: ErrorReason;
  readonly violations: readonly Violation[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly retryAfterMs: number | undefined;

  /** The message has the code and the details. */
  constructor(failure: Failure) {
    super(`${Code[failure.code]}: ${failure.details}`);
    this.name = new.target.name;
    this.code = failure.code;
    this.details = failure.details;
    this.reason = failure.reason ?? ErrorReason.UNSPECIFIED;
    this.violations = failure.violations ?? [];
    this.metadata = failure.metadata ?? {};
    this.retryAfterMs = failure.retryAfterMs;
  }
}

/** The request is malformed; `violations` names each field. */
export class InvalidSnapshot extends PlannerError {}

/** The server does not know a behavior or policy of the request. Asking without it could widen what may be deleted (C2). */
export class UnsupportedPolicy extends PlannerError {}

/** The snapshot has more pods than the limit; `metadata` has `pods` and `limit`. */
export class TooManyPods extends PlannerError {}

/** The request or the plan has more bytes than a limit of the server or of this client; `metadata` has `bytes` and `limit`. */
export class MessageTooLarge extends PlannerError {}

/** The server is shutting down, and so was every other that the retries reached. */
export class Draining extends PlannerError {}

/** A bug in the planner, which its log has under `metadata.request_id`. */
export class InternalError extends PlannerError {}

/** The planner is reachable and has no room now. Nothing is wrong with the request: ask again after `retryAfterMs` (C4). */
export class Overloaded extends PlannerError {}

/** The planner serves the clusters of a policy, and the caller's certificate names none of them (C6). */
export class UnknownCaller extends PlannerError {}

/** No answer came: no connection, or the deadline passed. */
export class Unreachable extends PlannerError {}

const classes = new Map<ErrorReason, typeof PlannerError>([
  [ErrorReason.INVALID_SNAPSHOT, InvalidSnapshot],
  [ErrorReason.UNSUPPORTED_POLICY, UnsupportedPolicy],
  [ErrorReason.TOO_MANY_PODS, TooManyPods],
  [ErrorReason.MESSAGE_TOO_LARGE, MessageTooLarge],
  [ErrorReason.DRAINING, Draining],
  [ErrorReason.INTERNAL, InternalError],
  [ErrorReason.OVERLOADED, Overloaded],
  [ErrorReason.UNKNOWN_CALLER, UnknownCaller],
]);
const SILENT: readonly Code[] = [Code.UNAVAILABLE, Code.DEADLINE_EXCEEDED, Code.CANCELLED];

/** Makes the error of a status: its code, its message, and the whole google.rpc.Status, if there is one. */
export function ofStatus(code: Code, message: string, status?: Uint8Array): PlannerError {
  const told = read(status);
  const info = first(told, ErrorInfoSchema);
  const ours = info?.domain === "setplan.io" ? info.reason : "";
  const failure: Failure = {
    code,
    details: message,
    reason: reasonOf(ours),
    violations: (first(told, BadRequestSchema)?.fieldViolations ?? []).map(({ field, description }) => ({ field, description })),
    metadata: info?.metadata ?? {},
    retryAfterMs: retryAfter(told),
  };
  const [, bytes, limit] = SIZES.exec(message) ?? [];
  if (code === Code.RESOURCE_EXHAUSTED && bytes !== undefined && limit !== undefined) return tooLarge("answer", bytes, limit);
  const kind =
    classes.get(failure.reason ?? ErrorReason.UNSPECIFIED) ?? (ours === "" && SILENT.includes(code) ? Unreachable : PlannerError);
  return new kind(failure);
}

/** Makes the error of a message over this client's limit. */
export function tooLarge(what: "request" | "answer", bytes: number | string, limit: number | string): MessageTooLarge {
  return new MessageTooLarge({
    code: Code.RESOURCE_EXHAUSTED,
    details: `the ${what} has ${String(bytes)} bytes; this client's limit is ${String(limit)}`,
    reason: ErrorReason.MESSAGE_TOO_LARGE,
    metadata: { bytes: String(bytes), limit: String(limit) },
  });
}

/** Reads the details of a status; what is unreadable there is left out. */
function read(status: Uint8Array | undefined): Status | undefined {
  try {
    return status && fromBinary(StatusSchema, status);
  } catch {
    return undefined;
  }
}

function first<Desc extends DescMessage>(told: Status | undefined, schema: Desc): MessageShape<Desc> | undefined {
  const detail = told?.details.find((one) => anyIs(one, schema));
  try {
    return detail && anyUnpack(detail, schema);
  } catch {
    return undefined;
  }
}

function retryAfter(told: Status | undefined): number | undefined {
  const delay = first(told, RetryInfoSchema)?.retryDelay;
  return delay && durationMs(delay);
}

/** Returns the value of the contract for a name in an ErrorInfo. */
function reasonOf(name: string): ErrorReason {
  const known = Object.entries(ErrorReason).find(([key]) => key === name)?.[1];
  return typeof known === "number" ? known : ErrorReason.UNSPECIFIED;
}
