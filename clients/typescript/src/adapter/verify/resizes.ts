// The checks of resources in place: a start notes what the containers had, and a resize then gives them what the revision asks for.

import type { Container } from "../../v1/index.js";
import { LISTS } from "./containers.js";
import { type Json, members, quote } from "./json.js";
import { sameQuantity } from "./quantity.js";
import {
  type Amount,
  type Amounts,
  apartFromResources,
  askedIn,
  keyOf,
  recordedAmounts,
  resized,
  shownAmount,
  wordsOf,
} from "./resources.js";
import type { Subject } from "./subject.js";
import { inPlaceFault, runs, type UnderWay, underWay, updating } from "./under-way.js";

/** Lets what is under way say of the resources what the snapshot shows. */
export function podResourcesFault(s: Subject): string {
  const { view } = s;
  const does = updating(s);
  const under = underWay(view, s.pod);
  if (does.step === "relabels") return "";
  if (does.step === "finishes") return finishedFault(s, under);
  const { had, right } = recordedAmounts(does.record);
  const wanted = new Map(recordedAmounts(under.record).had);
  const restarts = members(does.record).get("restarts");
  const restarted = members(under.record).has("restarts");
  let anew = restarted;
  if (does.step === "starts") {
    const apart = apartFromResources(view.stored(runs(view, s.pod)) ?? null, view.templateOf(does.to));
    anew = apart.restarts;
    for (const [key, { amount }] of apart.changed) {
      const container = shownNamed(s, amount.container);
      if (container === undefined) return "the pod lacks a container whose resources change";
      wanted.set(key, { amount, quantity: shownAmount(container, amount) });
    }
  }
  if (!right || (restarts !== undefined && restarts !== true)) return "what is under way has another form";
  if (!sameAmounts(had, wanted)) return "what is under way is not what the snapshot shows of the resources that change";
  const stillRestarts = does.step === "starts" && restarted && restarts === true;
  if (anew === (restarts === true) || stillRestarts) return "";
  return "what is under way does not say whether containers start anew for their resources";
}

function sameAmounts(a: Amounts, b: Amounts): boolean {
  return a.size === b.size && [...a].every(([key, { quantity }]) => b.get(key)?.quantity === quantity);
}

/** Lets the label follow when the spec has what the revision asks for, or what somebody else has put there since. */
function finishedFault(s: Subject, under: UnderWay): string {
  const template = s.view.templateOf(under.revision);
  for (const { amount, quantity } of recordedAmounts(under.record).had.values()) {
    const container = shownNamed(s, amount.container);
    if (container === undefined || isToBeWritten(shownAmount(container, amount), quantity, askedIn(template, amount))) {
      return `${wordsOf(amount)} are not what the revision asks for`;
    }
  }
  return "";
}

function isToBeWritten(now: string, was: string, wanted: string | undefined): boolean {
  return wanted !== undefined && sameQuantity(now, was) && !sameQuantity(now, wanted);
}

/** Returns a container that the snapshot shows of the pod; undefined: there is none of the name. */
function shownNamed({ pod: { containers } }: Subject, name: string): Container | undefined {
  return LISTS.flatMap((list) => containers?.[list] ?? []).find((container) => container.name === name);
}

/** Gives containers what the revision asks for to which their pod is on its way, and nothing that nobody has noted. */
export function podResizeFault(s: Subject): string {
  const { view } = s;
  const { containers } = s.pod;
  const { record, revision } = underWay(view, s.pod);
  const { had, right } = recordedAmounts(record);
  const template = view.templateOf(revision);
  const why = inPlaceFault(s);
  if (why !== "") return why;
  if (revision === "" || !right) return "no resources of the pod are under way";
  if (containers === undefined) return "the snapshot does not show what runs in the pod";
  if ((!view.revisions.has(revision) && !view.made.has(revision)) || members(template).size === 0) {
    return `the revision ${quote(revision)} is neither in the snapshot nor made by the plan, or it cannot be read`;
  }
  let changes = 0;
  for (const list of LISTS) {
    const resizes = s.body("resizePod")?.[list] ?? [];
    const shown = containers[list];
    if (resizes.length > 0 && resizes.length !== shown.length) return "the resources are not those of all containers of the pod";
    for (const [i, resize] of resizes.entries()) {
      const container = shown[i];
      if (container?.name !== resize.name) return "the containers are not in the order of the pod";
      const set = resized(resize);
      changes += set.size;
      for (const { amount, quantity } of set.values()) {
        const fault = amountFault(amount, quantity, had, container, template);
        if (fault !== "") return `${wordsOf(amount)} are not ${fault}`;
      }
    }
  }
  return changes === 0 ? "nothing changes" : "";
}

function amountFault(amount: Amount, quantity: string, had: Amounts, container: Container, template: Json): string {
  const was = had.get(keyOf(amount));
  if (was === undefined || !sameQuantity(was.quantity, shownAmount(container, amount))) return "what is under way";
  const wanted = askedIn(template, amount);
  return wanted !== undefined && sameQuantity(quantity, wanted) ? "" : "what the revision asks for";
}
