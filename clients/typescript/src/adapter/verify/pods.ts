// The checks of new pods: what they are and what they run.

import { differing, get, type Json, listed, object, quote, same, textOf } from "./json.js";
import { DRAIN_CLAIMS } from "./names.js";
import { containersDiffer, token } from "./proof.js";
import { OWN_SPEC, type Subject } from "./subject.js";

export function podWantedFault(s: Subject): string {
  if (s.ordinal === undefined) return "the name is not the set's name with an ordinal";
  if (s.isDrain) return s.mayDrain(s.ordinal) ? "" : "the ordinal is in the range, and no drain of it was begun";
  if (s.view.deleting) return "the set is being deleted";
  return s.view.range.has(s.ordinal) ? "" : "the ordinal is not in the range";
}

export function podRevisionFault(s: Subject): string {
  const name = s.revisionLabel;
  if (name !== "" && (s.view.revisions.has(name) || s.view.made.has(name))) return "";
  return `its revision ${quote(name)} is neither in the snapshot nor made by the plan`;
}

/** Lets a drain pod list only claims of its ordinal that it may drain, because its success allows their deletion. */
export function drainClaimsFault(s: Subject): string {
  if (s.ordinal === undefined || !s.covers(s.ordinal)) return "the ordinal was outside the range before the policy could cover it";
  if (s.view.shared) return "another set uses the same claim name";
  const may = s.view
    .claimsOf(s.ordinal)
    .filter((claim) => claim.deletionUnixMs === 0n && (s.markOf(claim) === "" || s.view.ofSameName(s.markOf(claim))))
    .map(({ uid }) => uid);
  const other = claimsOf(s)
    .split(",")
    .find((uid) => !may.includes(uid));
  return other === undefined ? "" : `it says that it drains ${quote(other)}, which is not a claim of its ordinal`;
}

function claimsOf(s: Subject): string {
  return textOf(get(s.manifest, "metadata", "annotations", DRAIN_CLAIMS));
}

/** Asks for exactly what the template says: containers, service account, host namespaces, node, all of it. */
export function specFault(s: Subject): string {
  const spec = get(s.manifest, "spec");
  const template = get(s.template, "spec");
  if (template === null) return "there is no template that it could be made of";
  const but = new Set(OWN_SPEC);
  if (s.isDrain && get(template, "restartPolicy") === null) {
    but.add("restartPolicy");
    if (get(spec, "restartPolicy") !== "OnFailure") return "its restartPolicy is not OnFailure";
  }
  if (s.isDrain && s.view.policy.proves) {
    const wanted = token(s.view.mark, claimsOf(s));
    for (const field of ["initContainers", "containers"]) {
      but.add(field);
      if (containersDiffer(get(spec, field), get(template, field), wanted)) {
        return `${field} of its spec are not what the template says, with the token`;
      }
    }
  }
  const key = differing(spec, template, but);
  return key && `${key} of its spec is not what the template says`;
}

export function addressFault(s: Subject): string {
  if (get(s.manifest, "spec", "hostname") !== s.name) return "the host name is not the pod's";
  const subdomain = get(s.manifest, "spec", "subdomain");
  return subdomain === (s.set.serviceName || null) ? "" : "the subdomain is not the set's service";
}

/** Asks for the claims of the ordinal first, in the order of the claim templates, then for the template's other volumes. */
export function volumesFault(s: Subject): string {
  const names = s.view.claimNames.filter((name) => !isWithout(s, name));
  const claims = names.map((name): Json => {
    return object({ name, persistentVolumeClaim: object({ claimName: `${name}-${s.name}` }) });
  });
  const others = listed(get(s.template, "spec", "volumes")).filter((volume) => !names.includes(textOf(get(volume, "name"))));
  const right = same(listed(get(s.manifest, "spec", "volumes")), [...claims, ...others]);
  return right ? "" : "its volumes are not the claims of its ordinal and the template's others";
}

/** Reports whether a new pod is without a claim template: a drain pod without one whose claim is not there, too. */
function isWithout(s: Subject, template: string): boolean {
  if (!s.isDrain) return !s.view.has(s.revisionLabel, template);
  const spare = !s.view.ownTemplates.has(template) || s.view.mayRemove(template);
  return spare && !s.view.claims.has(`${template}-${s.name}`);
}
