// The proof of a drain, SPEC.md D4: each container of the drain pod is given a token and hands it back when it is done.

import { createHash } from "node:crypto";

import { type Pod, PodPhase } from "../../v1/index.js";
import { BLANK, trimmed } from "./blanks.js";
import { differing, get, type Json, listed, object, same } from "./json.js";
import { DRAIN_CLAIMS, DRAIN_SET } from "./names.js";

const VARIABLE = "SETPLAN_DRAIN_TOKEN";

/** Makes the token of a drain pod with this mark and these claims. */
export function token(mark: string, claims: string): string {
  return createHash("sha256").update(`${mark}\n${claims}`).digest().subarray(0, 16).toString("hex");
}

/** Reports whether a drain pod has succeeded and counts as proof. */
export function hasDrained(pod: Pod, notes: Record<string, string>, proves: boolean): boolean {
  if (pod.phase !== PodPhase.SUCCEEDED) return false;
  if (!proves) return !pod.disrupted;
  const wanted = token(notes[DRAIN_SET] ?? "", notes[DRAIN_CLAIMS] ?? "");
  return pod.terminationMessages.length > 0 && pod.terminationMessages.every((message) => trimmed(message, BLANK) === wanted);
}

/** Compares the containers of a drain pod with those of its template, which have no token. */
export function containersDiffer(made: Json, template: Json, wanted: string): boolean {
  if (!Array.isArray(made) || !Array.isArray(template)) return !same(made, template);
  const but = new Set(["env"]);
  return (
    made.length !== template.length ||
    made.some((one, i) => {
      const of = template[i] ?? null;
      return differing(one, of, but) !== "" || !hasToken(get(one, "env"), get(of, "env"), wanted);
    })
  );
}

/** Reports whether an environment is the template's with the token at its end. */
function hasToken(made: Json, template: Json, wanted: string): boolean {
  const kept = listed(template).filter((variable) => get(variable, "name") !== VARIABLE);
  return same(made, [...kept, object({ name: VARIABLE, value: wanted })]);
}
