// The check of images in place.

import type { Container, ContainerImage } from "../../v1/index.js";
import { type List, LISTS, pairsOf, type Shown, stays, withPairs } from "./containers.js";
import { differing, get, type Json, JsonNumber, members, quote, same, textOf } from "./json.js";
import { LABEL_REVISION } from "./names.js";
import { apartFromResources } from "./resources.js";
import type { Subject } from "./subject.js";
import { runs, type UnderWay, underWay, type Updating, updating } from "./under-way.js";

/** Images that change, by the name of the container. */
type Images = ReadonlyMap<string, string>;
type Changed = Readonly<Record<List, Images>>;

const NONE: Images = new Map();
const NOTHING: Changed = { containers: NONE, initContainers: NONE };
const SECONDS = /^[0-9]{1,11}$/;

/**
 * Lets images be the template's where the revisions differ, and otherwise stay. What is under way is what the snapshot shows, and the
 * label comes when it is over.
 */
export function podImagesFault(s: Subject): string {
  const update = s.body("updatePod");
  const does = updating(s);
  const under = underWay(s.view, s.pod);
  const shown = s.pod.containers;
  const label = update?.labels[LABEL_REVISION] ?? s.view.revisionName(s.pod);
  if (under.broken) return "nobody can read what is under way in the pod";
  if (does.step !== "starts" && (update?.containers.length ?? 0) + (update?.initContainers.length ?? 0) > 0) {
    return "images change, and nothing says what is under way";
  }
  switch (does.step) {
    case "finishes":
      return label === does.to ? "" : "the label is not the revision that the pod was on its way to";
    case "relabels":
      return under.revision === "" ? "" : "the pod is on its way to a revision";
    default:
  }
  if (shown === undefined) return "the snapshot does not show what runs in the pod";
  return does.step === "notes" ? recordFault(does, under, NOTHING, shown) : startFault(s, does, under, shown);
}

function startFault(s: Subject, does: Updating, under: UnderWay, shown: Shown): string {
  const { view } = s;
  const update = s.body("updatePod");
  const [old, next] = [view.stored(runs(view, s.pod)) ?? null, view.templateOf(does.to)];
  const { changed } = apartFromImages(old, next);
  const differ = LISTS.some((list) => changed[list].size > 0) || apartFromResources(old, next).changed.size > 0;
  if (!differ && under.revision === "") return "the templates differ in no image, and in no resource";
  for (const list of LISTS) {
    const why = imagesFault(update?.[list] ?? [], shown[list], changed[list]);
    if (why !== "") return why;
  }
  return recordFault(does, under, changed, shown);
}

/** Compares a list of images with the pod's containers. A list in which nothing changes may be left out. */
function imagesFault(images: readonly ContainerImage[], shown: readonly Container[], changed: Images): string {
  if (images.length === 0 && changed.size === 0) return "";
  if (images.length !== shown.length) return "the images are not those of all containers of the pod";
  for (const [i, { name, image }] of shown.entries()) {
    if (images[i]?.name !== name) return "the containers are not in the order of the pod";
    if (images[i].image !== (changed.get(name) ?? image)) {
      return `the image of the container ${quote(name)} is not what the templates differ in`;
    }
  }
  const names = new Set(shown.map(({ name }) => name));
  return [...changed.keys()].every((name) => names.has(name)) ? "" : "the pod lacks a container whose image changes";
}

/**
 * Compares what is under way with what the snapshot shows of each container whose image changes. What was under way before stays in it, as it
 * was; a note may say of it what the snapshot shows now.
 */
function recordFault(does: Updating, under: UnderWay, changed: Changed, shown: Shown): string {
  const notes = does.step === "notes";
  if (!isRecord(does.record) || (get(does.record, "seen") !== null) !== notes) return "what is under way has another form";
  let known = 0;
  for (const list of LISTS) {
    for (const container of shown[list]) {
      const entry = get(does.record, "containers", container.name);
      const was = get(under.record, "containers", container.name);
      if (entry !== null) known++;
      let right = same(entry, was);
      if (changed[list].has(container.name) || (notes && was !== null && !right)) right = tells(entry, container, was);
      if (!right) return `what is under way is not what the snapshot shows of the container ${quote(container.name)}`;
    }
  }
  const size = members(get(does.record, "containers")).size;
  return known === size ? "" : "what is under way names a container that the pod does not have";
}

/** Reports whether a record has its form, but for its entries. */
function isRecord(record: Json): boolean {
  const at = get(record, "at");
  return (
    differing(record, null, new Set(["at", "containers", "resize", "restarts", "revision", "seen"])) === "" &&
    at instanceof JsonNumber &&
    SECONDS.test(at.text) &&
    get(record, "containers") instanceof Map &&
    isTrueOrNone(get(record, "seen"))
  );
}

function isTrueOrNone(value: Json): boolean {
  return value === null || value === true;
}

/** Reports whether an entry is what a container shows. Where there was an entry before, it also tells what ran when that began. */
function tells(entry: Json, shown: Container, was: Json): boolean {
  if (!(entry instanceof Map) || differing(entry, null, new Set(["id", "image", "good", "open"])) !== "") return false;
  if (!isTrueOrNone(get(entry, "open")) || !ranAs(entry, shown.containerId, shown.imageId)) return false;
  const good = get(entry, "good");
  if (was === null) return good === null && get(entry, "open") === null;
  const first = get(was, "good") ?? was;
  return members(good).size === 2 && ranAs(good, textOf(get(first, "id")), textOf(get(first, "image")));
}

function ranAs(value: Json, id: string, image: string): boolean {
  return get(value, "id") === id && get(value, "image") === image;
}

/**
 * Takes the images that may change in place out of two templates: those of containers, and of sidecars, which have the same place and
 * name in both. Also returns those that differ.
 */
export function apartFromImages(old: Json, next: Json): { old: Json; next: Json; changed: Changed } {
  const changed: Record<List, Images> = { containers: NONE, initContainers: NONE };
  for (const list of LISTS) {
    const pairs = pairsOf(old, next, list)?.map(([left, right]) => pair(list, left, right));
    if (pairs === undefined) continue;
    changed[list] = new Map(pairs.flatMap(({ name, image }) => (image === "" ? [] : [[name, image] as const])));
    [old, next] = withPairs(
      old,
      next,
      list,
      pairs.map(({ left, right }) => [left, right]),
    );
  }
  return { old, next, changed };
}

/** Returns two containers without the images that may change, the name, and the new image if it differs. */
function pair(list: List, left: Json, right: Json): { left: Json; right: Json; name: string; image: string } {
  const name = textOf(get(right, "name"));
  const [was, now] = [textOf(get(left, "image")), textOf(get(right, "image"))];
  const mayChange = stays(list, left) && stays(list, right);
  if (!mayChange || get(left, "name") !== name || was === "" || now === "") return { left, right, name, image: "" };
  return { left: imageless(left), right: imageless(right), name, image: now === was ? "" : now };
}

function imageless(container: Json): Json {
  return new Map([...members(container)].filter(([key]) => key !== "image"));
}
