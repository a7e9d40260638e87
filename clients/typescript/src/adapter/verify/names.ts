// Names, labels and annotations that a plan may use.

export const POD = "Pod";
export const CLAIM = "PersistentVolumeClaim";
export const REVISION = "ControllerRevision";

export const LABEL_POD_NAME = "statefulset.kubernetes.io/pod-name";
export const LABEL_POD_INDEX = "apps.kubernetes.io/pod-index";
export const LABEL_REVISION = "controller-revision-hash";
export const LABEL_HASH = "controller.kubernetes.io/hash";

export const DRAIN_SET = "setplan.io/drain-set";
export const DRAIN_CLAIMS = "setplan.io/drain-claims";
export const DRAIN_ATTEMPTS = "setplan.io/drain-attempts";
export const DRAIN_BEGUN = "setplan.io/drain-begun";
export const DRAIN_REQUEST = "setplan.io/drain-request";
export const DRAIN_ANSWER = "setplan.io/drain-answer";

export const CLAIM_TEMPLATES = "setplan.io/claim-templates";
export const CLAIM_POLICY = "setplan.io/claim-update-policy";
export const CLAIM_REQUEST = "setplan.io/claim-request";
export const CLAIM_CHANGED = "setplan.io/claim-changed";
export const CLAIM_METADATA = "setplan.io/claim-metadata";

export const IN_PLACE = "setplan.io/in-place";
export const UPDATE = "setplan.io/in-place-update";

export const FINALIZER = "setplan.io/drain";

const LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
const MAX_NAME = 253;
const MAX_ORDINAL = 2 ** 31 - 1;

/** Reports whether a text is a DNS subdomain, so that it can be nothing but a name in a path. */
export function isName(text: string): boolean {
  return text.length <= MAX_NAME && text.split(".").every((label) => LABEL.test(label));
}

/** Returns what follows `<base>-` in a name; empty if nothing does, or the name begins otherwise. */
function after(name: string, base: string): string {
  return name.startsWith(`${base}-`) ? name.slice(base.length + 1) : "";
}

/** Reads the ordinal of `<base>-<ordinal>`, written as a set writes it. */
export function ordinalIn(name: string, base: string): number | undefined {
  const digits = after(name, base);
  if (!/^(0|[1-9][0-9]*)$/.test(digits) || digits.length > String(MAX_ORDINAL).length) return undefined;
  return Number(digits) <= MAX_ORDINAL ? Number(digits) : undefined;
}

/** Reports whether a pod has a name that the set could have given, leading zeros included. */
export function isMember(name: string, base: string): boolean {
  return /^[0-9]+$/.test(after(name, base));
}

/** Reports whether a pod's name is the set's with this ordinal, leading zeros included. */
export function isMemberAt(name: string, base: string, ordinal: number): boolean {
  return isMember(name, base) && sameOrdinal(after(name, base), ordinal);
}

/** Returns the digits at the end of a name. A regular expression would look at each digit for the end, and a planner may send many. */
export function trailingDigits(name: string): string {
  let first = name.length;
  while (first > 0 && isDigit(name.charAt(first - 1))) first--;
  return name.slice(first);
}

function isDigit(character: string): boolean {
  return character >= "0" && character <= "9";
}

/** Compares digits with an ordinal; leading zeros do not count. */
export function sameOrdinal(digits: string, ordinal: number): boolean {
  return digits !== "" && (digits.replace(/^0+/, "") || "0") === String(ordinal);
}
