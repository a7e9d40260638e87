// Which channel a call uses: the newest, and an old one is closed when its last call has ended.

import type { Settings } from "./settings.js";
import { type Content, read, stamp } from "./tls.js";

/** A channel and how many calls are under way on it. */
export interface Lease<C> {
  readonly channel: C;
  readonly content: Content | undefined;
  calls: number;
  retired: boolean;
}

/** Makes a channel, and another one when the files of its certificates have changed. It does no I/O on the network. */
export class Channels<C extends { close(): void }> {
  readonly #settings: Settings;
  readonly #make: (content: Content | undefined) => C;
  #stamp: string;
  #newest: Lease<C>;

  /** Makes the first channel. Error: a file cannot be read or used. */
  constructor(settings: Settings, make: (content: Content | undefined) => C) {
    this.#settings = settings;
    this.#make = make;
    this.#stamp = settings.tls ? stamp(settings.tls) : "";
    this.#newest = this.#lease(settings.tls && read(settings.tls));
  }

  /** Begins a call. */
  begin(): Lease<C> {
    this.#renew();
    this.#newest.calls++;
    return this.#newest;
  }

  /** Ends a call. */
  end(lease: Lease<C>): void {
    lease.calls--;
    closeUnused(lease);
  }

  /** Closes the newest channel, with all calls on it. */
  close(): void {
    this.#newest.channel.close();
  }

  #renew(): void {
    const { tls } = this.#settings;
    if (!tls) return;
    const now = stamp(tls);
    if (now === this.#stamp) return;
    let newest: Lease<C>;
    try {
      const content = read(tls);
      this.#stamp = now;
      if (content.text === this.#newest.content?.text) return;
      newest = this.#lease(content);
    } catch (error) {
      process.emitWarning(`the certificates of ${this.#settings.target} were not read again: ${String(error)}`, "SetplanWarning");
      return;
    }
    const old = this.#newest;
    this.#newest = newest;
    old.retired = true;
    closeUnused(old);
  }

  #lease(content: Content | undefined): Lease<C> {
    return { channel: this.#make(content), content, calls: 0, retired: false };
  }
}

function closeUnused(lease: Lease<{ close(): void }>): void {
  if (lease.retired && lease.calls === 0) lease.channel.close();
}
