// The operator's unit tests. They need no cluster and no server: kubectl's output was recorded.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Planner } from "@setplan/client";

import { MODULE } from "../tests/servers.js";
import { type Edit, edited, image, listed } from "../tests/vectors.js";
import { upgrade } from "./upgrader.js";

const planner = await Planner.local(MODULE);
const allAtOnce: Edit = (spec) => {
  spec.podManagementPolicy = "Parallel";
  spec.updateStrategy = { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 2 } };
};

for (const [recorded, before, said, written] of [
  ["stories/adopt_pods-10.json", () => undefined, /^web restarts 2 members, one at a time$/, ["web nginx:v9"]],
  ["stories/adopt_pods-10.json", allAtOnce, /^web not upgraded: 2 members would be down at once$/, []],
  ["stuck/taken.json", () => undefined, /^taken not upgraded: A pod with this name exists/, []],
] as [string, Edit, RegExp, string[]][]) {
  test(String(said), async () => {
    const now = listed(recorded);
    before(now.items[0].spec);
    const wrote: string[] = [];
    const cluster = {
      objects: () => Promise.resolve(JSON.stringify(now)),
      setImage: (name: string, to: string, dryRun: boolean) => {
        if (!dryRun) wrote.push(`${name} ${to}`);
        return Promise.resolve(edited(now, image(to)));
      },
    };
    assert.match(await upgrade(now.items[0].metadata.name, "nginx:v9", cluster, planner), said);
    assert.deepEqual(wrote, written);
  });
}
