// What a planner does with options, certificates, failures and limits.

import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, test, type TestContext } from "node:test";

import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { ServerCredentials } from "@grpc/grpc-js";
import { Code, type ConnectOptions, InvalidSnapshot, MessageTooLarge, Planner, PlannerError, Unreachable } from "@setplan/client";
import {
  ErrorReason,
  ForecastRequestSchema,
  ForecastResponseSchema,
  ForecastVerdict,
  type PlanRequest,
  PlanRequestSchema,
} from "@setplan/client/v1";

import { Authority } from "./authority.js";
import { type Answer, Fake, planned } from "./fakes.js";
import { type Running, serve } from "./servers.js";

/** Makes a request of about so many bytes. */
function sized(size: number): PlanRequest {
  return create(PlanRequestSchema, { snapshot: { set: { podTemplate: new Uint8Array(size) } } });
}

function connect(t: TestContext, address: string, options: ConnectOptions = { insecure: true }): Planner {
  const made = Planner.connect(address, options);
  t.after(() => {
    made.close();
  });
  return made;
}

async function serving(t: TestContext, fake: Fake, address?: string): Promise<string> {
  const running = await fake.serve(address);
  t.after(running.kill);
  return running.address;
}

function folder(t: TestContext): string {
  const made = mkdtempSync(path.join(tmpdir(), "setplan-client-"));
  t.after(() => {
    rmSync(made, { recursive: true });
  });
  return made;
}

async function failure(call: Promise<unknown>): Promise<PlannerError> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof PlannerError, String(error));
  return error;
}

function part(part: MessageInitShape<typeof ForecastResponseSchema>["part"]): Uint8Array {
  return toBinary(ForecastResponseSchema, create(ForecastResponseSchema, { part }));
}

function step(number: number): Uint8Array {
  return part({ case: "step", value: { number } });
}

const result = part({ case: "result", value: { verdict: ForecastVerdict.CONVERGED } });

describe("options are checked", () => {
  const cases: [string, string, ConnectOptions, RegExp][] = [
    ["nothing said about protection", "localhost:1", {}, /insecure: true/],
    ["two answers about protection", "localhost:1", { insecure: true, tls: {} }, /protected/],
    ["no address", "", { insecure: true }, /no address/],
    ["no time", "localhost:1", { insecure: true, timeoutMs: 0 }, /timeoutMs/],
    ["no messages", "localhost:1", { insecure: true, maxMessageBytes: 0 }, /limit/],
    ["half a certificate", "localhost:1", { tls: { certificate: "a" } }, /both/],
    ["no file", "localhost:1", { tls: { ca: "/nowhere/ca.crt" } }, /ENOENT/],
    ["no certificate in the file", "localhost:1", { tls: { ca: "/dev/null" } }, /holds no certificate/],
  ];
  for (const [about, address, options, message] of cases) {
    test(about, () => {
      assert.throws(() => Planner.connect(address, options), message);
    });
  }
});

describe("only UNAVAILABLE is retried", () => {
  const cases = { UNAVAILABLE: 3, INTERNAL: 1, INVALID_ARGUMENT: 1, RESOURCE_EXHAUSTED: 1, FAILED_PRECONDITION: 1 } as const;
  for (const [name, calls] of Object.entries(cases)) {
    const code = Code[name as keyof typeof cases];
    test(name, async (t) => {
      const fake = new Fake((call) => (call < 3 ? { code, details: "not now" } : planned()));
      const planner = connect(t, await serving(t, fake));
      const request = sized(20 << 20); // larger than gRPC's default buffers for retries
      if (code === Code.UNAVAILABLE) {
        assert.ok((await planner.plan(request)).converged);
      } else {
        const failed = await failure(planner.plan(request));
        assert.equal(failed.code, code);
        assert.equal(failed.details, "not now");
        assert.equal(failed.reason, ErrorReason.UNSPECIFIED);
      }
      assert.equal(fake.requests.length, calls);
    });
  }
});

test("a server restarts", async (t) => {
  const first = await new Fake().serve();
  const planner = connect(t, first.address);
  await planner.plan(sized(1));
  await first.kill();
  const plan = planner.plan(sized(1 << 20));
  await wait(100); // the restart takes a while, and the call comes in between
  await serving(t, new Fake(), first.address);
  assert.ok((await plan).converged);
});

test("no server", async (t) => {
  const gone = await new Fake().serve();
  await gone.kill();
  const failed = await failure(connect(t, gone.address).plan(sized(1)));
  assert.ok(failed instanceof Unreachable);
  assert.equal(failed.code, Code.UNAVAILABLE);
});

test("the deadline is sent", async (t) => {
  const left: number[] = [];
  const answer: Answer = (_, call) => {
    left.push(Number(call.getDeadline()) - Date.now());
    return planned();
  };
  const planner = connect(t, await serving(t, new Fake(answer)));
  await planner.plan(sized(1));
  await planner.plan(sized(1), { timeoutMs: 3_600_000 });
  const [usual = 0, long = 0] = left;
  assert.ok(5_000 < usual && usual < 11_000, String(usual));
  assert.ok(3_500_000 < long && long < 3_700_000, String(long));
});

test("the deadline passes", async (t) => {
  const planner = connect(t, await serving(t, new Fake(() => [])), { insecure: true, timeoutMs: 1 });
  const failed = await failure(planner.plan(sized(20 << 20)));
  assert.ok(failed instanceof Unreachable, String(failed));
  assert.equal(failed.code, Code.DEADLINE_EXCEEDED);
});

test("an answer without a plan is no plan", async (t) => {
  for (const nothing of [planned({}), []]) {
    const failed = await failure(connect(t, await serving(t, new Fake(() => nothing))).plan(sized(1)));
    assert.equal(failed.message, "INTERNAL: the planner answered without a plan");
  }
});

test("an answer that is no message", async (t) => {
  const failed = await failure(connect(t, await serving(t, new Fake(() => [new Uint8Array([255])]))).plan(sized(1)));
  assert.match(failed.message, /^INTERNAL: the planner's answer cannot be read/);
});

describe("forecasts", () => {
  const steps = [1, 2, 3].map(step);
  const request = create(ForecastRequestSchema);

  test("the result", async (t) => {
    const planner = connect(t, await serving(t, new Fake(() => [...steps, result])));
    assert.equal((await planner.forecast(request)).verdict, ForecastVerdict.CONVERGED);
  });

  test("the steps", async (t) => {
    const planner = connect(t, await serving(t, new Fake(() => [...steps, result])));
    const got: unknown[] = [];
    for await (const one of planner.forecastSteps(request)) got.push(one.case === "step" ? one.value.number : one.case);
    assert.deepEqual(got, [1, 2, 3, "result"]);
  });

  test("whoever has seen enough ends the call", async (t) => {
    let cancelled: Promise<void> | undefined;
    const fake = new Fake((_, call) => {
      cancelled = new Promise((resolve) => call.on("cancelled", resolve));
      const more = setInterval(() => call.write(step(1)), 1);
      call.on("cancelled", () => {
        clearInterval(more);
      });
      return undefined;
    });
    const planner = connect(t, await serving(t, fake));
    for await (const one of planner.forecastSteps(request)) if (one.case === "step") break;
    await cancelled;
  });

  test("a cut", async (t) => {
    const planner = connect(t, await serving(t, new Fake(() => steps)));
    const failed = await failure(planner.forecast(request));
    assert.ok(failed instanceof Unreachable);
    assert.equal(failed.details, "the forecast ended before its result");
  });
});

test("limits of messages", async (t) => {
  const limit = 1 << 20;
  const fake = new Fake(() => planned({ plan: { blocks: [{ message: "x".repeat(limit) }] } }));
  const planner = connect(t, await serving(t, fake), { insecure: true, maxMessageBytes: limit });
  for (const [what, size] of Object.entries({ request: limit, answer: 1 })) {
    const failed = await failure(planner.plan(sized(size)));
    assert.ok(failed instanceof MessageTooLarge, String(failed));
    assert.match(failed.details, new RegExp(`the ${what} has .* the limit is ${String(limit)}`));
    assert.equal(failed.reason, ErrorReason.MESSAGE_TOO_LARGE);
    assert.equal(failed.metadata.limit, String(limit));
    assert.ok(Number(failed.metadata.bytes) > limit);
  }
});

test("a server's limit of messages", async (t) => {
  const server = await serve(["--max-message-bytes=1024"]);
  t.after(server.kill);
  const failed = await failure(connect(t, server.address).plan(sized(2000)));
  assert.ok(failed instanceof MessageTooLarge, String(failed));
  assert.equal(failed.metadata.limit, "1024");
});

test("a real server", async (t) => {
  const server = await serve();
  t.after(server.kill);
  const planner = connect(t, server.address);
  assert.ok((await planner.serverInfo()).version);
  const failed = await failure(planner.plan(sized(1)));
  assert.ok(failed instanceof InvalidSnapshot);
  assert.equal(failed.violations[0]?.field, "capabilities");
});

test("the user agent", async (t) => {
  const fake = new Fake();
  await connect(t, await serving(t, fake)).plan(sized(1));
  assert.match(fake.agents[0] ?? "", /^setplan-typescript\/0\.1\.0 grpc-node-js/);
});

test("certificates are read again", async (t) => {
  // A server with another authority takes the place of the first; the client gets new files, and needs no restart.
  const here = folder(t);
  const ours = path.join(here, "client");
  mkdirSync(ours);
  const file = (name: string) => path.join(ours, name);
  const first = new Authority("first");
  const second = new Authority("second");
  first.write(ours, "operator");
  let running = await mutual(here, first);
  t.after(() => running.kill());
  const planner = connect(t, running.address, {
    tls: { ca: file("ca.crt"), certificate: file("operator.crt"), key: file("operator.key") },
  });
  assert.ok((await planner.serverInfo()).version);
  await running.kill();
  running = await mutual(here, second, running.address);
  assert.ok((await failure(planner.serverInfo())) instanceof Unreachable);
  second.write(ours, "operator");
  assert.ok((await planner.serverInfo()).version);
  // What was read goes on while files are replaced, and each trouble is told once.
  process.removeAllListeners("warning");
  const warned: string[] = [];
  process.on("warning", ({ message }) => warned.push(message));
  const key = readFileSync(file("operator.key"));
  writeFileSync(file("operator.key"), readFileSync(path.join(here, "planner.key")));
  for (const again of [1, 2]) assert.ok((await planner.serverInfo()).version, String(again));
  writeFileSync(file("operator.key"), key);
  rmSync(file("ca.crt"));
  assert.ok((await planner.serverInfo()).version);
  assert.equal(warned.length, 2);
});

test("a call under way ends on the connection on which it began", async (t) => {
  const here = folder(t);
  const file = (name: string) => path.join(here, name);
  new Authority("first").write(here, "planner");
  const pair = { private_key: readFileSync(file("planner.key")), cert_chain: readFileSync(file("planner.crt")) };
  const calls: Parameters<Answer>[1][] = [];
  const fake = new Fake((_, call) => {
    calls.push(call);
    if (calls.length === 2) return planned();
    call.write(step(1));
    return undefined;
  });
  const running = await fake.serve(undefined, ServerCredentials.createSsl(null, [pair]));
  t.after(running.kill);
  const planner = connect(t, running.address, { tls: { ca: file("ca.crt") } });
  const forecast = planner.forecastSteps(create(ForecastRequestSchema));
  await forecast.next();
  appendFileSync(file("ca.crt"), "\n");
  await planner.plan(sized(1));
  const [first, second] = calls;
  assert.notEqual(first?.getPeer(), second?.getPeer());
  first?.write(result);
  first?.end();
  assert.equal((await forecast.next()).value?.case, "result");
  assert.ok((await forecast.next()).done);
});

function mutual(folder: string, authority: Authority, address?: string): Promise<Running> {
  authority.write(folder, "planner");
  const files = { "tls-cert-file": "planner.crt", "tls-key-file": "planner.key", "client-ca-file": "ca.crt" };
  return serve(
    Object.entries(files).map(([flag, file]) => `--${flag}=${path.join(folder, file)}`),
    address,
  );
}
