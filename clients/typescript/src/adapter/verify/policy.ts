// The drain policy: the caller's, or otherwise the one in the set's annotations. It is read here, and never taken from the plan.

import { DrainProof, type Snapshot } from "../../v1/index.js";
import { BLANK, trimmed } from "./blanks.js";
import { type Json, parse } from "./json.js";
import { parseYaml } from "./yaml.js";

// The annotations of a set that may hold a drain template, in the order of precedence.
const TEMPLATES = [
  "setplan.io/drain-pod-template",
  "statefulsets.kubernetes.io/drainer-pod-template",
  "statefulsets.kubernetes.io/scaledown-pod-template",
];

/** What the checks ask of the drain policy. */
export interface Policy {
  /** There is a drain template. */
  readonly draining: boolean;
  /** The template; null if it cannot be read, and then no drain pod is like it. */
  readonly template: Json;
  readonly onDelete: boolean;
  /** A token is the proof; also for an unknown value, with which nothing is drained. */
  readonly proves: boolean;
  readonly leftovers: boolean;
}

/** Reads the policy. */
export function policyIn(snapshot: Snapshot): Policy {
  const typed = snapshot.policy?.drain;
  const notes = snapshot.set?.annotations ?? {};
  const written = TEMPLATES.map((name) => trimmed(notes[name] ?? "", BLANK)).find((text) => text !== "") ?? "";
  const text = typed?.podTemplate ?? Buffer.from(written);
  const proof = typed?.proof ?? DrainProof.UNSPECIFIED;
  let read: { template: Json } | undefined;
  return {
    draining: text.length > 0,
    // Read when a drain pod is checked: for a text of no use it takes longest.
    get template() {
      read ??= { template: templateIn(text, typed?.podTemplate === undefined) };
      return read.template;
    },
    onDelete: typed?.onDelete ?? notes["setplan.io/drain-on-delete"] === "true",
    proves: proof === DrainProof.UNSPECIFIED ? (notes["setplan.io/drain-proof"] ?? "") !== "" : proof > DrainProof.SUCCESS,
    leftovers: typed?.leftovers ?? notes["setplan.io/drain-leftovers"] === "true",
  };
}

/** Reads JSON, or YAML where that may stand; null if it is neither. */
export function templateIn(text: Uint8Array, maybeYaml: boolean): Json {
  try {
    return parse(text);
  } catch {
    return maybeYaml ? parseYaml(text) : null;
  }
}
