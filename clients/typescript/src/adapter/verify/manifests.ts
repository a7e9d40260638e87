// The checks of the manifests of creates.

import { requestOf } from "./changes.js";
import { differing, get, type Json, listed, members, object, parse, quote, same } from "./json.js";
import {
  CLAIM_METADATA,
  CLAIM_REQUEST,
  CLAIM_TEMPLATES,
  DRAIN_CLAIMS,
  DRAIN_SET,
  LABEL_HASH,
  LABEL_POD_INDEX,
  LABEL_POD_NAME,
  LABEL_REVISION,
  ordinalIn,
  trailingDigits,
} from "./names.js";
import type { Subject } from "./subject.js";
import { selects } from "./view.js";

// The apiVersion and the other keys of each kind of manifest; undefined: the rest is the template's.
const SHAPES: Record<string, { version: string; fields?: string[] }> = {
  createPod: { version: "v1", fields: ["spec"] },
  createClaim: { version: "v1" },
  createRevision: { version: "apps/v1", fields: ["data", "revision"] },
};
const TYPE = ["apiVersion", "kind", "metadata"];
const METADATA = ["name", "namespace", "generateName", "labels", "annotations", "finalizers", "ownerReferences"];
const REVISION_BASE = 223;

// Stands for a value that other checks cover.
const ANYTHING = Symbol("anything");

type More = Record<string, string | typeof ANYTHING>;

export function manifestFault(s: Subject): string {
  return s.unreadable;
}

export function objectFault(s: Subject): string {
  const shape = SHAPES[s.operation];
  if (get(s.manifest, "apiVersion") !== shape?.version || get(s.manifest, "kind") !== s.kind) {
    return "the manifest's kind is not the target's";
  }
  if (get(s.manifest, "metadata", "name") !== s.name) return "the manifest's name is not the target's";
  if (get(s.manifest, "metadata", "namespace") !== s.set.namespace) return "the manifest's namespace is not the set's";
  const { fields } = shape;
  const other = fields && [...members(s.manifest).keys()].find((key) => !TYPE.includes(key) && !fields.includes(key));
  return other === undefined ? "" : `the manifest has the field ${quote(other)}`;
}

/** Allows, beside labels, annotations and owners, which have their own checks, only the template's finalizers. */
export function metadataFault(s: Subject): string {
  const metadata = get(s.manifest, "metadata");
  const other = [...members(metadata).keys()].find((key) => !METADATA.includes(key));
  if (other !== undefined) return `the metadata has the field ${quote(other)}`;
  const generated = get(metadata, "generateName");
  if (generated !== null && generated !== s.set.name && generated !== `${s.set.name}-`) {
    return "generateName is not made of the set's name";
  }
  const finalizers = s.operation === "createPod" ? get(s.template, "metadata", "finalizers") : null;
  return same(get(metadata, "finalizers"), finalizers) ? "" : "the finalizers are not the template's";
}

/** Asks for the set as the controller. It only owns a drain pod, and not even that while it is drained for its deletion. */
export function ownerFault(s: Subject): string {
  const owners = get(s.manifest, "metadata", "ownerReferences");
  if (s.isDrain && s.view.emptying && owners === null) return "";
  const [owner, more] = listed(owners);
  if (owner === undefined || more !== undefined) return "the manifest must have exactly one owner";
  const { apiVersion, kind, name, uid } = s.set;
  const wanted = object({ apiVersion, kind, name, uid });
  if (!s.isDrain) {
    wanted.set("controller", true);
    if (members(owner).has("blockOwnerDeletion")) wanted.set("blockOwnerDeletion", true);
  }
  return same(owner, wanted) ? "" : "the owner is not this set, as what is made needs it";
}

export function labelsFault(s: Subject): string {
  const labels = get(s.manifest, "metadata", "labels");
  const template = get(s.template, "metadata", "labels");
  if (s.operation === "createRevision") return added("label", labels, template, { [LABEL_HASH]: ANYTHING });
  if (s.isDrain) return drainLabelsFault(s, labels, template);
  return added("label", labels, template, { ...identity(s), [LABEL_REVISION]: ANYTHING });
}

function identity(s: Subject): More {
  return { [LABEL_POD_NAME]: s.name, [LABEL_POD_INDEX]: trailingDigits(s.name) };
}

/** Keeps a drain pod from being taken for a replica: it lacks the labels of the ordinal if the selector would match by them. */
function drainLabelsFault(s: Subject, labels: Json, template: Json): string {
  const texts = [...members(labels)].filter((label): label is [string, string] => typeof label[1] === "string");
  if (selects(s.set.selector, new Map(texts))) return "the selector matches its labels, so it would be taken for a replica";
  const plain = differing(labels, template, new Set([LABEL_REVISION])) === "" && get(labels, LABEL_REVISION) === null;
  return plain ? "" : added("label", labels, template, identity(s));
}

export function annotationsFault(s: Subject): string {
  const annotations = get(s.manifest, "metadata", "annotations");
  if (s.operation === "createRevision") {
    const key = differing(annotations, object(s.set.annotations));
    return key && `the annotation ${key} is not the set's`;
  }
  const more: More = s.isDrain ? { [DRAIN_SET]: s.view.mark, [DRAIN_CLAIMS]: ANYTHING } : {};
  return added("annotation", annotations, get(s.template, "metadata", "annotations"), more);
}

/** Compares a map of strings with the template's and some more. */
function added(what: string, got: Json, template: Json, more: More): string {
  for (const [key, value] of Object.entries(more)) {
    const found = get(got, key);
    if (typeof found !== "string" || (value !== ANYTHING && value !== found)) return `the ${what} ${key} is missing or wrong`;
  }
  const key = differing(got, template, new Set(Object.keys(more)));
  return key && `the ${what} ${key} is not what the template says`;
}

/** Compares a claim with its template; with odd names more than one may fit. */
export function claimManifestFault(s: Subject): string {
  let why = "no claim template has this name";
  const patched = s.view.patchedTemplates;
  for (const [i, template] of s.view.claimTemplates.entries()) {
    if (ordinalIn(s.name, `${s.view.claimNames[i] ?? ""}-${s.set.name}`) === undefined) continue;
    why = claimDiffers(s, template);
    if (why === "" || claimDiffers(s, patched[i] ?? null) === "") return "";
  }
  return why;
}

function claimDiffers(s: Subject, template: Json): string {
  const metadata = get(s.manifest, "metadata");
  const of = get(template, "metadata");
  let key = differing(s.manifest, template, new Set(TYPE));
  if (key) return `${key} is not what the claim template says`;
  key = differing(metadata, of, new Set(["name", "namespace", "labels", "annotations", "creationTimestamp"]));
  if (key) return `metadata ${key} is not what the claim template says`;
  const notes: More = {};
  if (s.view.draining && get(metadata, "annotations", DRAIN_SET) !== null) notes[DRAIN_SET] = s.view.mark;
  if (get(metadata, "annotations", CLAIM_REQUEST) !== null) notes[CLAIM_REQUEST] = requestOf(template);
  if (get(metadata, "annotations", CLAIM_METADATA) !== null) notes[CLAIM_METADATA] = ANYTHING;
  return (
    added("label", get(metadata, "labels"), get(of, "labels"), s.set.selector?.matchLabels ?? {}) ||
    added("annotation", get(metadata, "annotations"), get(of, "annotations"), notes)
  );
}

export function revisionNameFault(s: Subject): string {
  const prefix = `${s.set.name.slice(0, REVISION_BASE)}-`;
  return s.name.startsWith(prefix) && s.name.length > prefix.length ? "" : "the name is not made of the set's";
}

/** Asks for the set's own template, in the form of a patch that replaces it, and for claim templates that the set removes. */
export function revisionDataFault(s: Subject): string {
  const data = s.operation === "createRevision" ? get(s.manifest, "data") : stored(s);
  const template = get(data, "spec", "template");
  const bare = differing(data, null, new Set(["spec", CLAIM_TEMPLATES])) === "" && members(get(data, "spec")).size === 1;
  if (!bare || get(template, "$patch") !== "replace") return "the data is not a template that replaces the set's";
  const why = saidFault(s, members(data).get(CLAIM_TEMPLATES) ?? new Map<string, Json>());
  if (why !== "") return why;
  const key = differing(template, s.view.template, new Set(["$patch"]));
  return key && `${key} of the data is not what the set's template says`;
}

/** Asks what data says of claim templates: only which ones the set removes, and which ones it adds. */
function saidFault(s: Subject, said: Json): string {
  if (!(said instanceof Map)) return "the data does not have claim templates by name";
  for (const [name, value] of said) {
    if (value === null && !s.view.mayRemove(name)) return "the data has a claim template that the set does not remove";
    if (value !== null && s.operation === "createRevision" && !s.view.mayAdd(name, value)) {
      return "the data has a claim template that the set does not add";
    }
  }
  return "";
}

function stored(s: Subject): Json {
  try {
    return parse(s.revision.data);
  } catch {
    return null;
  }
}
