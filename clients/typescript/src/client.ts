import { create, type DescMessage, fromBinary, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { Client as GrpcClient, credentials, type Metadata, type ServiceError } from "@grpc/grpc-js";

import { Channels } from "./channels.js";
import { Code, ofStatus, PlannerError, tooLarge } from "./errors.js";
import { type ClientOptions, type Settings, settings, withCapabilities } from "./settings.js";
import {
  GetServerInfoRequestSchema,
  type GetServerInfoResponse,
  GetServerInfoResponseSchema,
  type Plan,
  type PlanRequest,
  PlanRequestSchema,
  PlanResponseSchema,
} from "./v1/index.js";

/** The path of the method that plans. */
export const PLAN = "/setplan.v1.PlannerService/Plan";
const SERVER_INFO = "/setplan.v1.PlannerService/GetServerInfo";

const TRAILER = "grpc-status-details-bin";

/** What one call asks for beside the client's options. */
export interface CallOptions {
  /** The deadline of this call in milliseconds, retries included. */
  timeoutMs?: number | undefined;
  /** Ends the call. */
  signal?: AbortSignal | undefined;
}

/**
 * Asks a planner. One per process is enough, and it may have many calls under way.
 *
 * Only UNAVAILABLE is retried. An overloaded planner is the error `Overloaded`: the caller's queue knows better than a waiting call.
 */
export class Client {
  readonly #settings: Settings;
  readonly #channels: Channels<GrpcClient>;

  /**
   * Checks the options and reads the files; it throws where one is wrong. The first call connects.
   *
   * `target` is an address such as `planner.example.com:7450` or `dns:///planner:7450`; all addresses of a DNS name are used.
   */
  constructor(target: string, options: ClientOptions) {
    this.#settings = settings(target, options);
    this.#channels = new Channels(
      this.#settings,
      (content) => new GrpcClient(target, content?.credentials ?? credentials.createInsecure(), this.#settings.channel),
    );
  }

  /**
   * Asks for the plan of one set. `PlannerError`: no plan was made.
   *
   * A request without capabilities is sent with all of this build, which is right for a caller that only looks. A caller that carries
   * out plans must list its own.
   */
  async plan(request: PlanRequest, options: CallOptions = {}): Promise<Plan> {
    const answer = await this.#call(PLAN, toBinary(PlanRequestSchema, withCapabilities(request)), PlanResponseSchema, options);
    if (answer.plan === undefined) throw new PlannerError({ code: Code.INTERNAL, details: "the planner answered without a plan" });
    return answer.plan;
  }

  /** Asks what the server can plan, and within which limits. */
  async serverInfo(options: CallOptions = {}): Promise<GetServerInfoResponse> {
    const request = toBinary(GetServerInfoRequestSchema, create(GetServerInfoRequestSchema));
    return this.#call(SERVER_INFO, request, GetServerInfoResponseSchema, options);
  }

  /** Ends the connection and all calls on it. */
  close(): void {
    this.#channels.close();
  }

  async #call<Desc extends DescMessage>(
    method: string,
    request: Uint8Array,
    schema: Desc,
    { timeoutMs = this.#settings.timeoutMs, signal }: CallOptions,
  ): Promise<MessageShape<Desc>> {
    const limit = this.#settings.maxMessageBytes;
    if (request.length > limit) throw tooLarge("request", request.length, "this client's", limit);
    signal?.throwIfAborted();
    const lease = this.#channels.begin();
    try {
      return fromBinary(schema, await send(lease.channel, method, request, Date.now() + timeoutMs, signal));
    } catch (error) {
      throw told(error, limit);
    } finally {
      this.#channels.end(lease);
    }
  }
}

/** Sends bytes as they are, and gives the bytes that come back. */
export function send(
  client: GrpcClient,
  method: string,
  request: Uint8Array,
  deadline: number,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const call = client.makeUnaryRequest(
      method,
      () => Buffer.from(request.buffer, request.byteOffset, request.byteLength),
      (bytes) => bytes,
      request,
      { deadline },
      (error, answer) => {
        signal?.removeEventListener("abort", cancel);
        if (error) reject(error);
        else resolve(answer ?? new Uint8Array());
      },
    );
    const cancel = () => {
      call.cancel();
    };
    signal?.addEventListener("abort", cancel);
  });
}

/** Makes the error of a failed call. */
export function told(error: unknown, limit?: number): PlannerError {
  const { code, details, metadata } = error as Partial<ServiceError>;
  if (code !== undefined && details !== undefined) return ofStatus(code, details, trailerOf(metadata), limit);
  return new PlannerError({ code: Code.INTERNAL, details: `the answer is not a message of the contract: ${String(error)}` });
}

function trailerOf(metadata: Metadata | undefined): Uint8Array | undefined {
  const [value] = metadata?.get(TRAILER) ?? [];
  return value === undefined ? undefined : Buffer.from(value);
}
