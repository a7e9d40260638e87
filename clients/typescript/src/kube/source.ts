import { create } from "@bufbuild/protobuf";

import {
  Gone,
  type Key,
  keyText,
  neighboursOf,
  policyOf,
  type SetIdentity,
  type Source as AdapterSource,
  type Write,
} from "../adapter/types.js";
import { Raw } from "../rawjson.js";
import type { Thing } from "../snapshot/fields.js";
import { claimTemplates, neighbours, of, revisions } from "../snapshot/index.js";
import { CoverageSchema, type Snapshot } from "../v1/index.js";
import { type Api, ApiError, CLAIMS, PODS, type Resource, REVISIONS, SETS } from "./api.js";
import { Cache } from "./cache.js";
import { Guard } from "./guard.js";

const NOT_FOUND = 404;

/** Reads sets from the caches of sets, pods, claims and revisions, in one namespace or in all, or from the API server if required. */
export class Source implements AdapterSource {
  readonly sets: Cache;
  readonly pods: Cache;
  readonly claims: Cache;
  readonly revisions: Cache;

  readonly #api: Api;
  readonly #guard = new Guard();

  /** Makes the caches; run them to fill them. `changed` is told of the sets that something has changed for. */
  constructor(api: Api, namespace: string | undefined, changed: (key: Key) => void) {
    this.#api = api;
    const cache = (resource: Resource) =>
      new Cache(api, resource, namespace, (thing) => {
        for (const key of this.#concerned(resource, thing)) changed(key);
      });
    this.sets = new Cache(api, SETS, namespace, (thing) => {
      const key = keyOf(thing);
      if (this.sets.get(key.namespace, key.name) === undefined) this.#guard.forget(key);
      for (const concerned of this.#concerned(SETS, thing)) changed(concerned);
    });
    this.pods = cache(PODS);
    this.claims = cache(CLAIMS);
    this.revisions = cache(REVISIONS);
  }

  snapshot(key: Key): Snapshot {
    const { pods, claims, revisions } = this;
    const coverage = create(CoverageSchema, {
      pods: pods.isFilled,
      claims: claims.isFilled,
      revisions: revisions.isFilled,
      podsVersion: pods.version,
      claimsVersion: claims.version,
      revisionsVersion: revisions.version,
    });
    const set = this.#checked(key);
    const [here, theirs, past] = [pods, claims, revisions].map((cache) => cache.of(key.namespace));
    const otherSets = this.#candidates(set);
    return of({ set, pods: here ?? [], claims: theirs ?? [], revisions: past ?? [], otherSets }, coverage, new Date());
  }

  set(key: Key): SetIdentity {
    const set = this.#checked(key);
    return { ...identity(set), neighbours: neighboursOf(neighbours(set, this.#candidates(set), this.revisions.of(key.namespace))) };
  }

  async liveSet(key: Key): Promise<SetIdentity> {
    try {
      return identity(Raw.parse(await this.#api.get(SETS.path(key.namespace, key.name))));
    } catch (error) {
      throw error instanceof ApiError && error.status === NOT_FOUND ? new Gone(keyText(key)) : error;
    }
  }

  /**
   * A write is shown when the cache has read its kind up to it, whatever became of the object since: one that was deleted right after
   * we created it may never show.
   */
  observed(key: Key, write: Write): boolean {
    const cache = this.#of(write.kind);
    const found = cache.get(key.namespace, write.name);
    const metadata = found && (found.value as Thing).metadata;
    if (write.deleted) return metadata === undefined || metadata.deletionTimestamp !== undefined || metadata.uid !== write.uid;
    const wanted = write.resourceVersion ?? "";
    return isAtLeast(cache.version, wanted) || isAtLeast(metadata?.resourceVersion ?? "", wanted);
  }

  /** The cache is read second, so that what it has shown meanwhile counts. */
  async current(key: Key, write: Write): Promise<boolean> {
    const cache = this.#of(write.kind);
    const live = await this.#live(cache.resource.path(key.namespace, write.name));
    return version(live) === version(cache.get(key.namespace, write.name));
  }

  async #live(path: string): Promise<Raw | undefined> {
    try {
      return Raw.parse(await this.#api.get(path));
    } catch (error) {
      if (error instanceof ApiError && error.status === NOT_FOUND) return undefined;
      throw error;
    }
  }

  /** Returns the conditions of a set as stored at a resource version; undefined if the cache has another one. */
  conditions(key: Key, version: string): Raw[] | undefined {
    const set = this.cached(key);
    if ((set.value as Thing).metadata.resourceVersion !== version) return undefined;
    return set.get("status", "conditions")?.items ?? [];
  }

  /** Keeps the caches current until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#caches().map((cache) => cache.run(signal)));
  }

  /**
   * Waits until all caches have their lists.
   *
   * These are as new as the call of {@link Source.run}: what an earlier process wrote is in them.
   */
  async filled(): Promise<void> {
    await Promise.all(this.#caches().map((cache) => cache.filled));
  }

  /** Returns a set as the API server sent it. `Gone`: there is no such set. */
  cached(key: Key): Raw {
    const found = this.sets.get(key.namespace, key.name);
    if (found === undefined) throw new Gone(keyText(key));
    return found;
  }

  /**
   * Lists the sets that an object may concern: its owners, by its name, of a claim those that might use it, and of a set those with the
   * same claim names, which may go on when it is gone.
   */
  #concerned(resource: Resource, thing: Raw): Key[] {
    const { namespace, name } = keyOf(thing);
    const key = (name: string): Key => ({ namespace, name });
    if (resource === SETS) return [key(name), ...neighbours(thing, this.#candidates(thing)).map(({ set }) => key(set))];
    const owners = ((thing.value as Thing).metadata.ownerReferences ?? []).map((owner) => owner.name ?? "");
    const base = name.slice(0, Math.max(name.lastIndexOf("-"), 0));
    const named = resource === CLAIMS ? this.#users(namespace, base).map((set) => keyOf(set).name) : [base];
    return [...new Set([...owners, ...named])].filter((name) => name !== "").map(key);
  }

  /** Lists the sets that might have the claim names of a set, itself among them: to ask all of a namespace takes long where it has thousands. */
  #candidates(set: Raw): Raw[] {
    const { namespace, name } = keyOf(set);
    const templates = claimTemplates(set, revisions(set, this.revisions.of(namespace)));
    return this.#users(namespace, ...templates.map((template) => `${template}-${name}`));
  }

  /** Lists the sets that might use the claims of these names, which are without an ordinal: a dash is before a set's own name. */
  #users(namespace: string, ...bases: string[]): Raw[] {
    const tails = bases.flatMap((base) => Array.from(base.matchAll(/-/g), ({ index }) => base.slice(index + 1)));
    return [...new Set(tails)].map((name) => this.sets.get(namespace, name)).filter((set) => set !== undefined);
  }

  #checked(key: Key): Raw {
    const set = this.cached(key);
    this.#guard.check(key, set);
    return set;
  }

  #caches(): Cache[] {
    return [this.sets, this.pods, this.claims, this.revisions];
  }

  #of(kind: string): Cache {
    const found = this.#caches().find((cache) => cache.resource.kind === kind);
    if (found === undefined) throw new Error(`there is no cache of ${kind}`);
    return found;
  }
}

function keyOf(thing: Raw): Key {
  const { namespace = "", name } = (thing.value as Thing).metadata;
  return { namespace, name };
}

function identity(set: Raw): SetIdentity {
  const { uid = "", annotations, deletionTimestamp } = (set.value as Thing).metadata;
  return {
    uid,
    generation: set.int64("metadata", "generation"),
    policy: policyOf(annotations ?? {}),
    deleting: deletionTimestamp !== undefined,
  };
}

function version(thing: Raw | undefined): string | undefined {
  if (thing === undefined) return undefined;
  const { uid, resourceVersion } = (thing.value as Thing).metadata;
  return JSON.stringify([uid, resourceVersion]);
}

/** Compares versions of one kind. Versions that are no numbers can only be equal. */
function isAtLeast(seen: string, wanted: string): boolean {
  const numbers = [seen, wanted].every((text) => /^[0-9]+$/.test(text));
  return numbers ? BigInt(seen) >= BigInt(wanted) : seen === wanted;
}
