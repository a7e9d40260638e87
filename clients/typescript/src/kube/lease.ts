import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";

import { Raw } from "../rawjson.js";
import type { Thing } from "../snapshot/fields.js";
import { type Api, ApiError, LEASES } from "./api.js";
import { LeaseLost, Term } from "./term.js";

const NOT_FOUND = 404;
const CONFLICT = 409;

/** How a lease is held. */
export interface LeaseOptions {
  /** After how many seconds without a renewal another process may take the lease; 15 without it. */
  durationSeconds?: number;
  /** The wait between two tries, in milliseconds; 2,000 without it. */
  retryMs?: number;
}

interface Held {
  holderIdentity?: string;
  leaseDurationSeconds?: number;
  leaseTransitions?: number;
}

/**
 * The right to write: adapters of one cluster take turns, by a Lease as client-go's elector uses it. Times are on a clock that does not
 * jump.
 *
 * A holder stops a tenth before anybody else can have seen the lease expire: its term counts from when the last renewal was sent, and
 * the next holder counts from when it saw that renewal. From then on its `Api` writes nothing, whatever the clock of the process did,
 * and neither does it after the lease was given back. Renewals have a connection of their own: they queue behind no write.
 */
export class Lease {
  readonly #writer: Api;
  readonly #api: Api;
  readonly #namespace: string;
  readonly #name: string;
  readonly #identity: string;
  readonly #durationMs: number;
  readonly #retryMs: number;
  /** The version of somebody else's lease, and since when. */
  #seen = { version: "", since: 0 };

  /**
   * `api` is what the work writes with, under no other lease. `identity` says to people which process this is. A random part makes it
   * unique: host and process id are the same in two pods on a node's network.
   */
  constructor(api: Api, namespace: string, name: string, identity: string, options: LeaseOptions = {}) {
    this.#writer = api;
    this.#api = api.apart();
    this.#namespace = namespace;
    this.#name = name;
    this.#identity = `${identity}_${randomUUID()}`;
    this.#durationMs = (options.durationSeconds ?? 15) * 1_000;
    this.#retryMs = options.retryMs ?? 2_000;
  }

  /**
   * Waits for the lease, and works while it is held. When its signal is aborted, the work must begin nothing new and end; meanwhile the
   * lease is held, and then given back. {@link LeaseLost}: it was lost, and the writes under way were cut off. Aborting `signal` ends
   * the work, or the wait.
   */
  async hold(work: (signal: AbortSignal) => Promise<void>, signal?: AbortSignal): Promise<void> {
    let until = await this.#taken();
    while (until === undefined) {
      await wait(this.#retryMs, undefined, { ...(signal && { signal }) }).catch(() => undefined);
      if (signal?.aborted) return;
      until = await this.#taken();
    }
    const term = new Term(this.#name, until);
    this.#writer.term = term;
    const end = new AbortController();
    const stop = () => {
      end.abort(signal?.reason);
    };
    signal?.addEventListener("abort", stop);
    if (signal?.aborted) stop();
    const working = { done: false };
    const finished = work(end.signal).finally(() => (working.done = true));
    const settled = finished.catch(() => undefined);
    try {
      for (;;) {
        const tick = new AbortController();
        const left = Math.min(this.#retryMs, Math.max(term.until - performance.now(), 0));
        await Promise.race([settled, wait(left, undefined, { signal: tick.signal }).catch(() => undefined)]);
        tick.abort();
        if (term.lost) throw term.lost;
        if (working.done) {
          await this.#giveBack(term);
          await finished;
          return;
        }
        term.renew((await this.#taken(term.until)) ?? term.until);
      }
    } finally {
      term.end();
      end.abort(term.lost);
      await settled;
      signal?.removeEventListener("abort", stop);
      this.#api.close();
    }
  }

  /**
   * Takes or renews the lease, and returns when the term ends; undefined if it was not possible.
   *
   * {@link LeaseLost}: while it was ours, somebody gave it away without asking us.
   */
  async #taken(until?: number): Promise<number | undefined> {
    const sent = performance.now();
    const leftMs = until === undefined ? this.#durationMs : Math.max(until - sent, 1);
    try {
      return (await this.#write(until !== undefined, AbortSignal.timeout(Math.ceil(leftMs))))
        ? sent + this.#durationMs * 0.9
        : undefined;
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      process.emitWarning(`the lease ${this.#name}: ${String(error)}`, "SetplanWarning");
      return undefined;
    }
  }

  async #write(renews: boolean, signal: AbortSignal): Promise<boolean> {
    const now = new Date().toISOString().replace("Z", "000Z");
    const spec = { holderIdentity: this.#identity, leaseDurationSeconds: this.#durationMs / 1_000, renewTime: now };
    const live = await this.#get(signal);
    if (live === undefined) {
      const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: this.#name } };
      return this.#sent("POST", LEASES.path(this.#namespace), { ...lease, spec: { ...spec, acquireTime: now } }, signal);
    }
    const version = (live.value as Thing).metadata.resourceVersion ?? "";
    const held = (live.value as { spec?: Held | null }).spec ?? {};
    const holder = held.holderIdentity ?? "";
    if (renews && holder !== this.#identity) throw new LeaseLost(`the lease ${this.#name} belongs to ${holder || "nobody"}`);
    if (holder !== "" && holder !== this.#identity && !this.#hasExpired(version, held)) return false;
    const taken = holder === this.#identity ? {} : { acquireTime: now, leaseTransitions: (held.leaseTransitions ?? 0) + 1 };
    return this.#sent("PATCH", this.#path(), { metadata: { resourceVersion: version }, spec: { ...spec, ...taken } }, signal);
  }

  /** Reports whether somebody else's lease has not been renewed for as long as it holds. */
  #hasExpired(version: string, { leaseDurationSeconds }: Held): boolean {
    if (this.#seen.version !== version) this.#seen = { version, since: performance.now() };
    const durationMs = leaseDurationSeconds === undefined ? this.#durationMs : leaseDurationSeconds * 1_000;
    return performance.now() - this.#seen.since >= durationMs;
  }

  /**
   * Lets the next one begin at once, when the writes under way have ended. It waits for the end of the lease if that fails, and if a
   * write of ours may still arrive: one that had no answer.
   */
  async #giveBack(term: Term): Promise<void> {
    await term.close();
    const leftMs = term.until - performance.now();
    if (leftMs <= 0 || term.hasUnanswered(this.#durationMs)) return;
    const signal = AbortSignal.timeout(Math.ceil(leftMs));
    try {
      const live = await this.#get(signal);
      if (live?.get("spec", "holderIdentity")?.value !== this.#identity) return;
      const { resourceVersion } = (live.value as Thing).metadata;
      await this.#sent("PATCH", this.#path(), { metadata: { resourceVersion }, spec: { holderIdentity: "" } }, signal);
    } catch (error) {
      process.emitWarning(`the lease ${this.#name} was not given back: ${String(error)}`, "SetplanWarning");
    }
  }

  async #get(signal: AbortSignal): Promise<Raw | undefined> {
    try {
      return Raw.parse(await this.#api.get(this.#path(), signal));
    } catch (error) {
      if (error instanceof ApiError && error.status === NOT_FOUND) return undefined;
      throw error;
    }
  }

  #path(): string {
    return LEASES.path(this.#namespace, this.#name);
  }

  async #sent(method: "POST" | "PATCH", path: string, body: object, signal: AbortSignal): Promise<boolean> {
    const contentType = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    try {
      await this.#api.send(method, path, JSON.stringify(body), { contentType, signal });
    } catch (error) {
      if (error instanceof ApiError && error.status === CONFLICT) return false;
      throw error;
    }
    return true;
  }
}
