// A planner behind gRPC: the connection, its protection, and which calls are tried again.

import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { create, fromBinary } from "@bufbuild/protobuf";
import { type ChannelOptions, Client, credentials, type ServiceError } from "@grpc/grpc-js";

import { Code, ofStatus, type PlannerError, tooLarge } from "./errors.js";
import { type Status, StatusSchema } from "./gen/details_pb.js";
import type { Asked, CallOptions } from "./planner.js";

const { version } = createRequire(import.meta.url)("../package.json") as { version: string };

// No plan has more bytes, and an answer is input from outside.
const longestAnswer = 24 << 20;

// Calls are spread over all addresses, and only UNAVAILABLE is retried: that means that a server has not looked at the request or
// is shutting down. Three waits of about 0.2, 0.6 and 1.8 s bridge the restart of a server. A planner changes nothing, so a retry is
// always safe.
const RETRIES = {
  maxAttempts: 4,
  initialBackoff: "0.2s",
  maxBackoff: "2s",
  backoffMultiplier: 3,
  retryableStatusCodes: ["UNAVAILABLE"],
};
const SERVICE_CONFIG = {
  loadBalancingConfig: [{ round_robin: {} }],
  methodConfig: [{ name: [{ service: "setplan.v1.PlannerService" }], retryPolicy: RETRIES }],
};

/**
 * PEM files for TLS, and for mutual TLS with a certificate of the client's own.
 *
 * They are read before each call. When one has changed, calls that begin from then on use a new connection, and those under way end on
 * the old one: a rotated certificate needs no restart.
 */
export interface TLSFiles {
  /** The authorities for the server's certificate; without it Node's own list. */
  ca?: string | undefined;
  /** The client's certificate, for a server that asks for one. Both or neither with `key`. */
  certificate?: string | undefined;
  /** The key of the client's certificate. */
  key?: string | undefined;
}

/** How to connect. One of `tls` and `insecure` is required. */
export interface ConnectOptions extends CallOptions {
  /** The files of a protected connection; `{}` trusts Node's own authorities. */
  tls?: TLSFiles | undefined;
  /** Without TLS, for a planner on the same machine: requests and plans hold pod templates, and those hold secrets. */
  insecure?: boolean | undefined;
  /** The most bytes of a request and of an answer; 64 MiB without it, which is also the server's default. */
  maxMessageBytes?: number | undefined;
}

/** A channel, what the files of its certificates held, and how many calls are under way on it. */
interface Line {
  readonly channel: Client;
  readonly content: string;
  calls: number;
}

/** Calls a server. */
export class Remote implements Asked {
  readonly #address: string;
  readonly #tls: TLSFiles | undefined;
  readonly #limit: number;
  #newest: Line;
  #warned = "";

  /** Checks the options and reads the files. */
  constructor(address: string, { tls, insecure = false, maxMessageBytes = 64 << 20 }: ConnectOptions) {
    if (address === "") throw new TypeError("no address");
    if ((tls === undefined) !== insecure) {
      throw new TypeError("choose tls: { ca, certificate, key }, or insecure: true for a planner on the same machine");
    }
    if (tls && (tls.certificate === undefined) !== (tls.key === undefined)) {
      throw new TypeError("a client certificate needs both a certificate file and a key file");
    }
    if (!(maxMessageBytes > 0)) throw new RangeError(`the limit of messages is ${String(maxMessageBytes)} bytes, must be positive`);
    this.#address = address;
    this.#tls = tls;
    this.#limit = maxMessageBytes;
    this.#newest = this.#line();
  }

  /** Sends a request, and yields the messages that come back. A method that answers once is a short stream. */
  async *call(method: string, request: Uint8Array, timeoutMs: number): AsyncGenerator<Uint8Array, void> {
    if (request.length > this.#limit) throw tooLarge("request", request.length, this.#limit);
    const line = this.#renewed();
    line.calls++;
    const call = line.channel.makeServerStreamRequest<Uint8Array, Uint8Array>(
      `/setplan.v1.PlannerService/${method}`,
      (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      (bytes) => bytes,
      request,
      { deadline: Date.now() + timeoutMs },
    );
    try {
      for await (const bytes of call) yield bytes as Uint8Array;
    } catch (error) {
      throw ofCall(error as ServiceError);
    } finally {
      call.cancel();
      line.calls--;
      this.#closeUnused(line);
    }
  }

  /** Ends the connection and all calls on it. */
  close(): void {
    this.#newest.channel.close();
  }

  /** Gives the newest channel, which is another one when the files have changed. Unusable files leave the old one. */
  #renewed(): Line {
    const old = this.#newest;
    try {
      this.#newest = this.#line(old);
      this.#warned = "";
    } catch (error) {
      const warning = `the certificates for ${this.#address} were not read again: ${String(error)}`;
      if (warning !== this.#warned) process.emitWarning(warning, "SetplanWarning");
      this.#warned = warning;
    }
    this.#closeUnused(old);
    return this.#newest;
  }

  #closeUnused(line: Line): void {
    if (line !== this.#newest && line.calls === 0) line.channel.close();
  }

  /** Makes a channel, unless the old one is of the same files. It throws where a file cannot be read or used. */
  #line(old?: Line): Line {
    const files = [this.#tls?.ca, this.#tls?.key, this.#tls?.certificate];
    const pems = files.map((file) => (file === undefined ? null : readFileSync(file)));
    const content = JSON.stringify(pems.map((pem) => pem?.toString("latin1")));
    if (content === old?.content) return old;
    for (const at of [0, 2]) {
      try {
        if (pems[at]) new X509Certificate(pems[at]);
      } catch (error) {
        throw new Error(`${String(files[at])} holds no certificate`, { cause: error });
      }
    }
    const protection = this.#tls ? credentials.createSsl(...pems) : credentials.createInsecure();
    return { channel: new Client(this.#address, protection, this.#channel()), content, calls: 0 };
  }

  #channel(): ChannelOptions {
    return {
      "grpc.service_config": JSON.stringify(SERVICE_CONFIG),
      // A name server must not be able to switch the retry policy or the balancing.
      "grpc.service_config_disable_resolution": 1,
      // gRPC retries only what it still holds, by default 1 MiB of a call and 16 MiB of all.
      "grpc.per_rpc_retry_buffer_size": Number.MAX_SAFE_INTEGER,
      "grpc.retry_buffer_size": Number.MAX_SAFE_INTEGER,
      "grpc.max_send_message_length": this.#limit,
      "grpc.max_receive_message_length": Math.min(this.#limit, longestAnswer),
      "grpc.primary_user_agent": `setplan-typescript/${version}`,
      // Quicker than gRPC's default, whose first wait is longer than all retries of a call.
      "grpc.initial_reconnect_backoff_ms": 100,
      "grpc.max_reconnect_backoff_ms": 5_000,
      // Pings notice a dead server behind a silent network. The server allows one every 10 s.
      "grpc.keepalive_time_ms": 30_000,
      "grpc.keepalive_timeout_ms": 10_000,
      "grpc.keepalive_permit_without_calls": 1,
      // A channel of its own: gRPC would share connections between channels with equal arguments.
      "grpc.use_local_subchannel_pool": 1,
    };
  }
}

/** Makes the error of a failed call. The whole status is in a trailer, if the planner has sent it. */
function ofCall({ code, details, metadata }: ServiceError): PlannerError {
  const [, size, limit] = /^Received message larger than max \((\d+) vs (\d+)\)/.exec(details) ?? [];
  if (code === Code.RESOURCE_EXHAUSTED && size !== undefined && limit !== undefined) return tooLarge("answer", size, limit);
  let status: Status = create(StatusSchema);
  try {
    status = fromBinary(StatusSchema, Buffer.from(metadata.get("grpc-status-details-bin")[0] ?? ""));
  } catch {
    // What cannot be read says nothing.
  }
  return ofStatus({ ...status, code, message: details });
}
