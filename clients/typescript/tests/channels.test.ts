// A channel with old certificates is closed when the last call on it has ended, and not before.

import assert from "node:assert/strict";
import { mkdtempSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";

import { Channels } from "#dist/channels.js";
import { settings } from "#dist/settings.js";

import { Authority } from "./authority.js";

test("the old channel is closed once", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "setplan-channels-"));
  const ca = path.join(folder, "ca.crt");
  new Authority("first").write(folder, "planner");
  const closed: number[] = [];
  let made = 0;
  const channels = new Channels(settings("planner:1", { tls: { ca } }), () => {
    const number = ++made;
    return { number, close: () => closed.push(number) };
  });
  const first = channels.begin();
  const second = channels.begin();
  utimesSync(ca, 0, 0);
  const same = channels.begin();
  assert.equal(same.channel.number, 1); // the file was touched and says the same

  new Authority("second").write(folder, "planner");
  const newest = channels.begin();
  assert.equal(newest.channel.number, 2);
  channels.end(first);
  channels.end(second);
  assert.deepEqual(closed, []);
  channels.end(same);
  assert.deepEqual(closed, [1]);
  channels.end(newest);
  assert.deepEqual(closed, [1]);
  new Authority("third").write(folder, "planner");
  channels.begin();
  assert.deepEqual(closed, [1, 2]); // nobody was on it
  channels.close();
  assert.deepEqual(closed, [1, 2, 3]);
});
