// Which set of which namespace is next.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { Key } from "@setplan/client/adapter";
import { Rounds } from "#dist/kube/rounds.js";

function key(text: string): Key {
  const [namespace = "", name = ""] = text.split("/");
  return { namespace, name };
}

function rounds(...texts: string[]): Rounds {
  const rounds = new Rounds();
  for (const text of texts) rounds.push(key(text));
  return rounds;
}

/** Begins all that there are places for. */
function begun(rounds: Rounds, places: number): string[] {
  const names: string[] = [];
  for (let next = rounds.begin(places); next; next = rounds.begin(places)) names.push(next.name);
  return names;
}

test("namespaces take turns", () => {
  for (const [given, want] of [
    [[], []],
    [
      ["a/1", "a/2", "a/3"],
      ["1", "2", "3"],
    ],
    [
      ["a/1", "a/2", "b/3", "b/4"],
      ["1", "3", "2", "4"],
    ],
    [
      ["a/1", "a/2", "a/3", "b/4", "c/5"],
      ["1", "4", "5", "2", "3"],
    ],
  ]) {
    assert.deepEqual(begun(rounds(...(given ?? [])), 100), want);
  }
});

test("a namespace that has all places leaves two for others", () => {
  const all = rounds("a/1", "a/2", "a/3", "a/4", "a/5", "a/6");
  assert.deepEqual(begun(all, 3), ["1", "2", "3"]);
  for (const text of ["b/b1", "b/b2", "c/c1", "c/c2", "d/d1", "d/d2"]) all.push(key(text));
  assert.deepEqual(begun(all, 3), ["b1", "c1"]);
  all.end(key("b/b1"));
  assert.deepEqual(begun(all, 3), ["d1"]); // it is the next one's turn
});

test("a place is free again when the work has ended", () => {
  const all = rounds("a/1", "a/2", "a/3", "a/4");
  assert.deepEqual(begun(all, 2), ["1", "2"]);
  all.end(key("a/1"));
  assert.deepEqual(begun(all, 2), ["3"]);
  all.end(key("a/2"));
  all.end(key("a/3"));
  all.push(key("a/5"));
  assert.deepEqual(begun(all, 2), ["4", "5"]);
});
