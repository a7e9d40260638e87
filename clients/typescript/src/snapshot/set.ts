// The set: typed where the planner reads a field, text where Kubernetes owns the format.

import { create } from "@bufbuild/protobuf";

import type { Raw } from "../rawjson.js";
import {
  ClaimRetentionSchema,
  type IntOrPercent,
  IntOrPercentSchema,
  LabelRequirementSchema,
  type LabelSelector,
  LabelSelectorSchema,
  RollingUpdateSchema,
  type StatefulSet,
  StatefulSetSchema,
  type StatefulSetStatus,
  StatefulSetStatusSchema,
  type UpdateStrategy,
  UpdateStrategySchema,
} from "../v1/index.js";
import { conditions, identity, type Metadata, millis, type StoredCondition } from "./fields.js";

const BUILT_IN = "apps/v1";

interface Fields {
  [key: string]: Fields | undefined;
}

// The fields of the spec of apps/v1, which the contract has. Undefined: what is inside is not looked into.
const FIELDS: Fields = {
  minReadySeconds: undefined,
  ordinals: { start: undefined },
  persistentVolumeClaimRetentionPolicy: { whenDeleted: undefined, whenScaled: undefined },
  podManagementPolicy: undefined,
  replicas: undefined,
  revisionHistoryLimit: undefined,
  selector: undefined,
  serviceName: undefined,
  template: undefined,
  updateStrategy: { type: undefined, rollingUpdate: { maxUnavailable: undefined, partition: undefined } },
  volumeClaimTemplates: undefined,
};

interface Selector {
  matchLabels?: Record<string, string> | null;
  matchExpressions?: { key: string; operator: string; values?: string[] | null }[] | null;
}

interface Strategy {
  type?: string;
  rollingUpdate?: { partition?: number | null; maxUnavailable?: number | string | null } | null;
}

interface Spec {
  replicas?: number | null;
  ordinals?: { start?: number } | null;
  selector?: Selector | null;
  serviceName?: string | null;
  podManagementPolicy?: string | null;
  updateStrategy?: Strategy | null;
  minReadySeconds?: number | null;
  revisionHistoryLimit?: number | null;
  persistentVolumeClaimRetentionPolicy?: { whenDeleted?: string; whenScaled?: string } | null;
}

interface Status {
  replicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  currentReplicas?: number;
  updatedReplicas?: number;
  currentRevision?: string;
  updateRevision?: string;
  collisionCount?: number | null;
  conditions?: StoredCondition[] | null;
}

/** Puts a set into the contract's form. */
export function setMessage(set: Raw): StatefulSet {
  const object = set.value as { apiVersion: string; kind: string; metadata: Metadata; spec: Spec; status?: Status | null };
  const { apiVersion, kind, metadata, spec } = object;
  const retention = spec.persistentVolumeClaimRetentionPolicy;
  const raw = set.get("spec");
  const own = apiVersion === BUILT_IN || raw === undefined ? "" : beyond(raw, FIELDS);
  return create(StatefulSetSchema, {
    ...identity(metadata),
    apiVersion,
    kind,
    namespace: metadata.namespace ?? "",
    generation: set.int64("metadata", "generation"),
    deletionUnixMs: millis(metadata.deletionTimestamp),
    annotations: metadata.annotations ?? {},
    finalizers: metadata.finalizers ?? [],
    replicas: spec.replicas ?? undefined,
    ordinalsStart: spec.ordinals?.start ?? 0,
    selector: selector(spec.selector),
    serviceName: spec.serviceName ?? "",
    podManagementPolicy: spec.podManagementPolicy ?? "",
    updateStrategy: strategy(spec.updateStrategy),
    minReadySeconds: spec.minReadySeconds ?? 0,
    revisionHistoryLimit: spec.revisionHistoryLimit ?? undefined,
    claimRetention: retention
      ? create(ClaimRetentionSchema, { whenDeleted: retention.whenDeleted ?? "", whenScaled: retention.whenScaled ?? "" })
      : undefined,
    // A template that is null is text, too.
    podTemplate: raw?.members.get("template")?.bytes ?? new Uint8Array(),
    claimTemplates: (raw?.get("volumeClaimTemplates")?.items ?? []).map((template) => template.bytes),
    ownFields: new TextEncoder().encode(own),
    status: status(object.status ?? {}, set.int64("status", "observedGeneration")),
  });
}

function selector(of: Selector | null | undefined): LabelSelector | undefined {
  if (!of) return undefined;
  return create(LabelSelectorSchema, {
    matchLabels: of.matchLabels ?? {},
    matchExpressions: (of.matchExpressions ?? []).map(({ key, operator, values }) =>
      create(LabelRequirementSchema, { key, operator, values: values ?? [] }),
    ),
  });
}

/** Keeps a missing rollingUpdate apart from one with partition 0: they mean different things (SPEC.md, nil rollingUpdate). */
function strategy(of: Strategy | null | undefined): UpdateStrategy | undefined {
  if (!of || Object.keys(of).length === 0) return undefined;
  const rolling = of.rollingUpdate;
  return create(UpdateStrategySchema, {
    type: of.type ?? "",
    rollingUpdate: rolling
      ? create(RollingUpdateSchema, { partition: rolling.partition ?? 0, maxUnavailable: intOrPercent(rolling.maxUnavailable) })
      : undefined,
  });
}

function intOrPercent(value: number | string | null | undefined): IntOrPercent | undefined {
  if (value === null || value === undefined) return undefined;
  return create(IntOrPercentSchema, { value: typeof value === "string" ? { case: "percent", value } : { case: "count", value } });
}

function status(of: Status, observedGeneration: bigint): StatefulSetStatus {
  return create(StatefulSetStatusSchema, {
    observedGeneration,
    replicas: of.replicas ?? 0,
    readyReplicas: of.readyReplicas ?? 0,
    availableReplicas: of.availableReplicas ?? 0,
    currentReplicas: of.currentReplicas ?? 0,
    updatedReplicas: of.updatedReplicas ?? 0,
    currentRevision: of.currentRevision ?? "",
    updateRevision: of.updateRevision ?? "",
    collisionCount: of.collisionCount ?? undefined,
    conditions: conditions(of.conditions),
  });
}

/** Text of what an object has beyond these fields, as one JSON object; empty where there is nothing. */
function beyond(raw: Raw, fields: Fields): string {
  const rest: string[] = [];
  for (const [key, member] of raw.members) {
    const inside = fields[key];
    const text = !Object.hasOwn(fields, key) ? member.text : inside && beyond(member, inside);
    if (text) rest.push(`${JSON.stringify(key)}:${text}`);
  }
  return rest.length > 0 ? `{${rest.join(",")}}` : "";
}
