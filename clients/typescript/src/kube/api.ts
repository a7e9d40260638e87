// The API server, with bytes in both directions: nothing is parsed on the way to a snapshot or from a manifest.

import http, { type IncomingMessage } from "node:http";
import https from "node:https";

import { KubeConfig } from "@kubernetes/client-node";

import { Raw } from "../rawjson.js";
import { allowLoopback, groupsOf } from "./kubeconfig.js";
import type { Term } from "./term.js";

/** The field manager of all writes. */
export const MANAGER = "setplan-adapter";

const TIMEOUT_MS = 30_000;
const WATCH_SECONDS = 240; // then the API server ends a watch, and the next begins where it ended
const CREDENTIALS_MS = 60_000; // credentials may be files, which are replaced
const CREDENTIALS_TIMEOUT_MS = 10_000; // less than a lease lasts
const MAX_CONNECTIONS = 100;

const TOO_MANY = 429;
const INTERNAL = 500;

/** The API server gave no answer. Whether it has carried out a write is not known. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
}

interface Status {
  message?: string;
  reason?: string;
  details?: { causes?: { field?: string; reason?: string; message?: string }[] | null } | null;
}

/** The API server refused. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly #body: Status;

  constructor(status: number, answer: string) {
    const body = bodyOf(answer);
    super([body.message ?? `HTTP ${String(status)}`, spentBudget(status, body)].filter(Boolean).join(" "));
    this.status = status;
    this.#body = body;
  }

  /** Whether it is an answer of the API server that says why, and not a text, such as for a path that it does not have. */
  get isStatus(): boolean {
    return Object.keys(this.#body).length > 0;
  }

  /** The API server's word for it, such as `AlreadyExists`. */
  get reason(): string {
    return this.#body.reason ?? "";
  }

  /** The fields that it is about. */
  get fields(): string[] {
    return (this.#body.details?.causes ?? []).map(({ field }) => field ?? "");
  }

  /** What a disruption budget says that does not allow an eviction; empty if it is not that. */
  get budget(): string {
    return spentBudget(this.status, this.#body);
  }

  /** Whether several disruption budgets select a pod that was to be evicted. Only the text says so. */
  get manyBudgets(): boolean {
    return this.status === INTERNAL && this.message.includes("more than one PodDisruptionBudget");
  }
}

/** An API server that has too much to do answers with the same status, and without the cause. */
function spentBudget(status: number, body: Status): string {
  const cause = body.details?.causes?.find(({ reason }) => reason === "DisruptionBudget");
  return status === TOO_MANY && cause ? (cause.message ?? "?") : "";
}

function bodyOf(answer: string): Status {
  try {
    return (JSON.parse(answer) as Status | null) ?? {};
  } catch {
    return {};
  }
}

/** A collection of one kind in one namespace, or in all. */
export class Resource {
  readonly kind: string;
  readonly #base: string;
  readonly plural: string;

  constructor(kind: string, base: string, plural: string) {
    this.kind = kind;
    this.#base = base;
    this.plural = plural;
  }

  /** Returns the path of the collection, or of an object. RangeError: a name is not a single segment. */
  path(namespace?: string, name?: string, subresource?: string): string {
    const segments = [...(namespace === undefined ? [] : ["namespaces", namespace]), this.plural];
    for (const more of [name, subresource]) if (more !== undefined) segments.push(more);
    return [this.#base, ...segments.map(segment)].join("/");
  }
}

function segment(name: string): string {
  if (["", ".", ".."].includes(name) || /[/%?#\\]/.test(name)) {
    throw new RangeError(`the name ${JSON.stringify(name.slice(0, 80))} is not a path segment`);
  }
  return encodeURIComponent(name);
}

export const SETS = new Resource("StatefulSet", "/apis/apps/v1", "statefulsets");
export const PODS = new Resource("Pod", "/api/v1", "pods");
export const CLAIMS = new Resource("PersistentVolumeClaim", "/api/v1", "persistentvolumeclaims");
export const REVISIONS = new Resource("ControllerRevision", "/apis/apps/v1", "controllerrevisions");
export const LEASES = new Resource("Lease", "/apis/coordination.k8s.io/v1", "leases");
export const EVENTS = new Resource("Event", "/api/v1", "events");

/** What is sent, and how. */
export interface SendOptions {
  /** `application/json` without it. */
  contentType?: string;
  /** Ends the request; whether it was carried out is not known then. */
  signal?: AbortSignal | undefined;
}

interface Request {
  method: string;
  path: string;
  parameters?: Record<string, string>;
  body?: string | Uint8Array;
  contentType?: string | undefined;
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
  term?: Term | undefined;
}

/** What one connection is made with. */
interface Connection {
  readonly options: https.RequestOptions;
  readonly agent: http.Agent;
  readonly secret: string;
  readonly since: number;
}

/** One cluster. {@link connect} makes one. */
export class Api {
  readonly #config: KubeConfig;
  readonly #server: string;
  readonly #groups: readonly string[];
  #connection: Connection | undefined;
  #connecting: Promise<Connection> | undefined;
  /** @internal Outside of it nothing is written. Without one, whoever writes needs no lease. */
  term: Term | undefined;

  /** `groups` are those that the user of the configuration acts for. Error: the configuration names no cluster. */
  constructor(config: KubeConfig, groups: readonly string[] = []) {
    allowLoopback(config);
    this.#config = config;
    this.#groups = groups;
    const server = config.getCurrentCluster()?.server;
    if (server === undefined) throw new Error("the configuration has no cluster");
    this.#server = server.replace(/\/$/, "");
  }

  /** @internal Returns the same cluster with connections of its own: what goes over them waits for nobody, and needs no term. */
  apart(): Api {
    return new Api(this.#config, this.#groups);
  }

  /** Ends all connections. */
  close(): void {
    this.#connection?.agent.destroy();
  }

  /** Reads. `ApiError`: refused; `Unavailable`: no answer. */
  async get(path: string, signal?: AbortSignal, parameters: Record<string, string> = {}): Promise<Uint8Array> {
    return this.#whole({ method: "GET", path, parameters, signal });
  }

  /**
   * Writes once: the bytes are sent as they are, and nothing is sent again (A9, A12). Errors as of {@link Api.get}; `LeaseLost`: a
   * `Lease` was held with this Api, and is not any more, so nothing was sent.
   */
  async send(method: string, path: string, body: string | Uint8Array, options: SendOptions = {}): Promise<Raw> {
    const { contentType = "application/json", signal } = options;
    const parameters: Record<string, string> = method === "DELETE" ? {} : { fieldManager: MANAGER };
    const { term } = this;
    const sent = async (): Promise<Raw> => {
      try {
        return Raw.parse(await this.#whole({ method, path, parameters, body, contentType, signal, term }));
      } catch (error) {
        if (!isFinal(error)) term?.noteUnanswered();
        throw error;
      }
    };
    return term === undefined ? sent() : term.write(sent);
  }

  /** Streams events from a resource version on, until the API server ends that. Errors as of {@link Api.get}. */
  async *watch(path: string, version: string, signal?: AbortSignal): AsyncGenerator<Raw> {
    const parameters = { watch: "1", resourceVersion: version, allowWatchBookmarks: "true", timeoutSeconds: String(WATCH_SECONDS) };
    const response = await this.#open({ method: "GET", path, parameters, signal, timeoutMs: WATCH_SECONDS * 1_000 + TIMEOUT_MS });
    if (failed(response)) throw await this.#refused(response);
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    let rest = "";
    try {
      for await (const chunk of response) {
        const lines = (rest + decoder.decode(chunk as Buffer, { stream: true })).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) yield Raw.parse(line);
      }
    } catch (error) {
      throw response.errored ? new Unavailable(`the API server went away: ${String(error)}`, { cause: error }) : error;
    }
  }

  async #whole(request: Request): Promise<Uint8Array> {
    const response = await this.#open(request);
    if (failed(response)) throw await this.#refused(response);
    return bytes(response);
  }

  async #refused(response: IncomingMessage): Promise<ApiError> {
    const status = response.statusCode ?? 0;
    if (status === 401) this.#connection = undefined; // credentials that have expired are read again
    return new ApiError(status, Buffer.from(await bytes(response)).toString());
  }

  async #open({
    method,
    path,
    parameters = {},
    body,
    contentType,
    timeoutMs = TIMEOUT_MS,
    signal,
    term,
  }: Request): Promise<IncomingMessage> {
    const url = new URL(this.#server + path);
    url.search = String(new URLSearchParams(parameters));
    const { options, agent } = await this.#connected();
    return new Promise((resolve, reject) => {
      const headers: Record<string, string | string[]> = {
        ...(options.headers as Record<string, string> | undefined),
        Accept: "application/json",
      };
      if (contentType !== undefined) headers["Content-Type"] = contentType;
      if (this.#groups.length > 0) headers["Impersonate-Group"] = [...this.#groups];
      // Node sends no length with a DELETE by itself.
      if (body !== undefined) headers["Content-Length"] = String(Buffer.byteLength(body));
      const { request: begin } = url.protocol === "http:" ? http : https;
      const request = begin(url, { ...options, agent, method, headers, ...(signal && { signal }) }, (response) => {
        response.once("close", ended);
        resolve(response);
      });
      const timer = setTimeout(() => request.destroy(new Error(`no answer within ${String(timeoutMs)} ms`)), timeoutMs);
      const uncut = term?.during((why) => request.destroy(why));
      const ended = () => {
        clearTimeout(timer);
        uncut?.();
      };
      // It may have waited for a connection. Nothing of it is sent yet.
      request.once("socket", () => {
        if (term?.lost) request.destroy(term.lost);
      });
      request.on("error", (error) => {
        ended();
        reject(new Unavailable(`no answer from the API server: ${String(error)}`, { cause: error }));
      });
      request.end(body);
    });
  }

  /** Returns what requests are made with; the files and programs that give credentials are asked again from time to time. */
  async #connected(): Promise<Connection> {
    const before = this.#connection;
    if (before !== undefined && performance.now() - before.since < CREDENTIALS_MS) return before;
    this.#connecting ??= inTime(this.#connect(before)).finally(() => (this.#connecting = undefined));
    return this.#connecting;
  }

  async #connect(before: Connection | undefined): Promise<Connection> {
    const options: https.RequestOptions = {};
    await this.#config.applyToHTTPSOptions(options);
    const { ca, cert, key, rejectUnauthorized, servername, agent: proxy, ...others } = options;
    const tls = { ca, cert, key, rejectUnauthorized, servername };
    const secret = JSON.stringify(tls);
    const proxied = this.#config.getCurrentCluster()?.proxyUrl !== undefined;
    const kept = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
    const own = this.#server.startsWith("http:") ? new http.Agent(kept) : new https.Agent({ ...tls, ...kept });
    const agent = proxied ? (proxy as http.Agent) : own;
    this.#connection = {
      options: others,
      agent: before?.secret === secret ? before.agent : agent,
      secret,
      since: performance.now(),
    };
    return this.#connection;
  }
}

function failed({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 400;
}

/** Reports whether a write that has failed will not be carried out. It may be where the API server, or a proxy before it, has failed. */
function isFinal(error: unknown): boolean {
  return error instanceof ApiError && error.status < INTERNAL;
}

/** Waits for credentials, but not for good: the program that gives them may hang, and the next request asks it again. */
async function inTime(connecting: Promise<Connection>): Promise<Connection> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`they did not come within ${String(CREDENTIALS_TIMEOUT_MS)} ms`));
    }, CREDENTIALS_TIMEOUT_MS);
  });
  try {
    return await Promise.race([connecting, late]);
  } catch (error) {
    throw new Unavailable(`no credentials for the API server: ${String(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** Reads an answer to its end. */
async function bytes(response: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of response) chunks.push(chunk as Buffer);
  } catch (error) {
    throw new Unavailable(`the API server went away: ${String(error)}`, { cause: error });
  }
  return Buffer.concat(chunks);
}

/** Which cluster. */
export interface ConnectOptions {
  /** `$KUBECONFIG` or `~/.kube/config` without it, or as a pod by its service account. */
  kubeconfig?: string | undefined;
  /** The current context without it. */
  context?: string | undefined;
}

/** Connects by a kubeconfig, or as a pod. The first request connects. */
export function connect({ kubeconfig, context }: ConnectOptions = {}): Api {
  const config = new KubeConfig();
  if (kubeconfig === undefined) config.loadFromDefault();
  else config.loadFromFile(kubeconfig);
  if (context !== undefined) config.setCurrentContext(context);
  return new Api(config, groupsOf(kubeconfig, config.getCurrentUser()?.name));
}
