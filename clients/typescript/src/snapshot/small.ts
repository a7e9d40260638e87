// Claims and revisions.

import { create } from "@bufbuild/protobuf";

import type { Raw } from "../rawjson.js";
import {
  type Claim,
  ClaimPhase,
  ClaimSchema,
  type ClaimStorage,
  ClaimStorageSchema,
  type Revision,
  RevisionSchema,
} from "../v1/index.js";
import { conditions, identity, type Metadata, millis, type StoredCondition, type Thing } from "./fields.js";
import type { Tables } from "./tables.js";

const PHASES = new Map<string | undefined, ClaimPhase>([
  ["Pending", ClaimPhase.PENDING],
  ["Bound", ClaimPhase.BOUND],
  ["Lost", ClaimPhase.LOST],
]);

interface Amounts {
  storage?: string;
}

interface ClaimSpec {
  resources?: { requests?: Amounts | null } | null;
  storageClassName?: string | null;
  volumeAttributesClassName?: string | null;
}

interface ClaimStatus {
  phase?: string;
  capacity?: Amounts | null;
  allocatedResourceStatuses?: Amounts | null;
  currentVolumeAttributesClassName?: string | null;
  modifyVolumeStatus?: { status?: string } | null;
  conditions?: StoredCondition[] | null;
}

/** Puts a claim into the contract's form. */
export function claimMessage(tables: Tables, claim: Raw): Claim {
  const { metadata, spec, status } = claim.value as { metadata: Metadata; spec?: ClaimSpec | null; status?: ClaimStatus | null };
  return create(ClaimSchema, {
    ...identity(metadata),
    deletionUnixMs: millis(metadata.deletionTimestamp),
    phase: PHASES.get(status?.phase) ?? ClaimPhase.UNSPECIFIED,
    ownerSetIndex: tables.owners(metadata.ownerReferences ?? []),
    annotationSetIndex: tables.annotations(metadata.annotations ?? {}),
    storageIndex: tables.claimStorage(storageOf(spec ?? {}, status ?? {})),
  });
}

/** What a claim asks for and what it has, with the texts of the API server. */
function storageOf(spec: ClaimSpec, status: ClaimStatus): ClaimStorage {
  return create(ClaimStorageSchema, {
    request: spec.resources?.requests?.storage ?? "",
    capacity: status.capacity?.storage ?? "",
    resizeStatus: status.allocatedResourceStatuses?.storage ?? "",
    storageClass: spec.storageClassName ?? "",
    attributesClass: spec.volumeAttributesClassName ?? "",
    currentAttributesClass: status.currentVolumeAttributesClassName ?? "",
    modifyStatus: status.modifyVolumeStatus?.status ?? "",
    conditions: conditions(status.conditions),
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
