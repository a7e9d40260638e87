// Pods: what a decision needs of them, and not the whole spec.

import { create } from "@bufbuild/protobuf";

import type { Raw } from "../rawjson.js";
import { type ClaimBinding, ClaimBindingSchema, type Pod, PodPhase, PodSchema } from "../v1/index.js";
import { type ContainerSpec, type ContainerStatus, podContainers } from "./containers.js";
import { cut, identity, type Metadata, millis, type StoredCondition } from "./fields.js";
import type { Tables } from "./tables.js";

const PHASES = new Map<string | undefined, PodPhase>([
  ["Pending", PodPhase.PENDING],
  ["Running", PodPhase.RUNNING],
  ["Succeeded", PodPhase.SUCCEEDED],
  ["Failed", PodPhase.FAILED],
  ["Unknown", PodPhase.UNKNOWN],
]);
const POD_NAME = "statefulset.kubernetes.io/pod-name";
const POD_INDEX = "apps.kubernetes.io/pod-index";
const REVISION = "controller-revision-hash";

const TOKEN = "SETPLAN_DRAIN_TOKEN";
const MAX_TERMINATION_MESSAGE = 4096; // bytes: all that a kubelet keeps

interface Spec {
  volumes?: { name: string; persistentVolumeClaim?: { claimName: string } | null }[] | null;
  containers?: ContainerSpec[] | null;
  initContainers?: ContainerSpec[] | null;
}

interface Status {
  phase?: string;
  startTime?: string;
  conditions?: StoredCondition[] | null;
  containerStatuses?: ContainerStatus[] | null;
  initContainerStatuses?: ContainerStatus[] | null;
}

/** Puts a pod into the contract's form. */
export function podMessage(tables: Tables, pod: Raw): Pod {
  const object = pod.value as { metadata: Metadata; spec?: Spec | null; status?: Status | null };
  const { metadata } = object;
  const spec = object.spec ?? {};
  const status = object.status ?? {};
  const conditions = new Map((status.conditions ?? []).map((condition) => [condition.type, condition]));
  const ready = conditions.get("Ready");
  const isReady = ready?.status === "True";
  const { own, others } = claims(metadata.name, spec);
  return create(PodSchema, {
    ...identity(metadata),
    ...labels(tables, metadata.name, metadata.labels ?? {}),
    deletionUnixMs: millis(metadata.deletionTimestamp),
    createdUnixMs: millis(metadata.creationTimestamp),
    phase: PHASES.get(status.phase) ?? PodPhase.UNSPECIFIED,
    ready: isReady,
    readyChangedUnixMs: millis(ready?.lastTransitionTime ?? undefined),
    startedUnixMs: isReady ? 0n : millis(status.startTime),
    disrupted: conditions.get("DisruptionTarget")?.status === "True",
    ownerSetIndex: tables.owners(metadata.ownerReferences ?? []),
    annotationSetIndex: tables.annotations(metadata.annotations ?? {}),
    volumeSetIndex: tables.volumes(own),
    otherClaims: others,
    terminationMessages: terminationMessages(spec, status),
    containers: podContainers(pod, metadata, { spec, status }),
  });
}

/** Takes an identity label out of the label set if its field says the same. */
function labels(tables: Tables, name: string, labels: Record<string, string>) {
  const [, digits] = /-([0-9]+)$/.exec(name) ?? [];
  const rest = new Map(Object.entries(labels));
  const revision = rest.get(REVISION);
  rest.delete(REVISION);
  const podNameLabel = rest.get(POD_NAME) === name;
  const podIndexLabel = digits !== undefined && rest.get(POD_INDEX) === digits;
  if (podNameLabel) rest.delete(POD_NAME);
  if (podIndexLabel) rest.delete(POD_INDEX);
  return {
    podNameLabel,
    podIndexLabel,
    labelSetIndex: tables.labels(Object.fromEntries(rest)),
    revisionNameIndex: tables.revisionName(revision),
  };
}

/** Splits the bound volumes into those with the claim name that a set would choose, and the others. */
function claims(name: string, spec: Spec): { own: string[]; others: ClaimBinding[] } {
  const own: string[] = [];
  const others: ClaimBinding[] = [];
  for (const { name: volume, persistentVolumeClaim } of spec.volumes ?? []) {
    if (!persistentVolumeClaim) continue;
    const claim = persistentVolumeClaim.claimName;
    if (claim === `${volume}-${name}`) own.push(volume);
    else others.push(create(ClaimBindingSchema, { volume, claim }));
  }
  return { own, others };
}

/** Lists the messages of the containers that were given a token. */
function terminationMessages(spec: Spec, status: Status): string[] {
  const asked = (spec.containers ?? []).filter(({ env }) => (env ?? []).some((variable) => variable.name === TOKEN));
  return asked.map(({ name }) => {
    const ended = (status.containerStatuses ?? []).find((container) => container.name === name);
    return cut(ended?.state?.terminated?.message ?? "", MAX_TERMINATION_MESSAGE);
  });
}
