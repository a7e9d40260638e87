import { create, type DescMessage, fromBinary, type MessageInitShape, type MessageShape, toBinary } from "@bufbuild/protobuf";

import { Code, PlannerError, Unreachable } from "./errors.js";
import { Local } from "./local.js";
import { type ConnectOptions, Remote } from "./remote.js";
import * as v1 from "./v1.js";

/** A step of a forecast, or its result. */
export type ForecastPart = Exclude<v1.ForecastResponse["part"], { case: undefined }>;

/** How long to wait. */
export interface CallOptions {
  /** The deadline of a call in milliseconds, retries included; the default is that of the `Planner`, which is 10,000 by default. */
  timeoutMs?: number | undefined;
}

/** What answers calls. */
export interface Asked {
  /** Answers with the messages of a method of PlannerService, or throws a `PlannerError`. */
  call(method: string, request: Uint8Array, timeoutMs: number): AsyncIterable<Uint8Array>;
  close(): void;
}

/** Asks a planner. One per process is enough, and it may have many calls under way. A call without an answer throws a `PlannerError`. */
export class Planner {
  readonly #asked: Asked;
  readonly #timeoutMs: number;

  private constructor(asked: Asked, timeoutMs: number) {
    this.#asked = asked;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Asks a server at an address such as `planner.example.com:7450` or `dns:///planner:7450`; all addresses of a DNS name are used. The
   * first call connects. It throws if an option or a file is wrong.
   *
   * Only UNAVAILABLE is retried. If the planner is overloaded, the call throws `Overloaded`: the caller decides when to ask again.
   */
  static connect(address: string, options: ConnectOptions): Planner {
    const timeoutMs = checked(options);
    return new Planner(new Remote(address, options), timeoutMs);
  }

  /**
   * Plans in this process, with the module `setplan.wasm`: the same answers without a server. It throws if the file cannot be read, or
   * is no planner.
   *
   * One call runs at a time, in at most 512 MiB and in a thread of its own. A forecast's steps come together, at its end.
   */
  static async local(file: string | URL, options: CallOptions = {}): Promise<Planner> {
    const timeoutMs = checked(options);
    return new Planner(await Local.load(file, timeoutMs), timeoutMs);
  }

  /** Asks for the plan of one set: what to do next, and what it waits for. */
  async plan(request: MessageInitShape<typeof v1.PlanRequestSchema>, options?: CallOptions): Promise<v1.Plan> {
    const { plan } = await this.#one(
      "Plan",
      toBinary(v1.PlanRequestSchema, create(v1.PlanRequestSchema, request)),
      v1.PlanResponseSchema,
      options,
    );
    if (plan === undefined) throw new PlannerError(Code.INTERNAL, "the planner answered without a plan");
    return plan;
  }

  /** Asks how one set's rollout will go. A forecast of a large set takes seconds. */
  async forecast(request: MessageInitShape<typeof v1.ForecastRequestSchema>, options?: CallOptions): Promise<v1.ForecastResult> {
    for await (const part of this.forecastSteps(request, options)) if (part.case === "result") return part.value;
    throw new Unreachable(Code.UNAVAILABLE, "the forecast ended before its result");
  }

  /** Asks the same, and yields each step as soon as the planner sends it, then the result. */
  async *forecastSteps(
    request: MessageInitShape<typeof v1.ForecastRequestSchema>,
    options?: CallOptions,
  ): AsyncGenerator<ForecastPart, void> {
    const bytes = toBinary(v1.ForecastRequestSchema, create(v1.ForecastRequestSchema, request));
    let last: ForecastPart["case"] | undefined;
    for await (const { part } of this.#call("Forecast", bytes, v1.ForecastResponseSchema, options)) {
      if (part.case !== undefined) yield part;
      last = part.case;
    }
    if (last !== "result") throw new Unreachable(Code.UNAVAILABLE, "the forecast ended before its result");
  }

  /** Asks for the planner's release, what it can plan, and its limits. */
  async serverInfo(options?: CallOptions): Promise<v1.GetServerInfoResponse> {
    const request = toBinary(v1.GetServerInfoRequestSchema, create(v1.GetServerInfoRequestSchema));
    return this.#one("GetServerInfo", request, v1.GetServerInfoResponseSchema, options);
  }

  /** Ends all calls. */
  close(): void {
    this.#asked.close();
  }

  async #one<D extends DescMessage>(
    method: string,
    request: Uint8Array,
    schema: D,
    options?: CallOptions,
  ): Promise<MessageShape<D>> {
    let answer: MessageShape<D> | undefined;
    for await (const message of this.#call(method, request, schema, options)) answer = message;
    return answer ?? create(schema);
  }

  async *#call<D extends DescMessage>(
    method: string,
    request: Uint8Array,
    schema: D,
    { timeoutMs = this.#timeoutMs }: CallOptions = {},
  ): AsyncGenerator<MessageShape<D>, void> {
    for await (const bytes of this.#asked.call(method, request, timeoutMs)) {
      let message: MessageShape<D>;
      try {
        message = fromBinary(schema, bytes);
      } catch (error) {
        throw new PlannerError(Code.INTERNAL, `the planner's answer cannot be read: ${String(error)}`);
      }
      yield message;
    }
  }
}

function checked({ timeoutMs = 10_000 }: CallOptions): number {
  if (!(timeoutMs > 0)) throw new RangeError(`timeoutMs is ${String(timeoutMs)}, must be positive`);
  return timeoutMs;
}
