// The vectors of the contract, which no code of ours has made.

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

/** One file. */
export class Vector {
  readonly name: string;
  readonly content: Content;

  constructor(name: string) {
    this.name = name;
    this.content = JSON.parse(readFileSync(path.join(FOLDER, name), "utf8")) as Content;
  }

  /** What is sent. Of a later release's request, protobuf-es keeps what it does not know. */
  get request(): Uint8Array {
    const { request, requestBytes } = this.content;
    if (requestBytes !== undefined) return Buffer.from(requestBytes, "base64");
    return toBinary(PlanRequestSchema, fromJson(PlanRequestSchema, request ?? null));
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
