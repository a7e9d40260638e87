import { create, fromJson } from "@bufbuild/protobuf";
import { type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";

import { type Condition, ConditionSchema } from "../v1/index.js";

/** The metadata of an object, as far as it is read. */
export interface Metadata {
  name: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  deletionTimestamp?: string;
  creationTimestamp?: string;
  labels?: Record<string, string> | null;
  annotations?: Record<string, string> | null;
  finalizers?: string[] | null;
  ownerReferences?: Owner[] | null;
}

/** An owner reference of an object. */
export interface Owner {
  apiVersion?: string;
  kind?: string;
  name?: string;
  uid?: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** Any object. */
export interface Thing {
  metadata: Metadata;
}

/** Reads a time of the API server, RFC 3339. */
export function moment(text: string | undefined): Timestamp | undefined {
  return text ? fromJson(TimestampSchema, text) : undefined;
}

/** Reads a time into the contract's form, milliseconds since the epoch. 0 where there is none. */
export function millis(text: string | undefined): bigint {
  return text ? BigInt(Date.parse(text)) : 0n;
}

const decoder = { ignoreBOM: true };

/** Cuts a text at a number of bytes, where a character ends. */
export function cut(text: string, bytes: number): string {
  return new TextDecoder("utf-8", decoder).decode(Buffer.from(text).subarray(0, bytes), { stream: true }); // half a character stays out
}

/** Name, uid and resource version of an object, as the messages of all kinds have them. */
export function identity(metadata: Metadata): { name: string; uid: string; resourceVersion: string } {
  return { name: metadata.name, uid: metadata.uid ?? "", resourceVersion: metadata.resourceVersion ?? "" };
}

/** A condition as the API server has it. */
export interface StoredCondition {
  type: string;
  status?: string | null;
  reason?: string | null;
  message?: string | null;
  lastTransitionTime?: string | null;
}

/** Puts conditions into the contract's form, in the object's order. */
export function conditions(of: StoredCondition[] | null | undefined): Condition[] {
  return (of ?? []).map((c) =>
    create(ConditionSchema, {
      type: c.type,
      status: c.status ?? "",
      reason: c.reason ?? "",
      message: c.message ?? "",
      lastTransitionTime: moment(c.lastTransitionTime ?? undefined),
    }),
  );
}
