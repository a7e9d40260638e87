"""The checks of new pods: what they are and what they run."""

from __future__ import annotations

from typing import Any

from setplan.adapter.verify._json import differing, get, listed, quote, text_of
from setplan.adapter.verify._names import DRAIN_CLAIMS
from setplan.adapter.verify._proof import containers_differ, token
from setplan.adapter.verify._subject import OWN_SPEC, Subject


def pod_wanted_fault(s: Subject) -> str:
    if s.ordinal is None:
        return "the name is not the set's name with an ordinal"
    if s.is_drain:
        return "" if s.may_drain(s.ordinal) else "the ordinal is in the range, and no drain of it was begun"
    if s.view.deleting:
        return "the set is being deleted"
    return "" if s.ordinal in s.view.range else "the ordinal is not in the range"


def pod_revision_fault(s: Subject) -> str:
    name = s.revision_label
    if name and (name in s.view.revisions or name in s.view.made):
        return ""
    return f"its revision {quote(name)} is neither in the snapshot nor made by the plan"


def drain_claims_fault(s: Subject) -> str:
    """Let a drain pod list only claims of its ordinal that it may drain, because its success allows their deletion."""
    if s.ordinal is None or not s.covers(s.ordinal):
        return "the ordinal was outside the range before the policy could cover it"
    if s.view.shared:
        return "another set uses the same claim name"
    may = {
        claim.uid
        for claim in s.view.claims_of(s.ordinal)
        if not claim.deletion_unix_ms and (not s.mark_of(claim) or s.view.of_same_name(s.mark_of(claim)))
    }
    for uid in text_of(get(s.manifest, "metadata", "annotations", DRAIN_CLAIMS)).split(","):
        if uid not in may:
            return f"it says that it drains {quote(uid)}, which is not a claim of its ordinal"
    return ""


def spec_fault(s: Subject) -> str:
    """Ask for exactly what the template says: containers, service account, host namespaces, node, all of it."""
    spec, template = get(s.manifest, "spec"), get(s.template, "spec")
    if template is None:
        return "there is no template that it could be made of"
    but = set(OWN_SPEC)
    if s.is_drain and get(template, "restartPolicy") is None:
        but.add("restartPolicy")
        if get(spec, "restartPolicy") != "OnFailure":
            return "its restartPolicy is not OnFailure"
    if s.is_drain and s.view.policy.proves:
        wanted = token(s.view.mark, text_of(get(s.manifest, "metadata", "annotations", DRAIN_CLAIMS)))
        for field in ("initContainers", "containers"):
            but.add(field)
            if containers_differ(get(spec, field), get(template, field), wanted):
                return f"{field} of its spec are not what the template says, with the token"
    key = differing(spec, template, but)
    return f"{key} of its spec is not what the template says" if key else ""


def address_fault(s: Subject) -> str:
    if get(s.manifest, "spec", "hostname") != s.name:
        return "the host name is not the pod's"
    if get(s.manifest, "spec", "subdomain") != (s.set.service_name or None):
        return "the subdomain is not the set's service"
    return ""


def volumes_fault(s: Subject) -> str:
    """Ask for the claims of the ordinal first, in the order of the claim templates, then for the template's other volumes."""
    names = [name for name in s.view.claim_names if not _is_without(s, name)]
    claims: list[Any] = [{"name": name, "persistentVolumeClaim": {"claimName": f"{name}-{s.name}"}} for name in names]
    others = [volume for volume in listed(get(s.template, "spec", "volumes")) if get(volume, "name") not in names]
    if listed(get(s.manifest, "spec", "volumes")) != claims + others:
        return "its volumes are not the claims of its ordinal and the template's others"
    return ""


def _is_without(s: Subject, template: str) -> bool:
    """Report whether a new pod is without a claim template: a drain pod without one whose claim is not there, too."""
    if s.is_drain:
        spare = template not in s.view.own_templates or s.view.may_remove(template)
        return spare and f"{template}-{s.name}" not in s.view.claims
    return not s.view.has(s.revision_label, template)
