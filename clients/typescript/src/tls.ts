// The files of a protected connection, which are read again when they change.

import { X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";

import { type ChannelCredentials, credentials } from "@grpc/grpc-js";

/**
 * PEM files for TLS, and for mutual TLS with a certificate of the client's own.
 *
 * They are looked at before each call. When one has changed, calls that begin from then on use a new connection, and those under way
 * end on the old one: a rotated certificate needs no restart.
 */
export interface TLSFiles {
  /** The authorities for the server's certificate; without it Node's own list. */
  ca?: string | undefined;
  /** The client's certificate, for a server that asks for one. Both or neither with `key`. */
  certificate?: string | undefined;
  /** The key of the client's certificate. */
  key?: string | undefined;
}

/** What the files hold. */
export interface Content {
  readonly text: string;
  readonly credentials: ChannelCredentials;
}

/** Reads the files. Error: one cannot be read or used, for example in the middle of a replacement. */
export function read(files: TLSFiles): Content {
  const [ca, key, certificate] = names(files).map((file) => (file === undefined ? null : readFileSync(file)));
  for (const [file, pem] of [
    [files.ca, ca],
    [files.certificate, certificate],
  ] as const) {
    if (pem) checked(file, pem);
  }
  const text = JSON.stringify([ca, key, certificate].map((pem) => pem?.toString("latin1")));
  return { text, credentials: credentials.createSsl(ca, key, certificate) };
}

/** Says which versions of the files are there: a change of a file changes it, a symbolic link that moves on included. */
export function stamp(files: TLSFiles): string {
  return JSON.stringify(names(files).map((file) => file !== undefined && stampOf(file)));
}

function names({ ca, key, certificate }: TLSFiles): (string | undefined)[] {
  return [ca, key, certificate];
}

function stampOf(file: string): string {
  const status = statSync(file, { bigint: true, throwIfNoEntry: false });
  // It is missing while it is replaced; the connection that is there goes on.
  return status ? `${String(status.mtimeNs)} ${String(status.ino)} ${String(status.size)}` : "missing";
}

function checked(file: string | undefined, pem: Buffer): void {
  try {
    new X509Certificate(pem);
  } catch (error) {
    throw new Error(`${file ?? ""} holds no certificate`, { cause: error });
  }
}
