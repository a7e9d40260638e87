// The check of updates in place: a pod that is said to be at a revision runs what that revision says, and has what it asks for.

import { apartFromImages } from "./images.js";
import { get, isNothing, type Json, members, quote, same } from "./json.js";
import { LABEL_POD_INDEX, LABEL_POD_NAME, LABEL_REVISION, UPDATE } from "./names.js";
import { apartFromResources } from "./resources.js";
import type { Subject } from "./subject.js";
import { inPlaceFault, runs, type Updating, updating } from "./under-way.js";

const IDENTITY: ReadonlySet<string> = new Set([LABEL_POD_NAME, LABEL_POD_INDEX, LABEL_REVISION]);

/**
 * Lets a pod go to another revision only if the templates differ in what may change, and gives it these labels and annotations. The images
 * and the resources are other checks' business.
 */
export function podUpdateFault(s: Subject): string {
  const { view } = s;
  const does = updating(s);
  const name = does.to;
  const was = runs(view, s.pod);
  const why = inPlaceFault(s);
  const stays = does.step === "notes" || does.step === "finishes"; // at the revision whose template the pod has
  if (why !== "") return why;
  if (name === "" || (!stays && !view.revisions.has(name) && !view.made.has(name))) {
    return `the revision ${quote(name)} is neither in the snapshot nor made by the plan`;
  }
  if (stays) return metadataFault(s, does, null, null);
  if (!view.revisions.has(was)) return "the snapshot does not have the pod's revision";
  const old = view.stored(was) ?? null;
  const next = view.templateOf(name);
  if (members(old).size === 0 || members(next).size === 0) return "a template cannot be read";
  const apart = apartFromResources(old, next);
  if (does.step !== "starts" && apart.changed.size > 0) return "the templates differ in resources";
  const compared = does.step === "starts" ? apartFromImages(apart.old, apart.next) : apart;
  const [before, after] = [get(compared.old, "metadata"), get(compared.next, "metadata")];
  const alike = sameBut(compared.old, compared.next, new Set(["metadata"]));
  if (!alike || !sameBut(before, after, new Set(["labels", "annotations"]))) return "the templates differ in more than may change";
  if (view.claimNames.some((template) => view.has(was, template) !== view.has(name, template))) {
    return "the revisions have other claim templates";
  }
  return metadataFault(s, does, before, after);
}

/**
 * Compares what the pod gets with the labels and annotations in which two templates differ. The label of the revision is no part of a
 * start: it follows when the images run.
 */
function metadataFault(s: Subject, does: Updating, before: Json, after: Json): string {
  const { labels = {}, removeLabels = [], annotations = {}, removeAnnotations = [] } = s.body("updatePod") ?? {};
  const atOnce = does.step === "relabels" || does.step === "finishes";
  const set = atOnce ? without(labels, LABEL_REVISION) : labels;
  return (
    changeFault("label", get(before, "labels"), get(after, "labels"), set, removeLabels) ||
    changeFault(
      "annotation",
      get(before, "annotations"),
      get(after, "annotations"),
      without(annotations, UPDATE),
      removeAnnotations,
    )
  );
}

function without(of: Readonly<Record<string, string>>, left: string): Record<string, string> {
  return Object.fromEntries(Object.entries(of).filter(([key]) => key !== left));
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
