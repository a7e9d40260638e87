// The page shows the examples as they are, and they run.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

import { Code } from "@setplan/client";

import { Fake } from "./fakes.js";
import { ROOT, serve } from "./servers.js";

const HERE = path.join(ROOT, "clients", "typescript");

function text(...file: string[]): string {
  return readFileSync(path.join(HERE, ...file), "utf8");
}

test("the page has the examples", () => {
  const blocks = Array.from(text("README.md").matchAll(/```ts\n(.*?)```/gs), ([, block]) => block);
  assert.deepEqual(
    blocks,
    ["errors.ts"].map((name) => text("examples", name)),
  );
});

async function said(address: string): Promise<string> {
  const program = path.join(import.meta.dirname, "..", "examples", "errors.js");
  return (await promisify(execFile)(process.execPath, [program, address])).stdout.trim();
}

test("errors", async (t) => {
  const real = await serve();
  t.after(real.kill);
  assert.match(await said(real.address), /^mend the request: \w/);
  const broken = await new Fake(() => ({ code: Code.INTERNAL, details: "a bug" })).serve();
  t.after(broken.kill);
  assert.equal(await said(broken.address), "no plan: INTERNAL: a bug");
});
