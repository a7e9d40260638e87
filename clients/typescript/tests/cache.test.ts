// A cache against an API server that does what a test says.

import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
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
