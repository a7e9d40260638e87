import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";

import { type PlanRequest, PlanRequestSchema, type PolicySchema } from "./v1.js";

/** What else there is to say of a set beside its name and its documents. */
export interface RequestOptions {
  /** The namespace; without it, that of the only set in the documents with this name. */
  namespace?: string | undefined;
  /** The API version; `apps/v1` without it. */
  apiVersion?: string | undefined;
  /** The kind; `StatefulSet` without it. */
  kind?: string | undefined;
  /** When the API server sent the documents; now, without it. */
  observedAt?: Date | undefined;
  /**
   * The kinds of which the documents have every object in the namespace. The planner counts an object as absent only if its kind is
   * listed here, or was listed by the API server itself; kubectl's `List` does not tell.
   */
  complete?: readonly ("pods" | "claims" | "revisions")[] | undefined;
  /** The set as the API server would store it after an edit: what `kubectl apply --dry-run=server -o json` prints. */
  editedSet?: string | Uint8Array | undefined;
  /** How to decide; the annotations of the set say it otherwise. */
  policy?: MessageInitShape<typeof PolicySchema> | undefined;
}

/**
 * Makes a request of JSON documents as the API server sent them: objects, typed lists, and what
 * `kubectl get sts,pods,pvc,controllerrevisions -o json` prints. The planner reads them, and picks what belongs to the set.
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
