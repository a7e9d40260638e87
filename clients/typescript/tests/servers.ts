// Real planners on loopback, for tests.

import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";

export const ROOT = path.resolve(import.meta.dirname, "..", "..", "..", "..");
const PROGRAM = process.env.SETPLAN_SERVER ?? path.join(ROOT, "bin", "setplan-server");

/** A program that says on standard error what a test waits for. */
export class Program {
  readonly process: ChildProcess;
  log = "";
  #more: () => void = () => undefined;

  constructor(command: string, args: string[], env: NodeJS.ProcessEnv = process.env) {
    this.process = spawn(command, args, { env, stdio: ["ignore", "inherit", "pipe"] });
    this.process.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.log += text;
      this.#more();
    });
    this.process.on("close", () => {
      this.#more();
    });
  }

  /** Waits for a line. */
  async says(line: RegExp): Promise<string[]> {
    for (;;) {
      const found = line.exec(this.log);
      if (found) return found;
      if (this.process.exitCode !== null || this.process.signalCode !== null) throw new Error(`the program ended:\n${this.log}`);
      await new Promise<void>((resolve) => (this.#more = resolve));
    }
  }

  /** Kills it, and waits for its end. */
  async kill(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = new Promise((resolve) => this.process.once("close", resolve));
    this.process.kill("SIGKILL");
    await ended;
  }
}

export interface Planner {
  address: string;
  readonly kill: () => Promise<void>;
}

/** Runs a planner, by default on a free port. */
export async function planner(flags: string[] = [], address = "127.0.0.1:0"): Promise<Planner> {
  const program = new Program(PROGRAM, ["--listen-address", address, ...flags]);
  const [, listening = ""] = await program.says(/msg=listening addr=(\S+)/);
  return { address: listening, kill: () => program.kill() };
}
