// The page shows the examples as they are, and they run in an empty folder with what npm pack would publish.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";

import { folder, MODULE, ROOT, serve } from "./servers.js";
import { type Edit, edited, image, listed } from "./vectors.js";

const HERE = path.join(ROOT, "clients", "typescript");
const EXAMPLES = ["why.mjs", "restarts.mjs"];
const text = (...file: string[]) => readFileSync(path.join(HERE, ...file), "utf8");

test("the page has the examples", () => {
  const blocks = Array.from(text("README.md").matchAll(/```js\n(.*?)```/gs), ([, block]) => block);
  assert.deepEqual(
    blocks,
    EXAMPLES.map((name) => text("examples", name)),
  );
});

describe("in an empty folder", () => {
  const room = folder();
  const modules = path.join(room, "node_modules");
  const ours = path.join(modules, "@setplan", "client");
  mkdirSync(ours, { recursive: true });
  execFileSync("tar", ["-xzf", path.join(HERE, "setplan-client-0.1.0.tgz"), "-C", ours, "--strip-components=1"]);
  const { dependencies } = JSON.parse(text("package.json")) as { dependencies: object };
  for (const name of Object.keys(dependencies)) {
    mkdirSync(path.dirname(path.join(modules, name)), { recursive: true });
    symlinkSync(path.join(HERE, "node_modules", name), path.join(modules, name));
  }
  symlinkSync(MODULE, path.join(room, "setplan.wasm"));
  for (const name of EXAMPLES) copyFileSync(path.join(HERE, "examples", name), path.join(room, name));

  const node = (args: string[], input = "") => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: room, input, encoding: "utf8" });
    return [status, stdout, stderr];
  };

  for (const [vector, said] of [
    [
      "stuck/bad.json",
      "bad-0: The pod is running and not ready. Check the pod's events, conditions and logs: `kubectl -n default describe pod bad-0`",
    ],
    ["stories/adopt_pods-10.json", "web waits for nothing"],
  ] as const) {
    test(`why: ${vector}`, async (t) => {
      const server = await serve();
      t.after(server.kill);
      const now = listed(vector);
      assert.deepEqual(node(["why.mjs", now.items[0].metadata.name, server.address], JSON.stringify(now)), [0, `${said}\n`, ""]);
    });
  }

  const more: Edit = (spec) => spec.replicas++;
  for (const [about, edit, status, said] of [
    ["another image", image("nginx:v9"), 1, "restarts web-1, web-0\n"],
    ["another replica", more, 0, ""],
  ] as const) {
    test(`restarts: ${about}`, () => {
      const now = listed("stories/adopt_pods-10.json");
      writeFileSync(path.join(room, "objects.json"), JSON.stringify(now));
      writeFileSync(path.join(room, "edited.json"), edited(now, edit));
      assert.deepEqual(node(["restarts.mjs", "web", "objects.json", "edited.json"]), [status, "", said]);
    });
  }
});
