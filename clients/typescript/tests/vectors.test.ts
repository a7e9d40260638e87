// Every vector: plans and errors come back as it says, from a server and in this process, by snapshots and by objects.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { fromBinary, fromJson, toBinary, toJson } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { Code, ofStatus, PlannerError, planRequest } from "@setplan/client";
import { ErrorReason, PlanRequestSchema, PlanResponseSchema, PlanSchema } from "@setplan/client/v1";

import { StatusSchema } from "#dist/gen/details_pb.js";
import { Local } from "#dist/local.js";
import type { Asked } from "#dist/planner.js";
import { Remote } from "#dist/remote.js";

import { MODULE, type Running, serve } from "./servers.js";
import { documents, readAll, requestOf, type Vector } from "./vectors.js";

const all = readAll();
const asked = all.filter(({ name }) => !name.startsWith("status/"));

test("there are enough", () => {
  assert.ok(asked.filter(({ content }) => content.plan).length >= 340);
  assert.ok(asked.filter(({ content }) => content.error).length >= 50);
  assert.ok(asked.filter(byObjects).length >= 300);
});

describe("answers", () => {
  const servers = new Map<string, { running: Running; remote: Remote }>();
  let local: Local;
  before(async () => {
    local = await Local.load(MODULE, 60_000);
    for (const flags of asked.map(flagsOf)) {
      if (servers.has(flags.join())) continue;
      const running = await serve(flags);
      servers.set(flags.join(), { running, remote: new Remote(running.address, { insecure: true }) });
    }
  });
  after(async () => {
    local.close();
    for (const { running, remote } of servers.values()) {
      remote.close();
      await running.kill();
    }
  });

  for (const vector of asked) {
    test(vector.name, async () => {
      const remote = servers.get(flagsOf(vector).join())?.remote;
      assert.ok(remote);
      const want = await answer(remote, requestOf(vector));
      if (want instanceof PlannerError) assert.deepEqual(form(want), vector.content.error);
      else assert.deepEqual(planOf(want), toJson(PlanSchema, fromJson(PlanSchema, vector.content.plan ?? null)));
      const objects = byObjects(vector);
      if (objects) assert.deepEqual(await answer(remote, objects), want, "by objects");
      if (vector.content.limits) return; // a module has no flags
      assert.deepEqual(await answer(local, requestOf(vector)), want, "in this process");
      if (objects) assert.deepEqual(await answer(local, objects), want, "by objects, in this process");
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

function flagsOf({ content: { limits = {} } }: Vector): string[] {
  return Object.entries(limits).map(
    ([name, value]) => `--${name.replace(/[A-Z]/g, (c) => "-" + c.toLowerCase())}=${String(value)}`,
  );
}

/** Makes the request of the objects, if they say the same as the snapshot: they tell no outcomes, and not what an adapter refuses. */
function byObjects(vector: Vector): Uint8Array | undefined {
  if (!vector.content.objects) return undefined;
  const { snapshot, capabilities } = fromBinary(PlanRequestSchema, requestOf(vector));
  if (!snapshot?.set || !snapshot.observedAt || snapshot.outcomes.length > 0 || snapshot.set.refusal) return undefined;
  const { name, namespace, apiVersion, kind } = snapshot.set;
  const classes = snapshot.fixedStorageClasses.map((name) =>
    JSON.stringify({ apiVersion: "storage.k8s.io/v1", kind: "StorageClass", metadata: { name }, allowVolumeExpansion: false }),
  );
  const complete = (["pods", "claims", "revisions"] as const).filter((kind) => snapshot.coverage?.[kind]);
  const observedAt = timestampDate(snapshot.observedAt);
  const options = { namespace, apiVersion, kind, observedAt, complete, policy: snapshot.policy };
  return toBinary(PlanRequestSchema, { ...planRequest([...documents(vector), ...classes], name, options), capabilities });
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

function planOf(bytes: Uint8Array): unknown {
  const { plan } = fromBinary(PlanResponseSchema, bytes);
  assert.ok(plan);
  return toJson(PlanSchema, plan);
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
