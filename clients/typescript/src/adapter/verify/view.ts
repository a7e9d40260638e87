// What the checks know of the set: the snapshot of the request, and what earlier actions of the plan have done.

import { create } from "@bufbuild/protobuf";

import {
  type Claim,
  type LabelSelector,
  type OwnerReference,
  OwnerReferenceSchema,
  type Pod,
  type Revision,
  type Snapshot,
  type StatefulSet,
  StatefulSetSchema,
} from "../../v1/index.js";
import { get, type Json, listed, members, merged, parse, removes, same, textOf } from "./json.js";
import {
  CLAIM_POLICY,
  CLAIM_TEMPLATES,
  DRAIN_CLAIMS,
  DRAIN_SET,
  FINALIZER,
  IN_PLACE,
  isMember,
  LABEL_POD_INDEX,
  LABEL_POD_NAME,
  LABEL_REVISION,
  ordinalIn,
  trailingDigits,
} from "./names.js";
import { type Policy, policyIn, templateIn } from "./policy.js";
import { hasDrained } from "./proof.js";
import { Range } from "./range.js";

/** The set of one snapshot. */
export class SetView {
  readonly snapshot: Snapshot;
  readonly set: StatefulSet;
  readonly pods: ReadonlyMap<string, Pod>;
  readonly claims: ReadonlyMap<string, Claim>;
  readonly revisions: ReadonlyMap<string, Revision>;
  readonly policy: Policy;
  readonly range: Range;
  readonly template: Json;
  /** The claim templates without what the annotation says; null where only that has one. */
  readonly claimTemplates: Json[];
  /** Names of the claim templates: the set's own, in order, and after them those that are added, sorted. */
  readonly claimNames: string[];
  /** The set's own claim templates, by name. */
  readonly ownTemplates: ReadonlyMap<string, Json>;
  /** The claim templates that the annotation adds, and those that revisions of the set have: of two, the newer revision's. */
  readonly additions: ReadonlyMap<string, Json>;
  readonly storedAdditions: ReadonlyMap<string, Json>;
  /** Uids of the pods with the set's name: claims are deleted with a released pod, too. */
  readonly podUids: ReadonlySet<string>;
  /** Revisions that the plan makes the newest. */
  readonly made = new Set<string>();
  /** What revisions say of removed claim templates; see removedBy. */
  readonly removals = new Map<string, Json>();
  /** Claim and owner, by uid, where the plan has taken the reference off. */
  readonly released = new Set<string>();

  readonly #stored = new Map<string, Json>();
  #claimPatches: { value: Json } | undefined;
  #patchedTemplates: Json[] | undefined;
  #belongings: ReadonlyMap<string, Claim[]> | undefined;

  constructor(snapshot: Snapshot) {
    this.snapshot = snapshot;
    this.set = snapshot.set ?? create(StatefulSetSchema);
    this.pods = new Map(snapshot.pods.map((pod) => [pod.name, pod]));
    this.claims = new Map(snapshot.claims.map((claim) => [claim.name, claim]));
    this.revisions = new Map(snapshot.revisions.map((revision) => [revision.name, revision]));
    this.policy = policyIn(snapshot);
    this.range = new Range(snapshot);
    this.template = document(this.set.podTemplate);
    const own = this.set.claimTemplates.map(document);
    this.ownTemplates = new Map(own.map((template) => [textOf(get(template, "metadata", "name")), template]));
    const said = this.#ownRevisions().map((revision) => get(document(revision.data), CLAIM_TEMPLATES));
    this.storedAdditions = new Map(said.flatMap((one) => this.#addedIn(one)));
    const asked = this.#addedIn(this.claimPatches);
    this.additions = new Map(asked.filter(([name]) => this.storedAdditions.has(name) || this.#asksFor(name)));
    const added = new Set([...this.additions.keys(), ...this.storedAdditions.keys()]);
    this.claimNames = [...this.ownTemplates.keys(), ...[...added].sort()];
    this.claimTemplates = this.claimNames.map((name) => this.ownTemplates.get(name) ?? this.storedAdditions.get(name) ?? null);
    this.podUids = new Set(snapshot.pods.filter((pod) => isMember(pod.name, this.set.name)).map((pod) => pod.uid));
  }

  /** Returns the template that a revision stores, without the mark of a patch that replaces; undefined if it stores nothing. */
  stored(name: string): Json | undefined {
    const data = this.revisions.get(name)?.data;
    if (data === undefined || data.length === 0) return undefined;
    const known = this.#stored.get(name);
    if (known !== undefined) return known;
    const template = new Map(members(get(document(data), "spec", "template")));
    template.delete("$patch");
    this.#stored.set(name, template);
    return template;
  }

  /** Returns the template of a revision that the snapshot has or the plan makes. */
  templateOf(revision: string): Json {
    return this.made.has(revision) ? this.template : (this.stored(revision) ?? this.template);
  }

  /** The patches of the claim templates, by name; null if there are none, or they cannot be read. */
  get claimPatches(): Json {
    this.#claimPatches ??= { value: templateIn(Buffer.from(this.set.annotations[CLAIM_TEMPLATES] ?? ""), true) };
    return this.#claimPatches.value;
  }

  #addedIn(said: Json): [string, Json][] {
    return [...members(said)].filter(([name, value]) => value instanceof Map && !this.ownTemplates.has(name));
  }

  /** Reports whether the pod template has a volume that is bound to a claim of its own name, to be written to. */
  #asksFor(name: string): boolean {
    return listed(get(this.template, "spec", "volumes")).some((volume) => {
      const claim = get(volume, "persistentVolumeClaim");
      return get(volume, "name") === name && get(claim, "claimName") === name && get(claim, "readOnly") !== true;
    });
  }

  /** Lists the revisions of the set, the newest last. */
  #ownRevisions(): Revision[] {
    const own = this.snapshot.revisions.filter((revision) => this.ownRevision(revision));
    return own.sort((a, b) => (isAfter(a, b) ? 1 : -1));
  }

  /** The claim templates as the annotation wants them: each with its patch, or as it is added. */
  get patchedTemplates(): Json[] {
    this.#patchedTemplates ??= this.claimTemplates.map((template, i) => {
      const name = this.claimNames[i] ?? "";
      const patch = get(this.claimPatches, name);
      if (patch === null) return template;
      return this.ownTemplates.has(name) ? merged(template, patch) : patch;
    });
    return this.#patchedTemplates;
  }

  /** Claims follow their templates: the policy says so, or there is none and a patch is there. */
  get claimsFollow(): boolean {
    const { annotations, ownFields } = this.set;
    const policy = textOf(get(document(ownFields), "claimUpdatePolicy")) || (annotations[CLAIM_POLICY] ?? "");
    return policy === "" ? (annotations[CLAIM_TEMPLATES] ?? "") !== "" : policy.startsWith("InPlace");
  }

  /** Returns what a revision of the snapshot, or one that the plan creates, says of removed claim templates. */
  removedBy(revision: string): Json {
    let said = this.removals.get(revision);
    if (said === undefined) {
      const stored = this.revisions.get(revision);
      said = stored === undefined ? null : get(document(stored.data), CLAIM_TEMPLATES);
      this.removals.set(revision, said);
    }
    return said;
  }

  /** Reports whether the pods of a revision have a claim template. */
  has(revision: string, template: string): boolean {
    const said = this.removedBy(revision);
    return this.ownTemplates.has(template) ? !removes(said, template) : get(said, template) instanceof Map;
  }

  /** Reports whether a new revision may have a claim template beside the set's own: the set adds it, or an earlier revision. */
  mayAdd(template: string, value: Json): boolean {
    const added = [this.additions.get(template), this.storedAdditions.get(template)];
    return added.some((one) => one !== undefined && same(one, value));
  }

  /**
   * Reports whether new pods may be without a claim template: the set says so, or the newest revision, as long as the set's annotation
   * cannot be read.
   */
  mayRemove(template: string): boolean {
    const newest = this.newest();
    return removes(this.claimPatches, template) || (newest !== undefined && removes(this.removedBy(newest.name), template));
  }

  /** The set asks for updates in place. A text that this build does not know does, too: what is not deleted is safe. */
  get updatesInPlace(): boolean {
    const { annotations, ownFields } = this.set;
    const policy = textOf(get(document(ownFields), "inPlace")) || (annotations[IN_PLACE] ?? "");
    return policy !== "" && policy !== "Recreate";
  }

  /** What the set's drain pods and the claims under its drain policy bear. */
  get mark(): string {
    return `${this.set.name}/${this.set.uid}`;
  }

  get deleting(): boolean {
    return this.set.deletionUnixMs !== 0n;
  }

  get draining(): boolean {
    return this.policy.draining;
  }

  /** The set is being deleted and is drained before it goes. */
  get emptying(): boolean {
    return this.deleting && this.draining && this.policy.onDelete && this.set.finalizers.includes(FINALIZER);
  }

  /** Another set of the namespace uses the same claim names, so that nobody can tell whose claims they are. */
  get shared(): boolean {
    return this.snapshot.claimNeighbours.length > 0;
  }

  /** The reference by which the set controls what it makes and adopts. */
  get owner(): OwnerReference {
    const { apiVersion, kind, name, uid } = this.set;
    return create(OwnerReferenceSchema, { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true });
  }

  /** Reports whether a mark is this set's, or an earlier one's of its name. */
  ofSameName(mark: string): boolean {
    return mark.startsWith(`${this.set.name}/`);
  }

  owners(thing: Pod | Claim | Revision): OwnerReference[] {
    return at(this.snapshot.tables?.ownerSets, thing.ownerSetIndex)?.owners ?? [];
  }

  notes(thing: Pod | Claim): Record<string, string> {
    return at(this.snapshot.tables?.annotationSets, thing.annotationSetIndex)?.annotations ?? {};
  }

  /** Reports whether the set controls it. */
  ours(thing: Pod | Claim | Revision): boolean {
    return this.owners(thing).some((owner) => owner.controller && owner.uid === this.set.uid);
  }

  /** Reports whether nobody controls it. */
  orphan(thing: Pod | Claim | Revision): boolean {
    return !this.owners(thing).some((owner) => owner.controller);
  }

  revisionName(pod: Pod): string {
    return at(this.snapshot.tables?.revisionNames, pod.revisionNameIndex) ?? "";
  }

  /** Reports whether the selector is for a pod, by all of its labels. */
  matches(pod: Pod): boolean {
    const labels = new Map(Object.entries(at(this.snapshot.tables?.labelSets, pod.labelSetIndex)?.labels ?? {}));
    if (pod.podNameLabel) labels.set(LABEL_POD_NAME, pod.name);
    if (pod.podIndexLabel) labels.set(LABEL_POD_INDEX, trailingDigits(pod.name));
    if (pod.revisionNameIndex !== 0) labels.set(LABEL_REVISION, this.revisionName(pod));
    return selects(this.set.selector, labels);
  }

  /**
   * Reports whether a pod is the set's: the set controls it, or may adopt it for its name and labels.
   *
   * A set that is being deleted adopts nothing: who deletes it with --cascade=orphan keeps the pods.
   */
  member(pod: Pod): boolean {
    if (this.ours(pod)) return true;
    return this.orphan(pod) && !this.deleting && isMember(pod.name, this.set.name) && this.matches(pod);
  }

  /** Reports whether a pod is a drain pod of the set: it says so, and nobody controls it. */
  drainPod(pod: Pod): boolean {
    return this.orphan(pod) && this.notes(pod)[DRAIN_SET] === this.mark;
  }

  /** Lists the drain pods that have drained a claim (D4). */
  drainedBy(claim: Claim): Pod[] {
    return this.snapshot.pods.filter((pod) => {
      const notes = this.notes(pod);
      const listed = (notes[DRAIN_CLAIMS] ?? "").split(",");
      return this.drainPod(pod) && listed.includes(claim.uid) && hasDrained(pod, notes, this.policy.proves);
    });
  }

  /** Reports whether a revision is the set's: labels that match, and no other controller. */
  ownRevision(revision: Revision): boolean {
    return (this.ours(revision) || this.orphan(revision)) && selects(this.set.selector, new Map(Object.entries(revision.labels)));
  }

  /** Returns the newest revision of the set: by number, then age, then name. */
  newest(): Revision | undefined {
    return this.snapshot.revisions
      .filter((revision) => this.ownRevision(revision))
      .reduce<Revision | undefined>((newest, one) => (newest === undefined || isAfter(one, newest) ? one : newest), undefined);
  }

  /** Reads the ordinal of `<template>-<set>-<ordinal>` for one of the set's claim templates. */
  claimOrdinal(name: string): number | undefined {
    for (const template of this.claimNames) {
      const ordinal = ordinalIn(name, `${template}-${this.set.name}`);
      if (ordinal !== undefined) return ordinal;
    }
    return undefined;
  }

  /** Lists the existing claims of an ordinal. */
  claimsOf(ordinal: number): Claim[] {
    const found = this.claimNames.map((template) => this.claims.get(`${template}-${this.set.name}-${String(ordinal)}`));
    return found.filter((claim) => claim !== undefined);
  }

  /**
   * Returns an undrained claim of the set that would be deleted with an owner.
   *
   * Deleting the owner of a claim deletes the claim: the garbage collector knows no drain.
   */
  undrained(owner: string): Claim | undefined {
    this.#belongings ??= this.#owned();
    const claims = this.#belongings.get(owner) ?? [];
    return claims.find((claim) => !this.released.has(reference(claim.uid, owner)) && this.drainedBy(claim).length === 0);
  }

  #owned(): ReadonlyMap<string, Claim[]> {
    const found = new Map<string, Claim[]>();
    for (const claim of this.snapshot.claims) {
      if (this.claimOrdinal(claim.name) === undefined || claim.deletionUnixMs !== 0n) continue;
      for (const { uid } of this.owners(claim)) {
        const claims = found.get(uid) ?? [];
        claims.push(claim);
        found.set(uid, claims);
      }
    }
    return found;
  }
}

/** Names a claim's reference to an owner, both by uid. */
export function reference(claim: string, owner: string): string {
  return `${claim} ${owner}`;
}

/** Evaluates a selector with the meaning of metav1.LabelSelector. One that is empty selects nothing. */
export function selects(selector: LabelSelector | undefined, labels: ReadonlyMap<string, string>): boolean {
  const wanted = Object.entries(selector?.matchLabels ?? {});
  const rules = selector?.matchExpressions ?? [];
  if (wanted.length === 0 && rules.length === 0) return false;
  return (
    wanted.every(([key, value]) => labels.get(key) === value) &&
    rules.every(({ key, operator, values }) => {
      const value = labels.get(key);
      switch (operator) {
        case "Exists":
          return value !== undefined;
        case "DoesNotExist":
          return value === undefined;
        case "In":
          return value !== undefined && values.includes(value);
        case "NotIn":
          return value === undefined || !values.includes(value);
        default:
          return false;
      }
    })
  );
}

function isAfter(one: Revision, other: Revision): boolean {
  if (one.number !== other.number) return one.number > other.number;
  if (one.createdUnixMs !== other.createdUnixMs) return one.createdUnixMs > other.createdUnixMs;
  return one.name > other.name;
}

/** Reads a table. Index 0 means none, whatever the first entry holds. */
function at<T>(table: T[] | undefined, index: number): T | undefined {
  return index > 0 ? table?.[index] : undefined;
}

/** Reads a text of the snapshot; null if it is no JSON. If a key occurs twice the last one counts, as for everybody else. */
function document(text: Uint8Array): Json {
  try {
    return parse(text);
  } catch {
    return null;
  }
}
