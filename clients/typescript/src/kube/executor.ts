import { isFieldSet } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";

import { operationOf } from "../adapter/operations.js";
import { type Executor as AdapterExecutor, Gone, type Key, keyText, type Result } from "../adapter/types.js";
import { parse, same } from "../adapter/verify/json.js";
import { Raw } from "../rawjson.js";
import type { Thing } from "../snapshot/fields.js";
import {
  type Action,
  Capability,
  type Condition,
  type ContainerImage,
  type ContainerResize,
  OutcomeResult,
  type OwnerReference,
  type PatchClaim,
  type SetFinalizer,
  type StatefulSetStatus,
  StatefulSetStatusSchema,
} from "../v1/index.js";
import { type Api, ApiError, CLAIMS, PODS, type Resource, REVISIONS, SETS } from "./api.js";

const MERGE = "application/merge-patch+json";
const STRATEGIC = "application/strategic-merge-patch+json";

const NOT_FOUND = 404;
const CONFLICT = 409;
const INVALID = 422;
const REJECTED: readonly number[] = [400, 401, 403, 404, 405, 413, 422];

/** What the executor can do. */
export const CAPABILITIES: readonly Capability[] = [
  Capability.CREATE_POD,
  Capability.DELETE_POD,
  Capability.EVICT_POD,
  Capability.PATCH_POD,
  Capability.ADOPT_POD,
  Capability.RELEASE_POD,
  Capability.CREATE_CLAIM,
  Capability.SET_CLAIM_OWNERS,
  Capability.CREATE_REVISION,
  Capability.RENUMBER_REVISION,
  Capability.ADOPT_REVISION,
  Capability.DELETE_REVISION,
  Capability.UPDATE_STATUS,
  Capability.PATCH_ANNOTATIONS,
  Capability.DELETE_CLAIM,
  Capability.PATCH_CLAIM,
  Capability.ADD_CLAIM_TEMPLATES,
  Capability.UPDATE_POD,
  Capability.UPDATE_IMAGES,
  Capability.RESIZE_POD,
  Capability.SET_FINALIZER,
  Capability.SET_CONDITIONS,
];

/** JSON to send: numbers of 64 bits, and text as it stands. */
type Body = string | boolean | number | bigint | null | undefined | Raw | readonly Body[] | { readonly [key: string]: Body };

interface Patch {
  metadata: Record<string, Body>;
  [field: string]: Body;
}

/** Returns the conditions of a set as stored at a resource version, undefined if that is not known. */
export type StoredConditions = (key: Key, version: string) => Raw[] | undefined;

/** Writes through the API server, which checks each precondition together with the write (SPEC.md, A8). */
export class Executor implements AdapterExecutor {
  readonly #api: Api;
  readonly #stored: StoredConditions;

  /** A patch replaces whole lists, so a write of one condition repeats the others: it needs to know what is stored. */
  constructor(api: Api, stored: StoredConditions) {
    this.#api = api;
    this.#stored = stored;
  }

  async apply(key: Key, action: Action, signal: AbortSignal): Promise<Result> {
    try {
      return await new Call(this.#api, this.#stored, key, action, signal).run();
    } catch (error) {
      if (error instanceof Gone) return conflict(`${keyText(key)} is gone`);
      return { error: error as Error, outcome: error instanceof ApiError ? outcome(error) : OutcomeResult.ERROR };
    }
  }
}

/** One action under way. */
class Call {
  readonly #api: Api;
  readonly #stored: StoredConditions;
  readonly #key: Key;
  readonly #action: Action;
  readonly #signal: AbortSignal;
  readonly #resource: Resource;
  readonly #name: string;

  constructor(api: Api, stored: StoredConditions, key: Key, action: Action, signal: AbortSignal) {
    this.#api = api;
    this.#stored = stored;
    this.#key = key;
    this.#action = action;
    this.#signal = signal;
    const { kind = "", name = "" } = action.target ?? {};
    const resource = [PODS, CLAIMS, REVISIONS, SETS].find((one) => one.kind === kind);
    if (resource === undefined) throw new RangeError(`this adapter does not write to the kind ${kind}`);
    this.#resource = resource;
    this.#name = name;
  }

  async run(): Promise<Result> {
    const { operation } = this.#action;
    const metadata = identity(this.#action);
    switch (operation.case) {
      case "createPod":
      case "createClaim":
      case "createRevision":
        return this.#create(operation.value.manifest);
      case "deletePod":
      case "deleteClaim":
      case "deleteRevision":
        return this.#delete(metadata);
      case "evictPod":
        return this.#evict(metadata);
      case "patchPod": {
        const { labels, claims } = operation.value;
        const volumes = claims.map(({ volume, claim }) => ({ name: volume, persistentVolumeClaim: { claimName: claim } }));
        return this.#patch(STRATEGIC, {
          metadata: { ...metadata, ...(Object.keys(labels).length > 0 && { labels }) },
          ...(volumes.length > 0 && { spec: { volumes } }),
        });
      }
      case "updatePod": {
        const { labels, removeLabels, annotations, removeAnnotations, containers, initContainers } = operation.value;
        const changed = {
          metadata: {
            ...metadata,
            labels: { ...labels, ...nothing(removeLabels) },
            annotations: { ...annotations, ...nothing(removeAnnotations) },
          },
        };
        const spec = { ...imagesPatch("containers", containers), ...imagesPatch("initContainers", initContainers) };
        if (Object.keys(spec).length === 0) return this.#patch(MERGE, changed);
        return this.#patch(STRATEGIC, { ...changed, spec }); // which finds containers by their names
      }
      case "resizePod": {
        const { containers, initContainers } = operation.value;
        const spec = { ...resourcesPatch("containers", containers), ...resourcesPatch("initContainers", initContainers) };
        return this.#patch(STRATEGIC, { metadata, spec }, "resize"); // a pod itself takes no such change
      }
      case "adoptPod":
      case "adoptRevision": // a strategic merge patch tells owners apart by uid, and keeps the others
        return this.#patch(STRATEGIC, { metadata: { ...metadata, ownerReferences: owners([operation.value.owner]) } });
      case "releasePod":
        return this.#release({ ...metadata, ownerReferences: [{ $patch: "delete", uid: operation.value.ownerUid }] });
      case "setClaimOwners":
        return this.#patch(MERGE, { metadata: { ...metadata, ownerReferences: owners(operation.value.owners) } });
      case "patchClaim":
        return this.#patch(MERGE, claimPatch(metadata, operation.value));
      case "renumberRevision":
        return this.#patch(MERGE, { metadata, revision: operation.value.number });
      case "patchAnnotations": {
        const { set, remove } = operation.value;
        return this.#patch(MERGE, { metadata: { ...metadata, annotations: { ...set, ...nothing(remove) } } });
      }
      case "updateStatus":
        return this.#status(metadata, operation.value.status);
      case "setFinalizer":
        return this.#finalizer(operation.value);
      case undefined:
        throw new RangeError(`this adapter does not know the operation ${operationOf(this.#action)}`);
    }
  }

  async #create(manifest: Uint8Array): Promise<Result> {
    const { namespace } = this.#key;
    try {
      return this.#written(await this.#api.send("POST", this.#resource.path(namespace), manifest, { signal: this.#signal }));
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== "AlreadyExists" || this.#resource === CLAIMS) throw error;
      // An earlier answer may have been lost (A9).
      const live = await this.#get();
      if (!isOurs(this.#resource, Raw.parse(manifest), live)) throw error;
      return this.#written(live);
    }
  }

  async #delete(preconditions: Record<string, string>): Promise<Result> {
    const options = encode({ apiVersion: "v1", kind: "DeleteOptions", preconditions });
    try {
      await this.#api.send("DELETE", this.#path(), options, { signal: this.#signal });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    return { write: { kind: this.#resource.kind, name: this.#name, uid: preconditions.uid ?? "", deleted: true } };
  }

  /** Deletes a pod if its disruption budget allows it. It is asked once: the planner says when to ask again. */
  async #evict(preconditions: Record<string, string>): Promise<Result> {
    const eviction = {
      apiVersion: "policy/v1",
      kind: "Eviction",
      metadata: { name: this.#name },
      deleteOptions: { preconditions },
    };
    try {
      await this.#api.send("POST", this.#path("eviction"), encode(eviction), { signal: this.#signal });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    return { write: { kind: this.#resource.kind, name: this.#name, uid: preconditions.uid ?? "", deleted: true } };
  }

  /**
   * Changes exactly the object that the planner saw. If it is gone, that is a conflict. That the API server has no such path at all is none;
   * then it answers with a text.
   */
  async #patch(contentType: string, patch: Patch, subresource?: string): Promise<Result> {
    try {
      return this.#written(
        await this.#api.send("PATCH", this.#path(subresource), encode(patch), { contentType, signal: this.#signal }),
      );
    } catch (error) {
      if (isNotFound(error) && error.isStatus) return { error, outcome: OutcomeResult.CONFLICT };
      throw error;
    }
  }

  /** Removes an owner. If the pod is gone, was replaced, or has no such owner, there is nothing to do. */
  async #release(metadata: Record<string, Body>): Promise<Result> {
    try {
      const result = await this.#patch(STRATEGIC, { metadata });
      return isNotFound(result.error) ? {} : result;
    } catch (error) {
      if (error instanceof ApiError && (error.status === INVALID || error.status === NOT_FOUND)) return {};
      throw error;
    }
  }

  /** Writes the fields that are set, zeros included, and leaves the rest of the status alone (A13). */
  async #status(metadata: Record<string, string>, status: StatefulSetStatus | undefined): Promise<Result> {
    const fields: Record<string, Body> = {};
    for (const field of StatefulSetStatusSchema.fields) {
      if (status && field.name !== "conditions" && isFieldSet(status, field)) {
        fields[field.jsonName] = status[field.localName as keyof StatefulSetStatus] as Body;
      }
    }
    if (status && status.conditions.length > 0) {
      const stored = this.#stored(this.#key, metadata.resourceVersion ?? "");
      if (stored === undefined) return conflict(`${keyText(this.#key)} has changed since the plan was made`);
      fields.conditions = merged(stored, status.conditions);
    }
    if (Object.keys(fields).length === 0) throw new RangeError("the plan updates the status with nothing");
    return this.#patch(MERGE, { metadata, status: fields }, "status");
  }

  /** Changes one finalizer: reads the list, and writes it back at the version that was read (A19). */
  async #finalizer({ finalizer, present }: SetFinalizer): Promise<Result> {
    let live: Raw;
    try {
      live = await this.#get();
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return present ? { error, outcome: OutcomeResult.CONFLICT } : {};
    }
    const { uid = "", resourceVersion = "", finalizers } = (live.value as Thing).metadata;
    const wantedUid = this.#action.precondition?.uid ?? "";
    if (uid !== wantedUid) return conflict(`the set has uid ${uid}, the action is for ${wantedUid}`);
    const has = finalizers ?? [];
    if (has.includes(finalizer) === present) return this.#written(live);
    const others = has.filter((one) => one !== finalizer);
    return this.#patch(MERGE, { metadata: { uid, resourceVersion, finalizers: present ? [...others, finalizer] : others } });
  }

  async #get(): Promise<Raw> {
    return Raw.parse(await this.#api.get(this.#path(), this.#signal));
  }

  #path(subresource?: string): string {
    return this.#resource.path(this.#key.namespace, this.#name, subresource);
  }

  #written(thing: Raw): Result {
    const { name, uid = "", resourceVersion = "" } = (thing.value as Thing).metadata;
    return { write: { kind: this.#resource.kind, name, uid, resourceVersion } };
  }
}

/**
 * Returns the metadata by which the API server checks the precondition.
 *
 * It refuses another uid as the change of an immutable field, and another resource version as a conflict.
 */
function identity({ precondition }: Action): Record<string, string> {
  const { uid = "", resourceVersion = "", mustNotExist = false } = precondition ?? {};
  if (uid === "" && !mustNotExist) throw new RangeError("the action names no uid");
  return resourceVersion === "" ? { uid } : { uid, resourceVersion };
}

function owners(references: (OwnerReference | undefined)[]): Body[] {
  return references
    .filter((owner) => owner !== undefined)
    .map(({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }) => {
      // Absent and false mean the same, and most writers leave the field out.
      const flags = { ...(controller && { controller }), ...(blockOwnerDeletion && { blockOwnerDeletion }) };
      return { apiVersion, kind, name, uid, ...flags };
    });
}

/** Replaces conditions by the wanted ones of the same type, and keeps the text of the others. */
function merged(stored: Raw[], wanted: Condition[]): Body[] {
  const found = new Map<unknown, Body>(stored.map((condition) => [condition.get("type")?.value, condition]));
  for (const { type, status, reason, message, lastTransitionTime: at } of wanted) {
    const lastTransitionTime =
      at &&
      timestampDate(at)
        .toISOString()
        .replace(/\.\d+Z$/, "Z");
    found.set(type, { type, status, reason, message, lastTransitionTime });
  }
  return [...found.values()];
}

/** Reports whether what exists is what an earlier attempt has made: the same controller, and of a revision the same data. */
function isOurs(resource: Resource, manifest: Raw, live: Raw): boolean {
  const ours = controller(manifest);
  if (ours === undefined || ours !== controller(live)) return false;
  return resource !== REVISIONS || same(data(manifest), data(live));
}

function data(revision: Raw) {
  return parse(revision.get("data")?.bytes ?? Buffer.from("null"));
}

function controller(thing: Raw): string | undefined {
  return (thing.value as Thing).metadata.ownerReferences?.find((owner) => owner.controller)?.uid;
}

function isNotFound(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === NOT_FOUND;
}

function conflict(why: string): Result {
  return { error: new Error(why), outcome: OutcomeResult.CONFLICT };
}

/** Says what an error of the API server means to the planner. It calls another uid invalid, because a uid cannot change. */
function outcome(error: ApiError): OutcomeResult {
  if (error.status === CONFLICT || (error.status === INVALID && error.fields.includes("metadata.uid")))
    return OutcomeResult.CONFLICT;
  if (error.budget !== "") return OutcomeResult.DISRUPTION_BUDGET;
  return REJECTED.includes(error.status) || error.manyBudgets ? OutcomeResult.REJECTED : OutcomeResult.ERROR;
}

/** Writes JSON with what JSON.stringify cannot: numbers of 64 bits, and text as it stands. */
function encode(value: Body): string {
  if (value instanceof Raw) return value.text;
  if (typeof value === "bigint") return String(value);
  if (value === null || typeof value !== "object") return JSON.stringify(value ?? null);
  if (isList(value)) return `[${value.map(encode).join(",")}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${encode(member)}`).join(",")}}`;
}

function isList(value: Body): value is readonly Body[] {
  return Array.isArray(value);
}

/** Members that a merge patch removes. */
function nothing(keys: readonly string[]): Record<string, null> {
  return Object.fromEntries(keys.map((key) => [key, null]));
}

/** Sets the images of a list of containers, in their order: a pod whose containers change places is invalid. */
function imagesPatch(containers: string, images: readonly ContainerImage[]): Record<string, Body> {
  if (images.length === 0) return {};
  return {
    [`$setElementOrder/${containers}`]: images.map(({ name }) => ({ name })),
    [containers]: images.map(({ name, image }) => ({ name, image })),
  };
}

/** Sets what of the resources of a list of containers is named. As with images the order is part of the patch. */
function resourcesPatch(containers: string, resizes: readonly ContainerResize[]): Record<string, Body> {
  const isNamed = (of: Record<string, string>): boolean => Object.keys(of).length > 0;
  const changed = resizes
    .filter(({ requests, limits }) => isNamed(requests) || isNamed(limits))
    .map(({ name, requests, limits }) => ({
      name,
      resources: { ...(isNamed(requests) && { requests }), ...(isNamed(limits) && { limits }) },
    }));
  if (changed.length === 0) return {};
  return { [`$setElementOrder/${containers}`]: resizes.map(({ name }) => ({ name })), [containers]: changed };
}

/** Sets what a claim asks for, and labels and annotations; everything else stays as it is. */
function claimPatch(metadata: Record<string, string>, { request, attributesClass, labels, annotations }: PatchClaim): Patch {
  const spec = {
    ...(request !== "" && { resources: { requests: { storage: request } } }),
    ...(attributesClass !== "" && { volumeAttributesClassName: attributesClass }),
  };
  return {
    metadata: {
      ...metadata,
      ...(Object.keys(labels).length > 0 && { labels }),
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    ...(Object.keys(spec).length > 0 && { spec }),
  };
}
