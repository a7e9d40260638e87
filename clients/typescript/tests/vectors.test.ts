// Every vector: plans and errors come back as it says. There is no list of exceptions.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { fromBinary, fromJson, toJson } from "@bufbuild/protobuf";
import { Code, PlannerError } from "@setplan/client";
import { ErrorReason, PlanResponseSchema, PlanSchema } from "@setplan/client/v1";

import { ofStatus } from "#dist/errors.js";
import { StatusSchema } from "#dist/gen/details_pb.js";
import type { Asked } from "#dist/planner.js";
import { Remote } from "#dist/remote.js";

import { type Running, serve } from "./servers.js";
import { read, type Vector } from "./vectors.js";

const all = read();
const asked = all.filter(({ name }) => !name.startsWith("status/"));

test("there are plans and errors", () => {
  assert.ok(asked.some(({ content }) => content.plan));
  assert.ok(asked.some(({ content }) => content.error));
  assert.ok(asked.length < all.length);
});

describe("answers", () => {
  const servers = new Map<string, { running: Running; remote: Remote }>();
  before(async () => {
    for (const { flags } of asked) {
      if (servers.has(flags.join())) continue;
      const running = await serve(flags);
      servers.set(flags.join(), { running, remote: new Remote(running.address, { insecure: true }) });
    }
  });
  after(async () => {
    for (const { running, remote } of servers.values()) {
      remote.close();
      await running.kill();
    }
  });

  for (const vector of asked) {
    test(vector.name, async () => {
      const remote = servers.get(vector.flags.join())?.remote;
      assert.ok(remote);
      check(vector, await answer(remote, vector.request));
    });
  }
});

describe("errors of a server that cannot plan", () => {
  for (const { name, content } of all.filter((vector) => !asked.includes(vector))) {
    test(name, () => {
      const { status: trailer = "", ...want } = content.error ?? {};
      const bytes = Buffer.from(trailer, "base64");
      const { code, message } = fromBinary(StatusSchema, bytes);
      assert.deepEqual(form(ofStatus(code, message, bytes)), want);
    });
  }
});

/** Asks with the bytes themselves: no library would make some of these requests. */
async function answer(planner: Asked, request: Uint8Array): Promise<Uint8Array | PlannerError> {
  try {
    for await (const bytes of planner.call("Plan", request, 60_000)) return bytes;
  } catch (error) {
    if (error instanceof PlannerError) return error;
    throw error;
  }
  throw new Error("no answer");
}

function check({ content }: Vector, got: Uint8Array | PlannerError): void {
  if (got instanceof PlannerError) {
    assert.deepEqual(form(got), content.error);
    return;
  }
  const { plan } = fromBinary(PlanResponseSchema, got);
  assert.ok(plan && content.plan, "a plan came back");
  assert.deepEqual(toJson(PlanSchema, plan), toJson(PlanSchema, fromJson(PlanSchema, content.plan)));
}

/** Puts an error into the form that vectors have. */
function form(error: PlannerError): Record<string, unknown> {
  return {
    code: Code[error.code],
    message: error.details,
    ...(error.reason && { reason: ErrorReason[error.reason], domain: "setplan.io" }),
    ...(error.violations.length > 0 && { violations: error.violations }),
    ...(Object.keys(error.metadata).length > 0 && { metadata: error.metadata }),
    ...(error.retryAfterMs !== undefined && { retryDelay: `${String(error.retryAfterMs / 1000)}s` }),
  };
}
