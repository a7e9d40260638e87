// Real planners on loopback, for tests.

import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";

export const ROOT = path.resolve(import.meta.dirname, "..", "..", "..", "..");
const PROGRAM = process.env.SETPLAN_SERVER ?? path.join(ROOT, "bin", "setplan-server");

export interface Running {
  readonly address: string;
  readonly kill: () => Promise<void>;
}

/** Runs a planner, by default on a free port. */
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
  throw new Error(`the planner ended:\n${log}`);
}
