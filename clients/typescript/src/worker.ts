// The thread of a planner in this process. It answers one request after another; an error ends it.

import { randomFillSync } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";

// TypeScript has these in the library of browsers only.
declare const WebAssembly: {
  Module: { new (bytes: Uint8Array): object; imports(module: object): { module: string; name: string }[] };
  Instance: new (module: object, imports: Record<string, Record<string, unknown>>) => { exports: object };
};

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  _initialize(): void;
  setplan_input(size: number): number;
  setplan_call(method: number, size: number): number;
  setplan_answer(): number;
}

const PAGES = [0x80, 0x40]; // 8,192 pages of 64 KiB are 512 MiB, as LEB128

/** States a maximum for the module's memory: Go's linker states none. */
function bounded(module: Uint8Array): Uint8Array {
  for (let at = 8; at < module.length;) {
    let size = 0;
    let start = at + 1;
    for (let shift = 0, more = true; more; start++, shift += 7) {
      const byte = module[start] ?? 0;
      size |= (byte & 0x7f) << shift;
      more = byte > 0x7f;
    }
    const end = start + size;
    // The section of memories: how many, whether there is a maximum, and the minimum.
    if (module[at] === 5 && module[start + 1] === 0) {
      const section = [1, 1, ...module.subarray(start + 2, end), ...PAGES];
      return Buffer.concat([module.subarray(0, at), Buffer.from([5, section.length, ...section]), module.subarray(end)]);
    }
    at = end;
  }
  return module;
}

// WASI, as far as a planner needs it: clocks, random numbers, and a place for the last words of Go. No arguments, environment or files.
let words = "";
const view = () => new DataView(exports.memory.buffer);
const none = (count: number, size: number) => {
  view().setUint32(count, 0, true);
  view().setUint32(size, 0, true);
  return 0;
};
const wasi: Record<string, unknown> = {
  args_sizes_get: none,
  args_get: () => 0,
  environ_sizes_get: none,
  environ_get: () => 0,
  sched_yield: () => 0,
  clock_time_get: (id: number, _: bigint, at: number) => {
    view().setBigUint64(at, id === 0 ? BigInt(Date.now()) * 1_000_000n : process.hrtime.bigint(), true);
    return 0;
  },
  random_get: (at: number, size: number) => {
    randomFillSync(new Uint8Array(exports.memory.buffer, at, size));
    return 0;
  },
  poll_oneoff: (_subscriptions: number, _events: number, _count: number, happened: number) => {
    view().setUint32(happened, 0, true); // a wait that is over at once: Go looks at the clock itself
    return 0;
  },
  fd_write: (_: number, parts: number, count: number, written: number) => {
    let size = 0;
    for (let part = parts; part < parts + 8 * count; part += 8) {
      const bytes = Buffer.from(exports.memory.buffer, view().getUint32(part, true), view().getUint32(part + 4, true));
      words = (words + bytes.toString()).slice(0, 1000);
      size += bytes.length;
    }
    view().setUint32(written, size, true);
    return 0;
  },
  proc_exit: (code: number) => {
    throw new Error(`exit ${String(code)}`);
  },
};

const module = new WebAssembly.Module(bounded(workerData as Uint8Array));
const BAD_FILE = () => 8;
const imports = WebAssembly.Module.imports(module).map(({ name }): [string, unknown] => [name, wasi[name] ?? BAD_FILE]);
const exports = new WebAssembly.Instance(module, { wasi_snapshot_preview1: Object.fromEntries(imports) }).exports as Exports;
exports._initialize();

parentPort?.on("message", ([method, request]: [number, Uint8Array]) => {
  try {
    const input = exports.setplan_input(request.length);
    if (input === 0) throw new Error(`it takes no ${String(request.length)} bytes`);
    new Uint8Array(exports.memory.buffer).set(request, input);
    const size = exports.setplan_call(method, request.length);
    const answer = new Uint8Array(exports.memory.buffer, exports.setplan_answer(), size).slice();
    parentPort?.postMessage(answer, [answer.buffer]);
  } catch (error) {
    throw new Error(`${String(error)}\n${words}`.trimEnd(), { cause: error });
  }
});
