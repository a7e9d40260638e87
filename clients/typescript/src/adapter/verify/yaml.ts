// YAML as kubectl reads it: yes and on are true, and a date is a text.

import { isAlias, isMap, isScalar, isSeq, Lexer, type Node, parseDocument, Parser, Scalar, visit } from "yaml";

import { type Json, JsonNumber } from "./json.js";

const MAX_YAML = 64 << 10; // bytes
const MAX_DEPTH = 200; // of values in each other, as the planner takes it
const MAX_OPEN = MAX_DEPTH + 8; // and the document, and what is not finished yet

const NULL = new Set(["", "~", "null", "Null", "NULL"]);
const TRUE = new Set(["true", "True", "TRUE", "y", "Y", "yes", "Yes", "YES", "on", "On", "ON"]);
const FALSE = new Set(["false", "False", "FALSE", "n", "N", "no", "No", "NO", "off", "Off", "OFF"]);
const DECIMAL = /^-?(0|[1-9][0-9]*)$/;
const OCTAL = /^0[0-7]+$/;
const INTEGER = /^[-+]?(0[xob]|[0-9])[0-9a-fA-F_]*$/;
const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const TEXT = "tag:yaml.org,2002:str";

/** Reads a document; null if it cannot be read, or has anchors or aliases, which can make much of little. */
export function parseYaml(text: Uint8Array): Json {
  if (text.length > MAX_YAML) return null;
  const source = Buffer.from(text).toString();
  if (isDeep(source)) return null;
  // An error that is told prettily has a copy of its line, and a line may have as many errors as characters.
  const document = parseDocument(source, { schema: "failsafe", uniqueKeys: false, logLevel: "error", prettyErrors: false });
  let odd = document.errors.length > 0;
  visit(document, {
    Node: (_, node) => {
      odd ||= isAlias(node) || node.anchor !== undefined || (isScalar(node) && node.tag !== undefined && node.tag !== TEXT);
    },
  });
  return odd ? null : valueOf(document.contents);
}

/**
 * Reports whether values lie so deep in each other that who reads them by recursion fails, which ends the process where it is a regular
 * expression that finds no memory. The parser of tokens has a stack of its own.
 */
function isDeep(source: string): boolean {
  const parser = new Parser();
  for (const token of new Lexer().lex(source)) {
    Array.from(parser.next(token)); // which does the work
    if (parser.stack.length > MAX_OPEN) return true;
  }
  return false;
}

function valueOf(node: unknown): Json {
  if (isMap<Node, Node>(node))
    return new Map(node.items.map(({ key, value }) => [isScalar(key) ? String(key.value) : "", valueOf(value)]));
  if (isSeq<Node>(node)) return node.items.map(valueOf);
  if (!isScalar(node)) return null;
  const word = typeof node.value === "string" ? node.value : "";
  return node.type === Scalar.PLAIN && node.tag === undefined ? plain(word) : word;
}

function plain(word: string): Json {
  if (NULL.has(word)) return null;
  if (TRUE.has(word) || FALSE.has(word)) return TRUE.has(word);
  if (OCTAL.test(word)) return new JsonNumber(String(BigInt(`0o${word.slice(1)}`)));
  if (DECIMAL.test(word) || FLOAT.test(word)) return new JsonNumber(word);
  return INTEGER.test(word) ? integer(word) : word;
}

/** Reads a number with a prefix or underscores; what is none is a text. */
function integer(word: string): Json {
  try {
    const value = BigInt(word.replace(/^[-+]|_/g, ""));
    return new JsonNumber(String(word.startsWith("-") ? -value : value));
  } catch {
    return word;
  }
}
