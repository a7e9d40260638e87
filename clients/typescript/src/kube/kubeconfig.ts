// What @kubernetes/client-node leaves out of a kubeconfig.

import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

import type { KubeConfig } from "@kubernetes/client-node";
import { parse } from "yaml";

interface Document {
  users?: { name?: string; user?: { "as-groups"?: string[] } | null }[] | null;
}

/** Lists the groups that a user acts for (`as-groups`): without them it would act for a user alone, and have fewer rights. */
export function groupsOf(file: string | undefined, user: string | undefined): string[] {
  const files = (file ?? process.env.KUBECONFIG)?.split(path.delimiter) ?? [path.join(homedir(), ".kube", "config")];
  for (const one of files.filter((name) => existsSync(name))) {
    const document = parse(readFileSync(one, "utf8")) as Document | null;
    const found = document?.users?.find(({ name }) => name === user);
    if (found) return found.user?.["as-groups"] ?? [];
  }
  return [];
}

/**
 * Lets a configuration name an API server without TLS on this machine, such as `kubectl proxy`. Elsewhere @kubernetes/client-node
 * refuses that, because tokens would be readable on the way.
 */
export function allowLoopback(config: KubeConfig): void {
  const cluster = config.getCurrentCluster();
  if (!cluster || !/^http:\/\/(127\.\d+\.\d+\.\d+|localhost|\[::1\])[:/]/.test(`${cluster.server}/`)) return;
  config.clusters = config.clusters.map((one) => (one.name === cluster.name ? { ...one, skipTLSVerify: true } : one));
}
