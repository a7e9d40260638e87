// A planner that does what a test says, over real gRPC on loopback.

import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { Server, ServerCredentials, type ServerUnaryCall, type StatusObject } from "@grpc/grpc-js";
import { type PlanRequest, PlanRequestSchema, PlanResponseSchema } from "@setplan/client/v1";

import type { Planner } from "./servers.js";

type Call = ServerUnaryCall<PlanRequest, MessageInitShape<typeof PlanResponseSchema>>;

/** What a fake answers to a call; the first is number 1. */
export type Answer = (call: number, about: Call) => MessageInitShape<typeof PlanResponseSchema> | Partial<StatusObject>;

const LIMIT = 64 << 20;

export class Fake {
  readonly requests: PlanRequest[] = [];
  readonly agents: string[] = [];
  readonly #answer: Answer;

  constructor(answer: Answer = () => ({ plan: { converged: true } })) {
    this.#answer = answer;
  }

  /** Serves, by default on a free port. */
  async serve(address = "127.0.0.1:0"): Promise<Planner> {
    const server = new Server({ "grpc.max_receive_message_length": LIMIT, "grpc.so_reuseport": 0 });
    server.addService(
      {
        plan: {
          path: "/setplan.v1.PlannerService/Plan",
          requestStream: false,
          responseStream: false,
          requestDeserialize: (bytes: Buffer) => fromBinary(PlanRequestSchema, bytes),
          requestSerialize: (request: PlanRequest) => Buffer.from(toBinary(PlanRequestSchema, request)),
          responseSerialize: (response: MessageInitShape<typeof PlanResponseSchema>) =>
            Buffer.from(toBinary(PlanResponseSchema, create(PlanResponseSchema, response))),
          responseDeserialize: (bytes: Buffer) => fromBinary(PlanResponseSchema, bytes),
        },
      },
      {
        plan: (call: Call, callback: (error: Partial<StatusObject> | null, value?: object) => void) => {
          this.requests.push(call.request);
          this.agents.push(String(call.metadata.get("user-agent")[0]));
          const answer = this.#answer(this.requests.length, call);
          if ("code" in answer) callback(answer);
          else callback(null, answer);
        },
      },
    );
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync(address, ServerCredentials.createInsecure(), (error, port) => {
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
