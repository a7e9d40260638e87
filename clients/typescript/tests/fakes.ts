// A server that does what a test says, over real gRPC.

import { promisify } from "node:util";

import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { Server, ServerCredentials, type ServerWritableStream, type StatusObject } from "@grpc/grpc-js";
import { ForecastResponseSchema, PlanResponseSchema } from "@setplan/client/v1";

import type { Running } from "./servers.js";

export type Call = ServerWritableStream<Buffer, Uint8Array>;

/** What is answered to a call; the first is number 1. Bytes are the messages of an answer; without any, the function answers by itself. */
export type Answer = (number: number, call: Call) => Uint8Array[] | Partial<StatusObject> | undefined;

export function planned(response: MessageInitShape<typeof PlanResponseSchema> = { plan: { converged: true } }): Uint8Array[] {
  return [toBinary(PlanResponseSchema, create(PlanResponseSchema, response))];
}

export function part(part: MessageInitShape<typeof ForecastResponseSchema>["part"]): Uint8Array {
  return toBinary(ForecastResponseSchema, create(ForecastResponseSchema, { part }));
}

/** Serves on loopback, by default on a free port, and keeps the calls. */
export async function fake(
  answer: Answer,
  address = "127.0.0.1:0",
  credentials = ServerCredentials.createInsecure(),
): Promise<Running & { calls: Call[] }> {
  const calls: Call[] = [];
  const server = new Server({ "grpc.max_receive_message_length": 64 << 20, "grpc.so_reuseport": 0 });
  const handle = (call: Call) => {
    const told = answer(calls.push(call), call);
    if (told && !Array.isArray(told)) call.emit("error", told);
    if (!Array.isArray(told)) return;
    for (const message of told) call.write(message);
    call.end();
  };
  for (const method of ["Plan", "Forecast"]) {
    const bytes = (message: Uint8Array) => Buffer.from(message);
    server.register(`/setplan.v1.PlannerService/${method}`, handle, bytes, bytes, "serverStream");
  }
  const port = await promisify(server.bindAsync.bind(server))(address, credentials);
  const kill = () => Promise.resolve(server.forceShutdown());
  return { address: `127.0.0.1:${String(port)}`, kill, calls };
}
