"""The checks of an action's target and preconditions."""

from __future__ import annotations

from setplan.adapter.verify._json import quote
from setplan.adapter.verify._names import CLAIM, POD, REVISION, is_name
from setplan.adapter.verify._subject import Subject
from setplan.adapter.verify._under_way import marks_pod
from setplan.v1.snapshot_pb2 import Claim, Pod, Revision, Scope

_THE_SETS = ""

KINDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("create_pod", "delete_pod", "evict_pod", "adopt_pod", "release_pod"), (POD,)),
    **dict.fromkeys(("patch_pod", "update_pod", "resize_pod"), (POD,)),
    **dict.fromkeys(("create_claim", "set_claim_owners", "delete_claim", "patch_claim"), (CLAIM,)),
    **dict.fromkeys(("create_revision", "renumber_revision", "adopt_revision", "delete_revision"), (REVISION,)),
    "patch_annotations": (POD, CLAIM),
    **dict.fromkeys(("update_status", "set_finalizer"), (_THE_SETS,)),
}
CREATES = frozenset({"create_pod", "create_claim", "create_revision"})

# An action that would do harm on an old view names the version that was seen.
_NEEDS_VERSION = frozenset(
    {
        "patch_pod",
        "update_pod",
        "resize_pod",
        "set_claim_owners",
        "patch_claim",
        "renumber_revision",
        "update_status",
        "delete_claim",
    }
)


def operation_fault(s: Subject) -> str:
    return "" if s.operation in KINDS else "this adapter has no checks for it"


def kind_fault(s: Subject) -> str:
    wanted = [kind or s.set.kind for kind in KINDS[s.operation]]
    return "" if s.kind in wanted else "the operation is not for this kind"


def namespace_fault(s: Subject) -> str:
    if s.action.target.namespace == s.set.namespace:
        return ""
    return f"the target is in namespace {quote(s.action.target.namespace)}, the set in {s.set.namespace}"


def name_fault(s: Subject) -> str:
    return "" if is_name(s.name) else "the target's name is not a DNS name"


def create_fault(s: Subject) -> str:
    if s.action.precondition.must_not_exist and not s.action.precondition.uid:
        return ""
    return "a create must require that no object of the name exists"


def uid_fault(s: Subject) -> str:
    """Refuse an action that changes an object and does not name the uid that the snapshot shows."""
    uid, _ = _seen(s)
    if not uid:
        return "the snapshot has no such object"
    if not s.action.precondition.uid:
        return "the action names no uid"
    return "" if s.action.precondition.uid == uid else "the snapshot shows another uid"


def version_fault(s: Subject) -> str:
    version = s.action.precondition.resource_version
    if not version and (s.operation in _NEEDS_VERSION or s.marks_claim or marks_pod(s)):
        return "the action names no resource version"
    return "the snapshot shows another resource version" if version and version != _seen(s)[1] else ""


def _seen(s: Subject) -> tuple[str, str]:
    """Return the target's uid and version in the snapshot."""
    if s.kind == s.set.kind and s.name == s.set.name:
        return s.set.uid, s.set.resource_version
    found: Pod | Claim | Revision | None = None
    if s.kind == POD:
        found = s.view.pods.get(s.name)
    elif s.kind == CLAIM:
        found = s.view.claims.get(s.name)
    elif s.kind == REVISION:
        found = s.view.revisions.get(s.name)
    return (found.uid, found.resource_version) if found is not None else ("", "")


def alone(s: Subject) -> bool:
    """Report whether another controller runs the set. A scope that we do not know is no wider."""
    return s.view.snapshot.policy.scope > Scope.SCOPE_WHOLE_SET


def alone_fault(s: Subject) -> str:
    """Refuse what is not part of a drain."""
    view, of = s.view, s.operation
    if (
        of in {"delete_claim", "set_finalizer"}
        or (of == "patch_annotations" and not marks_pod(s))
        or (of == "set_claim_owners" and view.draining and s.only_releases)
        or (of == "create_pod" and s.is_drain)
        or (of == "delete_pod" and (view.drain_pod(s.pod) or view.emptying))
    ):
        return ""
    return "another controller runs the set, and this is not part of a drain"
