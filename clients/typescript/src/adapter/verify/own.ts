// The checks of ownership and adoption, and of what is changed at pods, revisions and the set.

import { get, JsonNumber, quote } from "./json.js";
import { DRAIN_ANSWER, DRAIN_REQUEST, FINALIZER, LABEL_POD_INDEX, LABEL_POD_NAME, ordinalIn, trailingDigits } from "./names.js";
import { sameOwner, type Subject } from "./subject.js";
import { markFault, marksPod, underWay } from "./under-way.js";

export function podOwnFault(s: Subject): string {
  const mayBe = s.view.member(s.pod) || (s.operation === "deletePod" && s.view.drainPod(s.pod));
  return mayBe ? "" : "the pod is not the set's";
}

/** Releases only a pod that the set controls and that no longer matches. */
export function releaseFault(s: Subject): string {
  if (s.body("releasePod")?.ownerUid !== s.set.uid) return "another owner than the set would be removed";
  if (!s.view.ours(s.pod)) return "the set does not control the pod";
  const canonical = ordinalIn(s.pod.name, s.set.name) !== undefined;
  return canonical && s.view.matches(s.pod) ? "the pod has the set's labels and name" : "";
}

/** Adopts only an object that nobody controls and that is not being deleted. */
export function orphanFault(s: Subject): string {
  const { view, pod, revision } = s;
  if (s.operation === "adoptPod") {
    const may = view.orphan(pod) && view.member(pod) && !view.drainPod(pod) && pod.deletionUnixMs === 0n;
    return may ? "" : "the pod is not one that the set may adopt";
  }
  return view.orphan(revision) && view.ownRevision(revision) ? "" : "the revision is not one that the set may adopt";
}

export function adopterFault(s: Subject): string {
  const body = s.body("adoptPod") ?? s.body("adoptRevision");
  return sameOwner(body?.owner, s.view.owner) ? "" : "the new owner is not this set as its controller";
}

/** Refuses an adoption of a set that may be gone: the garbage collector would delete the object with its new owner. */
export function liveFault(s: Subject): string {
  if (s.view.deleting) return "the set is being deleted";
  return s.stage.requiresLiveSet ? "" : "the stage does not require the live set";
}

export function revisionOwnFault(s: Subject): string {
  return s.view.ownRevision(s.revision) ? "" : "the revision is not the set's";
}

/** Keeps a revision of a pod, and one at which pods come back. */
export function inUseFault(s: Subject): string {
  const { view } = s;
  if (s.name === (s.set.status?.currentRevision ?? "")) return "it is the set's current revision";
  for (const pod of view.snapshot.pods) {
    if (view.orphan(pod) && pod.deletionUnixMs !== 0n) continue; // it is not adopted any more
    const has = view.revisionName(pod) === s.name || underWay(view, pod).revision === s.name;
    if (has && view.member(pod) && view.matches(pod)) return `pod ${pod.name} has it`;
  }
  return "";
}

export function podLabelsFault(s: Subject): string {
  const identity = new Map([
    [LABEL_POD_NAME, s.pod.name],
    [LABEL_POD_INDEX, trailingDigits(s.pod.name)],
  ]);
  for (const [key, value] of Object.entries(s.body("patchPod")?.labels ?? {})) {
    if (identity.get(key) !== value) return `the label ${quote(key)} is not part of the pod's identity`;
  }
  return "";
}

export function podVolumesFault(s: Subject): string {
  for (const { volume, claim } of s.body("patchPod")?.claims ?? []) {
    if (!s.view.claimNames.includes(volume) || claim !== `${volume}-${s.pod.name}`) {
      return `the volume ${quote(volume)} would not be bound to the claim of its ordinal`;
    }
  }
  return "";
}

/** Lets the question of a drain be asked or withdrawn, whose answer is the pod's, and a pod be marked for updates of its images. */
export function podNotesFault(s: Subject): string {
  if (marksPod(s)) return markFault(s);
  const set = Object.keys(s.patch.set).find((key) => key !== DRAIN_REQUEST);
  if (set !== undefined) return `the annotation ${quote(set)} is not the planner's to set on a pod`;
  const removed = s.patch.remove.find((key) => key !== DRAIN_REQUEST && key !== DRAIN_ANSWER);
  return removed === undefined ? "" : `the annotation ${quote(removed)} is not the planner's to remove from a pod`;
}

export function generationFault(s: Subject): string {
  const status = s.body("updateStatus")?.status;
  if (status === undefined) return "there is no status";
  return (status.observedGeneration ?? 0n) > s.set.generation ? "the observed generation is newer than the set's" : "";
}

export function finalizerFault(s: Subject): string {
  const body = s.body("setFinalizer");
  if (body?.finalizer !== FINALIZER) return "the finalizer is not the planner's";
  const asked = !s.view.deleting && s.view.draining && s.view.policy.onDelete;
  return body.present && !asked ? "the set does not ask to be kept until it is drained" : "";
}

/** Gives the newest revision the next number, and leaves none out. */
export function numberFault(s: Subject): string {
  const numbers = s.view.snapshot.revisions.filter((revision) => s.view.ownRevision(revision)).map(({ number }) => number);
  const following = String(1n + numbers.reduce((most, number) => (number > most ? number : most), 0n));
  const number = s.operation === "renumberRevision" ? String(s.body("renumberRevision")?.number) : written(s);
  return number === following ? "" : `the number is ${quote(number)}, the next one is ${following}`;
}

function written(s: Subject): string {
  const found = get(s.manifest, "revision");
  return found instanceof JsonNumber ? found.text : "0";
}

/** Reports whether an action deletes an owner under a drain template, or allows its deletion. */
export function takesClaims(s: Subject): boolean {
  return s.view.draining && (s.operation === "deletePod" || s.operation === "evictPod" || s.body("setFinalizer")?.present === true);
}

export function undrainedFault(s: Subject): string {
  const claim = s.view.undrained(s.operation === "setFinalizer" ? s.set.uid : s.pod.uid);
  return claim === undefined ? "" : `the claim ${quote(claim.name)} has not been drained and would be deleted with it`;
}
