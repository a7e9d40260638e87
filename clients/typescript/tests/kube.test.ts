// The parts of kube that need no cluster, and an executor against an API server that does what a test says.

import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { KubeConfig } from "@kubernetes/client-node";
import { Code, Overloaded } from "@setplan/client";
import type { Key, Result } from "@setplan/client/adapter";
import { Api, connect, Executor, ForeignWriter, Guard, PODS, Queue, Unavailable } from "@setplan/client/kube";
import { items, of, Raw } from "@setplan/client/snapshot";
import { ActionSchema, CoverageSchema, OutcomeResult } from "@setplan/client/v1";

import { type Answer, refusal, server, thing } from "./apis.js";

const KEY: Key = { namespace: "default", name: "web" };

describe("the guard", () => {
  const stored = (
    time: string,
    { manager = "kube-controller-manager", subresource = "status", ...metadata }: Record<string, unknown> = {},
  ) => Raw.parse(JSON.stringify({ metadata: { uid: "set", managedFields: [{ manager, subresource, time }], ...metadata } }));

  test("takes what was there for history", () => {
    const guard = new Guard();
    guard.check(KEY, stored("1"));
    guard.check(KEY, stored("1"));
    for (let i = 0; i < 2; i++)
      assert.throws(() => {
        guard.check(KEY, stored("2"));
      }, ForeignWriter);
    guard.check(KEY, stored("2", { annotations: { "setplan.io/taken-over-at": "now" } }));
    guard.check(KEY, stored("3", { uid: "another" }));
  });

  for (const later of [{ manager: "kubectl" }, { subresource: "scale" }]) {
    test(`looks at controllers only: ${JSON.stringify(later)}`, () => {
      const guard = new Guard();
      guard.check(KEY, stored("1"));
      guard.check(KEY, stored("2", later));
    });
  }
});

describe("a name is one segment", () => {
  for (const name of ["", "..", "a/b", "%2e%2e", ".", "a?b"]) {
    test(JSON.stringify(name), () => {
      assert.throws(() => PODS.path("default", name), /segment/);
    });
  }
});

test("a revision that the set controls is in the snapshot, whatever its name", () => {
  const set = Raw.parse(
    '{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"web","namespace":"default","uid":"set"},"spec":{}}',
  );
  const revision = (name: string, uid: string) =>
    Raw.parse(JSON.stringify({ metadata: { name, namespace: "default", ownerReferences: [{ uid, controller: true }] } }));
  const objects = { set, revisions: [revision("other-1", "set"), revision("other-2", "somebody")] };
  const { revisions } = of(objects, create(CoverageSchema), new Date());
  assert.deepEqual(
    revisions.map(({ name }) => name),
    ["other-1"],
  );
});

test("items know their kind", () => {
  const listed = '{"apiVersion":"apps/v1","kind":"StatefulSetList","items":[{"metadata":{"name":"web"},"n":1.0}]}';
  assert.deepEqual(
    items(listed).map(({ text }) => text),
    ['{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"web"},"n":1.0}'],
  );
});

describe("raw JSON", () => {
  const text = ' {"a" : [1.0, {"b":"\\"]}\\\\"}, 12345678901234567890 ] ,"n":null,"a\\u0062":"\\ud800","x":1,"x":2} ';
  const raw = Raw.parse(text);
  test("cuts out the text", () => {
    assert.deepEqual(
      raw.get("a")?.items.map((item) => item.text),
      ["1.0", '{"b":"\\"]}\\\\"}', "12345678901234567890"],
    );
    assert.equal(raw.text, text.trim());
  });
  test("reads keys as they are meant, and of two the last", () => {
    assert.deepEqual([...raw.members.keys()], ["a", "n", "ab", "x"]);
    assert.equal(raw.get("x")?.value, 2);
  });
  test("null is nothing", () => {
    assert.equal(raw.get("n", "more"), undefined);
    assert.equal(raw.get("n"), undefined);
  });
  test("mends half of a pair", () => {
    assert.equal(raw.get("ab")?.value, "\ufffd");
  });
  test("mends halves only, and what lies deep too", () => {
    const deep = Raw.parse(`{"a":"\\ud83d\\ude00 \\\\ud83d \\ud83d\\u0041","b":${"[".repeat(9_000)}"\\udc00"${"]".repeat(9_000)}}`);
    assert.equal((deep.value as { a: string }).a, "\u{1f600} \\ud83d \ufffdA");
  });
  test("reads 64 bits", () => {
    assert.equal(Raw.parse('{"n":9007199254740993}').int64("n"), 9007199254740993n);
  });
  test("takes no more than JSON", () => {
    assert.throws(() => Raw.parse("{} x"), SyntaxError);
  });
});

describe("the queue", () => {
  test("works on a key once at a time, again when it was added meanwhile, and later after a failure", async () => {
    const told: string[] = [];
    const running = new Set<string>();
    let twice = false;
    const end = new AbortController();
    const count = (name: string) => told.filter((one) => one === name).length;
    const queue = new Queue(
      async ({ namespace, name }) => {
        twice ||= running.has(name);
        running.add(name);
        told.push(name);
        if (count(name) === 1) queue.add({ namespace, name });
        await Promise.resolve();
        running.delete(name);
        if (name === "fails" && count(name) < 3) throw new Error("no");
        if (count("fails") === 3 && count("web") === 2) end.abort();
        return 3_600_000; // and at once where it has changed meanwhile
      },
      () => undefined,
    );
    queue.add({ namespace: "default", name: "early" });
    const run = queue.run(end.signal);
    for (const name of ["web", "fails"]) queue.add({ namespace: "default", name });
    await run;
    assert.ok(!twice);
    assert.deepEqual([count("web"), count("fails"), count("early")], [2, 3, 0]);
  });

  test("works on no more keys at once than allowed", async () => {
    let running = 0;
    let done = 0;
    const end = new AbortController();
    const queue = new Queue(
      async () => {
        assert.ok(++running <= 2);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        if (++done === 5) end.abort();
        return 0;
      },
      (_, error) => {
        throw error;
      },
      2,
    );
    const run = queue.run(end.signal);
    for (let i = 0; i < 5; i++) queue.add({ namespace: "default", name: String(i) });
    await run;
    assert.equal(done, 5);
  });

  /** What is due at once, and what follows from it. */
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  for (const [saysMs, waitsMs] of [
    [900, 900],
    [1, 100],
    [1e12, 300_000],
  ] as const) {
    test(`asks a planner that has no room for ${String(saysMs)} ms after ${String(waitsMs)} ms`, async (t) => {
      t.mock.timers.enable({ apis: ["setTimeout"] });
      const busy = new Overloaded({ code: Code.RESOURCE_EXHAUSTED, details: "no room", retryAfterMs: saysMs });
      let asked = 0;
      const end = new AbortController();
      const queue = new Queue(
        () => (++asked === 1 ? Promise.reject(busy) : Promise.resolve(0)),
        () => undefined,
      );
      const run = queue.run(end.signal);
      const asks = async (): Promise<number> => {
        queue.add(KEY); // it has changed
        await settled();
        return asked;
      };
      assert.equal(await asks(), 1);
      assert.equal(await asks(), 1);
      t.mock.timers.tick(waitsMs - 1);
      assert.equal(await asks(), 1);
      t.mock.timers.tick(1);
      await settled();
      assert.equal(asked, 2);
      assert.equal(await asks(), 3);
      end.abort();
      await run;
    });
  }

  test("holds up no namespace for one whose sets take long", async () => {
    const begun: string[] = [];
    const end = new AbortController();
    const queue = new Queue(
      async ({ namespace, name }, signal) => {
        begun.push(name);
        if (namespace === "long")
          await new Promise((resolve) => {
            signal.addEventListener("abort", resolve);
          });
        return 0;
      },
      () => undefined,
      2,
    );
    const run = queue.run(end.signal);
    for (const name of ["1", "2", "3"]) queue.add({ namespace: "long", name });
    queue.add(KEY);
    queue.add({ namespace: "another", name: "db" });
    await settled();
    end.abort();
    await run;
    assert.deepEqual(begun, ["1", "2", "web", "db"]);
  });
});

describe("credentials", () => {
  const cluster = (apply: () => Promise<void>): Api => {
    const config = new KubeConfig();
    config.loadFromClusterAndUser({ name: "here", server: "http://127.0.0.1:1", skipTLSVerify: false }, { name: "me" });
    config.addAuthenticator({ isAuthProvider: () => true, applyAuthentication: apply });
    return new Api(config);
  };

  test("that fail are asked for again", async () => {
    let asked = 0;
    const api = cluster(() => Promise.reject(new Error(`no ${String(++asked)}`)));
    for (const why of [/no 1/, /no 2/]) {
      await assert.rejects(api.get(PODS.path()), (error: Error) => error instanceof Unavailable && why.test(error.message));
    }
  });

  test("that do not come are asked for again", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    let asked = 0;
    const api = cluster(() => new Promise(() => asked++));
    for (const times of [1, 2]) {
      const read = api.get(PODS.path());
      const lease = api.get(PODS.path()); // at the same time
      t.mock.timers.tick(10_000);
      await assert.rejects(read, Unavailable);
      await assert.rejects(lease, Unavailable);
      assert.equal(asked, times);
    }
  });
});

const SPENT = {
  message: "Cannot evict pod.",
  details: { causes: [{ reason: "DisruptionBudget", message: "The disruption budget guard needs 2" }] },
};
const TWO_BUDGETS = { message: "This pod has more than one PodDisruptionBudget, which is not supported." };

type Operation = MessageInitShape<typeof ActionSchema>["operation"];

function action(operation: Operation, kind = "Pod") {
  const precondition = operation?.case?.startsWith("create") ? { mustNotExist: true } : { uid: "u", resourceVersion: "5" };
  return create(ActionSchema, { target: { kind, namespace: "default", name: "web-0" }, precondition, operation });
}

describe("a kubeconfig", () => {
  const written = (server: string) => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), "setplan-kubeconfig-")), "config");
    const user = { token: "secret", as: "somebody", "as-groups": ["a", "b"] };
    const config = {
      clusters: [{ name: "c", cluster: { server } }],
      users: [{ name: "u", user }],
      contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
      "current-context": "x",
    };
    writeFileSync(file, JSON.stringify(config));
    return file;
  };

  test("with a user that acts for another, and for groups", async (t) => {
    const { url, headers } = await server(t, () => [200, {}]);
    const api = connect({ kubeconfig: written(url) });
    await api.get(PODS.path());
    api.close();
    const { authorization, "impersonate-user": user, "impersonate-group": groups } = headers[0] ?? {};
    assert.deepEqual([authorization, user, groups], ["Bearer secret", "somebody", "a, b"]);
  });

  test("without TLS is for this machine", async () => {
    const api = connect({ kubeconfig: written("http://127.0.0.1.example.com:1") });
    await assert.rejects(api.get(PODS.path()), /HTTP protocol is not allowed/);
  });
});

describe("the executor", () => {
  const OWNER = { apiVersion: "apps/v1", kind: "StatefulSet", name: "web", uid: "set", controller: true };
  const MANIFEST = Buffer.from(
    '{"metadata": {"name":"web-0","ownerReferences":[{"uid":"set","controller":true}]}, "data":{"n":1.0,"n2":12345678901234567890}}',
  );
  const wrote = { write: { kind: "Pod", name: "web-0", uid: "u", resourceVersion: "6" } };
  const gone = { write: { kind: "Pod", name: "web-0", uid: "u", deleted: true } };

  const requests: [string, Operation, string, string, string?][] = [
    [
      "deletePod",
      { case: "deletePod", value: {} },
      "DELETE",
      '{"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"uid":"u","resourceVersion":"5"}}',
    ],
    [
      "evictPod",
      { case: "evictPod", value: {} },
      "POST",
      '{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"web-0"},"deleteOptions":{"preconditions":{"uid":"u","resourceVersion":"5"}}}',
    ],
    ["createPod", { case: "createPod", value: { manifest: MANIFEST } }, "POST", MANIFEST.toString()],
    [
      "patchPod",
      { case: "patchPod", value: { labels: { a: "b" }, claims: [{ volume: "www", claim: "www-web-0" }] } },
      "PATCH",
      '{"metadata":{"uid":"u","resourceVersion":"5","labels":{"a":"b"}},"spec":{"volumes":[{"name":"www","persistentVolumeClaim":{"claimName":"www-web-0"}}]}}',
    ],
    [
      "updatePod",
      { case: "updatePod", value: { labels: { a: "b" }, removeLabels: ["c"], annotations: { d: "e" }, removeAnnotations: ["f"] } },
      "PATCH",
      '{"metadata":{"uid":"u","resourceVersion":"5","labels":{"a":"b","c":null},"annotations":{"d":"e","f":null}}}',
    ],
    [
      "updatePod with images",
      {
        case: "updatePod",
        value: {
          annotations: { d: "{}" },
          containers: [
            { name: "web", image: "web:2" },
            { name: "logs", image: "logs:1" },
          ],
          initContainers: [{ name: "proxy", image: "proxy:2" }],
        },
      },
      "PATCH",
      '{"metadata":{"uid":"u","resourceVersion":"5","labels":{},"annotations":{"d":"{}"}},"spec":{"$setElementOrder/containers":[{"name":"web"},{"name":"logs"}],"containers":[{"name":"web","image":"web:2"},{"name":"logs","image":"logs:1"}],"$setElementOrder/initContainers":[{"name":"proxy"}],"initContainers":[{"name":"proxy","image":"proxy:2"}]}}',
    ],
    [
      "resizePod",
      {
        case: "resizePod",
        value: {
          containers: [{ name: "logs" }, { name: "web", requests: { cpu: "1" }, limits: { cpu: "2", memory: "1Gi" } }],
          initContainers: [{ name: "first" }, { name: "proxy", requests: { memory: "1Gi" } }],
        },
      },
      "PATCH",
      '{"metadata":{"uid":"u","resourceVersion":"5"},"spec":{"$setElementOrder/containers":[{"name":"logs"},{"name":"web"}],"containers":[{"name":"web","resources":{"requests":{"cpu":"1"},"limits":{"cpu":"2","memory":"1Gi"}}}],"$setElementOrder/initContainers":[{"name":"first"},{"name":"proxy"}],"initContainers":[{"name":"proxy","resources":{"requests":{"memory":"1Gi"}}}]}}',
    ],
    [
      "resizePod of containers",
      { case: "resizePod", value: { containers: [{ name: "web", limits: { cpu: "2" } }], initContainers: [{ name: "proxy" }] } },
      "PATCH",
      '{"metadata":{"uid":"u","resourceVersion":"5"},"spec":{"$setElementOrder/containers":[{"name":"web"}],"containers":[{"name":"web","resources":{"limits":{"cpu":"2"}}}]}}',
    ],
    [
      "adoptPod",
      { case: "adoptPod", value: { owner: OWNER } },
      "PATCH",
      `{"metadata":{"uid":"u","resourceVersion":"5","ownerReferences":[${JSON.stringify(OWNER)}]}}`,
    ],
    [
      "releasePod",
      { case: "releasePod", value: { ownerUid: "set" } },
      "PATCH",
      '{"metadata":{"uid":"u","resourceVersion":"5","ownerReferences":[{"$patch":"delete","uid":"set"}]}}',
    ],
    [
      "setClaimOwners",
      { case: "setClaimOwners", value: { owners: [OWNER] } },
      "PATCH",
      `{"metadata":{"uid":"u","resourceVersion":"5","ownerReferences":[${JSON.stringify(OWNER)}]}}`,
      "PersistentVolumeClaim",
    ],
    [
      "renumberRevision",
      { case: "renumberRevision", value: { number: 9007199254740993n } },
      "PATCH",
      '{"metadata":{"uid":"u","resourceVersion":"5"},"revision":9007199254740993}',
      "ControllerRevision",
    ],
    [
      "patchAnnotations",
      { case: "patchAnnotations", value: { set: { a: "b" }, remove: ["c"] } },
      "PATCH",
      '{"metadata":{"uid":"u","resourceVersion":"5","annotations":{"a":"b","c":null}}}',
    ],
    [
      "updateStatus",
      {
        case: "updateStatus",
        value: {
          status: {
            replicas: 0,
            observedGeneration: 3n,
            conditions: [{ type: "B", status: "True", lastTransitionTime: { seconds: 0n } }],
          },
        },
      },
      "PATCH",
      '{"metadata":{"uid":"u","resourceVersion":"5"},"status":{"observedGeneration":3,"replicas":0,"conditions":[{"type":"A","n":1.0},{"type":"B","status":"True","reason":"","message":"","lastTransitionTime":"1970-01-01T00:00:00Z"}]}}',
      "StatefulSet",
    ],
  ];
  const stored = (_: Key, version: string) =>
    version === "5" ? Raw.parse('[{"type":"A","n":1.0},{"type":"B"}]').items : undefined;
  for (const [about, operation, method, body, kind] of requests) {
    test(about, async (t) => {
      const { api, asked } = await server(t, () => [200, thing("6")]);
      const result = await new Executor(api, stored).apply(KEY, action(operation, kind), new AbortController().signal);
      assert.deepEqual(
        result,
        about === "deletePod" || about === "evictPod" ? gone : { write: { ...wrote.write, kind: kind ?? "Pod" } },
      );
      assert.deepEqual(
        asked.map((one) => [one.method, one.body]),
        [[method, body]],
      );
      const [one] = asked;
      assert.equal(
        one?.type,
        method !== "PATCH"
          ? "application/json"
          : `application/${/^(patchPod|resize|adopt|release)|images$/.test(about) ? "strategic-merge" : "merge"}-patch+json`,
      );
      assert.equal(one.url.includes("/status"), about === "updateStatus");
      assert.equal(one.url.includes("/web-0/eviction"), about === "evictPod");
      assert.equal(one.url.includes("/web-0/resize"), about.startsWith("resizePod"));
    });
  }

  const RESIZE: Operation = { case: "resizePod", value: {} };
  const results: [string, Operation, Answer[], Partial<Result>, string?][] = [
    ["a delete of what is gone", { case: "deletePod", value: {} }, [[404, refusal("NotFound")]], gone],
    ["an eviction of what is gone", { case: "evictPod", value: {} }, [[404, refusal("NotFound")]], gone],
    ["a spent budget", { case: "evictPod", value: {} }, [[429, SPENT]], { outcome: OutcomeResult.DISRUPTION_BUDGET }],
    ["too much to do", { case: "evictPod", value: {} }, [[429, refusal("TooMany")]], { outcome: OutcomeResult.ERROR }],
    ["two budgets", { case: "evictPod", value: {} }, [[500, TWO_BUDGETS]], { outcome: OutcomeResult.REJECTED }],
    ["a release of what is gone", { case: "releasePod", value: { ownerUid: "set" } }, [[404, refusal("NotFound")]], {}],
    ["a release of no owner", { case: "releasePod", value: { ownerUid: "set" } }, [[422, refusal("Invalid", "metadata.uid")]], {}],
    [
      "a patch of what is gone",
      { case: "patchAnnotations", value: {} },
      [[404, refusal("NotFound")]],
      { outcome: OutcomeResult.CONFLICT },
    ],
    ["another version", { case: "patchAnnotations", value: {} }, [[409, refusal("Conflict")]], { outcome: OutcomeResult.CONFLICT }],
    [
      "another uid",
      { case: "patchAnnotations", value: {} },
      [[422, refusal("Invalid", "metadata.uid")]],
      { outcome: OutcomeResult.CONFLICT },
    ],
    ["a resize of what is gone", RESIZE, [[404, refusal("NotFound")]], { outcome: OutcomeResult.CONFLICT }],
    ["an API server that has no resize", RESIZE, [[404, "404 page not found"]], { outcome: OutcomeResult.REJECTED }],
    ["resources that are refused", RESIZE, [[403, refusal("Forbidden")]], { outcome: OutcomeResult.REJECTED }],
    ["another class of service", RESIZE, [[422, refusal("Invalid", "spec")]], { outcome: OutcomeResult.REJECTED }],
    ["a resize of another version", RESIZE, [[409, refusal("Conflict")]], { outcome: OutcomeResult.CONFLICT }],
    ["no right", { case: "deletePod", value: {} }, [[403, refusal("Forbidden")]], { outcome: OutcomeResult.REJECTED }],
    ["a server's failure", { case: "deletePod", value: {} }, [[500, "no JSON"]], { outcome: OutcomeResult.ERROR }],
    ["no answer", { case: "deletePod", value: {} }, ["cut off"], { outcome: OutcomeResult.ERROR }],
    [
      "a pod that was made already",
      { case: "createPod", value: { manifest: MANIFEST } },
      [
        [409, refusal("AlreadyExists")],
        [200, thing("6", { ownerReferences: [OWNER] })],
      ],
      wrote,
    ],
    [
      "a pod that another has made",
      { case: "createPod", value: { manifest: MANIFEST } },
      [
        [409, refusal("AlreadyExists")],
        [200, thing("6")],
      ],
      { outcome: OutcomeResult.CONFLICT },
    ],
    [
      "a claim that is there",
      { case: "createClaim", value: { manifest: MANIFEST } },
      [[409, refusal("AlreadyExists")]],
      { outcome: OutcomeResult.CONFLICT },
      "PersistentVolumeClaim",
    ],
    [
      "a revision that was made already",
      { case: "createRevision", value: { manifest: MANIFEST } },
      [
        [409, refusal("AlreadyExists")],
        [200, { ...thing("6", { ownerReferences: [OWNER] }), data: { n2: 1.2345678901234567e19, n: 1 } }],
      ],
      { write: { ...wrote.write, kind: "ControllerRevision" } },
      "ControllerRevision",
    ],
    [
      "a revision with other data",
      { case: "createRevision", value: { manifest: MANIFEST } },
      [
        [409, refusal("AlreadyExists")],
        [200, { ...thing("6", { ownerReferences: [OWNER] }), data: { n: 2 } }],
      ],
      { outcome: OutcomeResult.CONFLICT },
      "ControllerRevision",
    ],
    [
      "conditions of another version",
      { case: "updateStatus", value: { status: { conditions: [{ type: "A" }] } } },
      [],
      { outcome: OutcomeResult.CONFLICT },
      "StatefulSet",
    ],
    [
      "a finalizer that is there",
      { case: "setFinalizer", value: { finalizer: "f", present: true } },
      [[200, thing("6", { finalizers: ["f"] })]],
      { write: { ...wrote.write, kind: "StatefulSet" } },
      "StatefulSet",
    ],
    [
      "a finalizer to remove from a set that is gone",
      { case: "setFinalizer", value: { finalizer: "f" } },
      [[404, refusal("NotFound")]],
      {},
      "StatefulSet",
    ],
    [
      "a finalizer of a set that is gone",
      { case: "setFinalizer", value: { finalizer: "f", present: true } },
      [[404, refusal("NotFound")]],
      { outcome: OutcomeResult.CONFLICT },
      "StatefulSet",
    ],
    [
      "a finalizer of another set",
      { case: "setFinalizer", value: { finalizer: "f", present: true } },
      [[200, thing("6", { uid: "other" })]],
      { outcome: OutcomeResult.CONFLICT },
      "StatefulSet",
    ],
    ["another kind", { case: "deletePod", value: {} }, [], { outcome: OutcomeResult.ERROR }, "Secret"],
  ];
  for (const [about, operation, answers, want, kind] of results) {
    test(about, async (t) => {
      const left = [...answers];
      const { api, asked } = await server(t, () => left.shift() ?? [500, {}]);
      const { error, ...got } = await new Executor(api, () => undefined).apply(
        KEY,
        action(operation, kind),
        new AbortController().signal,
      );
      assert.deepEqual(got, want, String(error));
      assert.equal(error !== undefined, want.outcome !== undefined);
      assert.equal(asked.length, answers.length); // and nothing is sent again
    });
  }

  test("a refusal by a budget names the budget", async (t) => {
    const { api } = await server(t, () => [429, SPENT]);
    const evict = action({ case: "evictPod", value: {} });
    const { error } = await new Executor(api, stored).apply(KEY, evict, new AbortController().signal);
    assert.equal(error?.message, "Cannot evict pod. The disruption budget guard needs 2");
  });

  test("one finalizer is changed, and the others stay", async (t) => {
    const { api, asked } = await server(t, () => [200, thing("6", { finalizers: ["a", "f", "b"] })]);
    await new Executor(api, stored).apply(
      KEY,
      action({ case: "setFinalizer", value: { finalizer: "f" } }, "StatefulSet"),
      new AbortController().signal,
    );
    assert.equal(asked[1]?.body, '{"metadata":{"uid":"u","resourceVersion":"6","finalizers":["a","b"]}}');
  });

  test("an action without a uid is not sent", async (t) => {
    const { api, asked } = await server(t, () => [200, thing("6")]);
    const deletion = create(ActionSchema, { target: { kind: "Pod", name: "web-0" }, operation: { case: "deletePod", value: {} } });
    const { error, outcome } = await new Executor(api, stored).apply(KEY, deletion, new AbortController().signal);
    assert.match(error?.message ?? "", /names no uid/);
    assert.equal(outcome, OutcomeResult.ERROR);
    assert.deepEqual(asked, []);
  });

  test("a signal ends a request, and nobody knows its result", async (t) => {
    const end = new AbortController();
    const { api } = await server(t, () => {
      end.abort();
      return "hang";
    });
    const { error, outcome } = await new Executor(api, stored).apply(KEY, action({ case: "deletePod", value: {} }), end.signal);
    assert.ok(error instanceof Unavailable);
    assert.equal(outcome, OutcomeResult.ERROR);
  });
});
