// Real planners, and certificates for them.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { after } from "node:test";

export const ROOT = path.resolve(import.meta.dirname, "..", "..", "..", "..");
export const MODULE = process.env.SETPLAN_WASM ?? path.join(ROOT, "bin", "setplan.wasm");
const PROGRAM = process.env.SETPLAN_SERVER ?? path.join(ROOT, "bin", "setplan-server");

export interface Running {
  readonly address: string;
  readonly kill: () => Promise<void>;
}

/** Runs a server on loopback, by default on a free port. */
export async function serve(flags: string[] = [], address = "127.0.0.1:0"): Promise<Running> {
  const program = spawn(PROGRAM, ["--listen-address", address, ...flags], { stdio: ["ignore", "inherit", "pipe"] });
  const ended = once(program, "close");
  let log = "";
  for await (const line of createInterface(program.stderr)) {
    log += `${line}\n`;
    const [, listening] = /msg=listening addr=(\S+)/.exec(line) ?? [];
    if (listening === undefined) continue;
    program.stderr.resume();
    const kill = async () => {
      program.kill("SIGKILL");
      await ended;
    };
    return { address: listening, kill };
  }
  throw new Error(`the server ended:\n${log}`);
}

/** Makes a folder that is gone after the tests. */
export function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), "setplan-client-"));
  after(() => rmSync(made, { recursive: true }));
  return made;
}

/** Makes an authority, which writes ca.crt into a folder, and NAME.crt and NAME.key for 127.0.0.1. */
export function authority(subject: string): (into: string, name: string) => void {
  const own = folder();
  const [ca, caKey] = [path.join(own, "ca.crt"), path.join(own, "ca.key")];
  const make = (name: string, key: string, ...rest: string[]) => {
    const ec = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1"];
    execFileSync("openssl", [...ec, "-subj", `/CN=${name}`, "-keyout", key, ...rest], { stdio: ["ignore", "ignore", "pipe"] });
  };
  make(subject, caKey, "-out", ca);
  return (into, name) => {
    copyFileSync(ca, path.join(into, "ca.crt"));
    const says = ["-addext", `subjectAltName=IP:127.0.0.1,DNS:${name}`, "-addext", "basicConstraints=critical,CA:FALSE"];
    make(name, path.join(into, `${name}.key`), "-out", path.join(into, `${name}.crt`), "-CA", ca, "-CAkey", caKey, ...says);
  };
}
