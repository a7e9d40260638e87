// Lies of a planner are refused, each by the check for it; what a planner really plans passes.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";

import { create, fromJson, type JsonValue } from "@bufbuild/protobuf";
import { actionsOf } from "@setplan/client/adapter";
import { CHECKS, Refusal, Verifier } from "@setplan/client/adapter/verify";
import { PodPhase, PodSchema, SnapshotSchema, StageSchema } from "@setplan/client/v1";

import { hasDrained, token } from "#dist/adapter/verify/proof.js";
import { trailingDigits } from "#dist/adapter/verify/names.js";
import { policyIn } from "#dist/adapter/verify/policy.js";
import { SetView } from "#dist/adapter/verify/view.js";
import { sameQuantity } from "#dist/adapter/verify/quantity.js";
import { parseYaml } from "#dist/adapter/verify/yaml.js";
import { JsonNumber, parse, same } from "#dist/adapter/verify/json.js";

import { ROOT } from "./servers.js";
import { read } from "./vectors.js";

interface Scene {
  about: string;
  check: string;
  snapshot?: JsonValue;
  stage: JsonValue;
}

const told = JSON.parse(readFileSync(path.join(ROOT, "proto", "testdata", "lies.json"), "utf8")) as {
  snapshot: JsonValue;
  truths: Scene[];
  lies: Scene[];
};

// Checks whose lies another check would find, too: what they add is the reason. A claim of another name has no ordinal, and nothing is
// allowed for none.
const BACKED_UP = ["operation", "manifest", "own-claim"];

/** Returns the check that refuses the stage; empty where none does. */
function verdict(scene: Scene, checks = CHECKS): string {
  const snapshot = fromJson(SnapshotSchema, scene.snapshot ?? told.snapshot);
  const stage = fromJson(StageSchema, scene.stage);
  try {
    new Verifier(snapshot, checks).stage(stage);
  } catch (error) {
    if (error instanceof Refusal) return error.check;
    throw error;
  }
  return "";
}

describe("truths", () => {
  for (const truth of told.truths)
    test(truth.about, () => {
      assert.equal(verdict(truth), "");
    });
});

describe("lies", () => {
  for (const lie of told.lies)
    test(lie.about, () => {
      assert.equal(verdict(lie), lie.check);
    });
});

describe("every check is needed: without it one of its lies passes", () => {
  for (const removed of CHECKS) {
    test(removed.name, () => {
      const without = CHECKS.filter((check) => check !== removed);
      const lies = told.lies.filter((lie) => lie.check === removed.name);
      assert.ok(lies.length > 0);
      if (!BACKED_UP.includes(removed.name)) assert.ok(lies.some((lie) => verdict(lie, without) === ""));
    });
  }
});

test("a manifest that is too large", () => {
  const truth = told.truths.find(({ about }) => about === "create_pod");
  assert.ok(truth);
  const stage = fromJson(StageSchema, truth.stage);
  const [action] = actionsOf(stage);
  assert.ok(action?.operation.case === "createPod");
  action.operation.value.manifest = Buffer.concat([action.operation.value.manifest, Buffer.alloc(3 << 20, " ")]);
  assert.throws(() => {
    new Verifier(fromJson(SnapshotSchema, told.snapshot)).stage(stage);
  }, /manifest/);
});

test("only the drain pod's own token proves a drain, from all of its containers", () => {
  const notes = { "setplan.io/drain-set": "web/set", "setplan.io/drain-claims": "a,b" };
  const right = token("web/set", "a,b");
  const proves = (...terminationMessages: string[]) =>
    hasDrained(create(PodSchema, { phase: PodPhase.SUCCEEDED, terminationMessages }), notes, true);
  assert.ok(proves(right, `${right}\n`));
  assert.ok(!proves());
  assert.ok(!proves(right, ""));
  assert.ok(!proves(token("web/set", "a")));
  assert.ok(!proves(token("web/other", "a,b")));
});

test("the page has the list in the same words and order", () => {
  const page = readFileSync(path.join(ROOT, "docs", "adapter.md"), "utf8");
  const section = page.slice(page.indexOf("## What is verified"));
  const rows = Array.from(section.matchAll(/^\| `([^`]*)` \| (.*) \|$/gm), ([, name, words]) => [name, words]);
  assert.deepEqual(
    rows,
    CHECKS.map(({ name, words }) => [name, words]),
  );
});

test("every action of every vector's plan passes", () => {
  let actions = 0;
  for (const vector of read()) {
    const { snapshot } = vector.content.plan ? vector.request : {};
    if (!snapshot) continue;
    const verifier = new Verifier(snapshot);
    for (const stage of vector.plan.stages) {
      try {
        verifier.stage(stage);
      } catch (error) {
        // It has a pod with the name "web-", which no API server stores.
        assert.ok(error instanceof Refusal, vector.name);
        assert.deepEqual([vector.name, error.check], ["objects/pod-names.json", "name"], error.message);
      }
      actions += actionsOf(stage).length;
    }
  }
  assert.ok(actions > 500);
});

describe("YAML as kubectl reads it", () => {
  const cases: [string, string | undefined][] = [
    ["a: yes\nb: 'yes'\nc: ~\nd: 2020-01-01\ne: on", '{"a":true,"b":"yes","c":null,"d":"2020-01-01","e":true}'],
    ["[010, 0x10, 1_000, +5, .5, 1e3, 089, 0x, 1abc]", '[8,16,1000,5,0.5,1000,89,"0x","1abc"]'],
    ["a: 1\na: 2", '{"a":2}'],
    ["a: |\n  text\n", '{"a":"text\\n"}'],
    ["a: &x 1", undefined],
    ["a: &x 1\nb: *x", undefined],
    ["a: !!int '1'", undefined],
    ["a: !own b", undefined],
    ["a: !!str 1", '{"a":"1"}'],
    ["a: 1\n---\na: 2", undefined],
    ["a: [", undefined],
  ];
  for (const [text, want] of cases) {
    test(JSON.stringify(text), () => {
      const got = parseYaml(Buffer.from(text));
      assert.ok(same(got, want === undefined ? null : parse(Buffer.from(want))), JSON.stringify(got, plain));
    });
  }
});

describe("YAML may lie as deep as the planner takes it, and what is deeper ends no process", () => {
  const chain = (levels: number) => Array.from({ length: levels }, (_, i) => `${" ".repeat(i)}a:\n`).join("");
  const cases: Record<string, (levels: number) => string> = {
    lists: (levels) => "[".repeat(levels) + "]".repeat(levels),
    mappings: (levels) => "{a: ".repeat(levels) + "}".repeat(levels),
    dashes: (levels) => "- ".repeat(levels - 1) + "a",
    lines: (levels) => chain(Math.min(levels, 350) - 1), // of 64 kB
    "lists that do not end": (levels) => "[".repeat(levels),
  };
  for (const [about, text] of Object.entries(cases)) {
    test(about, () => {
      assert.equal(parseYaml(Buffer.from(text(200))) !== null, !about.includes("not end"));
      for (const levels of [300, 5_000, 30_000]) assert.equal(parseYaml(Buffer.from(text(levels))), null);
    });
  }
});

test("what an annotation or an answer may have much of costs no more than its length", () => {
  const many = 200_000;
  const begun = performance.now();
  const note = `x${" ".repeat(many)}y,${"]".repeat(many)}`;
  new Verifier(create(SnapshotSchema, { set: { annotations: { "setplan.io/reserved-ordinals": note } } }));
  assert.equal(trailingDigits(`${"1".repeat(many)}x-7`), "7");
  assert.ok(performance.now() - begun < 2_000);
});

test("a drain template of what the planner takes for blanks is none", () => {
  for (const [text, draining] of [
    ["", false],
    [" \n\u0085\u2003", false],
    ["\ufeff", true],
  ] as const) {
    const set = { annotations: { "setplan.io/drain-pod-template": text } };
    assert.equal(policyIn(create(SnapshotSchema, { set })).draining, draining, JSON.stringify(text));
  }
});

describe("an annotation of nothing but mistakes", () => {
  const mistakes = (length: number) => "[".padEnd(length, ",");

  test("costs no more than its length", () => {
    const costMs = (length: number): number => {
      const text = Buffer.from(mistakes(length));
      const begun = performance.now();
      assert.equal(parseYaml(text), null);
      return performance.now() - begun;
    };
    costMs(8_000); // what is compiled then
    assert.ok(costMs(64_000) < 24 * Math.min(costMs(8_000), costMs(8_000)));
  });

  test("is read once", () => {
    const read: string[] = [];
    const snapshot = create(SnapshotSchema, { set: {} });
    assert.ok(snapshot.set);
    snapshot.set.annotations = new Proxy<Record<string, string>>(
      {},
      {
        get: (_, key) => {
          read.push(String(key));
          return mistakes(100);
        },
      },
    );
    const view = new SetView(snapshot);
    for (let i = 0; i < 3; i++) assert.equal(view.claimPatches, null);
    assert.equal(read.filter((key) => key === "setplan.io/claim-templates").length, 1);
  });

  test("is not read for a drain template before a drain pod is checked, and once then", () => {
    let count = 0;
    const looks = (): number => count;
    class Text extends Uint8Array {
      override get length(): number {
        count++;
        return super.length;
      }
    }
    const snapshot = create(SnapshotSchema, { set: {}, policy: { drain: {} } });
    assert.ok(snapshot.policy?.drain);
    snapshot.policy.drain.podTemplate = new Text(Buffer.from(mistakes(100)));
    const policy = policyIn(snapshot);
    assert.ok(policy.draining);
    assert.equal(looks(), 1);
    assert.equal(policy.template, null);
    const once = looks();
    assert.ok(once > 1);
    assert.equal(policy.template, null);
    assert.equal(looks(), once);
  });
});

function plain(_: string, value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value);
  return value instanceof JsonNumber ? value.text : value;
}

describe("quantities compare as numbers, and what is no quantity, or less than nothing, is the same as nothing", () => {
  for (const [a, b, equal] of [
    ["1Gi", "1024Mi", true],
    ["1Gi", "1073741824", true],
    ["1G", "1Gi", false],
    ["1G", "1e9", true],
    ["1E", "1e18", true],
    ["1E3", "1k", true],
    ["100m", "0.1", true],
    ["100m", ".1", true],
    ["1e-3", "1m", true],
    ["2.0", "2", true],
    ["0.1", "0.10000000000000000001", false],
    [`0.${"0".repeat(56)}1e-30`, `0.${"0".repeat(56)}1e-30`, true],
    [`0.${"0".repeat(56)}1e-30`, "0", false],
    ["", "0", true],
    ["", "1", false],
    ["-1", "-1", false],
    ["1e999999999", "1e999999999", false],
    ["1/2", "0.5", false],
    ["0x1", "1", false],
    ["1_0", "10", false],
    ["1 Gi", "1Gi", false],
    ["1Gi\n", "1Gi", false],
    ["1.2.3", "1.2.3", false],
    [".", ".", false],
    ["Gi", "Gi", false],
    ["1KiB", "1KiB", false],
    ["1e", "1e", false],
    ["\u0661", "1", false],
  ] as const) {
    test(`${JSON.stringify(a)} and ${JSON.stringify(b)}`, () => {
      assert.equal(sameQuantity(a, b), equal);
    });
  }
});

describe("numbers compare by what they mean", () => {
  for (const [a, b, equal] of [
    ["1", "1.0", true],
    ["1", "2", false],
    ["1e999", "1e998", false],
    ["9007199254740993", "9007199254740992", true],
  ] as const) {
    test(`${a} and ${b}`, () => {
      assert.equal(same(new JsonNumber(a), new JsonNumber(b)), equal);
    });
  }
});
