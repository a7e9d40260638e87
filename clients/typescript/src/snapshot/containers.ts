// What runs in a pod whose images or resources change in place.

import { create } from "@bufbuild/protobuf";

import type { Raw } from "../rawjson.js";
import { type Container, ContainerSchema, type PodContainers, PodContainersSchema } from "../v1/index.js";
import { type Metadata, millis, type StoredCondition } from "./fields.js";
import { containerResources, isNothing, podResize, type Resources } from "./resources.js";

const UPDATE = "setplan.io/in-place-update";

/** A container of a pod's spec, as far as it is read. */
export interface ContainerSpec {
  name: string;
  image?: string | null;
  env?: { name?: string }[] | null;
  resources?: Resources | null;
}

/** A container's entry in the status of a pod, as far as it is read. */
export interface ContainerStatus {
  name: string;
  image?: string | null;
  imageID?: string | null;
  containerID?: string | null;
  resources?: Resources | null;
  state?: {
    running?: { startedAt?: string | null } | null;
    waiting?: { reason?: string | null } | null;
    terminated?: { message?: string } | null;
  } | null;
}

/** What is read of a pod. */
export interface Parts {
  spec: { containers?: ContainerSpec[] | null; initContainers?: ContainerSpec[] | null };
  status: {
    conditions?: StoredCondition[] | null;
    containerStatuses?: ContainerStatus[] | null;
    initContainerStatuses?: ContainerStatus[] | null;
  };
}

/** Tells what runs in a pod that has the annotation, whatever that says. Of others nobody needs it. */
export function podContainers(pod: Raw, metadata: Metadata, { spec, status }: Parts): PodContainers | undefined {
  if (!Object.hasOwn(metadata.annotations ?? {}, UPDATE)) return undefined;
  const conditions = status.conditions ?? [];
  return create(PodContainersSchema, {
    generation: pod.int64("metadata", "generation"),
    observedGeneration: pod.int64("status", "observedGeneration"),
    containers: containers(spec.containers ?? [], status.containerStatuses ?? []),
    initContainers: containers(spec.initContainers ?? [], status.initContainerStatuses ?? []),
    resizePending: podResize(pod, conditions, "PodResizePending"),
    resizeInProgress: podResize(pod, conditions, "PodResizeInProgress"),
  });
}

/** Puts the containers of a spec into the contract's form, each with the status of its name. */
function containers(specs: ContainerSpec[], statuses: ContainerStatus[]): Container[] {
  const byName = new Map(statuses.map((status) => [status.name, status]));
  return specs.map(({ name, image, resources }) => {
    const status = byName.get(name);
    const wanted = containerResources(resources ?? {});
    return create(ContainerSchema, {
      name,
      image: image ?? "",
      statusImage: status?.image ?? "",
      imageId: status?.imageID ?? "",
      containerId: status?.containerID ?? "",
      startedUnixMs: millis(status?.state?.running?.startedAt ?? undefined),
      waitingReason: status?.state?.waiting?.reason ?? "",
      resources: isNothing(wanted) ? undefined : wanted,
      statusResources: status?.resources ? containerResources(status.resources) : undefined,
    });
  });
}
