import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";

import { Raw } from "../rawjson.js";
import { type Coverage, type Snapshot, SnapshotSchema } from "../v1/index.js";
import * as membership from "./membership.js";
import { podMessage } from "./pod.js";
import { setMessage } from "./set.js";
import { claimMessage, revisionMessage } from "./small.js";
import { Tables } from "./tables.js";

/** What a snapshot is made from. The lists may hold objects of other sets and namespaces, in any order. */
export interface Objects {
  /** The set. */
  set: Raw;
  pods?: Iterable<Raw>;
  claims?: Iterable<Raw>;
  revisions?: Iterable<Raw>;
  /** The other sets, which may use the same claim names. The set itself may be among them. */
  otherSets?: Iterable<Raw>;
}

/**
 * Takes the objects out of a list that the API server sent. SyntaxError: it is no JSON.
 *
 * The items of a list do not say their kind and version; they get those of the list, because a snapshot has the set's.
 */
export function items(listed: string | Uint8Array): Raw[] {
  const raw = Raw.parse(listed);
  const { apiVersion, kind } = raw.value as { apiVersion?: string; kind?: string };
  const head = `{"apiVersion":${JSON.stringify(apiVersion ?? "")},"kind":${JSON.stringify((kind ?? "").replace(/List$/, ""))},`;
  return (raw.get("items")?.items ?? []).map((item) => (item.members.has("kind") ? item : Raw.parse(head + item.text.slice(1))));
}

/**
 * Makes the snapshot of a set, without the caller's part: outcomes and policy.
 *
 * Name in `coverage` only the kinds whose lists are complete (A2). TypeError: an object is not what an API server sends.
 */
export function of(objects: Objects, coverage: Coverage, observedAt: Date): Snapshot {
  const tables = new Tables();
  const { set, pods = [], claims = [], revisions = [], otherSets = [] } = objects;
  try {
    const past = membership.revisions(set, revisions);
    return create(SnapshotSchema, {
      observedAt: timestampFromDate(observedAt),
      coverage,
      set: setMessage(set),
      pods: membership.pods(set, pods).map((pod) => podMessage(tables, pod)),
      claims: membership.claims(set, claims, past).map((claim) => claimMessage(tables, claim)),
      revisions: past.map((revision) => revisionMessage(tables, revision)),
      claimNeighbours: membership.neighbours(set, otherSets, past),
      tables: tables.message,
    });
  } catch (error) {
    throw new TypeError(`an object is not what an API server sends: ${String(error)}`, { cause: error });
  }
}
