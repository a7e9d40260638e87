// Every vector: plans and errors come back as it says. There is no list of exceptions.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { fromBinary, fromJson, toBinary, toJson } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { Code, ofStatus, PlannerError, planRequest } from "@setplan/client";
import { ErrorReason, PlanRequestSchema, PlanResponseSchema, PlanSchema } from "@setplan/client/v1";

import { StatusSchema } from "#dist/gen/details_pb.js";
import type { Asked } from "#dist/planner.js";
import { Remote } from "#dist/remote.js";

import { type Running, serve } from "./servers.js";
import { read, type Vector } from "./vectors.js";

const all = read();
const asked = all.filter(({ name }) => !name.startsWith("status/"));

test("there are enough", () => {
  assert.ok(asked.filter(({ content }) => content.plan).length >= 340);
  assert.ok(asked.filter(({ content }) => content.error).length >= 50);
  assert.ok(asked.filter(ofObjects).length >= 300);
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
      const want = await answer(remote, vector.request);
      check(vector, want);
      const objects = ofObjects(vector);
      if (objects) assert.deepEqual(await answer(remote, objects), want, "by objects");
    });
  }
});

describe("errors of a server that cannot plan", () => {
  for (const { name, content } of all.filter((vector) => !asked.includes(vector))) {
    test(name, () => {
      const { status: trailer = "", ...want } = content.error ?? {};
      assert.deepEqual(form(ofStatus(fromBinary(StatusSchema, Buffer.from(trailer, "base64")))), want);
    });
  }
});

/** Makes the request of the vector's objects, if they say the same as its snapshot: they tell no outcomes, and not what a set's adapter refuses. */
function ofObjects(vector: Vector): Uint8Array | undefined {
  if (!vector.content.objects) return undefined;
  const { snapshot, capabilities } = fromBinary(PlanRequestSchema, vector.request);
  if (!snapshot?.set || !snapshot.observedAt || snapshot.outcomes.length > 0 || snapshot.set.refusal) return undefined;
  const classes = snapshot.fixedStorageClasses.map((name) =>
    JSON.stringify({ apiVersion: "storage.k8s.io/v1", kind: "StorageClass", metadata: { name }, allowVolumeExpansion: false }),
  );
  const request = planRequest([...vector.documents, ...classes], snapshot.set.name, {
    namespace: snapshot.set.namespace,
    apiVersion: snapshot.set.apiVersion,
    kind: snapshot.set.kind,
    observedAt: timestampDate(snapshot.observedAt),
    complete: (["pods", "claims", "revisions"] as const).filter((kind) => snapshot.coverage?.[kind]),
    policy: snapshot.policy,
  });
  request.capabilities = capabilities;
  return toBinary(PlanRequestSchema, request);
}

/** Asks with the bytes themselves: no library would make some of these requests. */
async function answer(planner: Asked, request: Uint8Array): Promise<Uint8Array | PlannerError> {
  try {
    for await (const bytes of planner.call("Plan", request, 60_000)) return new Uint8Array(bytes);
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
