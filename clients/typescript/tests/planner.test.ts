// What a planner does with options, certificates, failures and limits.

import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, test, type TestContext } from "node:test";

import { ServerCredentials } from "@grpc/grpc-js";
import { Code, type ConnectOptions, InvalidSnapshot, MessageTooLarge, Planner, PlannerError, Unreachable } from "@setplan/client";
import { ErrorReason, ForecastVerdict } from "@setplan/client/v1";

import { type Answer, type Call, fake, part, planned } from "./fakes.js";
import { authority, folder, type Running, serve } from "./servers.js";

/** Makes a request of about so many bytes. */
function sized(size: number): { snapshot: { set: { podTemplate: Uint8Array } } } {
  return { snapshot: { set: { podTemplate: new Uint8Array(size) } } };
}

function connect(t: TestContext, address: string, options: ConnectOptions = { insecure: true }): Planner {
  const planner = Planner.connect(address, options);
  t.after(() => planner.close());
  return planner;
}

/** Makes a planner that gets these answers, and the calls that came. */
async function answering(t: TestContext, answer: Answer, options: ConnectOptions = {}): Promise<[Planner, Call[]]> {
  const { address, kill, calls } = await fake(answer);
  t.after(kill);
  return [connect(t, address, { insecure: true, ...options }), calls];
}

async function failure(call: Promise<unknown>, kind: typeof PlannerError = PlannerError): Promise<PlannerError> {
  const error: unknown = await call.then(String, (reason: unknown) => reason);
  assert.ok(error instanceof kind, String(error));
  return error;
}

describe("options are checked", () => {
  for (const [about, address, options, message] of [
    ["nothing said about protection", "localhost:1", {}, /insecure: true/],
    ["two answers about protection", "localhost:1", { insecure: true, tls: {} }, /insecure: true/],
    ["no address", "", { insecure: true }, /no address/],
    ["no time", "localhost:1", { insecure: true, timeoutMs: 0 }, /timeoutMs/],
    ["no messages", "localhost:1", { insecure: true, maxMessageBytes: 0 }, /limit/],
    ["half a certificate", "localhost:1", { tls: { certificate: "a" } }, /both/],
    ["no file", "localhost:1", { tls: { ca: "/nowhere/ca.crt" } }, /ENOENT/],
    ["no certificate in the file", "localhost:1", { tls: { ca: "/dev/null" } }, /holds no certificate/],
  ] as const) {
    test(about, () => assert.throws(() => Planner.connect(address, options), message));
  }
});

describe("only UNAVAILABLE is retried", () => {
  const cases = { UNAVAILABLE: 3, INTERNAL: 1, INVALID_ARGUMENT: 1, RESOURCE_EXHAUSTED: 1, FAILED_PRECONDITION: 1 } as const;
  for (const [name, count] of Object.entries(cases)) {
    const code = Code[name as keyof typeof cases];
    test(name, async (t) => {
      const [planner, calls] = await answering(t, (call) => (call < 3 ? { code, details: "not now" } : planned()));
      const plan = planner.plan(sized(20 << 20)); // larger than gRPC's default buffers for retries
      if (code === Code.UNAVAILABLE) {
        assert.ok((await plan).converged);
      } else {
        const { message, reason } = await failure(plan);
        assert.deepEqual([message, reason], [`${name}: not now`, ErrorReason.UNSPECIFIED]);
      }
      assert.equal(calls.length, count);
    });
  }
});

test("a server goes, and comes back", async (t) => {
  const first = await fake(() => planned());
  const planner = connect(t, first.address);
  await planner.plan({});
  await first.kill();
  assert.equal((await failure(planner.plan({}), Unreachable)).code, Code.UNAVAILABLE);
  const plan = planner.plan(sized(1 << 20));
  await wait(100); // the restart takes a while, and the call comes in between
  const second = await fake(() => planned(), first.address);
  t.after(second.kill);
  assert.ok((await plan).converged);
});

test("a deadline is sent, and passes", async (t) => {
  const [silent] = await answering(t, () => undefined, { timeoutMs: 1 });
  assert.equal((await failure(silent.plan({}), Unreachable)).code, Code.DEADLINE_EXCEEDED);
  const left: number[] = [];
  const [planner, calls] = await answering(t, (_, call) => {
    left.push(Number(call.getDeadline()) - Date.now());
    return planned();
  });
  await planner.plan({});
  await planner.plan({}, { timeoutMs: 3_600_000 });
  const [usual = 0, long = 0] = left;
  assert.ok(5_000 < usual && usual < 11_000, String(usual));
  assert.ok(3_500_000 < long && long < 3_700_000, String(long));
  assert.match(String(calls[0]?.metadata.get("user-agent")), /^setplan-typescript\/0\.1\.0 grpc-node-js/);
});

test("answers that are none", async (t) => {
  const answers = [planned({}), [], [Uint8Array.of(255)]];
  const [planner] = await answering(t, (number) => answers[number - 1]);
  assert.equal((await failure(planner.plan({}))).message, "INTERNAL: the planner answered without a plan");
  assert.equal((await failure(planner.plan({}))).message, "INTERNAL: the planner answered without a plan");
  assert.match((await failure(planner.plan({}))).message, /^INTERNAL: the planner's answer cannot be read/);
});

const step = part({ case: "step", value: {} });
const result = part({ case: "result", value: { verdict: ForecastVerdict.CONVERGED } });

describe("forecasts", () => {
  test("the result, and the steps before it", async (t) => {
    const [planner] = await answering(t, () => [step, step, result]);
    assert.equal((await planner.forecast({})).verdict, ForecastVerdict.CONVERGED);
    const got: string[] = [];
    for await (const one of planner.forecastSteps({})) got.push(one.case);
    assert.deepEqual(got, ["step", "step", "result"]);
  });

  test("leaving the loop ends the call", async (t) => {
    let cancelled: Promise<unknown> | undefined;
    const [planner] = await answering(t, (_, call) => {
      cancelled = new Promise((resolve) => call.on("cancelled", resolve));
      return void call.write(step);
    });
    for await (const one of planner.forecastSteps({})) if (one.case === "step") break;
    await cancelled;
  });

  test("a cut", async (t) => {
    const [planner] = await answering(t, () => [step]);
    assert.equal((await failure(planner.forecast({}), Unreachable)).details, "the forecast ended before its result");
  });
});

test("limits of messages", async (t) => {
  const limit = 1 << 20;
  const long = planned({ plan: { blocks: [{ message: "x".repeat(limit) }] } });
  const [planner] = await answering(t, () => long, { maxMessageBytes: limit });
  for (const [what, size] of Object.entries({ request: limit, answer: 1 })) {
    const { details, reason, metadata } = await failure(planner.plan(sized(size)), MessageTooLarge);
    assert.match(details, new RegExp(`the ${what} has .* bytes; the limit is ${String(limit)}`));
    assert.equal(reason, ErrorReason.MESSAGE_TOO_LARGE);
    assert.equal(metadata.limit, String(limit));
    assert.ok(Number(metadata.bytes) > limit);
  }
});

test("a real server", async (t) => {
  const server = await serve(["--max-message-bytes=1024"]);
  t.after(server.kill);
  const planner = connect(t, server.address);
  assert.equal((await planner.serverInfo()).maxMessageBytes, 1024n);
  assert.equal((await failure(planner.plan(sized(2000)), MessageTooLarge)).metadata.limit, "1024");
  assert.equal((await failure(planner.plan(sized(1)), InvalidSnapshot)).violations[0]?.field, "capabilities");
});

test("certificates are read again", async (t) => {
  // A server with another authority takes the place of the first; the client gets new files, and needs no restart.
  const here = folder();
  const ours = path.join(here, "client");
  mkdirSync(ours);
  const file = (name: string) => path.join(ours, name);
  const [first, second] = [authority("first"), authority("second")];
  const mutual = (sign: typeof first, address?: string): Promise<Running> => {
    sign(here, "planner");
    const files = { "tls-cert-file": "planner.crt", "tls-key-file": "planner.key", "client-ca-file": "ca.crt" };
    const flags = Object.entries(files).map(([flag, name]) => `--${flag}=${path.join(here, name)}`);
    return serve(flags, address);
  };
  first(ours, "operator");
  let running = await mutual(first);
  t.after(() => running.kill());
  const tls = { ca: file("ca.crt"), certificate: file("operator.crt"), key: file("operator.key") };
  const planner = connect(t, running.address, { tls });
  await planner.serverInfo();
  await running.kill();
  running = await mutual(second, running.address);
  await failure(planner.serverInfo(), Unreachable);
  second(ours, "operator");
  await planner.serverInfo();
  // What was read goes on while files are replaced, and each trouble is told once.
  process.removeAllListeners("warning");
  const warned: string[] = [];
  process.on("warning", ({ message }) => warned.push(message));
  const key = readFileSync(tls.key);
  writeFileSync(tls.key, readFileSync(path.join(here, "planner.key")));
  await planner.serverInfo();
  await planner.serverInfo();
  writeFileSync(tls.key, key);
  rmSync(tls.ca);
  await planner.serverInfo();
  assert.equal(warned.length, 2);
});

test("a call under way ends on the connection on which it began", async (t) => {
  const here = folder();
  const file = (name: string) => path.join(here, name);
  authority("first")(here, "planner");
  const pair = { private_key: readFileSync(file("planner.key")), cert_chain: readFileSync(file("planner.crt")) };
  const answer: Answer = (number, call) => (number === 2 ? planned() : void call.write(step));
  const { address, kill, calls } = await fake(answer, undefined, ServerCredentials.createSsl(null, [pair]));
  t.after(kill);
  const planner = connect(t, address, { tls: { ca: file("ca.crt") } });
  const forecast = planner.forecastSteps({});
  await forecast.next();
  appendFileSync(file("ca.crt"), "\n");
  await planner.plan({});
  const [first, second] = calls;
  assert.notEqual(first?.getPeer(), second?.getPeer());
  first?.write(result);
  first?.end();
  assert.equal((await forecast.next()).value?.case, "result");
  assert.ok((await forecast.next()).done);
});
