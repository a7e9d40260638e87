// The checks of changes to claims, which hold the data.

import { create } from "@bufbuild/protobuf";

import { type OwnerReference, OwnerReferenceSchema } from "../../v1/index.js";
import { quote } from "./json.js";
import { DRAIN_ATTEMPTS, DRAIN_BEGUN, DRAIN_SET } from "./names.js";
import { isAmong, sameOwner, type Subject } from "./subject.js";

const NOTES: readonly string[] = [DRAIN_SET, DRAIN_ATTEMPTS, DRAIN_BEGUN];

export function claimOwnFault(s: Subject): string {
  return s.ordinal === undefined ? "the name is not one of the set's claims'" : "";
}

export function claimWantedFault(s: Subject): string {
  const wanted = s.ordinal !== undefined && !s.view.deleting && s.view.range.has(s.ordinal);
  return wanted ? "" : "no ordinal of the range has this claim";
}

/** Applies rule D1: a claim is deleted only after a drain pod of that very claim has succeeded. */
export function drainedFault(s: Subject): string {
  if (!s.view.draining) return "the set has no drain policy";
  if (s.markOf(s.claim) !== s.view.mark) return "the claim does not carry the set's mark";
  if (s.view.shared) return "another set uses the same claim name";
  return s.view.drainedBy(s.claim).some((pod) => pod.deletionUnixMs === 0n) ? "" : "no drain pod of the claim has succeeded";
}

export function ownersKeptFault(s: Subject): string {
  const now = s.othersOf(s.view.owners(s.claim));
  const then = s.othersOf(s.owners);
  const kept = now.length === then.length && now.every((owner, i) => sameOwner(then[i], owner));
  return kept ? "" : "an owner that is neither the set nor the claim's pod would change";
}

/** Lets only those references be added that the retention policy asks for: a claim is deleted with its owners. */
export function ownersAddedFault(s: Subject): string {
  const now = s.view.owners(s.claim);
  for (const owner of s.owners) {
    const toSet = s.refersToSet(owner);
    const toPod = s.refersToPod(owner);
    if (!toSet && isAmong(owner, now)) continue; // it was there before
    if (s.ourUid(owner) && !toSet && !toPod) return "the reference is to the set or a pod of it, by another name";
    const why = (toSet ? setOwnerFault(s, owner) : "") || (toPod ? podOwnerFault(s, owner) : "");
    if (why) return why;
  }
  return "";
}

function setOwnerFault(s: Subject, owner: OwnerReference): string {
  if (s.set.claimRetention?.whenDeleted !== "Delete" || (s.view.draining && s.view.policy.onDelete)) {
    return "the claim would be deleted with the set, against whenDeleted or the drain policy";
  }
  return sameOwner(s.view.owner, owner) ? "" : "the reference is to another set";
}

function podOwnerFault(s: Subject, owner: OwnerReference): string {
  const outside = s.ordinal !== undefined && !s.view.range.has(s.ordinal);
  if (s.set.claimRetention?.whenScaled !== "Delete" || s.view.draining || !outside) {
    return "the claim would be deleted with its pod, against whenScaled or the drain policy";
  }
  const pod = s.view.pods.get(owner.name);
  const wanted = pod && { apiVersion: "v1", kind: "Pod", name: pod.name, uid: pod.uid, controller: true, blockOwnerDeletion: true };
  const ours = pod !== undefined && s.view.member(pod) && sameOwner(create(OwnerReferenceSchema, wanted), owner);
  return ours ? "" : "the reference is to a pod that is not the set's";
}

export function claimNotesFault(s: Subject): string {
  const other = [...Object.keys(s.patch.set), ...s.patch.remove].find((key) => !NOTES.includes(key));
  return other === undefined ? "" : `the annotation ${quote(other)} is not the planner's`;
}

/** Lets a claim be marked for this set, under its policy, and not be taken from another set. */
export function markFault(s: Subject): string {
  const has = s.markOf(s.claim);
  if (has !== "" && !s.view.ofSameName(has)) return "the claim is marked for another set";
  if (!(DRAIN_SET in s.patch.set)) return "";
  if (s.patch.set[DRAIN_SET] !== s.view.mark || !s.view.draining) return "the mark is not what the set's drain policy makes";
  const covered = s.ordinal !== undefined && s.covers(s.ordinal);
  return covered ? "" : "the claim was outside the range before the policy could cover it";
}

/** Lets a drain begin only for an ordinal outside the range. One that has begun may go on if the ordinal comes back. */
export function begunFault(s: Subject): string {
  const may = !(DRAIN_ATTEMPTS in s.patch.set) || (s.ordinal !== undefined && s.mayDrain(s.ordinal));
  return may ? "" : "the ordinal is in the range, and no drain of it was begun";
}
