// Every vector: requests are made of its objects, and plans and errors come back as it says. There is no list of exceptions.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { fromBinary, fromJson, toJson } from "@bufbuild/protobuf";
import { anyIs, timestampDate } from "@bufbuild/protobuf/wkt";
import { Client as GrpcClient, credentials } from "@grpc/grpc-js";
import { Client, Code, DOMAIN, ofStatus, PlannerError } from "@setplan/client";
import { of } from "@setplan/client/snapshot";
import { CoverageSchema, ErrorReason, PlanSchema, type Snapshot, SnapshotSchema } from "@setplan/client/v1";

import { PLAN, send, told } from "#dist/client.js";
import { StatusSchema } from "#dist/gen/details_pb.js";

import { type Planner, planner } from "./servers.js";
import { read, type Vector } from "./vectors.js";

const all = read();
const asked = all.filter(({ name }) => !name.startsWith("status/"));

test("there are enough", () => {
  assert.ok(all.filter(({ content }) => content.plan).length >= 340);
  assert.ok(all.filter(({ content }) => content.error).length >= 50);
  assert.ok(all.filter(({ content }) => content.objects).length >= 290);
});

describe("snapshots", () => {
  for (const vector of all.filter(({ content }) => content.objects)) {
    test(vector.name, () => {
      const want = vector.request.snapshot;
      assert.ok(want?.observedAt && want.set);
      const coverage = want.coverage ?? fromJson(CoverageSchema, {});
      const got = of(vector.objects, coverage, timestampDate(want.observedAt));
      assert.ok(got.set);
      // What objects do not tell.
      got.outcomes = want.outcomes;
      got.fixedStorageClasses = want.fixedStorageClasses;
      got.policy = want.policy;
      got.set.refusal = want.set.refusal;
      assert.deepEqual(spelledOut(got), spelledOut(want));
    });
  }
});

describe("answers", () => {
  const servers = new Map<string, Planner>();
  before(async () => {
    for (const { flags } of asked) {
      const key = flags.join(" ");
      if (!servers.has(key)) servers.set(key, await planner(flags));
    }
  });
  after(async () => {
    for (const server of servers.values()) await server.kill();
  });
  const address = ({ flags }: Vector) => servers.get(flags.join(" "))?.address ?? "";

  for (const vector of asked.filter(({ content }) => content.plan)) {
    test(vector.name, async () => {
      const client = new Client(address(vector), { insecure: true, timeoutMs: 60_000 });
      try {
        assert.deepEqual(toJson(PlanSchema, await client.plan(vector.request)), toJson(PlanSchema, vector.plan));
      } finally {
        client.close();
      }
    });
  }

  for (const vector of asked.filter(({ content }) => content.error)) {
    test(vector.name, async () => {
      // The bytes themselves: no library would make some of these requests.
      const client = new GrpcClient(address(vector), credentials.createInsecure());
      try {
        const error = await send(client, PLAN, vector.requestBytes, Date.now() + 60_000).then(() => undefined, told);
        assert.ok(error);
        assert.deepEqual(form(error), vector.content.error);
      } finally {
        client.close();
      }
    });
  }
});

describe("errors of a server that cannot plan", () => {
  for (const { name, content } of all.filter((vector) => vector.name.startsWith("status/"))) {
    test(name, () => {
      const { status: trailer = "", ...want } = content.error ?? {};
      const bytes = Buffer.from(trailer, "base64");
      const status = fromBinary(StatusSchema, bytes);
      assert.ok(!status.details.some((detail) => anyIs(detail, StatusSchema)));
      assert.deepEqual(form(ofStatus(status.code, status.message, bytes)), want);
    });
  }
});

/** Puts an error into the form that vectors have. */
function form(error: PlannerError): Record<string, unknown> {
  return {
    code: Code[error.code],
    message: error.details,
    ...(error.reason && { reason: ErrorReason[error.reason], domain: DOMAIN }),
    ...(error.violations.length > 0 && { violations: error.violations }),
    ...(Object.keys(error.metadata).length > 0 && { metadata: error.metadata }),
    ...(error.retryAfterMs !== undefined && { retryDelay: `${String(error.retryAfterMs / 1000)}s` }),
  };
}

type Fields = Record<string, unknown>;

/** Puts entries of tables in place of indexes, and lists into the order of names: what differs then differs in meaning. */
function spelledOut(of: Snapshot): Fields {
  const { tables, ...out } = toJson(SnapshotSchema, of) as Fields;
  for (const kind of ["pods", "claims", "revisions"]) {
    out[kind] = list(out[kind])
      .map((thing) => resolved(thing, (tables ?? {}) as Record<string, unknown[]>))
      .sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1));
  }
  out.claimNeighbours = list(out.claimNeighbours)
    .map((n) => JSON.stringify(n))
    .sort();
  const set = out.set as Fields;
  set.podTemplate = compact(set.podTemplate);
  set.claimTemplates = ((set.claimTemplates ?? []) as string[]).map(compact);
  set.ownFields = compact(set.ownFields);
  // In a snapshot, a field of the status that is 0 or empty says what one says that is not set.
  set.status = Object.fromEntries(
    Object.entries((set.status ?? {}) as Fields).filter(([, value]) => value !== 0 && value !== "0" && value !== ""),
  );
  return out;
}

function list(value: unknown): Fields[] {
  return (value ?? []) as Fields[];
}

function resolved(thing: Fields, tables: Record<string, unknown[]>): Fields {
  const { labelSetIndex, ownerSetIndex, revisionNameIndex, volumeSetIndex, annotationSetIndex, storageIndex, ...out } = thing;
  for (const [table, index] of Object.entries({
    labelSets: labelSetIndex,
    ownerSets: ownerSetIndex,
    revisionNames: revisionNameIndex,
    volumeSets: volumeSetIndex,
    annotationSets: annotationSetIndex,
    claimStorages: storageIndex,
  })) {
    out[table] = typeof index === "number" && index > 0 ? tables[table]?.[index] : "";
  }
  if ("data" in out) out.data = compact(out.data);
  return out;
}

/** Takes blanks out. Keys keep their order and strings their escapes: these requests are the text of their objects. */
function compact(data: unknown): string[] {
  return (
    Buffer.from((data ?? "") as string, "base64")
      .toString()
      .match(/"(?:[^"\\]|\\.)*"|[^\s"]/g) ?? []
  );
}
