// The cpu and the memory of containers, and what a node says of a resize.

import { create } from "@bufbuild/protobuf";

import type { Raw } from "../rawjson.js";
import { type ContainerResources, ContainerResourcesSchema, type PodResize, PodResizeSchema } from "../v1/index.js";
import { cut, millis, type StoredCondition } from "./fields.js";

type Quantities = Record<string, string> | null;

/** What a container may use, as far as it is read. */
export interface Resources {
  requests?: Quantities;
  limits?: Quantities;
}

const MAX_MESSAGE = 1024; // bytes: what the contract allows

/** Puts the cpu and the memory of a container into the contract's form. No others change while a pod stays. */
export function containerResources({ requests, limits }: Resources): ContainerResources {
  return create(ContainerResourcesSchema, { requests: amounts(requests), limits: amounts(limits) });
}

/** Reports whether a container has no cpu and no memory of its own. */
export function isNothing({ requests, limits }: ContainerResources): boolean {
  return Object.keys(requests).length + Object.keys(limits).length === 0;
}

/** Takes the texts of the API server as they stand. */
function amounts(of: Quantities | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(of ?? {}).filter(([name]) => name === "cpu" || name === "memory"));
}

/** Puts a condition of a pod whose resources change into the contract's form, if it is there and true. */
export function podResize(pod: Raw, conditions: StoredCondition[], kind: string): PodResize | undefined {
  const at = conditions.findIndex(({ type, status }) => type === kind && status === "True");
  const condition = conditions[at];
  if (condition === undefined) return undefined;
  return create(PodResizeSchema, {
    reason: condition.reason ?? "",
    message: cut(condition.message ?? "", MAX_MESSAGE),
    sinceUnixMs: millis(condition.lastTransitionTime ?? undefined),
    observedGeneration: pod.get("status", "conditions")?.items[at]?.int64("observedGeneration") ?? 0n,
  });
}
