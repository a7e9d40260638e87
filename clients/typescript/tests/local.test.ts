// What a planner in this process does with files that hold none, and with modules that trap, run on, and want much memory.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test, type TestContext } from "node:test";

import { Code, Planner, PlannerError } from "@setplan/client";

import { folder, MODULE } from "./servers.js";

async function loaded(t: TestContext, file: string): Promise<Planner> {
  const planner = await Planner.local(file);
  t.after(() => planner.close());
  return planner;
}

function fails(call: Promise<unknown>, name: string, code: Code, details: RegExp): Promise<void> {
  return assert.rejects(call, (error) => {
    assert.ok(error instanceof PlannerError, String(error));
    assert.deepEqual([error.name, Code[error.code]], [name, Code[code]]);
    assert.match(error.details, details);
    return true;
  });
}

/** Writes a module: Plan grows its memory of one page by so many, and traps if it cannot; Forecast never ends; GetServerInfo is empty. */
function module(pages: number): string {
  const text = (name: string) => [name.length, ...Buffer.from(name)];
  const section = (id: number, ...content: number[]) => [id, content.length, ...content];
  const body = (...code: number[]) => [code.length + 2, 0, ...code, 0x0b];
  const ifMethod = (method: number, ...then: number[]) => [0x20, 0, 0x41, method, 0x46, 0x04, 0x40, ...then, 0x0b];
  const grow = [0x41, (pages & 0x7f) | 0x80, (pages >> 7) | 0x80, 0, 0x40, 0]; // i32.const, memory.grow
  const trapIfMinusOne = [0x41, 0x7f, 0x46, 0x04, 0x40, 0x00, 0x0b];
  const loop = [0x03, 0x40, 0x0c, 0, 0x0b];
  const call = body(...ifMethod(2, ...loop), ...ifMethod(1, ...grow, ...trapIfMinusOne), 0x41, 0);
  const exports = ["_initialize", "setplan_input", "setplan_call", "setplan_answer"].flatMap((name, at) => [...text(name), 0, at]);
  const file = path.join(folder(), "setplan.wasm");
  const types = [4, 0x60, 0, 0, 0x60, 1, 0x7f, 1, 0x7f, 0x60, 2, 0x7f, 0x7f, 1, 0x7f, 0x60, 0, 1, 0x7f];
  const sections = [
    section(1, ...types),
    section(3, 4, 0, 1, 2, 3),
    section(5, 1, 0, 1),
    section(7, 5, ...text("memory"), 2, 0, ...exports),
  ];
  const bodies = section(10, 4, ...body(), ...body(0x41, 16), ...call, ...body(0x41, 16));
  writeFileSync(file, Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...sections.flat(), ...bodies));
  return file;
}

test("files that hold no planner, and no time", async () => {
  await assert.rejects(Planner.local("/nowhere/setplan.wasm"), /ENOENT/);
  await fails(Planner.local("/dev/null"), "PlannerError", Code.INTERNAL, /the planner in \/dev\/null ended: CompileError/);
  await assert.rejects(Planner.local(MODULE, { timeoutMs: 0 }), /timeoutMs/);
});

test("a real module", async (t) => {
  const planner = await loaded(t, MODULE);
  const [info, again] = await Promise.all([planner.serverInfo(), planner.serverInfo()]);
  assert.ok(info.maxPods > 0n);
  assert.deepEqual(again, info);
  const large = { objects: { documents: [new Uint8Array(Number(info.maxMessageBytes))] } };
  await fails(planner.plan(large), "MessageTooLarge", Code.RESOURCE_EXHAUSTED, /the request has .* bytes; the limit is /);
});

test("memory is bounded, and after a trap comes a new instance", async (t) => {
  const fits = await loaded(t, module(8191));
  await fails(fits.plan({}), "PlannerError", Code.INTERNAL, /without a plan/);
  const planner = await loaded(t, module(8192));
  await fails(planner.plan({}), "PlannerError", Code.INTERNAL, /ended: Error: RuntimeError: unreachable/);
  await planner.serverInfo();
});

test("a deadline ends a call, and one that waits", async (t) => {
  const planner = await loaded(t, module(1));
  const late = (call: Promise<unknown>) => fails(call, "Unreachable", Code.DEADLINE_EXCEEDED, /no answer after/);
  const order: string[] = [];
  await Promise.all([
    late(planner.forecast({}, { timeoutMs: 2_000 })).then(() => order.push("runs")),
    late(planner.serverInfo({ timeoutMs: 1 })).then(() => order.push("waits")),
    planner.serverInfo().then(() => order.push("next")),
  ]);
  assert.deepEqual(order, ["waits", "runs", "next"]);
});

test("closing ends a call", async (t) => {
  const planner = await loaded(t, module(1));
  const call = fails(planner.forecast({}), "Unreachable", Code.CANCELLED, /the call was ended/);
  await new Promise(setImmediate);
  planner.close();
  await call;
});
