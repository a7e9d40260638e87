import { type Key, keyText, type Write } from "./types.js";

interface Pending {
  readonly write: Write;
  readonly since: number;
  /** The last look at the object itself; at first as since. */
  read: number;
  /** Nobody knows whether it was carried out. */
  readonly unanswered: boolean;
}

/** Why a pass is postponed: the caches do not show a write. */
export class Unseen extends Error {
  override readonly name = "Unseen";
  readonly write: Write;

  constructor(write: Write) {
    super(`the cache has not shown the ${write.deleted ? "delete" : "write"} of ${write.kind} ${write.name}`);
    this.write = write;
  }
}

/**
 * The gate: no snapshot of a set before the caches show what was written to it (SPEC.md, A3).
 *
 * A snapshot without that would make the planner repeat itself: create a pod twice, or delete a second one during an update. The gate
 * never opens with a cache that is known to be behind, however long that takes. A write that no cache will ever show, because the
 * object was gone or changed again before anybody looked, holds the set no longer than it takes to read the object itself and to find
 * it as the cache has it. A write with an unknown result is one of those: no version tells when the cache shows it.
 */
export class Gate {
  readonly #timeoutMs: number;
  readonly #clock: () => number;
  readonly #pending = new Map<string, Pending[]>();

  /** `clock` counts milliseconds and does not jump. */
  constructor(timeoutMs: number, clock: () => number) {
    this.#timeoutMs = timeoutMs;
    this.#clock = clock;
  }

  /** Registers a write; `unanswered` is one with an unknown result. */
  add(key: Key, write: Write, unanswered = false): void {
    const now = this.#clock();
    const pending = this.#pending.get(keyText(key)) ?? [];
    pending.push({ write, since: now, read: now, unanswered });
    this.#pending.set(keyText(key), pending);
  }

  /**
   * Drops what was observed, and what cannot be shown any more. Returns what is left, and after how many milliseconds to look again;
   * undefined where the gate is open.
   *
   * It reads one overdue object at most, and each once in a timeout; unanswered writes each time, until one differs from the cache.
   */
  async check(
    key: Key,
    observed: (write: Write) => boolean,
    current: (write: Write) => Promise<boolean>,
  ): Promise<{ unseen: Unseen; afterMs: number } | undefined> {
    const now = this.#clock();
    const left: Pending[] = [];
    let asked = false;
    for (const pending of this.#pending.get(keyText(key)) ?? []) {
      if (!pending.unanswered && observed(pending.write)) continue;
      const overdue = now - pending.read >= this.#timeoutMs;
      if (!asked && (overdue || pending.unanswered)) {
        const isCurrent = await current(pending.write);
        asked = !isCurrent || !pending.unanswered;
        if (overdue) pending.read = now;
        if (isCurrent) continue;
      }
      left.push(pending);
    }
    const [first] = left;
    if (first === undefined) {
      this.forget(key);
      return undefined;
    }
    this.#pending.set(keyText(key), left);
    return { unseen: new Unseen(first.write), afterMs: (now - first.since) / 4 };
  }

  /** Drops what is kept for a set that is gone. */
  forget(key: Key): void {
    this.#pending.delete(keyText(key));
  }
}
