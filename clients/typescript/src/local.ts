// A planner in this process: the module setplan.wasm in a thread of its own, so that a call can be ended and the event loop goes on.

import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";

import { create, fromBinary, toBinary } from "@bufbuild/protobuf";

import { Code, ofStatus, PlannerError, tooLarge, Unreachable } from "./errors.js";
import { StatusSchema } from "./gen/details_pb.js";
import type { Asked } from "./planner.js";
import { GetServerInfoRequestSchema, GetServerInfoResponseSchema } from "./v1.js";

const METHODS: Readonly<Record<string, number>> = { Plan: 1, Forecast: 2, GetServerInfo: 3 };

/** Calls a module, once at a time. */
export class Local implements Asked {
  readonly #file: string | URL;
  readonly #module: Uint8Array;
  #limit = Infinity;
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(file: string | URL, module: Uint8Array) {
    this.#file = file;
    this.#module = module;
  }

  /** Reads the module, starts it, and asks for its limits. */
  static async load(file: string | URL, timeoutMs: number): Promise<Local> {
    const local = new Local(file, await readFile(file));
    const request = toBinary(GetServerInfoRequestSchema, create(GetServerInfoRequestSchema));
    for await (const answer of local.call("GetServerInfo", request, timeoutMs)) {
      local.#limit = Number(fromBinary(GetServerInfoResponseSchema, answer).maxMessageBytes);
    }
    return local;
  }

  /** Runs a method, and yields the messages of its answer. */
  async *call(method: string, request: Uint8Array, timeoutMs: number): AsyncGenerator<Uint8Array, void> {
    if (request.length > this.#limit) throw tooLarge("request", request.length, this.#limit);
    const answer = await this.#turn(METHODS[method] ?? 0, request, timeoutMs);
    // Frames: one byte for the kind, 0 for a message, four bytes for the size, and the payload.
    const view = new DataView(answer.buffer);
    for (let at = 0; at < answer.length;) {
      const start = at + 5;
      const end = start + view.getUint32(at + 1);
      const payload = answer.subarray(start, end);
      if (answer[at] !== 0) throw ofStatus(fromBinary(StatusSchema, payload));
      yield payload;
      at = end;
    }
  }

  /** Ends the thread, and a call on it. */
  close(): void {
    void this.#worker?.terminate();
  }

  /** Waits for the calls before this one, and for its answer. The time counts from now. */
  #turn(method: number, request: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      let state: "waits" | "runs" | "late" = "waits";
      const late = () => {
        reject(new Unreachable(Code.DEADLINE_EXCEEDED, `no answer after ${String(timeoutMs)} ms`));
        if (state === "runs") void this.#worker?.terminate();
        state = "late";
      };
      const timer = setTimeout(late, Math.min(timeoutMs, 2 ** 31 - 1));
      this.#last = this.#last.then(async () => {
        if (state === "late") return;
        state = "runs";
        await this.#run(method, request).then(resolve, reject);
        clearTimeout(timer);
      });
    });
  }

  async #run(method: number, request: Uint8Array): Promise<Uint8Array> {
    const worker = (this.#worker ??= new Worker(new URL("./worker.js", import.meta.url), {
      workerData: this.#module,
      execArgv: [],
    }));
    worker.ref();
    try {
      return await new Promise((answered, failed) => {
        worker.once("message", answered).once("error", failed);
        worker.once("exit", () => failed(new Unreachable(Code.CANCELLED, "the call was ended")));
        worker.postMessage([method, request]);
      });
    } catch (error) {
      this.#worker = undefined; // a module that has failed is not asked again
      if (error instanceof PlannerError) throw error;
      throw new PlannerError(Code.INTERNAL, `the planner in ${String(this.#file)} ended: ${String(error)}`);
    } finally {
      for (const event of ["message", "error", "exit"]) worker.removeAllListeners(event); // not Node's own
      worker.unref();
    }
  }
}
