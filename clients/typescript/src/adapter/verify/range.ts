// The range of a set: the first `replicas` unreserved ordinals from the start.

import { Raw } from "../../rawjson.js";
import { Scope, type Snapshot } from "../../v1/index.js";
import { trimmed } from "./blanks.js";

const MOST = 2 ** 31;
const AROUND = /[ \t\r\n[\]"]/;

/** Reserved ordinals, both ends included; `held` is how many are reserved from the start to here, these included. */
interface Span {
  first: number;
  last: number;
  held: number;
}

/** Answers whether an ordinal is in the range. */
export class Range {
  readonly #start: number;
  readonly #replicas: number;
  readonly #spans: Span[];

  constructor(snapshot: Snapshot) {
    this.#start = snapshot.set?.ordinalsStart ?? 0;
    this.#replicas = snapshot.set?.replicas ?? 1;
    this.#spans = spans(snapshot);
  }

  has(ordinal: number): boolean {
    const place = ordinal - this.#start;
    const next = this.#from(ordinal);
    const span = this.#spans[next];
    if (place < 0 || (span !== undefined && span.first <= ordinal)) return false;
    return place - (this.#spans[next - 1]?.held ?? 0) < this.#replicas;
  }

  /** Returns the first span that does not end before an ordinal. A user may write tens of thousands, and a plan has a thousand actions. */
  #from(ordinal: number): number {
    let low = 0;
    let high = this.#spans.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#spans[middle]?.last ?? 0) < ordinal) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Returns the annotation, or the field of the same meaning. Where they differ nothing is planned. */
function text({ set }: Snapshot): string {
  let own: Raw | undefined;
  try {
    own = set?.ownFields.length ? Raw.parse(set.ownFields).get("ordinals", "reserved") : undefined;
  } catch {
    own = undefined;
  }
  const empty = own === undefined || (own.text.startsWith("[") && own.items.length === 0);
  return empty ? (set?.annotations["setplan.io/reserved-ordinals"] ?? "") : (own?.text ?? "");
}

/**
 * Reads the text into spans from the start on, in ascending order, which do not touch.
 *
 * Another controller that runs the set knows no reserved ordinals. If the planner cannot read the text it plans nothing, so the result
 * here does not matter then.
 */
function spans(snapshot: Snapshot): Span[] {
  const start = snapshot.set?.ordinalsStart ?? 0;
  if ((snapshot.policy?.scope ?? Scope.UNSPECIFIED) > Scope.WHOLE_SET) return [];
  const joined: Span[] = [];
  for (const { first, last } of written(text(snapshot), start)) {
    const before = joined.at(-1);
    if (before && first <= before.last + 1) before.last = Math.max(before.last, last);
    else joined.push({ first, last, held: 0 });
  }
  let held = 0;
  for (const span of joined) span.held = held += span.last + 1 - span.first;
  return joined;
}

function written(text: string, start: number): { first: number; last: number }[] {
  const found: { first: number; last: number }[] = [];
  for (const item of text.split(",")) {
    const [, from = "", to = from] = /^([0-9]+)(?:-([0-9]+))?$/.exec(trimmed(item, AROUND)) ?? [];
    if (!isOrdinal(from) || !isOrdinal(to) || Number(from) > Number(to)) continue;
    const span = { first: Math.max(Number(from), start), last: Number(to) };
    if (span.first <= span.last) found.push(span);
  }
  return found.sort((a, b) => a.first - b.first);
}

function isOrdinal(text: string): boolean {
  return text !== "" && text.length <= String(MOST).length && Number(text) < MOST;
}
