import { Raw } from "../rawjson.js";
import { items, type Objects } from "../snapshot/index.js";
import { type Api, CLAIMS, PODS, REVISIONS, SETS } from "./api.js";

const PAGE = 500; // objects in one answer

/** Lists a collection in pages, and its version. `ApiError` 410: that took so long that it must begin anew. */
export async function list(api: Api, path: string, signal?: AbortSignal): Promise<{ things: Raw[]; version: string }> {
  const things: Raw[] = [];
  for (let next = ""; ;) {
    const page = await api.get(path, signal, { limit: String(PAGE), ...(next && { continue: next }) });
    things.push(...items(page));
    const metadata = Raw.parse(page).get("metadata")?.value as { resourceVersion?: string; continue?: string } | undefined;
    next = metadata?.continue ?? "";
    if (next === "") return { things, version: metadata?.resourceVersion ?? "" };
  }
}

/** Reads a set and what a snapshot of it needs; all kinds are complete. `ApiError`: there is no such set, among others. */
export async function read(api: Api, namespace: string, name: string): Promise<Objects> {
  const all = async (kind: typeof PODS) => (await list(api, kind.path(namespace))).things;
  const [set, pods, claims, revisions, otherSets] = await Promise.all([
    api.get(SETS.path(namespace, name)),
    ...[PODS, CLAIMS, REVISIONS, SETS].map(all),
  ]);
  return { set: Raw.parse(set), pods: pods ?? [], claims: claims ?? [], revisions: revisions ?? [], otherSets: otherSets ?? [] };
}
