import { Raw } from "../rawjson.js";
import { items, type Objects } from "../snapshot/index.js";
import { type Api, CLAIMS, PODS, REVISIONS, SETS } from "./api.js";

/** Reads a set and what a snapshot of it needs; all kinds are complete. `ApiError`: there is no such set, among others. */
export async function read(api: Api, namespace: string, name: string): Promise<Objects> {
  const list = async (kind: typeof PODS) => items(await api.get(kind.path(namespace)));
  const [set, pods, claims, revisions, otherSets] = await Promise.all([
    api.get(SETS.path(namespace, name)),
    ...[PODS, CLAIMS, REVISIONS, SETS].map(list),
  ]);
  return { set: Raw.parse(set), pods: pods ?? [], claims: claims ?? [], revisions: revisions ?? [], otherSets: otherSets ?? [] };
}
