// A real control plane on this machine, without containers: bin/setplan-local, which `make build-local` builds.

import { execFileSync } from "node:child_process";
import path from "node:path";

import { ROOT } from "./servers.js";

const BIN = path.join(ROOT, "bin");
const NAME = `typescript-${String(process.pid)}`;

/** A control plane whose built-in StatefulSet controller is off. */
export class Cluster {
  readonly kubeconfig: string;

  private constructor(kubeconfig: string) {
    this.kubeconfig = kubeconfig;
  }

  static up(): Cluster {
    const told = local("up", "--statefulset-controller", "off").trim().split(/\s+/);
    return new Cluster(told.at(-1) ?? "");
  }

  down(): void {
    local("down");
  }

  /** Runs kubectl, and returns what it prints. */
  kubectl(args: string, input = ""): string {
    const command = ["--kubeconfig", this.kubeconfig, ...args.split(" ")];
    return execFileSync(path.join(BIN, "kubectl"), command, { input, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"] });
  }
}

function local(...args: string[]): string {
  return execFileSync(path.join(BIN, "setplan-local"), [...args, "--name", NAME], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
}
