// The errors of calls.

import { create, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import { anyIs, anyPack, anyUnpack, durationMs } from "@bufbuild/protobuf/wkt";
import { status as Code } from "@grpc/grpc-js";

import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema, type Status, StatusSchema } from "./gen/details_pb.js";
import { ErrorReason } from "./v1.js";

export { Code };

/** One mistake in a request. */
export interface Violation {
  /** The path of the field, such as `snapshot.pods[3].uid` or `objects.name`. */
  readonly field: string;
  /** What is wrong with it. */
  readonly description: string;
}

/**
 * A call that has no answer: no plan was made (SPEC.md, P3). Its class is the planner's reason, or PlannerError itself if the planner
 * gave none or one of a later release. The message has the code and the details.
 */
export class PlannerError extends Error {
  /** gRPC's code, a {@link Code}. */
  readonly code: number;
  /** What happened, for people. It holds no template data. */
  readonly details: string;
  /** Why the planner made no plan; unspecified if the error is not the planner's, or the reason is a newer one. */
  readonly reason: ErrorReason;
  /** The mistakes in the request, for {@link InvalidSnapshot}. */
  readonly violations: readonly Violation[];
  /** Numbers and names of the reason, such as `limit`; error.proto says which. */
  readonly metadata: Readonly<Record<string, string>>;
  /** How many milliseconds to wait before asking again, if the planner says so. */
  readonly retryAfterMs: number | undefined;

  constructor(code: number, details: string, status?: Status) {
    super(`${String(Code[code])}: ${details}`);
    this.name = new.target.name;
    this.code = code;
    this.details = details;
    const info = first(status, ErrorInfoSchema);
    const known = info?.domain === DOMAIN ? Object.entries(ErrorReason).find(([name]) => name === info.reason)?.[1] : undefined;
    this.reason = typeof known === "number" ? known : ErrorReason.UNSPECIFIED;
    const mistakes = first(status, BadRequestSchema)?.fieldViolations ?? [];
    this.violations = mistakes.map(({ field, description }) => ({ field, description }));
    this.metadata = info?.metadata ?? {};
    const delay = first(status, RetryInfoSchema)?.retryDelay;
    this.retryAfterMs = delay && durationMs(delay);
  }
}

/** The request is malformed; `violations` names each field. */
export class InvalidSnapshot extends PlannerError {}
/** The planner does not know a behavior or policy of the request. Without it, more could be deleted (C2). */
export class UnsupportedPolicy extends PlannerError {}
/** The set has more pods than the limit; `metadata` has `pods` and `limit`. */
export class TooManyPods extends PlannerError {}
/** The request or the answer has more bytes than a limit of the planner or of this client; `metadata` has `bytes` and `limit`. */
export class MessageTooLarge extends PlannerError {}
/** The server is shutting down, and so was every other that the retries reached. */
export class Draining extends PlannerError {}
/** A bug in the planner, logged under `metadata.request_id`. */
export class InternalError extends PlannerError {}
/** The planner is busy. Nothing is wrong with the request: ask again after `retryAfterMs` (C4). */
export class Overloaded extends PlannerError {}
/** The planner serves the clusters of a policy, and the caller's certificate names none of them (C6). */
export class UnknownCaller extends PlannerError {}
/** No answer came: no connection, or the deadline passed. */
export class Unreachable extends PlannerError {}

const DOMAIN = "setplan.io";
const CLASSES: Readonly<Record<string, typeof PlannerError>> = {
  INVALID_SNAPSHOT: InvalidSnapshot,
  UNSUPPORTED_POLICY: UnsupportedPolicy,
  TOO_MANY_PODS: TooManyPods,
  MESSAGE_TOO_LARGE: MessageTooLarge,
  DRAINING: Draining,
  INTERNAL: InternalError,
  OVERLOADED: Overloaded,
  UNKNOWN_CALLER: UnknownCaller,
};
const SILENT: readonly number[] = [Code.UNAVAILABLE, Code.DEADLINE_EXCEEDED, Code.CANCELLED];

/** Makes the error of a status. Details that cannot be read are left out. */
export function ofStatus(status: Status): PlannerError {
  const info = first(status, ErrorInfoSchema);
  const kind = info?.domain === DOMAIN ? CLASSES[info.reason] : SILENT.includes(status.code) ? Unreachable : undefined;
  return new (kind ?? PlannerError)(status.code, status.message, status);
}

/** Makes the error of a message over a limit on this side. */
export function tooLarge(what: "request" | "answer", bytes: number | string, limit: number | string): PlannerError {
  const metadata = { bytes: String(bytes), limit: String(limit) };
  const info = create(ErrorInfoSchema, { reason: "MESSAGE_TOO_LARGE", domain: DOMAIN, metadata });
  const message = `the ${what} has ${metadata.bytes} bytes; the limit is ${metadata.limit}`;
  return ofStatus(create(StatusSchema, { code: Code.RESOURCE_EXHAUSTED, message, details: [anyPack(ErrorInfoSchema, info)] }));
}

function first<D extends DescMessage>(status: Status | undefined, schema: D): MessageShape<D> | undefined {
  const detail = status?.details.find((one) => anyIs(one, schema));
  try {
    return detail && anyUnpack(detail, schema);
  } catch {
    return undefined;
  }
}
