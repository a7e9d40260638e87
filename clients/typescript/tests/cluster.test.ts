// The examples on a real control plane, judged by what the API server announces.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";

import { type Api, connect, PODS, read } from "@setplan/client/kube";
import { Raw } from "@setplan/client/snapshot";

import { Cluster } from "./clusters.js";
import { type Planner, planner, Program, ROOT } from "./servers.js";

const EXAMPLES = path.join(import.meta.dirname, "..", "examples");

const SET = {
  apiVersion: "apps/v1",
  kind: "StatefulSet",
  metadata: { name: "web", annotations: {} },
  spec: {
    replicas: 3,
    serviceName: "web",
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: { containers: [{ name: "nginx", image: "registry.example/nginx:1" }] },
    },
    volumeClaimTemplates: [
      { metadata: { name: "www" }, spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } },
    ],
  },
};

let here: Cluster;
let asked: Planner;
before(async () => {
  here = Cluster.up();
  asked = await planner();
});
after(async () => {
  await asked.kill();
  here.down();
});

interface Pod {
  metadata: { uid?: string; name?: string; deletionTimestamp?: string };
  spec: { containers: { image: string }[] };
  status?: { conditions?: { type: string; status: string }[] };
}

/** What happened to pods: `+web-0` was made, `-web-0` was asked to end, `!web-0` was ready. */
class History {
  told: string[] = [];
  readonly images = new Map<string, string>();
  readonly #seen = new Set<string>();

  async run(api: Api, namespace: string, signal: AbortSignal): Promise<void> {
    const listed = Raw.parse(await api.get(PODS.path(namespace)));
    for await (const event of api.watch(PODS.path(namespace), String(listed.get("metadata", "resourceVersion")?.value), signal)) {
      const pod = event.get("object")?.value as Pod;
      const { uid = "", name = "", deletionTimestamp } = pod.metadata;
      const type = event.get("type")?.value;
      if (type === "ADDED") {
        this.told.push(`+${name}`);
        this.images.set(name, pod.spec.containers[0]?.image ?? "");
      }
      if (deletionTimestamp !== undefined || type === "DELETED") this.#once(`-${name}`, uid);
      if (pod.status?.conditions?.some((c) => c.type === "Ready" && c.status === "True")) this.#once(`!${name}`, uid);
    }
  }

  #once(what: string, uid: string): void {
    if (this.#seen.has(what + uid)) return;
    this.#seen.add(what + uid);
    this.told.push(what);
  }

  /** Waits for a story, and nothing else; what ends what hangs measures nothing. */
  async is(story: string): Promise<void> {
    const wanted = story.split(" ");
    await until(
      () => this.told.length >= wanted.length,
      () => `${story}: ${this.told.join(" ")}`,
    );
    assert.deepEqual(this.told, wanted);
    this.told = [];
  }
}

async function until(done: () => boolean, what: () => string): Promise<void> {
  for (let i = 0; i < 3000; i++) {
    if (done()) return;
    await wait(20);
  }
  assert.fail(what());
}

function watched(t: TestContext, namespace: string): History {
  here.kubectl(`create namespace ${namespace}`);
  const api = connect({ kubeconfig: here.kubeconfig });
  const history = new History();
  const end = new AbortController();
  const run = history.run(api, namespace, end.signal).catch((error: unknown) => {
    if (!end.signal.aborted) throw error;
  });
  t.after(async () => {
    end.abort();
    await run;
    api.close();
  });
  return history;
}

function controller(t: TestContext, namespace: string): Program {
  const flags = [
    "--kubeconfig",
    here.kubeconfig,
    "--namespace",
    namespace,
    "--planner-address",
    asked.address,
    "--planner-insecure",
  ];
  const program = new Program(process.execPath, [path.join(EXAMPLES, "controller.js"), ...flags]);
  t.after(() => program.kill());
  return program;
}

test("a set is made, scaled, rolled and deleted, by the example of a controller with leader election", async (t) => {
  const history = watched(t, "life");
  const program = controller(t, "life");
  here.kubectl("apply -n life -f -", JSON.stringify(SET));
  await history.is("+web-0 !web-0 +web-1 !web-1 +web-2 !web-2");
  here.kubectl("scale -n life statefulset/web --replicas 4");
  await history.is("+web-3 !web-3");
  here.kubectl("scale -n life statefulset/web --replicas 2");
  await history.is("-web-3 -web-2");
  here.kubectl("set image -n life statefulset/web nginx=registry.example/nginx:2");
  await history.is("-web-1 +web-1 !web-1 -web-0 +web-0 !web-0");
  assert.deepEqual(
    [history.images.get("web-0"), history.images.get("web-1")],
    ["registry.example/nginx:2", "registry.example/nginx:2"],
  );
  const status = () => here.kubectl("get -n life statefulset/web -o jsonpath={.status.readyReplicas}/{.status.observedGeneration}");
  await until(() => status() === "2/4", status);
  const claims = () => here.kubectl("get -n life persistentvolumeclaims -o name").trim().split("\n");
  assert.equal(claims().length, 4);
  here.kubectl("delete -n life statefulset/web");
  await until(
    () => history.told.length >= 2,
    () => history.told.join(" "),
  );
  assert.deepEqual(history.told.sort(), ["-web-0", "-web-1"]); // by the garbage collector
  assert.equal(claims().length, 4);
  program.process.kill("SIGTERM"); // which gives the lease back
  await until(
    () => program.process.exitCode !== null,
    () => program.log,
  );
  assert.equal(program.process.exitCode, 0, program.log);
  assert.equal(here.kubectl("get -n kube-system lease/setplan-adapter.life -o jsonpath={.spec.holderIdentity}"), "");
});

test("a second controller waits; when the first is killed, it goes on once the lease has expired", async (t) => {
  const history = watched(t, "next");
  const first = controller(t, "next");
  await first.says(/caches are filled/);
  controller(t, "next");
  await first.kill();
  here.kubectl("apply -n next -f -", JSON.stringify(SET));
  await history.is("+web-0 !web-0 +web-1 !web-1 +web-2 !web-2");
});

test("the example says why a paused set waits, by hand and by the page, and numbers keep their text", async () => {
  here.kubectl("create namespace looked");
  const paused = { ...SET, metadata: { name: "web", annotations: { "setplan.io/pause": "All" } } };
  here.kubectl("apply -n looked -f -", JSON.stringify(paused));
  const env = { ...process.env, KUBECONFIG: here.kubeconfig };
  const said = execFileSync(process.execPath, [path.join(EXAMPLES, "look.js"), "looked", "web", asked.address], {
    env,
    encoding: "utf8",
  });
  assert.match(said, /^(ATTENTION|WAIT|INFO) web: .*setplan\.io\/pause/m);

  // An empty folder, and the page's commands; the package is made and the planner runs already.
  const folder = mkdtempSync(path.join(tmpdir(), "setplan-page-"));
  symlinkSync(path.join(ROOT, "clients"), path.join(folder, "clients"));
  const page = readFileSync(path.join(ROOT, "clients", "typescript", "README.md"), "utf8");
  const [, commands = ""] = /```sh\n(.*?)```/s.exec(page) ?? [];
  const [pack = "", serve = "", ...rest] = commands.split("\n");
  assert.match(pack, /npm pack/);
  assert.match(serve, /setplan-server --listen-address 127\.0\.0\.1:7450/);
  const script = rest.join("\n").replace("default web 127.0.0.1:7450", `looked web ${asked.address}`);
  const shell = { cwd: folder, env: { ...env, npm_config_prefer_offline: "true" }, encoding: "utf8" } as const;
  assert.ok(execFileSync("bash", ["-euo", "pipefail", "-c", script], shell).endsWith(said));
  rmSync(folder, { recursive: true });

  const api = connect({ kubeconfig: here.kubeconfig });
  const { set } = await read(api, "looked", "web");
  api.close();
  const stored = Raw.parse(here.kubectl("get --raw /apis/apps/v1/namespaces/looked/statefulsets/web"));
  assert.equal(set.get("spec", "template")?.text, stored.get("spec", "template")?.text);
});
