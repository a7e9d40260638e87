// The check of updates in place: a pod that is said to be at a revision runs what that revision says.

import { get, type Json, members, quote, removes, same } from "./json.js";
import { LABEL_POD_INDEX, LABEL_POD_NAME, LABEL_REVISION } from "./names.js";
import type { Subject } from "./subject.js";

const IDENTITY: ReadonlySet<string> = new Set([LABEL_POD_NAME, LABEL_POD_INDEX, LABEL_REVISION]);

/** Lets a pod go to another revision only if the templates differ in labels and annotations, and get exactly these. */
export function podUpdateFault(s: Subject): string {
  const { view } = s;
  const update = s.body("updatePod");
  const name = update?.labels[LABEL_REVISION] ?? "";
  const was = view.revisionName(s.pod);
  if (!view.updatesInPlace) return "the set does not ask that pods are updated in place";
  if (update === undefined || s.ordinal === undefined || view.deleting || !view.range.has(s.ordinal))
    return "no ordinal of the range has this pod";
  if (name === "" || (!view.revisions.has(name) && !view.made.has(name))) {
    return `the revision ${quote(name)} is neither in the snapshot nor made by the plan`;
  }
  if (!view.revisions.has(was)) return "the snapshot does not have the pod's revision";
  const old = view.stored(was) ?? null;
  const next = view.made.has(name) ? view.template : (view.stored(name) ?? view.template);
  if (members(old).size === 0 || members(next).size === 0) return "a template cannot be read";
  const [before, after] = [get(old, "metadata"), get(next, "metadata")];
  if (!sameBut(old, next, new Set(["metadata"])) || !sameBut(before, after, new Set(["labels", "annotations"]))) {
    return "the templates differ in more than labels and annotations";
  }
  const [had, has] = [view.removedBy(was), view.removedBy(name)];
  if (view.claimNames.some((template) => removes(had, template) !== removes(has, template))) {
    return "the revisions have other claim templates";
  }
  const labels = Object.fromEntries(Object.entries(update.labels).filter(([key]) => key !== LABEL_REVISION));
  const why = changeFault("label", get(before, "labels"), get(after, "labels"), labels, update.removeLabels);
  return (
    why ||
    changeFault("annotation", get(before, "annotations"), get(after, "annotations"), update.annotations, update.removeAnnotations)
  );
}

/** Compares what is set and removed with how two maps of texts differ. */
function changeFault(
  what: string,
  old: Json,
  next: Json,
  put: Readonly<Record<string, string>>,
  removed: readonly string[],
): string {
  const texts = [...members(next)].filter(([key, value]) => typeof value === "string" && !IDENTITY.has(key));
  const stays = new Set(texts.map(([key]) => key));
  const wanted = new Map(texts.filter(([key, value]) => members(old).get(key) !== value));
  const gone = new Set([...members(old).keys()].filter((key) => !stays.has(key) && !IDENTITY.has(key)));
  const ours = (key: string): boolean => key.startsWith("setplan.io/");
  for (const [key, value] of Object.entries(put)) {
    if (wanted.get(key) !== value || ours(key)) return `the ${what} ${quote(key)} is not what the templates differ in`;
  }
  for (const key of removed) {
    if (!gone.has(key) || ours(key)) return `the ${what} ${quote(key)} is not what the templates differ in`;
  }
  const whole = Object.keys(put).length === wanted.size && new Set(removed).size === gone.size;
  return whole ? "" : `a ${what} in which the templates differ is left out`;
}

/** Compares two templates, or parts, but for some keys. Nulls and empty objects are as good as nothing: older API servers wrote them. */
function sameBut(a: Json, b: Json, but: ReadonlySet<string> = new Set()): boolean {
  return [...members(a).keys(), ...members(b).keys()].every((key) => but.has(key) || sameOrNothing(get(a, key), get(b, key)));
}

function sameOrNothing(a: Json, b: Json): boolean {
  if (isNothing(a) || isNothing(b)) return isNothing(a) && isNothing(b);
  if (a instanceof Map && b instanceof Map) return sameBut(a, b);
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => sameOrNothing(item, b[i] ?? null));
  return same(a, b);
}

function isNothing(value: Json): boolean {
  return value === null || (value instanceof Map && value.size === 0);
}
