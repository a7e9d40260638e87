import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";

import { type PlanRequest, PlanRequestSchema, type PolicySchema } from "./v1.js";

/** What a request can say beside the set's name and its documents. */
export interface RequestOptions {
  /** The namespace; required if the documents have several sets of this name. */
  namespace?: string | undefined;
  /** The API version; the default is `apps/v1`. */
  apiVersion?: string | undefined;
  /** The kind; the default is `StatefulSet`. */
  kind?: string | undefined;
  /** When the API server sent the documents; the default is now. */
  observedAt?: Date | undefined;
  /**
   * The kinds whose every object in the namespace is in the documents. Of another kind, a missing object may still exist. A typed list,
   * such as a PodList, is complete without being named here unless it is one page of several, so never send one that a selector has
   * filtered.
   */
  complete?: readonly ("pods" | "claims" | "revisions")[] | undefined;
  /** The set as the API server would store it after an edit: what `kubectl apply --dry-run=server -o json` prints. */
  editedSet?: string | Uint8Array | undefined;
  /** How to decide; the default is what the set's annotations say. */
  policy?: MessageInitShape<typeof PolicySchema> | undefined;
}

/**
 * Makes a request from JSON documents as the API server sent them: objects, typed lists, or what
 * `kubectl get sts,pods,pvc,controllerrevisions -o json` prints. The planner reads them and picks those of the set.
 */
export function planRequest(documents: readonly (string | Uint8Array)[], name: string, options: RequestOptions = {}): PlanRequest {
  const { observedAt = new Date(), complete = [], editedSet = "", ...rest } = options;
  return create(PlanRequestSchema, {
    objects: {
      ...rest,
      name,
      documents: documents.map(bytes),
      editedSet: bytes(editedSet),
      observedAt: timestampFromDate(observedAt),
      coverage: Object.fromEntries(complete.map((kind) => [kind, true])),
    },
  });
}

function bytes(document: string | Uint8Array): Uint8Array {
  return typeof document === "string" ? new TextEncoder().encode(document) : document;
}
