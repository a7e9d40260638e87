// Everything of a client that is not a call: the options, gRPC's channel arguments, and the request that is sent.

import { createRequire } from "node:module";

import type { ChannelOptions } from "@grpc/grpc-js";

import type { TLSFiles } from "./tls.js";
import { Capability, type PlanRequest } from "./v1/index.js";

const { version } = createRequire(import.meta.url)("../package.json") as { version: string };

/** The deadline of a call without one, in milliseconds, retries included. */
export const DEFAULT_TIMEOUT_MS = 10_000;
/** Bounds a request and a response; it is the server's default. */
export const DEFAULT_MAX_MESSAGE_BYTES = 64 << 20;

// Calls are spread over all addresses, and only UNAVAILABLE is retried: that means that a server has not looked at the request or
// is shutting down. Three waits of about 0.2, 0.6 and 1.8 s bridge the restart of a server. A planner changes nothing, so a retry is
// always safe.
const SERVICE_CONFIG = {
  loadBalancingConfig: [{ round_robin: {} }],
  methodConfig: [
    {
      name: [{ service: "setplan.v1.PlannerService" }],
      waitForReady: false,
      retryPolicy: {
        maxAttempts: 4,
        initialBackoff: "0.2s",
        maxBackoff: "2s",
        backoffMultiplier: 3,
        retryableStatusCodes: ["UNAVAILABLE"],
      },
    },
  ],
};

/** How a client connects. One of `tls` and `insecure` is required. */
export interface ClientOptions {
  /** The files of a protected connection; without any, `{}`, Node's own authorities. */
  tls?: TLSFiles | undefined;
  /** Without TLS, for a planner on the same machine: snapshots and plans hold pod templates, and those hold secrets. */
  insecure?: boolean | undefined;
  /** The deadline of a call in milliseconds, retries included. {@link DEFAULT_TIMEOUT_MS} without it. */
  timeoutMs?: number | undefined;
  /** Bounds a request and a plan. {@link DEFAULT_MAX_MESSAGE_BYTES} without it. */
  maxMessageBytes?: number | undefined;
  /** Names the program, in front of this library's name. */
  userAgent?: string | undefined;
}

/** The options of a client, checked. */
export interface Settings {
  readonly target: string;
  readonly tls: TLSFiles | undefined;
  readonly timeoutMs: number;
  readonly maxMessageBytes: number;
  readonly channel: ChannelOptions;
}

/** Checks the options of a client. RangeError and TypeError say which one is wrong. */
export function settings(target: string, options: ClientOptions): Settings {
  const { tls, insecure = false, timeoutMs = DEFAULT_TIMEOUT_MS, maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES, userAgent } = options;
  if (target === "") throw new TypeError("no target");
  if ((tls === undefined) !== insecure) {
    throw new TypeError(
      "choose how the connection is protected: tls: { ca, certificate, key }, or insecure: true for a planner on the same machine",
    );
  }
  if (tls && (tls.certificate === undefined) !== (tls.key === undefined)) {
    throw new TypeError("a client certificate needs both a certificate file and a key file");
  }
  if (!(timeoutMs > 0)) throw new RangeError(`timeoutMs is ${String(timeoutMs)}, must be positive`);
  if (!(maxMessageBytes > 0)) throw new RangeError(`the limit of messages is ${String(maxMessageBytes)} bytes, must be positive`);
  const ours = `setplan-typescript/${version}`;
  return { target, tls, timeoutMs, maxMessageBytes, channel: channel(maxMessageBytes, userAgent ? `${userAgent} ${ours}` : ours) };
}

function channel(maxMessageBytes: number, userAgent: string): ChannelOptions {
  return {
    "grpc.service_config": JSON.stringify(SERVICE_CONFIG),
    // A name server must not be able to switch the retry policy or the balancing.
    "grpc.service_config_disable_resolution": 1,
    "grpc.enable_retries": 1,
    // gRPC retries only what it still holds, by default 1 MiB of a call and 16 MiB of all.
    "grpc.per_rpc_retry_buffer_size": Number.MAX_SAFE_INTEGER,
    "grpc.retry_buffer_size": Number.MAX_SAFE_INTEGER,
    "grpc.max_send_message_length": maxMessageBytes,
    "grpc.max_receive_message_length": maxMessageBytes,
    "grpc.primary_user_agent": userAgent,
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

/** Lists every operation that this build of the contract knows, ascending. */
export function capabilities(): Capability[] {
  return Object.values(Capability).filter((value) => typeof value === "number" && value !== Capability.UNSPECIFIED);
}

/** Gives a request that lists no capabilities those of this build (C5). The request itself stays as it is. */
export function withCapabilities(request: PlanRequest): PlanRequest {
  if (request.capabilities.length > 0) return request;
  return { ...request, capabilities: capabilities() };
}
