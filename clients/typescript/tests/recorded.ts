// A namespace as kubectl prints it, made of the objects of a vector.

import { Vector } from "./vectors.js";

interface StatefulSet {
  metadata: { name: string; generation: number };
  spec: {
    replicas: number;
    podManagementPolicy?: string;
    updateStrategy?: object;
    template: { spec: { containers: { image: string }[] } };
  };
}

export type Edit = (spec: StatefulSet["spec"]) => void;

export interface List {
  apiVersion: "v1";
  kind: "List";
  items: [StatefulSet, ...object[]];
}

/** Returns what kubectl prints where the objects of a vector are there. The set is the first. */
export function listed(vector: string): List {
  const items = new Vector(vector).documents.map((text) => JSON.parse(text) as unknown);
  return { apiVersion: "v1", kind: "List", items: items as List["items"] };
}

/** Returns the set as the API server would store it after an edit. */
export function edited({ items: [now] }: List, edit: Edit): string {
  const set = structuredClone(now);
  edit(set.spec);
  if (JSON.stringify(set) !== JSON.stringify(now)) set.metadata.generation++;
  return JSON.stringify(set);
}

/** Makes an edit of the image of each container. */
export function image(name: string): Edit {
  return ({ template }) => {
    for (const container of template.spec.containers) container.image = name;
  };
}
