// What of the resources of a container may change while it stays.

import type { Container, ContainerResize } from "../../v1/index.js";
import { type List, LISTS, pairsOf, stays, withPairs } from "./containers.js";
import { get, isNothing, type Json, JsonNumber, listed, members, quote, textOf } from "./json.js";
import { quantityOf, sameQuantity } from "./quantity.js";

const AMOUNT_LISTS = ["limits", "requests"] as const;
type AmountList = (typeof AMOUNT_LISTS)[number];
const RESOURCES = ["cpu", "memory"] as const;

/** The place of a quantity in a pod. */
export interface Amount {
  readonly container: string;
  readonly list: AmountList;
  readonly resource: string;
}

/** Quantities by their places, each with its place; an empty text is none. */
export type Amounts = ReadonlyMap<string, { readonly amount: Amount; readonly quantity: string }>;

function amounts(entries: Iterable<readonly [Amount, string]>): Amounts {
  return new Map(Array.from(entries, ([amount, quantity]) => [keyOf(amount), { amount, quantity }]));
}

/** Names a place. The name of a container, which may hold anything, comes last. */
export function keyOf({ container, list, resource }: Amount): string {
  return JSON.stringify([list, resource, container]);
}

export function wordsOf({ container, list, resource }: Amount): string {
  return `the ${list} of ${resource} of the container ${quote(container)}`;
}

/** Returns what a container of a template asks for; undefined: nothing. A request that it does not have is its limit. */
export function asked(container: Json, { list, resource }: Amount): string | undefined {
  const resources = get(container, "resources");
  const limit = list === "requests" ? get(resources, "limits", resource) : null;
  const quantity = get(resources, list, resource) ?? limit;
  if (quantity === null) return undefined;
  return quantity instanceof JsonNumber ? quantity.text : textOf(quantity);
}

/** Returns what a template asks for in a container that stays; undefined: nothing, or it has no such container. */
export function askedIn(template: Json, amount: Amount): string | undefined {
  for (const list of LISTS) {
    const containers = listed(get(template, "spec", list));
    const found = containers.find((one) => get(one, "name") === amount.container && stays(list, one));
    if (found !== undefined) return asked(found, amount);
  }
  return undefined;
}

/**
 * Takes the cpu and the memory that may change in place out of two templates: those of containers, and of sidecars, which have the same
 * place and name in both. Also returns what the second one asks for where that is another quantity, and whether a container starts anew
 * for it. What the second one no longer asks for stays where it is, and so does what is no quantity.
 */
export function apartFromResources(old: Json, next: Json): { old: Json; next: Json; changed: Amounts; restarts: boolean } {
  const changed: [Amount, string][] = [];
  let restarts = false;
  for (const list of LISTS) {
    const pairs = pairsOf(old, next, list);
    if (pairs === undefined) continue;
    const apart = pairs.map(([left, right]): [Json, Json] => {
      const name = textOf(get(right, "name"));
      if (!sameContainer(list, left, right)) return [left, right];
      const mayChange = amountsOf(name).filter((amount) => isChange(asked(left, amount), asked(right, amount)));
      for (const amount of mayChange) {
        const [was, now = ""] = [asked(left, amount), asked(right, amount)];
        if (was !== undefined && sameQuantity(was, now)) continue;
        changed.push([amount, now]);
        restarts ||= restartsFor(right, amount.resource);
      }
      return [without(left, mayChange), without(right, mayChange)];
    });
    [old, next] = withPairs(old, next, list, apart);
  }
  return { old, next, changed: amounts(changed), restarts };
}

function sameContainer(list: List, left: Json, right: Json): boolean {
  const name = textOf(get(right, "name"));
  return name !== "" && get(left, "name") === name && stays(list, left) && stays(list, right);
}

function amountsOf(container: string): Amount[] {
  return AMOUNT_LISTS.flatMap((list) => RESOURCES.map((resource) => ({ container, list, resource })));
}

/** Reports whether both are quantities, and the second one is there. */
function isChange(was: string | undefined, now: string | undefined): boolean {
  return now !== undefined && quantityOf(now) !== undefined && (was === undefined || quantityOf(was) !== undefined);
}

/** Reports whether a container starts anew where a resource of it changes. */
function restartsFor(container: Json, resource: string): boolean {
  return listed(get(container, "resizePolicy")).some(
    (policy) => get(policy, "resourceName") === resource && get(policy, "restartPolicy") === "RestartContainer",
  );
}

/** Leaves quantities out, and then limits and requests of nothing. */
function without(container: Json, gone: readonly Amount[]): Json {
  const resources = get(container, "resources");
  if (!(resources instanceof Map)) return container;
  const left = new Map(resources);
  for (const list of AMOUNT_LISTS) {
    let of = left.get(list) ?? null;
    if (of instanceof Map) {
      of = new Map([...of].filter(([key]) => !gone.some((amount) => amount.list === list && amount.resource === key)));
      left.set(list, of);
    }
    if (asksNothing(of)) left.delete(list);
  }
  return new Map(members(container)).set("resources", left);
}

/** Reports whether a list of amounts asks for nothing. Other controllers may have written nulls into a revision. */
function asksNothing(amounts: Json): boolean {
  return amounts === null || (amounts instanceof Map && [...amounts.values()].every(isNothing));
}

/** Returns what the spec of a pod's container has. */
export function shownAmount({ resources }: Container, { list, resource }: Amount): string {
  const quantities = resources?.[list] ?? {};
  return Object.hasOwn(quantities, resource) ? (quantities[resource] ?? "") : "";
}

/** Returns the quantities that a resize sets of a container. */
export function resized(resize: ContainerResize): Amounts {
  return amounts(
    AMOUNT_LISTS.flatMap((list) =>
      Object.entries(resize[list]).map(([resource, text]) => [{ container: resize.name, list, resource }, text] as const),
    ),
  );
}

/** Returns what a record says that the containers had, and whether it says nothing else, and in its form. */
export function recordedAmounts(record: Json): { had: Amounts; right: boolean } {
  const containers = members(record).get("resize");
  if (containers === undefined) return { had: new Map(), right: true };
  const had: [Amount, string][] = [];
  let right = isFull(containers);
  for (const [container, lists] of members(containers)) {
    right &&= isFull(lists, AMOUNT_LISTS);
    for (const list of AMOUNT_LISTS) {
      const quantities = members(lists).get(list);
      right &&= quantities === undefined || isFull(quantities, RESOURCES);
      for (const [resource, quantity] of members(quantities ?? null)) {
        had.push([{ container, list, resource }, textOf(quantity)]);
        right &&= typeof quantity === "string";
      }
    }
  }
  return { had: amounts(had), right };
}

/** Reports whether a value is an object that is not empty, and has no other keys. */
function isFull(value: Json, keys?: readonly string[]): boolean {
  return value instanceof Map && value.size > 0 && (!keys || [...value.keys()].every((key) => keys.includes(key)));
}
