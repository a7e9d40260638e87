// Which objects are in a snapshot.

import { create } from "@bufbuild/protobuf";

import { get, members } from "../adapter/verify/json.js";
import { templateIn } from "../adapter/verify/policy.js";
import type { Raw } from "../rawjson.js";
import { type ClaimNeighbour, ClaimNeighbourSchema } from "../v1/index.js";
import type { Metadata, Owner, Thing } from "./fields.js";

const CLAIM_TEMPLATES = "setplan.io/claim-templates";

// How many bytes of a set's name the name of a revision has.
const REVISION_BASE = 223;

/**
 * Splits `web-3` into `web` and 3; undefined for names of another form.
 *
 * It does not ask whether the set would use ordinal 3: the planner tells members from strangers.
 */
export function ordinalOf(name: string): { base: string; ordinal: number } | undefined {
  const [, base, digits] = /^(.+)-([0-9]+)$/s.exec(name) ?? [];
  return base === undefined ? undefined : { base, ordinal: Number(digits) };
}

/** Reports whether the set is the controller of an object. */
export function controls(set: Raw, thing: Raw): boolean {
  const { uid } = meta(set);
  return owners(thing).some((owner) => owner.controller === true && owner.uid === uid);
}

/** Lists the names of the claim templates, each once: the set's own, and after them what it or a revision of it adds (A25). */
export function claimTemplates(set: Raw, revisions: Iterable<Raw> = []): string[] {
  const templates = set.get("spec", "volumeClaimTemplates")?.items ?? [];
  const names = templates.map((template) => (template.value as { metadata?: { name?: string } | null }).metadata?.name ?? "");
  const own = new Set(names.filter((name) => name !== ""));
  const annotation = meta(set).annotations?.[CLAIM_TEMPLATES] ?? "";
  const said = [annotation === "" ? null : templateIn(Buffer.from(annotation), true)];
  for (const revision of revisions) {
    const data = revision.get("data")?.text ?? "";
    if (!data.startsWith('{"spec":')) said.push(get(templateIn(Buffer.from(data), false), CLAIM_TEMPLATES));
  }
  const added = new Set(said.flatMap((one) => [...members(one)].filter(([, value]) => value !== null).map(([name]) => name)));
  return [...own, ...[...added].filter((name) => !own.has(name)).sort()];
}

/** Lists the pods that the set controls or might want by name, by ordinal. */
export function pods(set: Raw, candidates: Iterable<Raw>): Raw[] {
  return here(set, candidates)
    .filter((pod) => base(pod) === nameOf(set) || controls(set, pod))
    .sort(byOrdinal);
}

/** Lists the claims with names of the set's claims. */
export function claims(set: Raw, candidates: Iterable<Raw>, ofRevisions: Iterable<Raw> = []): Raw[] {
  const wanted = new Set(claimTemplates(set, ofRevisions).map((template) => `${template}-${nameOf(set)}`));
  return here(set, candidates)
    .filter((claim) => wanted.has(base(claim) ?? ""))
    .sort(byOrdinal);
}

/** Lists the revisions that the set controls, that nobody controls, or that the set might want by name, by name. */
export function revisions(set: Raw, candidates: Iterable<Raw>): Raw[] {
  const prefix = nameOf(set).slice(0, REVISION_BASE) + "-";
  return here(set, candidates)
    .filter((r) => controls(set, r) || !owners(r).some((owner) => owner.controller) || nameOf(r).startsWith(prefix))
    .sort(byName);
}

/**
 * Lists the other sets that use the same claim names. An adapter needs them for its fence, too (D6).
 *
 * Candidates are revisions, of which those count that the set has.
 */
export function neighbours(set: Raw, others: Iterable<Raw>, candidates: Iterable<Raw> = []): ClaimNeighbour[] {
  const ours = new Map(claimTemplates(set, revisions(set, candidates)).map((template) => [`${template}-${nameOf(set)}`, template]));
  const found: ClaimNeighbour[] = [];
  for (const other of here(set, others).sort(byName)) {
    if (nameOf(other) === nameOf(set)) continue;
    for (const theirs of claimTemplates(other)) {
      const claimTemplate = ours.get(`${theirs}-${nameOf(other)}`);
      if (claimTemplate !== undefined) found.push(create(ClaimNeighbourSchema, { set: nameOf(other), claimTemplate }));
    }
  }
  return found;
}

function here(set: Raw, candidates: Iterable<Raw>): Raw[] {
  const { namespace } = meta(set);
  return Array.from(candidates).filter((thing) => meta(thing).namespace === namespace);
}

function meta(thing: Raw): Metadata {
  return (thing.value as Thing).metadata;
}

function owners(thing: Raw): Owner[] {
  return meta(thing).ownerReferences ?? [];
}

function nameOf(thing: Raw): string {
  return meta(thing).name;
}

function base(thing: Raw): string | undefined {
  return ordinalOf(nameOf(thing))?.base;
}

function byName(a: Raw, b: Raw): number {
  return nameOf(a) < nameOf(b) ? -1 : 1;
}

function byOrdinal(a: Raw, b: Raw): number {
  const first = ordinalOf(nameOf(a))?.ordinal ?? Infinity;
  const second = ordinalOf(nameOf(b))?.ordinal ?? Infinity;
  return first === second ? byName(a, b) : first - second;
}
