import type { Key } from "../adapter/types.js";

// Places beside the others, for namespaces that nothing is done for: one whose passes take long cannot have them all.
const SPARE = 2;

/** Sets that wait. Namespaces take turns: only one with a thousand sets waits for a thousand. */
export class Rounds {
  /** By namespace, the next one first. */
  readonly #waiting = new Map<string, Key[]>();
  /** How many sets of a namespace are worked on. */
  readonly #working = new Map<string, number>();
  #taken = 0;

  /** Puts a set at the end of its namespace. */
  push(key: Key): void {
    const waiting = this.#waiting.get(key.namespace) ?? [];
    waiting.push(key);
    this.#waiting.set(key.namespace, waiting);
  }

  /** Takes the next set that there is a place for. It has the place until {@link Rounds.end}. */
  begin(places: number): Key | undefined {
    if (this.#taken >= places + SPARE) return undefined;
    for (const [namespace, waiting] of this.#waiting) {
      const working = this.#working.get(namespace) ?? 0;
      if (this.#taken >= places && working > 0) continue;
      const key = waiting.shift();
      this.#waiting.delete(namespace);
      if (waiting.length > 0) this.#waiting.set(namespace, waiting); // behind all others
      this.#working.set(namespace, working + 1);
      this.#taken++;
      return key;
    }
    return undefined;
  }

  /** The work on a set has ended. */
  end({ namespace }: Key): void {
    const left = (this.#working.get(namespace) ?? 0) - 1;
    if (left > 0) this.#working.set(namespace, left);
    else this.#working.delete(namespace);
    this.#taken--;
  }
}
