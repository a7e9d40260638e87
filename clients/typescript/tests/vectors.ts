// The vectors of the contract, and what kubectl prints where their objects are there.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { fromJson, type JsonValue, toBinary } from "@bufbuild/protobuf";
import { PlanRequestSchema } from "@setplan/client/v1";

import { ROOT } from "./servers.js";

const FOLDER = process.env.SETPLAN_VECTORS ?? path.join(ROOT, "proto", "testdata", "vectors");

interface Content {
  limits?: Record<string, number>;
  objects?: object;
  request?: JsonValue;
  requestBytes?: string;
  plan?: JsonValue;
  error?: Record<string, unknown> & { status?: string };
}

export interface Vector {
  readonly name: string;
  readonly text: string;
  readonly content: Content;
}

export function read(name: string): Vector {
  const text = readFileSync(path.join(FOLDER, name), "utf8");
  return { name, text, content: JSON.parse(text) as Content };
}

export function readAll(): Vector[] {
  const names = readdirSync(FOLDER, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".json")).map(read);
}

/** Returns what is sent. Of a later release's request, protobuf-es keeps what it does not know. */
export function requestOf({ content: { request, requestBytes } }: Vector): Uint8Array {
  if (requestBytes !== undefined) return Buffer.from(requestBytes, "base64");
  return toBinary(PlanRequestSchema, fromJson(PlanRequestSchema, request ?? null));
}

/** Returns the objects as they stand in the file: JSON.parse would lose digits of numbers, and keys that stand twice. */
export function documents({ text }: Vector): string[] {
  const found: string[] = [];
  let depth = 0;
  let key = "";
  let begun: { at: number; depth: number } | undefined;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (token === "{" && depth >= 2 && key === '"objects"') begun ??= { at: index, depth };
    if (token === "{" || token === "[") depth++;
    else if (token !== "}" && token !== "]")
      key = depth === 1 ? token : key; // or a text, which the next key follows
    else if (--depth === begun?.depth) {
      found.push(text.slice(begun.at, index + 1));
      begun = undefined;
    }
  }
  return found;
}

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

/** Returns the List that kubectl prints. The set is the first. */
export function listed(vector: string): { items: [StatefulSet, ...object[]] } {
  const items = documents(read(vector)).map((text) => JSON.parse(text) as unknown);
  return { apiVersion: "v1", kind: "List", items } as unknown as { items: [StatefulSet] };
}

/** Returns the set as the API server would store it after an edit. */
export function edited({ items: [now] }: ReturnType<typeof listed>, edit: Edit): string {
  const set = structuredClone(now);
  edit(set.spec);
  if (JSON.stringify(set) !== JSON.stringify(now)) set.metadata.generation++;
  return JSON.stringify(set);
}

export function image(name: string): Edit {
  return ({ template }) => {
    for (const container of template.spec.containers) container.image = name;
  };
}
