// The containers of a pod's template.

import type { Container } from "../../v1/index.js";
import { get, type Json, members } from "./json.js";

/** The lists of containers of a pod's spec. */
export const LISTS = ["containers", "initContainers"] as const;
export type List = (typeof LISTS)[number];

/** What the snapshot shows of a pod. */
export type Shown = Readonly<Record<List, readonly Container[]>>;

/** Reports whether a container is there for as long as its pod: of init containers those that are sidecars. */
export function stays(list: List, container: Json): boolean {
  return list === "containers" || get(container, "restartPolicy") === "Always";
}

/** Returns the containers of a list of two templates, those with the same place together; undefined if there are more in one. */
export function pairsOf(old: Json, next: Json, list: List): [Json, Json][] | undefined {
  const [a, b] = [get(old, "spec", list), get(next, "spec", list)];
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return undefined;
  return a.map((one, i) => [one, b[i] ?? null]);
}

/** Returns two templates in which pairs of containers replace those of a list. */
export function withPairs(old: Json, next: Json, list: List, pairs: readonly (readonly [Json, Json])[]): [Json, Json] {
  const left = pairs.map(([one]) => one);
  const right = pairs.map(([, other]) => other);
  return [withContainers(old, list, left), withContainers(next, list, right)];
}

function withContainers(template: Json, list: List, containers: Json[]): Json {
  const spec = new Map(members(get(template, "spec"))).set(list, containers);
  return new Map(members(template)).set("spec", spec);
}
