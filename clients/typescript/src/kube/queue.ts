import { type Key, keyText } from "../adapter/types.js";
import { PlannerError } from "../errors.js";
import { Rounds } from "./rounds.js";

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 30_000;
const LAST_CALL_MS = 300_000; // what a planner says without sense stops no set for good
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * A queue of sets: a set is worked on once at a time, again when it has changed meanwhile, and later after a failure. Namespaces take
 * turns.
 */
export class Queue {
  readonly #work: (key: Key, signal: AbortSignal) => Promise<number>;
  readonly #failed: (key: Key, error: unknown) => void;
  readonly #atOnce: number;
  readonly #ready = new Rounds();
  readonly #waiting = new Set<string>();
  readonly #running = new Set<string>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** What is not worked on before its timer, even if it has changed. */
  readonly #held = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #turns = new Set<Promise<void>>();
  #signal: AbortSignal | undefined;

  /**
   * Makes a queue that works on `atOnce` sets side by side, and on two more of namespaces that nothing else is done for. `work` returns
   * after how many milliseconds to call it again; 0 is only when something changes. `failed` is told what it throws. After a
   * `PlannerError` it is not called sooner than the planner says, five minutes at most (C1).
   */
  constructor(work: (key: Key, signal: AbortSignal) => Promise<number>, failed: (key: Key, error: unknown) => void, atOnce = 20) {
    this.#work = work;
    this.#failed = failed;
    this.#atOnce = atOnce;
  }

  /** Asks for work on a set, at once or as soon as the work on it has ended. Before {@link Queue.run} nothing is kept. */
  add(key: Key): void {
    const text = keyText(key);
    if (this.#signal === undefined || this.#signal.aborted || this.#waiting.has(text) || this.#held.has(text)) return;
    clearTimeout(this.#timers.get(text));
    this.#timers.delete(text);
    this.#waiting.add(text);
    if (this.#running.has(text)) return;
    this.#ready.push(key);
    this.#begin();
  }

  /** Works until the signal is aborted and the work under way has ended. */
  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener("abort", () => {
        resolve();
      });
    });
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await Promise.all(this.#turns);
  }

  /** Begins turns while there are places and keys. */
  #begin(): void {
    while (this.#signal?.aborted === false) {
      const key = this.#ready.begin(this.#atOnce);
      if (key === undefined) return;
      const turn = this.#turn(key, this.#signal).finally(() => {
        this.#turns.delete(turn);
        this.#begin();
      });
      this.#turns.add(turn);
    }
  }

  /** Works on a set once. What has changed meanwhile goes to the end of the queue; after a failure that waits, too. */
  async #turn(key: Key, signal: AbortSignal): Promise<void> {
    const text = keyText(key);
    this.#waiting.delete(text);
    this.#running.add(text);
    const { afterMs, failed, isHeld } = await this.#once(key, signal);
    this.#running.delete(text);
    this.#ready.end(key);
    if (signal.aborted) return;
    if (this.#waiting.has(text) && !failed) {
      this.#ready.push(key);
      return;
    }
    this.#waiting.delete(text);
    if (isHeld) this.#held.add(text);
    if (afterMs > 0)
      this.#timers.set(
        text,
        setTimeout(
          () => {
            this.#held.delete(text);
            this.add(key);
          },
          Math.min(afterMs, LONGEST_TIMER_MS),
        ),
      );
  }

  async #once(key: Key, signal: AbortSignal): Promise<{ afterMs: number; failed: boolean; isHeld: boolean }> {
    const text = keyText(key);
    try {
      const afterMs = await this.#work(key, signal);
      this.#failures.delete(text);
      return { afterMs, failed: false, isHeld: false };
    } catch (error) {
      const failures = (this.#failures.get(text) ?? 0) + 1;
      this.#failures.set(text, failures);
      this.#failed(key, error);
      const backOffMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20), LAST_RETRY_MS);
      const leastMs = error instanceof PlannerError ? Math.min(error.retryAfterMs ?? 0, LAST_CALL_MS) : 0;
      return { afterMs: Math.max(backOffMs, leastMs), failed: true, isHeld: leastMs > 0 };
    }
  }
}
