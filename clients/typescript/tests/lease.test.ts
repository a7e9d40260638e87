// A lease against an API server that does what a test says.

import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";

import { ApiError, Lease, LeaseLost, PODS, Unavailable } from "@setplan/client/kube";

import { type Answer, refusal, server } from "./apis.js";

function holder({ spec }: { spec: Record<string, unknown> | undefined }): string {
  return String(spec?.holderIdentity);
}

/** Lets the term of a lease pass, as if the process had been stopped: no timer fires. */
function stopped(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
}

describe("the lease", () => {
  /** An API server that has one lease, and answers to other writes as a test says. */
  const leases = async (t: TestContext, holder?: string, write: () => Answer | Promise<Answer> = () => [200, {}]) => {
    let version = 0;
    const lease = {
      spec: holder === undefined ? undefined : ({ holderIdentity: holder, leaseDurationSeconds: 1 } as Record<string, unknown>),
      answers: undefined as Answer | undefined,
    };
    const { api, asked, url } = await server(t, ({ method, body, url }) => {
      if (!url.includes("/leases")) return write();
      if (lease.answers) return lease.answers;
      if (method === "GET" && !lease.spec) return [404, refusal("NotFound")];
      if (method !== "GET") {
        version++;
        lease.spec = { ...lease.spec, ...(JSON.parse(body) as { spec: object }).spec };
      }
      return [200, { metadata: { name: "l", resourceVersion: String(version) }, spec: lease.spec }];
    });
    const pods = () => asked.filter(({ url }) => url.includes("/pods")).length;
    return {
      lease,
      asked,
      api,
      url,
      pods,
      take: (name: string) => new Lease(api, "default", "l", name, { durationSeconds: 1, retryMs: 20 }),
    };
  };

  test("is taken, and given back", async (t) => {
    const { lease, take } = await leases(t);
    await take("me").hold(() => {
      assert.match(holder(lease), /^me_/);
      return Promise.resolve();
    });
    assert.equal(lease.spec?.holderIdentity, "");
  });

  test("of somebody else is waited for until it expires", async (t) => {
    const { lease, take, asked } = await leases(t, "other");
    await take("me").hold(() => {
      assert.match(holder(lease), /^me_/);
      assert.equal(lease.spec?.leaseTransitions, 1);
      return Promise.resolve();
    });
    assert.ok(asked.filter(({ method }) => method === "GET").length > 10); // it has looked for a second
  });

  const untilAborted = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener("abort", () => {
        resolve();
      });
    });

  test("is held by one of two processes with the same name", async (t) => {
    const { take } = await leases(t);
    let second: Promise<void> | undefined;
    let both = false;
    await take("me").hold(async () => {
      let lasts = true;
      second = take("me").hold(() => Promise.resolve(void (both = lasts)));
      await wait(200);
      lasts = false;
    });
    await second;
    assert.ok(!both);
  });

  test("that was given away ends the work", async (t) => {
    const { lease, take } = await leases(t);
    const held = take("me").hold((signal) => {
      lease.spec = { holderIdentity: "other" };
      return untilAborted(signal);
    });
    await assert.rejects(held, LeaseLost);
    assert.equal(lease.spec?.holderIdentity, "other"); // and it is not ours to give back
  });

  test("that cannot be renewed ends the work", async (t) => {
    const { lease, take } = await leases(t);
    let ended = false;
    const held = take("me").hold(async (signal) => {
      lease.answers = [500, {}];
      await untilAborted(signal);
      ended = true;
    });
    await assert.rejects(held, LeaseLost);
    assert.ok(ended);
  });

  test("outlasts what is no answer of an API server", async (t) => {
    const { lease, take } = await leases(t);
    for (const answers of [
      [200, "<html>"],
      [200, {}],
      [403, { details: { causes: {} } }],
    ] as Answer[]) {
      const babbles = async (): Promise<void> => {
        lease.answers = answers;
        await wait(200);
        lease.answers = undefined;
      };
      const waited = babbles();
      await take("me").hold(async (signal) => {
        await waited;
        await babbles();
        await wait(1_000);
        assert.ok(!signal.aborted);
      });
    }
  });

  test("ends with a signal, held or not", async (t) => {
    const { take } = await leases(t);
    const end = new AbortController();
    const second = take("second");
    await take("first").hold(async (signal) => {
      const waiting = second.hold(() => Promise.reject(new Error("not now")), end.signal);
      end.abort();
      await waiting;
      await untilAborted(signal);
    }, end.signal);
  });

  test("gives no time to write after its end, whatever the clock of the process did", async (t) => {
    const { lease, take, api, pods } = await leases(t);
    const held = take("me").hold(async () => {
      stopped();
      await assert.rejects(api.send("POST", PODS.path("default"), "{}"), LeaseLost);
      await wait(50);
    });
    await assert.rejects(held, LeaseLost);
    assert.equal(pods(), 0);
    assert.match(holder(lease), /^me_/); // somebody else may have it already: it is not given back
    await assert.rejects(api.send("POST", PODS.path("default"), "{}"), LeaseLost);
  });

  test("gives what has waited for a connection no time either", async (t) => {
    const waiting: (() => void)[] = [];
    const { take, api, pods } = await leases(t, undefined, async () => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return [200, {}];
    });
    const held = take("me").hold(async () => {
      const writes = Array.from({ length: 150 }, () => api.send("POST", PODS.path("default"), "{}"));
      const settled = Promise.allSettled(writes);
      while (waiting.length < 100) await wait(10);
      for (const answer of waiting) answer();
      await Promise.race(writes);
      stopped(); // while the other answers have come, and their connections become free before any timer fires
      await settled;
    });
    await assert.rejects(held, LeaseLost);
    assert.ok(pods() < 110, `${String(pods())} were sent`); // the first answers' connections were free before
  });

  test("that is lost cuts off the writes under way", { timeout: 10_000 }, async (t) => {
    const { lease, take, api } = await leases(t, undefined, () => "hang");
    const held = take("me").hold(async () => {
      lease.answers = [500, {}];
      await assert.rejects(api.send("POST", PODS.path("default"), "{}"), Unavailable);
    });
    await assert.rejects(held, LeaseLost);
  });

  test("is renewed past writes that have all connections", async (t) => {
    const { take, api } = await leases(t, undefined, () => "hang");
    await take("me").hold(async (signal) => {
      const end = new AbortController();
      const writes = Array.from({ length: 101 }, () => api.send("POST", PODS.path("default"), "{}", { signal: end.signal }));
      const settled = Promise.allSettled(writes);
      await wait(1_300);
      assert.ok(!signal.aborted);
      end.abort();
      await settled;
    });
  });

  test("is held until what is under way is finished, and then given back", async (t) => {
    const { lease, take, api, pods } = await leases(t, undefined, () => wait(1_300, [200, {}] as Answer));
    const end = new AbortController();
    await take("me").hold(async () => {
      end.abort();
      await api.send("POST", PODS.path("default"), "{}");
      assert.match(holder(lease), /^me_/);
    }, end.signal);
    assert.equal(pods(), 1);
    assert.equal(lease.spec?.holderIdentity, "");
    await assert.rejects(api.send("POST", PODS.path("default"), "{}"), LeaseLost); // nor is anything written after that
  });

  test("is not given back while a write without an answer may arrive", async (t) => {
    const { lease, take, api } = await leases(t, undefined, () => "cut off");
    await take("me").hold(() => assert.rejects(api.send("POST", PODS.path("default"), "{}"), Unavailable));
    assert.match(holder(lease), /^me_/);
  });

  for (const [status, isBack] of [
    [429, true],
    [500, false],
    [504, false],
  ] as const) {
    test(`is${isBack ? "" : " not"} given back after a write with the answer ${String(status)}`, async (t) => {
      const { lease, take, api } = await leases(t, undefined, () => [status, {}]);
      await take("me").hold(() => assert.rejects(api.send("POST", PODS.path("default"), "{}"), ApiError));
      assert.equal(lease.spec?.holderIdentity === "", isBack);
    });
  }

  test("is given back when a write that nobody waits for has ended", async (t) => {
    const { lease, take, api } = await leases(t, undefined, () => wait(300, [200, {}] as Answer));
    let write: Promise<unknown> | undefined;
    await take("me").hold(() => {
      write = api.send("POST", PODS.path("default"), "{}").then(() => holder(lease));
      return Promise.resolve();
    });
    assert.match(String(await write), /^me_/);
    assert.equal(lease.spec?.holderIdentity, "");
  });

  test("is given back by work that fails", async (t) => {
    const { lease, take } = await leases(t);
    await assert.rejects(
      take("me").hold(() => Promise.reject(new Error("no"))),
      /no/,
    );
    assert.equal(lease.spec?.holderIdentity, "");
  });
});
