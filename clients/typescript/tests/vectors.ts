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
  readonly #text: string;

  constructor(name: string) {
    this.name = name;
    this.#text = readFileSync(path.join(FOLDER, name), "utf8");
    this.content = JSON.parse(this.#text) as Content;
  }

  /** What is sent. Of a later release's request, protobuf-es keeps what it does not know. */
  get request(): Uint8Array {
    const { request, requestBytes } = this.content;
    if (requestBytes !== undefined) return Buffer.from(requestBytes, "base64");
    return toBinary(PlanRequestSchema, fromJson(PlanRequestSchema, request ?? null));
  }

  /**
   * The text of each object, as it stands in the file: numbers keep their digits, and keys that stand twice stay. JSON.parse would keep
   * neither.
   */
  get documents(): string[] {
    const found: string[] = [];
    let depth = 0;
    let key = "";
    let begun: { at: number; depth: number } | undefined;
    for (const { 0: token, index } of this.#text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
      if (token === "}" || token === "]") {
        depth--;
        if (begun?.depth !== depth) continue;
        found.push(this.#text.slice(begun.at, index + 1));
        begun = undefined;
      } else if (token === "{" || token === "[") {
        if (key === '"objects"' && depth >= 2 && token === "{") begun ??= { at: index, depth };
        depth++;
      } else if (depth === 1) {
        key = token; // or a text, which the next key follows
      }
    }
    return found;
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
