import { type Key, keyText } from "../adapter/types.js";
import type { Raw } from "../rawjson.js";
import type { Metadata } from "../snapshot/fields.js";

const TAKEN_OVER = "setplan.io/taken-over-at";

/** Another controller writes the set. The adapter stops acting on it. */
export class ForeignWriter extends Error {
  override readonly name = "ForeignWriter";
}

interface Fields extends Metadata {
  managedFields?: { manager?: string; subresource?: string; time?: string }[] | null;
}

/**
 * Sees when a status is written by another controller, by default the built-in one: two controllers on one set delete each other's
 * pods (SPEC.md, A15).
 *
 * What was written before this process saw the set is history: the set was taken over. The hold ends when the process restarts, or
 * when the annotation `setplan.io/taken-over-at` of the set gets another text.
 */
export class Guard {
  readonly #managers: readonly string[];
  readonly #seen = new Map<string, { taken: string; writes: Set<string> }>();

  constructor(managers: readonly string[] = ["kube-controller-manager"]) {
    this.#managers = managers;
  }

  /** Looks at a set. {@link ForeignWriter}: nothing may be written to it. */
  check(key: Key, set: Raw): void {
    const { uid = "", annotations, managedFields } = (set.value as { metadata: Fields }).metadata;
    const taken = JSON.stringify([uid, annotations?.[TAKEN_OVER]]);
    const writes = (managedFields ?? [])
      .filter(({ manager = "", subresource }) => subresource === "status" && this.#managers.includes(manager))
      .map(({ manager = "", time = "" }) => `${manager} has written the status of ${keyText(key)} at ${time}`);
    const seen = this.#seen.get(keyText(key));
    if (seen?.taken !== taken) {
      this.#seen.set(keyText(key), { taken, writes: new Set(writes) });
      return;
    }
    // A write of ours may wipe the trace, so fewer are no news.
    const news = writes.find((write) => !seen.writes.has(write));
    if (news !== undefined) throw new ForeignWriter(news);
  }

  /** Drops what is kept for a set that is gone. */
  forget(key: Key): void {
    this.#seen.delete(keyText(key));
  }
}
