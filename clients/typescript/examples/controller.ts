// A StatefulSet controller: it watches sets, asks a planner, and carries out the plans.

import { hostname } from "node:os";
import { parseArgs } from "node:util";

import { Client } from "@setplan/client";
import { type Key, keyText, Loop, type Observer, operationOf, type Result } from "@setplan/client/adapter";
import { type Api, CAPABILITIES, connect, EVENTS, Executor, Lease, Queue, Source } from "@setplan/client/kube";
import { type Action, type Plan, Severity, type Snapshot } from "@setplan/client/v1";

const { values: flags } = parseArgs({
  options: {
    kubeconfig: { type: "string" }, // the cluster; without it $KUBECONFIG, or the pod's service account
    namespace: { type: "string" }, // run the sets of this namespace only
    "planner-address": { type: "string" },
    "planner-ca-file": { type: "string" }, // PEM file with the authorities for the planner's certificate
    "planner-cert-file": { type: "string" }, // PEM file with this adapter's certificate
    "planner-key-file": { type: "string" }, // PEM file with its key
    "planner-insecure": { type: "boolean" }, // without TLS, for a planner on the same machine
    "leader-elect": { type: "string", default: "true" }, // act only while holding a lease
  },
});

interface Thing {
  apiVersion: string;
  kind: string;
  metadata: { namespace: string; name: string; uid: string; resourceVersion: string };
}

function log(message: string, fields: Record<string, string> = {}): void {
  const more = Object.entries(fields).map(([field, value]) => ` ${field}=${JSON.stringify(value)}`);
  process.stderr.write(`msg=${JSON.stringify(message)}${more.join("")}\n`);
}

/** Logs what happens, and raises events for what people should see. */
class Told implements Observer {
  readonly #api: Api;
  readonly #source: Source;
  readonly #blocks = new Map<string, Set<string>>();

  constructor(api: Api, source: Source) {
    this.#api = api;
    this.#source = source;
  }

  /** Raises an event when a block appears that somebody has to act on. */
  planned(key: Key, _: Snapshot, plan: Plan): void {
    const asking = plan.blocks.filter(({ severity }) => severity === Severity.ATTENTION);
    const blocks = new Set(asking.map(({ message, remedy }) => `${message} ${remedy}`));
    const before = this.#blocks.get(keyText(key));
    for (const message of blocks) if (!before?.has(message)) void this.#event(key, "Blocked", message);
    this.#blocks.set(keyText(key), blocks);
  }

  applied(key: Key, action: Action, { error }: Result): void {
    const what = `${operationOf(action)} ${action.target?.name ?? ""}`;
    log(what, { set: keyText(key), error: error?.message ?? "" });
    if (error) void this.#event(key, "FailedAction", `${what}: ${error.message}`);
  }

  /** Logs why nothing is done, and raises an event for a plan that is refused. */
  held(key: Key, reason: string, { message }: Error): void {
    log(`held: ${reason}`, { set: keyText(key), error: message });
    if (reason === "verification") void this.#event(key, "PlanRefused", message);
  }

  forgotten(key: Key): void {
    this.#blocks.delete(keyText(key));
  }

  async #event(key: Key, reason: string, message: string): Promise<void> {
    const now = new Date().toISOString().replace(/\.\d+Z$/, "Z");
    try {
      const { apiVersion, kind, metadata } = this.#source.cached(key).value as Thing;
      const { namespace, name, uid, resourceVersion } = metadata;
      const event = {
        metadata: { generateName: `${name}.`, namespace },
        involvedObject: { apiVersion, kind, namespace, name, uid, resourceVersion },
        reason,
        message: message.slice(0, 1024),
        type: "Warning",
        source: { component: "setplan-typescript" },
        firstTimestamp: now,
        lastTimestamp: now,
        count: 1,
      };
      await this.#api.send("POST", EVENTS.path(namespace), JSON.stringify(event));
    } catch (error) {
      log("no event", { set: keyText(key), error: String(error) });
    }
  }
}

/** Runs the sets until the signal is aborted. */
async function control(api: Api, planner: Client, signal: AbortSignal): Promise<void> {
  const source = new Source(api, flags.namespace, (key) => {
    queue.add(key);
  });
  const observer = new Told(api, source);
  const executor = new Executor(api, (key, version) => source.conditions(key, version));
  const loop = new Loop(source, executor, planner, CAPABILITIES, { observer });
  const queue = new Queue(
    (key, until) => loop.reconcile(key, until),
    (key, error) => {
      log(String(error), { set: keyText(key) });
    },
  );
  const caches = source.run(signal);
  await Promise.race([source.filled(), caches]);
  log("the caches are filled");
  const work = queue.run(signal);
  for (const set of source.sets.all()) {
    const { namespace, name } = (set.value as Thing).metadata;
    queue.add({ namespace, name });
  }
  await Promise.all([caches, work]);
}

const end = new AbortController();
for (const signal of ["SIGTERM", "SIGINT"] as const)
  process.once(signal, () => {
    end.abort();
  });
const api = connect({ kubeconfig: flags.kubeconfig });
const tls = { ca: flags["planner-ca-file"], certificate: flags["planner-cert-file"], key: flags["planner-key-file"] };
const planner = new Client(flags["planner-address"] ?? "", flags["planner-insecure"] ? { insecure: true } : { tls });
const work = (signal: AbortSignal) => control(api, planner, signal);
if (flags["leader-elect"] === "false") {
  await work(end.signal);
} else {
  const name = flags.namespace ? `setplan-adapter.${flags.namespace}` : "setplan-adapter";
  await new Lease(api, "kube-system", name, hostname()).hold(work, end.signal);
}
planner.close();
api.close();
