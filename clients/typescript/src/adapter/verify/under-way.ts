// While images or resources of a pod change in place, an annotation says what is under way: to which revision, which containers ran before,
// and which resources they had. The label of the revision follows in an update of its own, which empties the annotation.

import type { Pod } from "../../v1/index.js";
import { get, type Json, parse, textOf } from "./json.js";
import { LABEL_REVISION, POD, UPDATE } from "./names.js";
import type { Subject } from "./subject.js";
import type { SetView } from "./view.js";

const NOTHING = "{}";

/** What that annotation of a pod says. */
export interface UnderWay {
  /** It is there. */
  readonly marked: boolean;
  /** And nobody can read it. */
  readonly broken: boolean;
  readonly record: Json;
  /** Empty: nothing is under way. */
  readonly revision: string;
}

export function underWay(view: SetView, pod: Pod): UnderWay {
  const notes = view.notes(pod);
  if (!Object.hasOwn(notes, UPDATE)) return { marked: false, broken: false, record: null, revision: "" };
  const text = notes[UPDATE] ?? "";
  if (get(view.stored(view.revisionName(pod)) ?? null, "metadata", "annotations", UPDATE) === text) {
    return { marked: true, broken: false, record: null, revision: "" }; // every pod of that template has it
  }
  const record = read(text);
  const revision = textOf(get(record, "revision"));
  return { marked: true, broken: text !== NOTHING && revision === "", record, revision };
}

/** Returns the revision whose template a pod has: the one that it is on its way to, or else the label's. */
export function runs(view: SetView, pod: Pod): string {
  return underWay(view, pod).revision || view.revisionName(pod);
}

/**
 * A step of an update in place: labels and annotations alone change; images change, or resources are to; what the pod runs is noted anew
 * while they do; they have changed, and the label follows.
 */
export type Step = "relabels" | "starts" | "notes" | "finishes";

/** What an UpdatePod does. */
export interface Updating {
  readonly step: Step;
  /** The revision. */
  readonly to: string;
  /** Of a start and a note: what is under way. */
  readonly record: Json;
}

export function updating(s: Subject): Updating {
  const update = s.body("updatePod");
  const text = Object.hasOwn(update?.annotations ?? {}, UPDATE) ? update?.annotations[UPDATE] : undefined;
  if (text === undefined) return { step: "relabels", to: update?.labels[LABEL_REVISION] ?? "", record: null };
  const { revision } = underWay(s.view, s.pod);
  if (text === NOTHING) return { step: "finishes", to: revision, record: null };
  const record = read(text);
  const to = textOf(get(record, "revision"));
  return { step: to !== "" && to === revision ? "notes" : "starts", to, record };
}

/** Refuses updates in place but of pods in the range of a set that asks for it. */
export function inPlaceFault(s: Subject): string {
  const { view } = s;
  if (!view.updatesInPlace) return "the set does not ask that pods are updated in place";
  const mayBe = s.ordinal !== undefined && !view.deleting && view.range.has(s.ordinal);
  return mayBe ? "" : "no ordinal of the range has this pod";
}

/** Reports whether the action marks a pod for updates of its images. */
export function marksPod(s: Subject): boolean {
  return s.kind === POD && Object.hasOwn(s.patch.set, UPDATE);
}

/** Lets a pod be marked once, before its images change for the first time: then the snapshot shows what runs in it. */
export function markFault(s: Subject): string {
  const { set, remove } = s.patch;
  if (set[UPDATE] !== NOTHING || Object.keys(set).length + remove.length > 1) {
    return "a pod is marked for updates in place, and says more than that";
  }
  return underWay(s.view, s.pod).marked ? "the pod is marked for updates in place already" : inPlaceFault(s);
}

function read(text: string): Json {
  try {
    return parse(Buffer.from(text), true);
  } catch {
    return null;
  }
}
