// The page shows the examples as they are, and they run.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

import { Code } from "@setplan/client";
import type { Severity } from "@setplan/client/v1";

import { server } from "./apis.js";
import { Fake } from "./fakes.js";
import { planner, ROOT } from "./servers.js";

const HERE = path.join(ROOT, "clients", "typescript");

function text(...file: string[]): string {
  return readFileSync(path.join(HERE, ...file), "utf8");
}

test("the page has the examples", () => {
  const blocks = Array.from(text("README.md").matchAll(/```ts\n(.*?)```/gs), ([, block]) => block);
  assert.deepEqual(
    blocks,
    ["look.ts", "errors.ts"].map((name) => text("examples", name)),
  );
});

test("the controller is as short as the page says", () => {
  assert.ok(text("examples", "controller.ts").split("\n").length <= 151);
});

test("a severity of a later release has a word", async (t) => {
  const set = { apiVersion: "apps/v1", kind: "StatefulSet", metadata: { name: "web", namespace: "default", uid: "u" }, spec: {} };
  const { url } = await server(t, ({ url }) => [200, url.endsWith("/web") ? set : { metadata: {}, items: [] }]);
  const later = await new Fake(() => ({ plan: { blocks: [{ severity: 99 as Severity, message: "wait" }] } })).serve();
  t.after(later.kill);
  const config = { clusters: [{ name: "c", cluster: { server: url } }], contexts: [{ name: "x", context: { cluster: "c" } }] };
  const file = path.join(mkdtempSync(path.join(tmpdir(), "setplan-look-")), "config");
  writeFileSync(file, JSON.stringify({ ...config, "current-context": "x" }));
  const program = path.join(import.meta.dirname, "..", "examples", "look.js");
  const env = { ...process.env, KUBECONFIG: file };
  const { stdout } = await promisify(execFile)(process.execPath, [program, "default", "web", later.address], { env });
  assert.match(stdout, /^UNKNOWN : wait/);
});

async function said(address: string): Promise<string> {
  const program = path.join(import.meta.dirname, "..", "examples", "errors.js");
  return (await promisify(execFile)(process.execPath, [program, address])).stdout.trim();
}

test("errors", async (t) => {
  const real = await planner();
  t.after(real.kill);
  assert.equal(await said(real.address), "mend the request: snapshot");
  const broken = await new Fake(() => ({ code: Code.INTERNAL, details: "a bug" })).serve();
  t.after(broken.kill);
  assert.equal(await said(broken.address), "no plan, so change nothing: INTERNAL: a bug");
});
