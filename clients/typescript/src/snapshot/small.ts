// Claims and revisions.

import { create } from "@bufbuild/protobuf";

import type { Raw } from "../rawjson.js";
import { type Claim, ClaimPhase, ClaimSchema, type Revision, RevisionSchema } from "../v1/index.js";
import { identity, type Metadata, millis, type Thing } from "./fields.js";
import type { Tables } from "./tables.js";

const PHASES = new Map<string | undefined, ClaimPhase>([
  ["Pending", ClaimPhase.PENDING],
  ["Bound", ClaimPhase.BOUND],
  ["Lost", ClaimPhase.LOST],
]);

/** Puts a claim into the contract's form. */
export function claimMessage(tables: Tables, claim: Raw): Claim {
  const { metadata, status } = claim.value as { metadata: Metadata; status?: { phase?: string } | null };
  return create(ClaimSchema, {
    ...identity(metadata),
    deletionUnixMs: millis(metadata.deletionTimestamp),
    phase: PHASES.get(status?.phase) ?? ClaimPhase.UNSPECIFIED,
    ownerSetIndex: tables.owners(metadata.ownerReferences ?? []),
    annotationSetIndex: tables.annotations(metadata.annotations ?? {}),
  });
}

/** Puts a revision into the contract's form. Its data is sent as it stands. */
export function revisionMessage(tables: Tables, revision: Raw): Revision {
  const { metadata } = revision.value as Thing;
  return create(RevisionSchema, {
    ...identity(metadata),
    number: revision.int64("revision"),
    ownerSetIndex: tables.owners(metadata.ownerReferences ?? []),
    labels: metadata.labels ?? {},
    createdUnixMs: millis(metadata.creationTimestamp),
    data: revision.get("data")?.bytes ?? new Uint8Array(),
  });
}
