// The check of a change of what a claim asks for.

import type { PatchClaim } from "../../v1/index.js";
import { get, type Json, JsonNumber, quote, textOf } from "./json.js";
import { CLAIM_CHANGED, CLAIM_METADATA, CLAIM_REQUEST, ordinalIn } from "./names.js";
import type { Subject } from "./subject.js";

// What a change leaves on a claim has these forms, so that a planner can fill no annotation with anything else.
const TIME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$/;
const DIGEST = /^[0-9a-z]{1,13}$/;

/** Lets a claim ask for what its template asks for, if the set lets its claims follow. */
export function claimChangeFault(s: Subject): string {
  const { view } = s;
  if (!view.claimsFollow) return "the set does not ask that claims follow their templates";
  if (s.ordinal === undefined || view.deleting || !view.range.has(s.ordinal)) return "no ordinal of the range has this claim";
  if (s.claim.deletionUnixMs !== 0n) return "the claim is being deleted";
  if (view.owners(s.claim).some((owner) => owner.controller && owner.uid !== s.set.uid)) return "another object controls the claim";
  const change = s.body("patchClaim");
  let why = "no claim template has this name";
  for (const [i, template] of view.patchedTemplates.entries()) {
    const name = view.claimNames[i] ?? "";
    if (!view.ownTemplates.has(name) && !view.additions.has(name)) continue;
    if (change === undefined || ordinalIn(s.name, `${name}-${s.set.name}`) === undefined) continue;
    why = differs(s, change, name, template);
    if (why === "") return "";
  }
  return why;
}

function differs(s: Subject, change: PatchClaim, name: string, template: Json): string {
  if (s.view.snapshot.claimNeighbours.some((one) => one.claimTemplate === name)) return "another set uses the same claim name";
  const wanted = requestOf(template);
  if (change.request !== "" && change.request !== wanted) return "the request is not what the claim template asks for";
  if (change.attributesClass !== "" && get(template, "spec", "volumeAttributesClassName") !== change.attributesClass) {
    return "the class is not what the claim template asks for";
  }
  const metadata = get(template, "metadata");
  const selected = s.set.selector?.matchLabels ?? {};
  for (const [key, value] of Object.entries(change.labels)) {
    if (Object.hasOwn(selected, key)) return `the label ${quote(key)} is the selector's`;
    if (get(metadata, "labels", key) !== value) return `the label ${quote(key)} is not what the claim template says`;
  }
  for (const [key, value] of Object.entries(change.annotations)) {
    if (!isNote(key, value, wanted) && (key.startsWith("setplan.io/") || get(metadata, "annotations", key) !== value)) {
      return `the annotation ${quote(key)} is not what the claim template says`;
    }
  }
  return "";
}

function isNote(key: string, value: string, wanted: string): boolean {
  if (key === CLAIM_CHANGED) return TIME.test(value);
  if (key === CLAIM_METADATA) return DIGEST.test(value);
  return key === CLAIM_REQUEST && wanted !== "" && value === wanted;
}

/** Returns how much storage a template asks for, as it is written there. */
export function requestOf(template: Json): string {
  const wanted = get(template, "spec", "resources", "requests", "storage");
  return wanted instanceof JsonNumber ? wanted.text : textOf(wanted);
}
