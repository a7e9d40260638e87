// A cache against an API server that does what a test says.

import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";

import { Cache, Guard, PODS, Source } from "@setplan/client/kube";

import { type Answer, server, thing } from "./apis.js";

test("a cache lists, watches, and begins anew when its version is gone", async (t) => {
  const listed = (version: string, name: string) => ({
    kind: "PodList",
    apiVersion: "v1",
    metadata: { resourceVersion: version },
    items: [thing("1", { name })],
  });
  const event = (type: string, object: object) => JSON.stringify({ type, object }) + "\n";
  const answers: Answer[] = [
    [200, listed("5", "a")],
    [200, event("ADDED", thing("6", { name: "b" })) + event("BOOKMARK", thing("7")) + event("DELETED", thing("8", { name: "a" }))],
    [200, event("ERROR", { code: 410, message: "too old" })],
    [200, listed("20", "c")],
    "hang",
  ];
  const end = new AbortController();
  const { api, asked } = await server(t, () => {
    if (answers.length === 1)
      setImmediate(() => {
        end.abort();
      });
    return answers.shift() ?? "hang";
  });
  const changed: string[] = [];
  const cache = new Cache(api, PODS, "default", (pod) => changed.push((pod.value as { metadata: { name: string } }).metadata.name));
  await cache.run(end.signal);
  await cache.filled;
  assert.deepEqual(changed, ["a", "b", "a", "b", "c"]);
  assert.deepEqual(
    cache.all().map((pod) => pod.get("metadata", "name")?.value),
    ["c"],
  );
  assert.deepEqual(
    asked.map(({ url }) => /resourceVersion=(\d+)/.exec(url)?.[1]),
    [undefined, "5", "8", undefined, "20"],
  );
});

/** Returns what a cache asks for in less than two seconds. */
async function askedOf(t: TestContext, answer: (url: string) => Answer): Promise<string[]> {
  const { api, asked } = await server(t, ({ url }) => answer(url));
  const end = new AbortController();
  const run = new Cache(api, PODS, "default", () => undefined).run(end.signal);
  await wait(1_700);
  end.abort();
  await run;
  return asked.map(({ url }) => url);
}

const EMPTY = { kind: "PodList", apiVersion: "v1", metadata: { resourceVersion: "5" }, items: [] };

test("a watch without events, and a version that is gone again, are waited for", async (t) => {
  const quiet = await askedOf(t, (url) => (url.includes("watch=") ? [200, ""] : [200, EMPTY]));
  assert.equal(quiet.length, 3); // a list, and two watches
  const gone = await askedOf(t, (url) => (url.includes("watch=") ? [410, {}] : [200, EMPTY]));
  assert.equal(gone.length, 6); // twice at once, and once after a second
});

test("a list comes in pages, and begins anew when the next is gone", async (t) => {
  let anew = false;
  const page = (name: string, next: string) => ({
    ...EMPTY,
    metadata: { resourceVersion: "5", continue: next },
    items: [thing("1", { name })],
  });
  const { api, asked } = await server(t, ({ url }) => {
    if (url.includes("watch=")) return "hang";
    if (!url.includes("continue=")) return [200, page("a", "more")];
    const gone = !anew;
    anew = true;
    return gone ? [410, {}] : [200, page("b", "")];
  });
  const end = new AbortController();
  const cache = new Cache(api, PODS, "default", () => undefined);
  const run = cache.run(end.signal);
  await cache.filled;
  end.abort();
  await run;
  assert.deepEqual(
    cache.all().map((pod) => pod.get("metadata", "name")?.value),
    ["a", "b"],
  );
  assert.ok(asked.every(({ url }) => url.includes("watch=") || url.includes("limit=500")));
});

/** Returns the sets that a source, which knows some, tells of when something happens to an object. */
async function concerned(t: TestContext, sets: object[], plural: string, type: string, object: object): Promise<string[]> {
  const end = new AbortController();
  const told = new Set<string>();
  let known = false;
  let watches = 0;
  const { api } = await server(t, async ({ url }) => {
    const of = /\/(\w+)\?/.exec(url)?.[1];
    if (!url.includes("watch=")) return [200, { ...EMPTY, items: of === "statefulsets" ? sets : [] }];
    known ||= of === "statefulsets";
    if (of !== plural) return "hang";
    if (++watches > 1) {
      end.abort();
      return "hang";
    }
    while (!known) await wait(1);
    return [200, JSON.stringify({ type, object }) + "\n"];
  });
  const source = new Source(api, "default", ({ name }) => {
    if (known) told.add(name);
  });
  await source.run(end.signal);
  return [...told].sort();
}

function set(name: string, ...templates: string[]): object {
  return {
    ...thing("5", { name }),
    spec: { volumeClaimTemplates: templates.map((template) => ({ metadata: { name: template } })) },
  };
}

test("who shares claim names is a neighbour once for each template", async (t) => {
  const sets = [set("web", "www-x", "data-x"), set("x-web", "data", "www"), set("other-web", "www-x", "data")];
  const { api } = await server(t, ({ url }) => {
    if (url.includes("watch=")) return "hang";
    return [200, { ...EMPTY, items: url.includes("statefulsets") ? sets : [] }];
  });
  const end = new AbortController();
  const source = new Source(api, "default", () => undefined);
  const run = source.run(end.signal);
  await source.filled();
  end.abort();
  await run;
  const key = { namespace: "default", name: "web" };
  assert.deepEqual(
    source.snapshot(key).claimNeighbours.map(({ set, claimTemplate }) => `${set} ${claimTemplate}`),
    ["x-web data-x", "x-web www-x"],
  );
  assert.equal(source.set(key).neighbours, "x-web data-x, x-web www-x");
});

describe("an object concerns", () => {
  const sets = [set("web", "www-x"), set("x-web", "www"), set("b-x-web", "www"), set("x", "web")];
  const cases: [string, string, object, string[]][] = [
    ["pods", "ADDED", thing("6", { name: "web-0" }), ["web"]],
    ["pods", "ADDED", thing("6", { name: "alone" }), []],
    ["persistentvolumeclaims", "ADDED", thing("6", { name: "www-web-0" }), ["web"]],
    ["persistentvolumeclaims", "ADDED", thing("6", { name: "www-x-web-0" }), ["web", "x-web"]],
    ["persistentvolumeclaims", "ADDED", thing("6", { name: "wwwweb-0" }), []],
    ["persistentvolumeclaims", "ADDED", thing("6", { name: "www-db-0" }), []],
    ["controllerrevisions", "ADDED", thing("6", { name: "x-1", ownerReferences: [{ name: "db" }] }), ["db", "x"]],
    ["statefulsets", "MODIFIED", set("x", "web"), ["x"]],
    ["statefulsets", "DELETED", set("x-web", "www"), ["web", "x-web"]], // which may go on: nobody else has its claim names now
  ];
  for (const [plural, type, object, want] of cases) {
    test(`${want.join()}: ${plural} ${type} ${JSON.stringify(object)}`, async (t) => {
      assert.deepEqual(await concerned(t, sets, plural, type, object), want);
    });
  }
});

test("the guard forgets a set that is gone", async (t) => {
  const gone = t.mock.method(Guard.prototype, "forget");
  const { api } = await server(t, ({ url }) => {
    if (!url.includes("watch=")) return [200, EMPTY];
    return url.includes("statefulsets")
      ? [200, JSON.stringify({ type: "DELETED", object: thing("6", { name: "web" }) }) + "\n"]
      : "hang";
  });
  const end = new AbortController();
  await new Source(api, "default", () => {
    setImmediate(() => {
      end.abort();
    });
  }).run(end.signal);
  assert.deepEqual(gone.mock.calls[0]?.arguments, [{ namespace: "default", name: "web" }]);
});
