// A planner that does what a test says, over real gRPC on loopback.

import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { Server, ServerCredentials, type ServerWritableStream, type StatusObject } from "@grpc/grpc-js";
import { type PlanRequest, PlanRequestSchema, PlanResponseSchema } from "@setplan/client/v1";

import type { Running } from "./servers.js";

type Call = ServerWritableStream<PlanRequest, Uint8Array>;

/** What a fake answers to a call; the first is number 1. Bytes are the messages of an answer; without any, the answer answers by itself. */
export type Answer = (call: number, about: Call) => Uint8Array[] | Partial<StatusObject> | undefined;

/** Makes the answer with a plan. */
export function planned(response: MessageInitShape<typeof PlanResponseSchema> = { plan: { converged: true } }): Uint8Array[] {
  return [toBinary(PlanResponseSchema, create(PlanResponseSchema, response))];
}

export class Fake {
  readonly requests: PlanRequest[] = [];
  readonly agents: string[] = [];
  readonly #answer: Answer;

  constructor(answer: Answer = () => planned()) {
    this.#answer = answer;
  }

  /** Serves, by default on a free port. */
  async serve(address = "127.0.0.1:0", credentials = ServerCredentials.createInsecure()): Promise<Running> {
    const server = new Server({ "grpc.max_receive_message_length": 64 << 20, "grpc.so_reuseport": 0 });
    const method = (name: string) => ({
      path: `/setplan.v1.PlannerService/${name}`,
      requestStream: false,
      responseStream: true,
      requestDeserialize: (bytes: Buffer) => fromBinary(PlanRequestSchema, bytes),
      requestSerialize: (request: PlanRequest) => Buffer.from(toBinary(PlanRequestSchema, request)),
      responseSerialize: (bytes: Uint8Array) => Buffer.from(bytes),
      responseDeserialize: (bytes: Buffer) => bytes,
    });
    const handle = (call: Call) => {
      this.requests.push(call.request);
      this.agents.push(String(call.metadata.get("user-agent")[0]));
      const answer = this.#answer(this.requests.length, call);
      if (answer === undefined) return;
      if (!Array.isArray(answer)) {
        call.emit("error", answer);
        return;
      }
      for (const message of answer) call.write(message);
      call.end();
    };
    server.addService({ plan: method("Plan"), forecast: method("Forecast") }, { plan: handle, forecast: handle });
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync(address, credentials, (error, port) => {
        if (error) reject(error);
        else resolve(port);
      });
    });
    return {
      address: `127.0.0.1:${String(port)}`,
      kill: () => {
        server.forceShutdown();
        return Promise.resolve();
      },
    };
  }
}
