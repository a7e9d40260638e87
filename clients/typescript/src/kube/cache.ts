import { setTimeout as wait } from "node:timers/promises";

import type { Raw } from "../rawjson.js";
import type { Thing } from "../snapshot/fields.js";
import { type Api, ApiError, type Resource } from "./api.js";
import { list } from "./read.js";

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
  /** How often in a row the API server did not have our version any more. */
  #gone = 0;

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
    const pause = () => wait(RETRY_MS, undefined, { signal }).catch(() => undefined);
    while (!ended()) {
      try {
        await this.#list(signal);
        while (!ended()) if (!(await this.#watch(signal))) await pause();
      } catch (error) {
        if (ended()) return;
        if (error instanceof ApiError && error.status === GONE && ++this.#gone === 1) continue;
        process.emitWarning(`the watch of ${this.resource.plural} ended: ${String(error)}`, "SetplanWarning");
        await pause();
      }
    }
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { things, version } = await list(this.#api, this.#path, signal);
    const before = this.all();
    this.#objects = new Map();
    for (const thing of things) this.#put(thing);
    this.version = version;
    this.isFilled = true;
    this.#fill();
    for (const thing of [...before, ...this.all()]) this.#changed(thing);
  }

  /** Watches until the API server ends that, and reports whether it has told of an object. */
  async #watch(signal: AbortSignal): Promise<boolean> {
    let told = false;
    for await (const event of this.#api.watch(this.#path, this.version, signal)) {
      const type = event.get("type")?.value;
      const object = event.get("object");
      if (object === undefined) continue;
      if (type === "ERROR") throw new ApiError(Number(object.get("code")?.text ?? 0), object.text);
      const { namespace = "", name } = (object.value as Thing).metadata;
      if (type === "DELETED") this.#objects.get(namespace)?.delete(name);
      else if (type === "ADDED" || type === "MODIFIED") this.#put(object);
      this.version = resourceVersion(object);
      this.#gone = 0;
      if (type === "BOOKMARK") continue;
      told = true;
      this.#changed(object);
    }
    return told;
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
