import { create, toJsonString } from "@bufbuild/protobuf";

import {
  AnnotationSetSchema,
  type ClaimStorage,
  ClaimStorageSchema,
  LabelSetSchema,
  OwnerReferenceSchema,
  OwnerSetSchema,
  TablesSchema,
  VolumeSetSchema,
} from "../v1/index.js";
import type { Owner } from "./fields.js";

const ANNOTATION_PREFIX = "setplan.io/";

/**
 * The tables of a snapshot: what pods, claims and revisions share is sent once. The first entry of each table is empty, so that index
 * 0, the value of an unset field, means none.
 */
export class Tables {
  /** The tables so far. */
  readonly message = create(TablesSchema);
  readonly #places = new Map<unknown[], Map<string, number>>();

  /** Returns the index of these labels. */
  labels(labels: Record<string, string>): number {
    return this.#at(this.message.labelSets, sorted(labels), (own) => create(LabelSetSchema, { labels: Object.fromEntries(own) }));
  }

  /** Returns the index of these owner references, in the object's order. */
  owners(references: Owner[]): number {
    const owners = references.map((r) => ({
      apiVersion: r.apiVersion ?? "",
      kind: r.kind ?? "",
      name: r.name ?? "",
      uid: r.uid ?? "",
      controller: r.controller ?? false,
      blockOwnerDeletion: r.blockOwnerDeletion ?? false,
    }));
    return this.#at(this.message.ownerSets, owners, (own) =>
      create(OwnerSetSchema, { owners: own.map((owner) => create(OwnerReferenceSchema, owner)) }),
    );
  }

  /** Returns the index of the value of the label controller-revision-hash; undefined is a pod without the label. */
  revisionName(name: string | undefined): number {
    return this.#at(this.message.revisionNames, name === undefined ? [] : [name], ([own]) => own ?? "");
  }

  /** Returns the index of these volumes. */
  volumes(volumes: string[]): number {
    return this.#at(this.message.volumeSets, volumes, (own) => create(VolumeSetSchema, { volumes: own }));
  }

  /** Returns the index of those annotations that a snapshot carries: all under our prefix, known or not, and no others (D5). */
  annotations(annotations: Record<string, string>): number {
    const ours = sorted(annotations).filter(([key]) => key.startsWith(ANNOTATION_PREFIX));
    return this.#at(this.message.annotationSets, ours, (own) =>
      create(AnnotationSetSchema, { annotations: Object.fromEntries(own) }),
    );
  }

  /** Returns the index of what a claim asks for and has. */
  claimStorage(storage: ClaimStorage): number {
    const text = toJsonString(ClaimStorageSchema, storage);
    return this.#at(this.message.claimStorages, text === "{}" ? [] : [text], ([own]) =>
      own === undefined ? create(ClaimStorageSchema) : storage,
    );
  }

  /** Returns the place of an entry that is made of parts; without parts there is none. */
  #at<T, Part>(table: T[], parts: Part[], entry: (parts: Part[]) => T): number {
    if (parts.length === 0) return 0;
    if (table.length === 0) table.push(entry([]));
    const places = this.#places.get(table) ?? new Map<string, number>();
    this.#places.set(table, places);
    const key = JSON.stringify(parts);
    const place = places.get(key) ?? table.push(entry(parts)) - 1;
    places.set(key, place);
    return place;
  }
}

function sorted(of: Record<string, string>): [string, string][] {
  return Object.entries(of).sort(([a], [b]) => (a < b ? -1 : 1));
}
