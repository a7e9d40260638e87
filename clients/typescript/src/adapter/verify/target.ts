// The checks of an action's target and preconditions.

import { Scope } from "../../v1/index.js";
import type { Operation } from "../operations.js";
import { quote } from "./json.js";
import { CLAIM, isName, POD, REVISION } from "./names.js";
import type { Subject } from "./subject.js";
import { marksPod } from "./under-way.js";

const THE_SETS = "";

const KINDS = new Map<Operation | "unknown", string[]>([
  ["createPod", [POD]],
  ["deletePod", [POD]],
  ["evictPod", [POD]],
  ["patchPod", [POD]],
  ["updatePod", [POD]],
  ["resizePod", [POD]],
  ["adoptPod", [POD]],
  ["releasePod", [POD]],
  ["createClaim", [CLAIM]],
  ["setClaimOwners", [CLAIM]],
  ["deleteClaim", [CLAIM]],
  ["patchClaim", [CLAIM]],
  ["createRevision", [REVISION]],
  ["renumberRevision", [REVISION]],
  ["adoptRevision", [REVISION]],
  ["deleteRevision", [REVISION]],
  ["patchAnnotations", [POD, CLAIM]],
  ["updateStatus", [THE_SETS]],
  ["setFinalizer", [THE_SETS]],
]);
/** The operations that make something. */
export const CREATES = ["createPod", "createClaim", "createRevision"] as const;

// An action that would do harm on an old view names the version that was seen.
const NEEDS_VERSION: ReadonlySet<Operation | "unknown"> = new Set<Operation>([
  "patchPod",
  "updatePod",
  "resizePod",
  "setClaimOwners",
  "patchClaim",
  "renumberRevision",
  "updateStatus",
  "deleteClaim",
]);

export function operationFault(s: Subject): string {
  return KINDS.has(s.operation) ? "" : "this adapter has no checks for it";
}

export function kindFault(s: Subject): string {
  const wanted = (KINDS.get(s.operation) ?? []).map((kind) => (kind === THE_SETS ? s.set.kind : kind));
  return wanted.includes(s.kind) ? "" : "the operation is not for this kind";
}

export function namespaceFault(s: Subject): string {
  if (s.namespace === s.set.namespace) return "";
  return `the target is in namespace ${quote(s.namespace)}, the set in ${s.set.namespace}`;
}

export function nameFault(s: Subject): string {
  return isName(s.name) ? "" : "the target's name is not a DNS name";
}

export function createFault(s: Subject): string {
  const precondition = s.action.precondition;
  if (precondition?.mustNotExist && precondition.uid === "") return "";
  return "a create must require that no object of the name exists";
}

/** Refuses an action that changes an object and does not name the uid that the snapshot shows. */
export function uidFault(s: Subject): string {
  const { uid } = seen(s);
  const named = s.action.precondition?.uid ?? "";
  if (uid === "") return "the snapshot has no such object";
  if (named === "") return "the action names no uid";
  return named === uid ? "" : "the snapshot shows another uid";
}

export function versionFault(s: Subject): string {
  const version = s.action.precondition?.resourceVersion ?? "";
  const needed = NEEDS_VERSION.has(s.operation) || s.marksClaim || marksPod(s);
  if (version === "") return needed ? "the action names no resource version" : "";
  return version === seen(s).resourceVersion ? "" : "the snapshot shows another resource version";
}

/** Returns the target's uid and version in the snapshot. */
function seen(s: Subject): { uid: string; resourceVersion: string } {
  if (s.kind === s.set.kind && s.name === s.set.name) return s.set;
  switch (s.kind) {
    case POD:
      return s.pod;
    case CLAIM:
      return s.claim;
    case REVISION:
      return s.revision;
    default:
      return { uid: "", resourceVersion: "" };
  }
}

/** Reports whether another controller runs the set. A scope that we do not know is no wider. */
export function alone(s: Subject): boolean {
  return (s.view.snapshot.policy?.scope ?? Scope.UNSPECIFIED) > Scope.WHOLE_SET;
}

/** Refuses what is not part of a drain. */
export function aloneFault(s: Subject): string {
  const { view } = s;
  switch (s.operation) {
    case "deleteClaim":
    case "setFinalizer":
      return "";
    case "patchAnnotations":
      if (!marksPod(s)) return "";
      break;
    case "setClaimOwners":
      if (view.draining && s.onlyReleases) return "";
      break;
    case "createPod":
      if (s.isDrain) return "";
      break;
    case "deletePod":
      if (view.drainPod(s.pod) || view.emptying) return "";
      break;
    default:
  }
  return "another controller runs the set, and this is not part of a drain";
}
