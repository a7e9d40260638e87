/**
 * Kubernetes objects, as the API server sent them, turned into the contract's Snapshot.
 *
 * It decides nothing and asks no API: a snapshot says what the objects say, as snapshot.proto defines it. Objects are {@link Raw}
 * values: the JSON text of an answer of the API server, so that templates and the data of revisions are sent as they stand
 * (SPEC.md, A1).
 *
 * ```ts
 * const objects = {
 *   set: Raw.parse(set), pods: items(pods), claims: items(claims), revisions: items(revisions), otherSets: items(sets),
 * };
 * const coverage = create(CoverageSchema, { pods: true, claims: true, revisions: true });
 * const request = create(PlanRequestSchema, { snapshot: of(objects, coverage, new Date()) });
 * ```
 *
 * @module
 */

export { Raw } from "../rawjson.js";
export { claimTemplates, controls, neighbours, ordinalOf, revisions } from "./membership.js";
export { items, type Objects, of } from "./objects.js";
