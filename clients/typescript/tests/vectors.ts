// The vectors of the contract, which no code of ours has made.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { fromBinary, fromJson, type JsonValue, toBinary } from "@bufbuild/protobuf";
import { Raw } from "@setplan/client/rawjson";
import type { Objects } from "@setplan/client/snapshot";
import { type Plan, type PlanRequest, PlanRequestSchema, PlanSchema } from "@setplan/client/v1";

import { ROOT } from "./servers.js";

const FOLDER = path.join(ROOT, "proto", "testdata", "vectors");

interface Content {
  limits?: Record<string, number>;
  objects?: object;
  request?: JsonValue;
  requestBytes?: string;
  plan?: JsonValue;
  error?: Record<string, unknown> & { status?: string };
}

/** One file. */
export class Vector {
  readonly name: string;
  readonly content: Content;
  readonly #text: string;

  constructor(name: string) {
    this.name = name;
    this.#text = readFileSync(path.join(FOLDER, name), "utf8");
    this.content = JSON.parse(this.#text) as Content;
  }

  /** The request. Of a later release's, protobuf-es keeps what it does not know. */
  get request(): PlanRequest {
    if (this.content.requestBytes !== undefined) return fromBinary(PlanRequestSchema, this.requestBytes);
    return fromJson(PlanRequestSchema, this.content.request ?? null);
  }

  /** What is sent. */
  get requestBytes(): Uint8Array {
    const { requestBytes } = this.content;
    return requestBytes === undefined ? toBinary(PlanRequestSchema, this.request) : Buffer.from(requestBytes, "base64");
  }

  /** The plan that comes back. */
  get plan(): Plan {
    return fromJson(PlanSchema, this.content.plan ?? null);
  }

  /** The objects that become the request, as they stand in the file. */
  get objects(): Objects {
    const objects = Raw.parse(this.#text).get("objects");
    const set = objects?.get("set");
    if (!objects || !set) throw new Error("the vector has no objects");
    const list = (key: string) => objects.get(key)?.items ?? [];
    return { set, pods: list("pods"), claims: list("claims"), revisions: list("revisions"), otherSets: list("otherSets") };
  }

  /** The flags of a server with the limits. */
  get flags(): string[] {
    return Object.entries(this.content.limits ?? {}).map(
      ([name, value]) => `--${name.replace(/[A-Z]/g, (c) => "-" + c.toLowerCase())}=${String(value)}`,
    );
  }
}

/** Reads all vectors. */
export function read(): Vector[] {
  return readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => new Vector(name));
}
