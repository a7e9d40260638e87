"""Names, labels and annotations that a plan may use."""

from __future__ import annotations

import re

POD, CLAIM, REVISION = "Pod", "PersistentVolumeClaim", "ControllerRevision"

LABEL_POD_NAME = "statefulset.kubernetes.io/pod-name"
LABEL_POD_INDEX = "apps.kubernetes.io/pod-index"
LABEL_REVISION = "controller-revision-hash"
LABEL_HASH = "controller.kubernetes.io/hash"

DRAIN_SET = "setplan.io/drain-set"
DRAIN_CLAIMS = "setplan.io/drain-claims"
DRAIN_ATTEMPTS = "setplan.io/drain-attempts"
DRAIN_BEGUN = "setplan.io/drain-begun"
DRAIN_REQUEST = "setplan.io/drain-request"
DRAIN_ANSWER = "setplan.io/drain-answer"

CLAIM_TEMPLATES = "setplan.io/claim-templates"
CLAIM_POLICY = "setplan.io/claim-update-policy"
CLAIM_REQUEST = "setplan.io/claim-request"
CLAIM_CHANGED = "setplan.io/claim-changed"
CLAIM_METADATA = "setplan.io/claim-metadata"

IN_PLACE = "setplan.io/in-place"
UPDATE = "setplan.io/in-place-update"

FINALIZER = "setplan.io/drain"

_SUBDOMAIN = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*\Z")
_ORDINAL = re.compile(r"(0|[1-9][0-9]*)\Z")
_DIGITS = re.compile(r"[0-9]*\Z")
_MAX_NAME = 253
_MAX_ORDINAL = 2**31 - 1


def is_name(text: str) -> bool:
    """Report whether a text is a DNS subdomain, so that it can be nothing but a name in a path."""
    return len(text) <= _MAX_NAME and _SUBDOMAIN.match(text) is not None


def ordinal_in(name: str, base: str) -> int | None:
    """Read the ordinal of `<base>-<ordinal>`, written as a set writes it."""
    digits = name.removeprefix(base + "-")
    if digits == name or len(digits) > len(str(_MAX_ORDINAL)) or not _ORDINAL.match(digits):
        return None
    return int(digits) if int(digits) <= _MAX_ORDINAL else None


def is_member(name: str, base: str) -> bool:
    """Report whether a pod has a name that the set could have given, leading zeros included."""
    digits = name.removeprefix(base + "-")
    return digits not in {name, ""} and trailing_digits(digits) == digits


def trailing_digits(name: str) -> str:
    """Return the digits at the end of a name."""
    found = _DIGITS.search(name)
    return found.group() if found else ""


def same_ordinal(digits: str, ordinal: int) -> bool:
    """Compare digits with an ordinal; leading zeros do not count."""
    return digits != "" and (digits.lstrip("0") or "0") == str(ordinal)
