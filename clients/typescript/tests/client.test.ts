// What the client does with options, certificates, failures and limits.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, test, type TestContext } from "node:test";

import { create } from "@bufbuild/protobuf";
import {
  capabilities,
  Client,
  type ClientOptions,
  Code,
  DEFAULT_TIMEOUT_MS,
  InvalidSnapshot,
  MessageTooLarge,
  Overloaded,
  PlannerError,
  Unreachable,
} from "@setplan/client";
import { Capability, ErrorReason, type PlanRequest, PlanRequestSchema } from "@setplan/client/v1";

import { Authority } from "./authority.js";
import { type Answer, Fake } from "./fakes.js";
import { type Planner, planner } from "./servers.js";

/** Makes a request of about so many bytes. */
function sized(size: number): PlanRequest {
  return create(PlanRequestSchema, { snapshot: { set: { podTemplate: new Uint8Array(size) } } });
}

function client(t: TestContext, address: string, options: ClientOptions = { insecure: true }): Client {
  const made = new Client(address, options);
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

describe("options are checked", () => {
  const cases: [string, string, ClientOptions, RegExp][] = [
    ["nothing said about protection", "localhost:1", {}, /insecure: true/],
    ["two answers about protection", "localhost:1", { insecure: true, tls: {} }, /protected/],
    ["no target", "", { insecure: true }, /no target/],
    ["no time", "localhost:1", { insecure: true, timeoutMs: 0 }, /timeoutMs/],
    ["no messages", "localhost:1", { insecure: true, maxMessageBytes: 0 }, /limit/],
    ["half a certificate", "localhost:1", { tls: { certificate: "a" } }, /both/],
    ["no file", "localhost:1", { tls: { ca: "/nowhere/ca.crt" } }, /ENOENT/],
    ["no certificate in the file", "localhost:1", { tls: { ca: "/dev/null" } }, /holds no certificate/],
  ];
  for (const [about, target, options, message] of cases) {
    test(about, () => {
      assert.throws(() => new Client(target, options), message);
    });
  }
});

describe("only UNAVAILABLE is retried", () => {
  const cases = { UNAVAILABLE: 3, INTERNAL: 1, INVALID_ARGUMENT: 1, RESOURCE_EXHAUSTED: 1, FAILED_PRECONDITION: 1 } as const;
  for (const [name, calls] of Object.entries(cases)) {
    const code = Code[name as keyof typeof cases];
    test(name, async (t) => {
      const fake = new Fake((call) => (call < 3 ? { code, details: "not now" } : { plan: { converged: true } }));
      const asking = client(t, await serving(t, fake));
      const request = sized(20 << 20); // larger than gRPC's default buffers for retries
      if (code === Code.UNAVAILABLE) {
        assert.ok((await asking.plan(request)).converged);
      } else {
        const failed = await failure(asking.plan(request));
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
  const asking = client(t, first.address);
  await asking.plan(sized(1));
  await first.kill();
  const plan = asking.plan(sized(1 << 20));
  await wait(100); // the restart takes a while, and the call comes in between
  await serving(t, new Fake(), first.address);
  assert.ok((await plan).converged);
});

test("no server", async (t) => {
  const gone = await new Fake().serve();
  await gone.kill();
  const failed = await failure(client(t, gone.address).plan(sized(1)));
  assert.ok(failed instanceof Unreachable);
  assert.equal(failed.code, Code.UNAVAILABLE);
});

test("the deadline is sent", async (t) => {
  const left: number[] = [];
  const answer: Answer = (_, call) => {
    left.push(Number(call.getDeadline()) - Date.now());
    return { plan: { converged: true } };
  };
  const asking = client(t, await serving(t, new Fake(answer)));
  await asking.plan(sized(1));
  await asking.plan(sized(1), { timeoutMs: 3_600_000 });
  const [usual = 0, long = 0] = left;
  assert.ok(5_000 < usual && usual < DEFAULT_TIMEOUT_MS + 1_000, String(usual));
  assert.ok(3_500_000 < long && long < 3_700_000, String(long));
});

test("a call can be ended", async (t) => {
  const end = new AbortController();
  const answer: Answer = () => {
    end.abort();
    return { plan: { converged: true } };
  };
  const asking = client(t, await serving(t, new Fake(answer)));
  assert.equal((await failure(asking.plan(sized(1), { signal: end.signal }))).code, Code.CANCELLED);
});

test("an answer without a plan is no plan", async (t) => {
  const failed = await failure(client(t, await serving(t, new Fake(() => ({})))).plan(sized(1)));
  assert.equal(failed.message, "INTERNAL: the planner answered without a plan");
});

test("limits of messages", async (t) => {
  const limit = 1 << 20;
  const fake = new Fake(() => ({ plan: { blocks: [{ message: "x".repeat(limit) }] } }));
  const asking = client(t, await serving(t, fake), { insecure: true, maxMessageBytes: limit });
  for (const [what, size] of Object.entries({ request: limit, plan: 1 })) {
    const failed = await failure(asking.plan(sized(size)));
    assert.ok(failed instanceof MessageTooLarge, String(failed));
    assert.match(failed.details, new RegExp(`the ${what} has .* this client's limit is ${String(limit)}`));
    assert.equal(failed.reason, ErrorReason.MESSAGE_TOO_LARGE);
    assert.equal(failed.metadata.limit, String(limit));
    assert.ok(Number(failed.metadata.bytes) > limit);
  }
});

test("a server's limit of messages", async (t) => {
  const server = await planner(["--max-message-bytes=1024"]);
  t.after(server.kill);
  const failed = await failure(client(t, server.address).plan(sized(2000)));
  assert.ok(failed instanceof MessageTooLarge, String(failed));
  assert.equal(failed.metadata.limit, "1024");
});

test("the user agent", async (t) => {
  const fake = new Fake();
  await client(t, await serving(t, fake), { insecure: true, userAgent: "my-operator/1.2" }).plan(sized(1));
  assert.match(fake.agents[0] ?? "", /^my-operator\/1\.2 setplan-typescript\/0\.1\.0 grpc-node-js/);
});

test("capabilities", async (t) => {
  const fake = new Fake();
  const [first = Capability.UNSPECIFIED] = capabilities();
  const own = create(PlanRequestSchema, { capabilities: [first] });
  const asking = client(t, await serving(t, fake));
  await asking.plan(sized(1));
  await asking.plan(own);
  assert.deepEqual(
    fake.requests.map((request) => request.capabilities),
    [capabilities(), [first]],
  );
});

test("a real server", async (t) => {
  const server = await planner();
  t.after(server.kill);
  const asking = client(t, server.address);
  assert.ok((await asking.serverInfo()).version);
  const failed = await failure(asking.plan(create(PlanRequestSchema)));
  assert.ok(failed instanceof InvalidSnapshot);
  assert.ok(!(failed instanceof Overloaded));
  assert.equal(failed.violations[0]?.field, "snapshot");
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
  const asking = client(t, running.address, {
    tls: { ca: file("ca.crt"), certificate: file("operator.crt"), key: file("operator.key") },
  });
  assert.ok((await asking.serverInfo()).version);
  await running.kill();
  running = await mutual(here, second, running.address);
  assert.ok((await failure(asking.serverInfo())) instanceof Unreachable);
  second.write(ours, "operator");
  assert.ok((await asking.serverInfo()).version);
  // What was read goes on while files are replaced.
  process.removeAllListeners("warning");
  const warned: string[] = [];
  process.on("warning", ({ message }) => warned.push(message));
  const key = readFileSync(file("operator.key"));
  writeFileSync(file("operator.key"), readFileSync(path.join(here, "planner.key")));
  assert.ok((await asking.serverInfo()).version);
  writeFileSync(file("operator.key"), key);
  rmSync(file("ca.crt"));
  assert.ok((await asking.serverInfo()).version);
  assert.equal(warned.length, 2);
});

function mutual(folder: string, authority: Authority, address?: string): Promise<Planner> {
  authority.write(folder, "planner");
  const files = { "tls-cert-file": "planner.crt", "tls-key-file": "planner.key", "client-ca-file": "ca.crt" };
  return planner(
    Object.entries(files).map(([flag, file]) => `--${flag}=${path.join(folder, file)}`),
    address,
  );
}
