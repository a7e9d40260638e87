/** The lease was not renewed in time: another process may write now. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/**
 * The time in which only this process may write.
 *
 * It ends before any other process can have seen the lease expire, and what is under way then is cut off. Whoever begins a write asks
 * the clock: in a process that was stopped and goes on, what has waited may be faster than a timer. The clock does not jump.
 */
export class Term {
  readonly #lease: string;
  readonly #cuts = new Set<(why: Error) => void>();
  #until: number;
  #timer: NodeJS.Timeout | undefined;
  #closed: LeaseLost | undefined;
  #lost: LeaseLost | undefined;
  #unanswered = -Infinity;
  /** How many writes are under way, and what is to be told when there is none. */
  #writing = 0;
  #settled: () => void = () => undefined;

  constructor(lease: string, until: number) {
    this.#lease = lease;
    this.#until = until;
    this.#wait();
  }

  /** When it ends, if it is not renewed. */
  get until(): number {
    return this.#until;
  }

  /** Why it has ended; undefined while it lasts. */
  get lost(): LeaseLost | undefined {
    if (performance.now() >= this.#until) this.#lost ??= new LeaseLost(`the lease ${this.#lease} was not renewed in time`);
    return this.#lost;
  }

  /** Extends it. A term that has ended stays ended. */
  renew(until: number): void {
    if (this.lost) return;
    this.#until = until;
    this.#wait();
  }

  /** Runs a write. It throws why none may begin. */
  async write<T>(send: () => Promise<T>): Promise<T> {
    const why = this.lost ?? this.#closed;
    if (why) throw why;
    this.#writing++;
    try {
      return await send();
    } finally {
      if (--this.#writing === 0) this.#settled();
    }
  }

  /** Lets no write begin any more, and waits for those under way. They are cut off at the end of the term. */
  async close(): Promise<void> {
    this.#closed = new LeaseLost(`the lease ${this.#lease} is given back`);
    if (this.#writing > 0) await new Promise<void>((resolve) => (this.#settled = resolve));
  }

  /** Ends it at once, and cuts off the writes under way. */
  end(): void {
    clearTimeout(this.#timer);
    const why = (this.#lost ??= new LeaseLost(`the lease ${this.#lease} is not held any more`));
    for (const cut of this.#cuts) cut(why);
    this.#cuts.clear();
  }

  /** Calls `cut` at the end, unless the function that it returns was called before. */
  during(cut: (why: Error) => void): () => void {
    this.#cuts.add(cut);
    return () => this.#cuts.delete(cut);
  }

  /** Takes note of a write without an answer: it may still be on its way. */
  noteUnanswered(): void {
    this.#unanswered = performance.now();
  }

  /** Reports whether there was a write without an answer in the last milliseconds. */
  hasUnanswered(withinMs: number): boolean {
    return performance.now() - this.#unanswered < withinMs;
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const end = () => {
      if (this.lost) this.end();
      else this.#wait();
    };
    this.#timer = setTimeout(end, Math.ceil(this.#until - performance.now()));
  }
}
