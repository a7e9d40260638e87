// What runs in a pod whose images change in place.

import { create } from "@bufbuild/protobuf";

import type { Raw } from "../rawjson.js";
import { type Container, ContainerSchema, type PodContainers, PodContainersSchema } from "../v1/index.js";
import { type Metadata, millis } from "./fields.js";

const UPDATE = "setplan.io/in-place-update";

/** A container of a pod's spec, as far as it is read. */
export interface ContainerSpec {
  name: string;
  image?: string | null;
  env?: { name?: string }[] | null;
}

/** A container's entry in the status of a pod, as far as it is read. */
export interface ContainerStatus {
  name: string;
  image?: string | null;
  imageID?: string | null;
  containerID?: string | null;
  state?: {
    running?: { startedAt?: string | null } | null;
    waiting?: { reason?: string | null } | null;
    terminated?: { message?: string } | null;
  } | null;
}

/** The lists of containers of a pod. */
export interface Lists {
  spec: { containers?: ContainerSpec[] | null; initContainers?: ContainerSpec[] | null };
  status: { containerStatuses?: ContainerStatus[] | null; initContainerStatuses?: ContainerStatus[] | null };
}

/** Tells what runs in a pod that has the annotation, whatever that says. Of others nobody needs it. */
export function podContainers(pod: Raw, metadata: Metadata, { spec, status }: Lists): PodContainers | undefined {
  if (!Object.hasOwn(metadata.annotations ?? {}, UPDATE)) return undefined;
  return create(PodContainersSchema, {
    generation: pod.int64("metadata", "generation"),
    observedGeneration: pod.int64("status", "observedGeneration"),
    containers: containers(spec.containers ?? [], status.containerStatuses ?? []),
    initContainers: containers(spec.initContainers ?? [], status.initContainerStatuses ?? []),
  });
}

/** Puts the containers of a spec into the contract's form, each with the status of its name. */
function containers(specs: ContainerSpec[], statuses: ContainerStatus[]): Container[] {
  const byName = new Map(statuses.map((status) => [status.name, status]));
  return specs.map(({ name, image }) => {
    const status = byName.get(name);
    return create(ContainerSchema, {
      name,
      image: image ?? "",
      statusImage: status?.image ?? "",
      imageId: status?.imageID ?? "",
      containerId: status?.containerID ?? "",
      startedUnixMs: millis(status?.state?.running?.startedAt ?? undefined),
      waitingReason: status?.state?.waiting?.reason ?? "",
    });
  });
}
