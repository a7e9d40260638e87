// One action with its target in the snapshot.

import { create, createRegistry, equals } from "@bufbuild/protobuf";

import {
  type Action,
  type Claim,
  ClaimSchema,
  type OwnerReference,
  OwnerReferenceSchema,
  type PatchAnnotations,
  PatchAnnotationsSchema,
  type Pod,
  PodSchema,
  type Revision,
  RevisionSchema,
  type Stage,
  type StatefulSet,
} from "../../v1/index.js";
import { type Body, type Operation, operationOf } from "../operations.js";
import { differing, get, type Json, listed, parse, same, textOf } from "./json.js";
import { CLAIM, DRAIN_ATTEMPTS, DRAIN_SET, isMemberAt, LABEL_REVISION, ordinalIn, sameOrdinal, trailingDigits } from "./names.js";
import type { SetView } from "./view.js";

const NO_POD = create(PodSchema);
const NO_CLAIM = create(ClaimSchema);
const NO_REVISION = create(RevisionSchema);
const NO_TYPES = createRegistry();
const NO_PATCH = create(PatchAnnotationsSchema);

/** What a check looks at. */
export class Subject {
  readonly view: SetView;
  readonly stage: Stage;
  readonly action: Action;
  readonly operation: Operation | "unknown";
  readonly name: string;
  readonly kind: string;
  readonly namespace: string;

  #manifest: { value: Json } | undefined;

  constructor(view: SetView, stage: Stage, action: Action) {
    this.view = view;
    this.stage = stage;
    this.action = action;
    this.operation = operationOf(action);
    this.name = action.target?.name ?? "";
    this.kind = action.target?.kind ?? "";
    this.namespace = action.target?.namespace ?? "";
  }

  get set(): StatefulSet {
    return this.view.set;
  }

  /** Returns the message of the operation; undefined if it is another one. */
  body<Of extends Operation>(of: Of): Body<Of> | undefined {
    const value: unknown = this.operation === of ? this.action.operation.value : undefined;
    return value as Body<Of> | undefined;
  }

  get pod(): Pod {
    return this.view.pods.get(this.name) ?? NO_POD;
  }

  get claim(): Claim {
    return this.view.claims.get(this.name) ?? NO_CLAIM;
  }

  get revision(): Revision {
    return this.view.revisions.get(this.name) ?? NO_REVISION;
  }

  get patch(): PatchAnnotations {
    return this.body("patchAnnotations") ?? NO_PATCH;
  }

  /** The wanted owners of a claim. */
  get owners(): OwnerReference[] {
    return this.body("setClaimOwners")?.owners ?? [];
  }

  /** Why the manifest of a create cannot be read; empty if it can. */
  get unreadable(): string {
    try {
      this.#read();
    } catch (error) {
      return (error as Error).message;
    }
    return "";
  }

  /** The manifest of a create. */
  get manifest(): Json {
    return this.#read();
  }

  #read(): Json {
    const text = this.body("createPod") ?? this.body("createClaim") ?? this.body("createRevision");
    this.#manifest ??= { value: parse(text?.manifest ?? new Uint8Array(), true) };
    return this.#manifest.value;
  }

  /** The manifest is a drain pod's: it has the mark and no controller. */
  get isDrain(): boolean {
    if (this.operation !== "createPod" || !this.view.draining) return false;
    const metadata = get(this.manifest, "metadata");
    const controlled = listed(get(metadata, "ownerReferences")).some((owner) => get(owner, "controller") === true);
    return get(metadata, "annotations", DRAIN_SET) === this.view.mark && !controlled;
  }

  /**
   * What a created object must agree with.
   *
   * A replica agrees with the set's template if its revision stores that, and otherwise with the revision. The newest revision stores
   * it, in the planner's sense, which knows more of equal texts than these checks; but for one case: the template's revision may be
   * there under its name and not be the set's, so that the newest is an older one.
   */
  get template(): Json {
    const { view } = this;
    if (this.operation === "createRevision") return view.template;
    if (this.isDrain) return view.policy.template;
    const name = this.revisionLabel;
    const stored = view.stored(name);
    if (stored === undefined || view.made.has(name)) return view.template;
    if (view.made.size === 0 && view.newest()?.name === name) {
      if (same(stored, view.template) || differsInSpec(get(this.manifest, "spec"), get(stored, "spec"))) return view.template;
    }
    return stored;
  }

  get revisionLabel(): string {
    return textOf(get(this.manifest, "metadata", "labels", LABEL_REVISION));
  }

  refersToSet(owner: OwnerReference): boolean {
    const { apiVersion, kind, name } = this.set;
    return owner.apiVersion === apiVersion && owner.kind === kind && owner.name === name;
  }

  /** Reports whether a reference is to the pod of the claim's ordinal, with or without leading zeros. */
  refersToPod(owner: OwnerReference): boolean {
    const ordinal = this.view.claimOrdinal(this.name);
    return (
      owner.apiVersion === "v1" && owner.kind === "Pod" && ordinal !== undefined && isMemberAt(owner.name, this.set.name, ordinal)
    );
  }

  /** Reports whether a reference has the uid of the set or a pod of it. Such a reference may be removed, whatever its name. */
  ourUid(owner: OwnerReference): boolean {
    return owner.uid === this.set.uid || (owner.kind === "Pod" && this.view.podUids.has(owner.uid));
  }

  /** Leaves out the references to the set's name and to the name of the claim's pod, whatever their uid. */
  othersOf(owners: OwnerReference[]): OwnerReference[] {
    return owners.filter((owner) => !(this.refersToSet(owner) || this.refersToPod(owner) || this.ourUid(owner)));
  }

  /** The action adds no owner. */
  get onlyReleases(): boolean {
    const now = this.view.owners(this.claim);
    return this.owners.every((owner) => isAmong(owner, now));
  }

  /** The action changes the mark that says whose drain covers a claim. */
  get marksClaim(): boolean {
    if (this.kind !== CLAIM || !this.view.claims.has(this.name)) return false;
    return DRAIN_SET in this.patch.set || this.patch.remove.includes(DRAIN_SET);
  }

  markOf(claim: Claim): string {
    return this.view.notes(claim)[DRAIN_SET] ?? "";
  }

  /**
   * Reports whether the drain policy covers an ordinal.
   *
   * It is in the range, has a replica or a marked claim, or the policy includes leftovers.
   */
  covers(ordinal: number): boolean {
    const { view } = this;
    if (view.policy.leftovers || (view.range.has(ordinal) && !view.emptying)) return true;
    return (
      view.claimsOf(ordinal).some((claim) => this.markOf(claim) === view.mark && claim.deletionUnixMs === 0n) ||
      view.snapshot.pods.some((pod) => sameOrdinal(trailingDigits(pod.name), ordinal) && view.member(pod))
    );
  }

  /** Reports whether an ordinal may be drained, or could be when its drain began. */
  mayDrain(ordinal: number): boolean {
    const { view } = this;
    if (!view.draining) return false;
    if (!view.range.has(ordinal) || view.emptying) return true;
    const pod = view.pods.get(`${this.set.name}-${String(ordinal)}`);
    if (pod !== undefined && view.drainPod(pod)) return true;
    return view.claimsOf(ordinal).some((claim) => this.markOf(claim) === view.mark && DRAIN_ATTEMPTS in view.notes(claim));
  }

  /** The ordinal of the target, a pod or a claim. */
  get ordinal(): number | undefined {
    return this.kind === CLAIM ? this.view.claimOrdinal(this.name) : ordinalIn(this.name, this.set.name);
  }
}

/** Fields of a pod that are not the template's: its address, and volumes, which have their own check. */
export const OWN_SPEC: ReadonlySet<string> = new Set(["hostname", "subdomain", "volumes"]);

/** Compares what a pod has of its template. */
function differsInSpec(made: Json, template: Json): boolean {
  return differing(made, template, OWN_SPEC) !== "";
}

/** Compares two references, with fields that this build does not know. */
export function sameOwner(a: OwnerReference | undefined, b: OwnerReference): boolean {
  return a !== undefined && equals(OwnerReferenceSchema, a, b, { unknown: true, registry: NO_TYPES });
}

/** Reports whether a reference is in a list. */
export function isAmong(owner: OwnerReference, owners: OwnerReference[]): boolean {
  return owners.some((one) => sameOwner(one, owner));
}
