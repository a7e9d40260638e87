/**
 * JSON text as it stands: what the API server sent, cut out by key, with every digit, escape and unknown field.
 *
 * The names of revisions are computed from the text of templates, so a template must not pass through a parser that turns numbers
 * into doubles (SPEC.md, A1), as `JSON.parse` does. {@link Raw} finds a value without changing it; {@link Raw.value} reads it where a
 * field of the contract needs it.
 *
 * @module
 */

import { afterSpace, afterValue, itemsAt, membersAt } from "./scan.js";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

// What may be half of a surrogate pair; and a pair, a half, or the begin of another escape.
const HALF = /\\u[dD][89a-fA-F]/;
const ESCAPE = /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\./g;
const HALF_LENGTH = 6;

/** A value of a JSON document. */
export class Raw {
  #value: unknown;
  #members: Map<string, Raw> | undefined;

  private constructor(
    /** The text of the value, unchanged. */
    readonly text: string,
  ) {}

  /** Reads a document. Bytes that are not UTF-8 become U+FFFD, as for the API server's own readers. SyntaxError: it is no JSON. */
  static parse(document: string | Uint8Array): Raw {
    const text = typeof document === "string" ? document : decoder.decode(document);
    const value = read(text);
    const raw = Raw.#at(text, afterSpace(text, 0));
    raw.#value = value;
    return raw;
  }

  static #at(text: string, at: number): Raw {
    return new Raw(text.slice(at, afterValue(text, at)));
  }

  /** The text of the value, unchanged, in UTF-8. */
  get bytes(): Uint8Array {
    return encoder.encode(this.text);
  }

  /** The value in JavaScript's types: numbers beyond 2^53 lose digits. Half of a surrogate pair, which no message can carry, becomes U+FFFD. */
  get value(): unknown {
    return (this.#value ??= read(this.text));
  }

  /** The members of an object; of a key that stands twice, the last. Empty for other values. */
  get members(): ReadonlyMap<string, Raw> {
    if (this.#members === undefined) {
      this.#members = new Map();
      if (this.text.startsWith("{")) {
        for (const [key, at] of membersAt(this.text, 0)) this.#members.set(key, Raw.#at(this.text, at));
      }
    }
    return this.#members;
  }

  /** The items of an array. Empty for other values. */
  get items(): Raw[] {
    return this.text.startsWith("[") ? Array.from(itemsAt(this.text, 0), (at) => Raw.#at(this.text, at)) : [];
  }

  /** Walks down the keys. Undefined where there is nothing, or null. */
  get(...keys: string[]): Raw | undefined {
    const found = keys.reduce<Raw | undefined>((raw, key) => raw?.members.get(key), this);
    return found?.text === "null" ? undefined : found;
  }

  /** Reads a number of up to 64 bits, which a JavaScript number cannot hold. 0 where there is none. SyntaxError: it is no whole number. */
  int64(...keys: string[]): bigint {
    return BigInt(this.get(...keys)?.text ?? 0);
  }
}

/** Reads a text. Half of a surrogate pair becomes U+FFFD. The text is mended and not the value: that may lie too deep for a recursion. */
function read(text: string): unknown {
  return JSON.parse(HALF.test(text) ? text.replace(ESCAPE, mended) : text);
}

function mended(escape: string): string {
  return escape.length === HALF_LENGTH ? "\\ufffd" : escape;
}
