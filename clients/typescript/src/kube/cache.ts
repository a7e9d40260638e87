import { setTimeout as wait } from "node:timers/promises";

import { Raw } from "../rawjson.js";
import type { Thing } from "../snapshot/fields.js";
import { items } from "../snapshot/index.js";
import { type Api, ApiError, type Resource } from "./api.js";

const RETRY_MS = 1_000;
const GONE = 410;

/** Is told of objects that were added, changed or deleted. */
export type Changed = (thing: Raw) => void;

/** A cache of one kind: what the API server has, in one namespace or in all. The list is as new as the API server is. */
export class Cache {
  readonly resource: Resource;
  /** Resolves when the first list is there. */
  readonly filled: Promise<void>;
  /** The list is there. */
  isFilled = false;
  /** The newest resource version that was seen. */
  version = "";

  readonly #api: Api;
  readonly #path: string;
  readonly #changed: Changed;
  #fill: () => void = () => undefined;
  #objects = new Map<string, Map<string, Raw>>();

  constructor(api: Api, resource: Resource, namespace: string | undefined, changed: Changed) {
    this.#api = api;
    this.resource = resource;
    this.#path = resource.path(namespace);
    this.#changed = changed;
    this.filled = new Promise((resolve) => (this.#fill = resolve));
  }

  /** Returns an object. */
  get(namespace: string, name: string): Raw | undefined {
    return this.#objects.get(namespace)?.get(name);
  }

  /** Lists the objects of a namespace. */
  of(namespace: string): Raw[] {
    return [...(this.#objects.get(namespace)?.values() ?? [])];
  }

  /** Lists all objects. */
  all(): Raw[] {
    return [...this.#objects.keys()].flatMap((namespace) => this.of(namespace));
  }

  /** Keeps the cache current until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const ended = () => signal.aborted;
    while (!ended()) {
      try {
        await this.#list(signal);
        while (!ended()) await this.#watch(signal);
      } catch (error) {
        if (ended()) return;
        if (error instanceof ApiError && error.status === GONE) continue;
        process.emitWarning(`the watch of ${this.resource.plural} ended: ${String(error)}`, "SetplanWarning");
        await wait(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  async #list(signal: AbortSignal): Promise<void> {
    const answer = await this.#api.get(this.#path, signal);
    const before = this.all();
    this.#objects = new Map();
    for (const thing of items(answer)) this.#put(thing);
    this.version = resourceVersion(Raw.parse(answer));
    this.isFilled = true;
    this.#fill();
    for (const thing of [...before, ...this.all()]) this.#changed(thing);
  }

  async #watch(signal: AbortSignal): Promise<void> {
    for await (const event of this.#api.watch(this.#path, this.version, signal)) {
      const type = event.get("type")?.value;
      const object = event.get("object");
      if (object === undefined) continue;
      if (type === "ERROR") throw new ApiError(Number(object.get("code")?.text ?? 0), object.text);
      const { namespace = "", name } = (object.value as Thing).metadata;
      if (type === "DELETED") this.#objects.get(namespace)?.delete(name);
      else if (type === "ADDED" || type === "MODIFIED") this.#put(object);
      this.version = resourceVersion(object);
      if (type !== "BOOKMARK") this.#changed(object);
    }
  }

  #put(thing: Raw): void {
    const { namespace = "", name } = (thing.value as Thing).metadata;
    const here = this.#objects.get(namespace) ?? new Map<string, Raw>();
    here.set(name, thing);
    this.#objects.set(namespace, here);
  }
}

function resourceVersion(of: Raw): string {
  return (of.value as Thing).metadata.resourceVersion ?? "";
}
