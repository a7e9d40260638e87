// What the loop does with a plan: the rules for adapters of SPEC.md that do not need a cluster.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";

import { create, fromBinary, mergeFromBinary, type Message, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs, DurationSchema, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, Overloaded, Unreachable } from "@setplan/client";
import {
  type Executor,
  Gone,
  type Key,
  Loop,
  type LoopOptions,
  operationOf,
  PlanDropped,
  type Planner,
  policyOf,
  type Result,
  type SetIdentity,
  type Source,
  UnknownGuard,
  UnknownOperation,
} from "@setplan/client/adapter";
import { Refusal } from "@setplan/client/adapter/verify";
import { CAPABILITIES } from "@setplan/client/kube";
import {
  type Action,
  ActionSchema,
  type Fence,
  FenceSchema,
  OnFailure,
  OutcomeResult,
  type Plan,
  type PlanRequest,
  PlanResponseSchema,
  PlanSchema,
  PreconditionSchema,
  type Snapshot,
  SnapshotSchema,
  type Stage,
  StagePhase,
  StageSchema,
  StepSchema,
  TargetSchema,
} from "@setplan/client/v1";

import { deletes } from "#dist/adapter/operations.js";

import { ROOT } from "./servers.js";

const KEY: Key = { namespace: "default", name: "web" };
const NOW = new Date("2026-01-01T00:00:00Z");
const SET: SetIdentity = { uid: "set", generation: 1n, policy: "" };

// A field of number 127 that no message has.
const UNKNOWN = Buffer.from("f80701", "hex");

const refused = (reason = "no"): Result => ({ error: new Error(reason), outcome: OutcomeResult.REJECTED });

/** A source, an executor and a planner that do what a test says. */
class World implements Source, Executor, Planner {
  current_: Plan = create(PlanSchema, { fence: { setUid: "set", generation: 1n } });
  identity = SET;
  live = SET;
  readonly requests: PlanRequest[] = [];
  readonly done: string[] = [];
  readonly held: string[] = [];
  readonly failing = new Map<string, Result>();
  readonly forgotten: Key[] = [];
  gone = false;
  shown = true;
  isCurrent = true;
  askedForCurrent = 0;
  fenceChecks = 0;
  during: () => void = () => undefined;
  writing: (signal: AbortSignal) => Promise<void> = () => Promise.resolve();

  snapshot(key: Key): Snapshot {
    assert.deepEqual(key, KEY);
    if (this.gone) throw new Gone();
    const snapshot = create(SnapshotSchema, {
      observedAt: timestampFromDate(NOW),
      set: {
        apiVersion: "apps/v1",
        kind: "StatefulSet",
        namespace: "default",
        name: "web",
        uid: "set",
        generation: 1n,
        resourceVersion: "7",
        replicas: 0,
        selector: { matchLabels: { app: "web" } },
        claimTemplates: [Buffer.from('{"metadata":{"name":"www"}}')],
      },
      tables: { ownerSets: [{}, { owners: [{ uid: "set", controller: true }] }] },
      claims: [{ name: "www-web-0", uid: "uid-www-web-0", resourceVersion: "1" }],
    });
    const pods = create(SnapshotSchema, {
      pods: [0, 1, 2].map((i) => ({
        name: `web-${String(i)}`,
        uid: `uid-web-${String(i)}`,
        resourceVersion: "1",
        ownerSetIndex: 1,
      })),
    });
    snapshot.pods = pods.pods;
    return snapshot;
  }

  set(): SetIdentity {
    this.fenceChecks++;
    return this.identity;
  }

  liveSet(): Promise<SetIdentity> {
    return Promise.resolve(this.live);
  }

  observed(): boolean {
    return this.shown;
  }

  current(): Promise<boolean> {
    this.askedForCurrent++;
    return Promise.resolve(this.isCurrent);
  }

  async plan(request: PlanRequest): Promise<Plan> {
    this.requests.push(request);
    await Promise.resolve();
    this.during();
    return this.current_;
  }

  async apply(_: Key, action: Action, signal: AbortSignal): Promise<Result> {
    const { kind = "", name = "" } = action.target ?? {};
    const what = `${operationOf(action)} ${name}`;
    this.done.push(what);
    await this.writing(signal);
    return this.failing.get(what) ?? { write: { kind, name, uid: action.precondition?.uid ?? "", deleted: true } };
  }

  loop(options: LoopOptions = {}): Loop {
    const observer = {
      held: (_: Key, reason: string) => void this.held.push(reason),
      forgotten: (key: Key) => void this.forgotten.push(key),
    };
    return new Loop(this, this, this, CAPABILITIES, { observer, now: () => NOW, ...options });
  }

  /** Adds a stage that deletes pods, each in a step of its own. */
  deletes(ordinals: number[], fields: Partial<Omit<Stage, keyof Message | "steps">> = {}): Stage {
    const steps = ordinals.map((ordinal) => ({ actions: [deletion(`web-${String(ordinal)}`)] }));
    const stage = create(StageSchema, { ...fields, steps });
    this.current_.stages.push(stage);
    return stage;
  }
}

function deletion(name: string): Action {
  return create(ActionSchema, {
    id: `delete-${name}`,
    target: { kind: "Pod", namespace: "default", name },
    precondition: { uid: `uid-${name}` },
    operation: { case: "deletePod", value: {} },
  });
}

/** Returns the failures of a pass. */
async function failures(pass: Promise<number>): Promise<Error[]> {
  const error: unknown = await pass.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof AggregateError, String(error));
  return error.errors as Error[];
}

test("stages are carried out in order", async () => {
  const world = new World();
  world.deletes([2]);
  world.deletes([0, 1]);
  assert.equal(await world.loop().reconcile(KEY), 0);
  assert.equal(world.done[0], "deletePod web-2");
  assert.deepEqual(world.done.slice(1).sort(), ["deletePod web-0", "deletePod web-1"]);
  assert.deepEqual(world.requests[0]?.capabilities, CAPABILITIES);
});

test("no more steps at once than allowed", async () => {
  const world = new World();
  world.deletes([0, 1, 2]);
  let running = 0;
  let most = 0;
  world.writing = async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
  };
  await world.loop({ parallelism: 2 }).reconcile(KEY);
  assert.equal(most, 2);
  assert.equal(world.done.length, 3);
  await world.loop({ parallelism: 0 }).reconcile(KEY); // what would do nothing, and say so to nobody
  assert.equal(world.done.length, 6);
});

test("the first failure ends a step", async () => {
  const world = new World();
  world.deletes([0, 1]).steps[0]?.actions.push(deletion("web-2"));
  world.failing.set("deletePod web-0", refused());
  assert.equal((await failures(world.loop().reconcile(KEY))).length, 1);
  assert.deepEqual(world.done, ["deletePod web-0", "deletePod web-1"]);
});

describe("after a failure", () => {
  const cases: [string, OnFailure, string[]][] = [
    ["abort", OnFailure.ABORT, []],
    ["unspecified", OnFailure.UNSPECIFIED, []],
    ["unknown", 77 as OnFailure, []],
    ["stop", OnFailure.STOP, ["deletePod web-2"]],
    ["skip phase", OnFailure.SKIP_PHASE, ["deletePod web-1"]],
  ];
  for (const [about, onFailure, done] of cases) {
    test(about, async () => {
      const world = new World();
      world.deletes([0], { phase: StagePhase.DRAIN, onFailure });
      world.deletes([1], { phase: StagePhase.UPDATE });
      world.deletes([2], { phase: StagePhase.DRAIN, alwaysRun: true });
      world.failing.set("deletePod web-0", refused());
      await failures(world.loop().reconcile(KEY));
      assert.deepEqual(world.done.slice(1), done);
    });
  }
});

describe("the fence", () => {
  const fence = (change: (fence: Fence) => void) => (world: World) => {
    assert.ok(world.current_.fence);
    change(world.current_.fence);
  };
  const becomes = (change: Partial<SetIdentity>) => (world: World) => {
    world.identity = { ...SET, ...change };
  };
  const cases: [string, (world: World) => void, RegExp][] = [
    ["none", (world) => delete world.current_.fence, /no fence/],
    ["uid", becomes({ uid: "other" }), /uid/],
    ["generation", becomes({ generation: 2n }), /generation/],
    ["annotations", becomes({ policy: policyOf({ "setplan.io/pause": "All" }) }), /annotations/],
    ["neighbours", becomes({ neighbours: "b a" }), /same claim names/],
    ["age", fence((of) => (of.maxAge = durationFromMs(-1_000))), /old/],
    ["unknown field", fence((of) => mergeFromBinary(FenceSchema, of, UNKNOWN)), /does not know/],
    [
      "gone",
      (world) =>
        (world.set = () => {
          throw new Gone();
        }),
      /gone/,
    ],
  ];
  for (const [about, change, message] of cases) {
    test(about, async () => {
      const world = new World();
      world.deletes([0]);
      world.during = () => {
        change(world);
      };
      await assert.rejects(
        world.loop().reconcile(KEY),
        (error: Error) => error instanceof PlanDropped && message.test(error.message),
      );
      assert.deepEqual(world.done, []);
      assert.deepEqual(world.held, ["fence"]);
    });
  }
});

test("the fence again before a deletion", async () => {
  const world = new World();
  world.deletes([0]);
  world.deletes([1]);
  world.writing = () => {
    world.identity = { ...SET, generation: 2n };
    return Promise.resolve();
  };
  await assert.rejects(world.loop().reconcile(KEY), PlanDropped);
  assert.deepEqual(world.done, ["deletePod web-0"]);
});

describe("the fence again where containers may stop", () => {
  const cases: [string, MessageInitShape<typeof ActionSchema>["operation"], boolean][] = [
    ["labels", { case: "updatePod", value: { labels: { a: "b" } } }, false],
    ["an image", { case: "updatePod", value: { containers: [{ name: "web", image: "web:2" }] } }, true],
    ["an image of a sidecar", { case: "updatePod", value: { initContainers: [{ name: "proxy", image: "proxy:2" }] } }, true],
    ["resources", { case: "resizePod", value: {} }, true],
  ];
  for (const [about, operation, fenced] of cases) {
    test(about, () => {
      assert.equal(deletes(create(ActionSchema, { operation })), fenced);
    });
  }
});

describe("the fence again before a deletion that has waited for other steps", () => {
  const cases: [string, number, Partial<SetIdentity>, string[]][] = [
    ["long, and the set changed", 1_001, { policy: policyOf({ "setplan.io/pause": "All" }) }, ["deletePod web-0"]],
    ["long, and another set came", 1_001, { neighbours: "other www" }, ["deletePod web-0"]],
    ["long, and nothing changed", 1_001, {}, ["deletePod web-0", "deletePod web-1", "deletePod web-2"]],
    ["not long", 0, { generation: 2n }, ["deletePod web-0", "deletePod web-1", "deletePod web-2"]],
  ];
  for (const [about, waitMs, change, done] of cases) {
    test(about, async () => {
      const world = new World();
      const [, second] = world.deletes([0, 1]).steps;
      second?.actions.push(deletion("web-2"));
      world.writing = async () => {
        if (world.done.length === 1) await wait(waitMs);
        world.identity = { ...SET, ...change };
      };
      const pass = world.loop({ parallelism: 1 }).reconcile(KEY);
      if (done.length < 3) await assert.rejects(pass, PlanDropped);
      else await pass;
      assert.deepEqual(world.done, done);
      assert.deepEqual(world.held, done.length < 3 ? ["fence"] : []);
      assert.equal(world.fenceChecks, waitMs > 0 ? 2 : 1); // once a second is enough
    });
  }

  test("or for the live set", async () => {
    const world = new World();
    world.deletes([0], { requiresLiveSet: true });
    world.liveSet = async () => {
      await wait(1_001);
      world.identity = { ...SET, policy: policyOf({ "setplan.io/pause": "All" }) };
      return SET;
    };
    await assert.rejects(world.loop().reconcile(KEY), PlanDropped);
    assert.deepEqual(world.done, []);
  });
});

describe("the live set", () => {
  for (const [about, live] of Object.entries({
    "another one": { ...SET, uid: "other" },
    "being deleted": { ...SET, deleting: true },
  })) {
    test(about, async () => {
      const world = new World();
      world.deletes([0], { requiresLiveSet: true });
      world.live = live;
      await assert.rejects(world.loop().reconcile(KEY), /live set/);
      assert.deepEqual(world.done, []);
    });
  }
  test("no answer", async () => {
    const world = new World();
    world.deletes([0], { requiresLiveSet: true });
    world.liveSet = () => Promise.reject(new Error("no answer"));
    await assert.rejects(world.loop().reconcile(KEY), /live set.*no answer/);
    assert.deepEqual(world.done, []);
  });
});

test("an unknown operation fails its stage", async () => {
  const world = new World();
  const [, step] = world.deletes([0, 1]).steps;
  const [action] = step?.actions ?? [];
  assert.ok(action);
  action.operation = { case: undefined };
  assert.ok((await failures(world.loop().reconcile(KEY)))[0] instanceof UnknownOperation);
  assert.deepEqual(world.done, []); // nothing of the stage
});

describe("an unknown field that restricts", () => {
  const cases: Record<string, (stage: Stage, action: Action) => unknown> = {
    stage: (stage) => mergeFromBinary(StageSchema, stage, UNKNOWN),
    step: ({ steps: [step] }) => step && mergeFromBinary(StepSchema, step, UNKNOWN),
    target: (_, { target }) => target && mergeFromBinary(TargetSchema, target, UNKNOWN),
    precondition: (_, { precondition }) => precondition && mergeFromBinary(PreconditionSchema, precondition, UNKNOWN),
  };
  for (const [about, change] of Object.entries(cases)) {
    test(about, async () => {
      const world = new World();
      const stage = world.deletes([0]);
      const [action] = stage.steps[0]?.actions ?? [];
      assert.ok(action && change(stage, action));
      assert.ok((await failures(world.loop().reconcile(KEY)))[0] instanceof UnknownGuard);
      assert.deepEqual(world.done, []);
    });
  }
});

interface Later {
  about: string;
  response: string;
  deleted: string[];
  refused?: "fence" | "guard" | "operation";
}

describe("a planner of a later release", () => {
  const { answers } = JSON.parse(readFileSync(path.join(ROOT, "proto", "testdata", "later.json"), "utf8")) as { answers: Later[] };
  for (const { about, response, deleted, refused } of answers) {
    test(about, async () => {
      const world = new World();
      const { plan } = fromBinary(PlanResponseSchema, Buffer.from(response, "base64"));
      assert.ok(plan);
      world.current_ = plan;
      const pass = world.loop().reconcile(KEY);
      if (refused === undefined) await pass;
      else if (refused === "fence") await assert.rejects(pass, PlanDropped);
      else assert.ok((await failures(pass))[0] instanceof { guard: UnknownGuard, operation: UnknownOperation }[refused]);
      assert.deepEqual(
        world.done.sort(),
        deleted.map((name) => `deletePod ${name}`),
      );
    });
  }
});

test("a lie", async () => {
  const world = new World();
  const [, step] = world.deletes([0, 1]).steps;
  const target = step?.actions[0]?.target;
  assert.ok(target);
  target.name = "db-0";
  assert.ok((await failures(world.loop().reconcile(KEY)))[0] instanceof Refusal);
  assert.deepEqual(world.done, []);
  assert.deepEqual(world.held, ["verification"]);
});

test("the gate", async () => {
  const world = new World();
  world.deletes([0]);
  const loop = world.loop();
  await loop.reconcile(KEY);
  world.shown = false;
  assert.equal(await loop.reconcile(KEY), 100);
  assert.deepEqual(world.held, ["gate"]);
  assert.equal(world.requests.length, 1);
  assert.equal(world.askedForCurrent, 0);
  world.shown = true;
  await loop.reconcile(KEY);
  assert.equal(world.requests.length, 2);
});

test("time alone does not open the gate", async () => {
  const world = new World();
  world.deletes([0]);
  const loop = world.loop({ gateTimeoutMs: 0 });
  await loop.reconcile(KEY);
  world.shown = world.isCurrent = false;
  assert.ok((await loop.reconcile(KEY)) > 0);
  assert.equal(world.askedForCurrent, 1);
  world.isCurrent = true;
  await loop.reconcile(KEY);
  assert.equal(world.requests.length, 2);
});

test("owners without an answer close the gate", async () => {
  const world = new World();
  const action = create(ActionSchema, {
    id: "owners",
    target: { kind: "PersistentVolumeClaim", namespace: "default", name: "www-web-0" },
    precondition: { uid: "uid-www-web-0", resourceVersion: "1" },
    operation: { case: "setClaimOwners", value: {} },
  });
  world.current_.stages = [create(StageSchema, { steps: [{ actions: [action] }] })];
  world.failing.set("setClaimOwners www-web-0", { error: new Error("lost"), outcome: OutcomeResult.ERROR });
  const loop = world.loop();
  await failures(loop.reconcile(KEY));
  world.current_.stages = [];
  world.isCurrent = false;
  assert.ok((await loop.reconcile(KEY)) > 0);
  world.isCurrent = true;
  assert.equal(await loop.reconcile(KEY), 0);
});

test("outcomes are told until the action succeeds", async () => {
  const world = new World();
  world.deletes([0]);
  world.failing.set("deletePod web-0", refused("quota".padEnd(511, "!") + "é"));
  const loop = world.loop();
  await failures(loop.reconcile(KEY));
  await failures(loop.reconcile(KEY));
  world.failing.clear();
  await loop.reconcile(KEY);
  await loop.reconcile(KEY);
  const message = "quota".padEnd(511, "!"); // cut at a character
  const told = world.requests.map(({ snapshot }) => snapshot?.outcomes.map((o) => [o.actionId, o.count, o.message, o.result]));
  const failed = (count: number) => [["delete-web-0", count, message, OutcomeResult.REJECTED]];
  assert.deepEqual(told, [[], failed(1), failed(2), []]);
});

test("outcomes of what nobody wants are forgotten", async () => {
  const world = new World();
  world.deletes([0]);
  world.failing.set("deletePod web-0", refused());
  const loop = world.loop();
  await failures(loop.reconcile(KEY));
  const { stages } = world.current_;
  world.current_.stages = [];
  world.current_.truncated = true; // that says nothing about what was left out
  await loop.reconcile(KEY);
  world.current_.truncated = false;
  await loop.reconcile(KEY);
  world.current_.stages = stages;
  await failures(loop.reconcile(KEY));
  assert.deepEqual(
    world.requests.map(({ snapshot }) => snapshot?.outcomes.length),
    [0, 1, 1, 0],
  );
});

test("a refusal by a disruption budget is told for five minutes", async () => {
  const world = new World();
  world.deletes([0, 1]);
  world.failing.set("deletePod web-0", { error: new Error("guard"), outcome: OutcomeResult.DISRUPTION_BUDGET });
  world.failing.set("deletePod web-1", refused());
  let seconds = 0;
  const loop = world.loop({ now: () => new Date(NOW.getTime() + 1000 * seconds) });
  await failures(loop.reconcile(KEY));
  world.current_.stages = []; // as while the planner waits before it asks the budget again
  for (seconds of [0, 299, 300, 300]) await loop.reconcile(KEY);
  const told = world.requests.map(({ snapshot }) => snapshot?.outcomes.map((o) => [o.actionId, o.triedAt]));
  const refusal = ["delete-web-0", timestampFromDate(NOW)];
  assert.deepEqual(told, [[], [refusal, ["delete-web-1", timestampFromDate(NOW)]], [refusal], [refusal], []]);
});

test("an action that takes too long", async () => {
  const world = new World();
  world.deletes([0]);
  world.writing = (signal) =>
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => {
        reject(signal.reason as Error);
      });
    });
  const [failed] = await failures(world.loop({ actionTimeoutMs: 1 }).reconcile(KEY));
  assert.match(failed?.message ?? "", /too long/);
});

test("when the signal is aborted, what is under way is finished, and nobody is told of the rest", async () => {
  const world = new World();
  world.deletes([0, 2]).steps[0]?.actions.push(deletion("web-1"));
  world.deletes([1]).alwaysRun = true;
  const end = new AbortController();
  let cutOff = false;
  world.writing = async (signal) => {
    end.abort();
    await wait(20);
    cutOff ||= signal.aborted;
  };
  const told: string[] = [];
  const observer = { applied: (_: Key, { id }: Action, { error }: Result) => void told.push(`${id} ${String(error)}`) };
  await assert.rejects(world.loop({ observer, parallelism: 1 }).reconcile(KEY, end.signal), /default\/web was not finished/);
  assert.deepEqual(world.done, ["deletePod web-0"]);
  assert.deepEqual(told, ["delete-web-0 undefined"]);
  assert.ok(!cutOff);
});

test("when to ask again", async () => {
  const world = new World();
  world.current_.requeueAfter = durationFromMs(3_000);
  assert.equal(await world.loop().reconcile(KEY), 3_000);
  world.current_.requeueAfter = create(DurationSchema, { nanos: 1 }); // 0 would be never
  assert.equal(await world.loop().reconcile(KEY), 1);
  world.deletes([0]);
  world.current_.truncated = true;
  assert.equal(await world.loop().reconcile(KEY), 1);
});

describe("fail static", () => {
  const failure = { code: Code.UNAVAILABLE, details: "no connection" };
  for (const [reason, error] of Object.entries({
    "planner unreachable": new Unreachable(failure),
    "planner busy": new Overloaded({ ...failure, code: Code.RESOURCE_EXHAUSTED }),
  })) {
    test(reason, async () => {
      const world = new World();
      world.deletes([0]);
      world.during = () => {
        throw error;
      };
      await assert.rejects(world.loop().reconcile(KEY), error);
      assert.deepEqual(world.done, []);
      assert.deepEqual(world.held, [reason]);
    });
  }
});

test("a set that is gone", async () => {
  const world = new World();
  world.deletes([0]);
  const loop = world.loop();
  await loop.reconcile(KEY);
  world.gone = true;
  assert.equal(await loop.reconcile(KEY), 0);
  assert.equal(world.requests.length, 1);
  assert.deepEqual(world.forgotten, [KEY]);
});
