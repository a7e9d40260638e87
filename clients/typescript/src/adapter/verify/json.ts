// JSON values that compare as the checks mean it: order of keys, blanks and the spelling of a number do not count.

import { afterString, afterValue } from "../../scan.js";

/** Bytes: no API server accepts a larger object. */
export const MAX_DOCUMENT = 3 << 20;
const MAX_DEPTH = 200;
const LONGEST = 80;

/** A number, by its text. A stored revision holds what a float64 keeps of a number, the set holds its text. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value. Null also stands for nothing. */
export type Json = null | boolean | string | JsonNumber | Json[] | Map<string, Json>;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Reads a document. `strict` refuses a key that stands twice in an object: two readers may take different ones. Error: why it cannot be read. */
export function parse(document: Uint8Array, strict = false): Json {
  if (document.length > MAX_DOCUMENT) throw new Error("it is larger than an API server takes");
  const text = decoder.decode(document);
  try {
    JSON.parse(text);
  } catch {
    throw new Error("it is not JSON");
  }
  return new Reader(text, strict).value(0);
}

/** Reads valid JSON in one pass. */
class Reader {
  readonly #text: string;
  readonly #strict: boolean;
  #at = 0;

  constructor(text: string, strict: boolean) {
    this.#text = text;
    this.#strict = strict;
  }

  value(depth: number): Json {
    if (depth > MAX_DEPTH) throw new Error("it is nested too deep");
    switch (this.#next()) {
      case "{":
        return this.#object(depth);
      case "[":
        return this.#array(depth);
      case '"':
        return this.#string();
      default:
        return this.#word();
    }
  }

  /** Skips blanks, commas and colons, and returns the next character. */
  #next(): string {
    while (" \t\r\n,:".includes(this.#text.charAt(this.#at))) this.#at++;
    return this.#text.charAt(this.#at);
  }

  #object(depth: number): Json {
    const members = new Map<string, Json>();
    for (this.#at++; this.#next() !== "}";) {
      const key = this.#string();
      if (this.#strict && members.has(key)) throw new Error("a key stands twice in an object");
      members.set(key, this.value(depth + 1));
    }
    this.#at++;
    return members;
  }

  #array(depth: number): Json {
    const items: Json[] = [];
    for (this.#at++; this.#next() !== "]";) items.push(this.value(depth + 1));
    this.#at++;
    return items;
  }

  #string(): string {
    const begin = this.#at;
    this.#at = afterString(this.#text, begin);
    return (JSON.parse(this.#text.slice(begin, this.#at)) as string).toWellFormed();
  }

  #word(): Json {
    const begin = this.#at;
    this.#at = afterValue(this.#text, begin);
    const word = this.#text.slice(begin, this.#at);
    if (word === "null") return null;
    return word === "true" || word === "false" ? word === "true" : new JsonNumber(word);
  }
}

/** Walks down the keys; null where there is nothing. */
export function get(value: Json, ...keys: string[]): Json {
  return keys.reduce<Json>((found, key) => members(found).get(key) ?? null, value);
}

/** Returns the members of an object; none of other values. */
export function members(value: Json): ReadonlyMap<string, Json> {
  return value instanceof Map ? value : new Map();
}

/** Reports whether an object has null for a claim template, which then is removed. */
export function removes(value: Json, template: string): boolean {
  return members(value).get(template) === null;
}

/** Returns the items of an array; none of other values. */
export function listed(value: Json): Json[] {
  return Array.isArray(value) ? value : [];
}

/** Returns a text; empty for other values. */
export function textOf(value: Json): string {
  return typeof value === "string" ? value : "";
}

/** Reports whether there is nothing, or a null, or an object without members: older API servers wrote them. */
export function isNothing(value: Json): boolean {
  return value === null || (value instanceof Map && value.size === 0);
}

/** Makes an object. */
export function object(fields: Record<string, Json>): Map<string, Json> {
  return new Map(Object.entries(fields));
}

/** Compares two values. */
export function same(a: Json, b: Json): boolean {
  if (a instanceof JsonNumber && b instanceof JsonNumber) {
    return a.text === b.text || (Number(a.text) === Number(b.text) && Number.isFinite(Number(a.text)));
  }
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => same(item, b[i] ?? null));
  if (a instanceof Map && b instanceof Map) return a.size === b.size && differing(a, b) === "";
  return a === b;
}

/**
 * Returns a key under which two objects differ, in quotes, exceptions aside; empty if there is none.
 *
 * A null member differs from a missing one: in a map of strings it is a key.
 */
export function differing(a: Json, b: Json, but: ReadonlySet<string> = new Set()): string {
  const one = members(a);
  const other = members(b);
  for (const key of new Set([...one.keys(), ...other.keys()])) {
    if (but.has(key)) continue;
    const [left, right] = [one.get(key), other.get(key)];
    if (left === undefined || right === undefined || !same(left, right)) return quote(key);
  }
  return "";
}

/** Quotes a planner's text, and keeps it from filling logs and events. */
export function quote(text: string): string {
  return JSON.stringify(text.length <= LONGEST ? text : text.slice(0, LONGEST) + "...");
}

/** Lays the members of an object over those of another one, at every level. */
export function merged(of: Json, over: Json): Json {
  if (!(of instanceof Map) || !(over instanceof Map)) return over;
  const out = new Map(of);
  for (const [key, value] of over) out.set(key, merged(of.get(key) ?? null, value));
  return out;
}
