// An API server that does what a test says.

import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

import { KubeConfig } from "@kubernetes/client-node";
import { Api } from "@setplan/client/kube";

export interface Asked {
  method: string;
  url: string;
  type: string | undefined;
  body: string;
}

/** What it answers. */
export type Answer = [status: number, body: object | string] | "hang" | "cut off";

export interface Server {
  api: Api;
  asked: Asked[];
  headers: IncomingHttpHeaders[];
  url: string;
}

/** Runs an API server that does what a test says. */
export async function server(t: TestContext, answer: (asked: Asked) => Answer | Promise<Answer>): Promise<Server> {
  const all: Asked[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const answered = async (request: IncomingMessage, response: ServerResponse) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const asked = { method: request.method ?? "", url: request.url ?? "", type: request.headers["content-type"], body };
    all.push(asked);
    headers.push(request.headers);
    const told = await answer(asked);
    if (told === "hang") return;
    if (told === "cut off") return void request.socket.destroy();
    response.writeHead(told[0]).end(typeof told[1] === "string" ? told[1] : JSON.stringify(told[1]));
  };
  const http = createServer((request, response) => void answered(request, response)).listen(0, "127.0.0.1");
  await new Promise((resolve) => http.once("listening", resolve));
  t.after(() => {
    http.closeAllConnections();
    http.close();
  });
  const config = new KubeConfig();
  const { port } = http.address() as AddressInfo;
  const here = { name: "here", server: `http://127.0.0.1:${String(port)}`, skipTLSVerify: false };
  config.loadFromClusterAndUser(here, { name: "me", token: "secret" });
  const api = new Api(config);
  t.after(() => {
    api.close();
  });
  return { api, asked: all, headers, url: here.server };
}

/** An object at a version. */
export function thing(version: string, more: object = {}): object {
  return { metadata: { name: "web-0", namespace: "default", uid: "u", resourceVersion: version, ...more } };
}

/** The body of a refusal. */
export function refusal(reason: string, field?: string): object {
  return { reason, message: `${reason}!`, details: { causes: field ? [{ field }] : null } };
}
