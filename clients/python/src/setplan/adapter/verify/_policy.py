"""The drain policy: the caller's, or otherwise the one in the set's annotations. It is read here, and never taken from the plan."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import yaml

from setplan.adapter.verify._json import MAX_DEPTH, Number, parse
from setplan.v1.snapshot_pb2 import DrainPolicy, DrainProof, Snapshot

# The annotations of a set that may hold a drain template, in the order of precedence.
_TEMPLATES = (
    "setplan.io/drain-pod-template",
    "statefulsets.kubernetes.io/drainer-pod-template",
    "statefulsets.kubernetes.io/scaledown-pod-template",
)
_MAX_YAML = 64 << 10  # bytes


@dataclass(frozen=True)
class Policy:
    """What the checks ask of the drain policy."""

    draining: bool
    """There is a drain template."""
    template: Any
    """The template; None if it cannot be read, and then no drain pod is like it."""
    on_delete: bool
    proves: bool
    """A token is the proof; also for an unknown value, with which nothing is drained."""
    leftovers: bool


def policy_of(snapshot: Snapshot) -> Policy:
    """Read the policy."""
    typed, notes = snapshot.policy.drain, snapshot.set.annotations
    if typed.HasField("pod_template"):
        text, maybe_yaml = typed.pod_template, False
    else:
        found = next((t for t in (notes.get(name, "").strip() for name in _TEMPLATES) if t), "")
        text, maybe_yaml = found.encode(), True
    proves = typed.proof > DrainProof.DRAIN_PROOF_SUCCESS
    if typed.proof == DrainProof.DRAIN_PROOF_UNSPECIFIED:
        proves = notes.get("setplan.io/drain-proof", "") != ""
    return Policy(
        draining=text != b"",
        template=read_template(text, maybe_yaml),
        on_delete=_is_true(typed, "on_delete", notes.get("setplan.io/drain-on-delete", "")),
        proves=proves,
        leftovers=_is_true(typed, "leftovers", notes.get("setplan.io/drain-leftovers", "")),
    )


def _is_true(typed: DrainPolicy, field: str, note: str) -> bool:
    return bool(getattr(typed, field)) if typed.HasField(field) else note == "true"


def read_template(text: bytes, maybe_yaml: bool) -> Any:
    """Read JSON, or YAML where that may stand; None if it is neither."""
    try:
        return parse(text)
    except ValueError:
        pass
    if not maybe_yaml or len(text) > _MAX_YAML:
        return None
    try:
        return _read_yaml(text.decode())
    except (ValueError, yaml.YAMLError, RecursionError):
        return None


_NULL = {"", "~", "null", "Null", "NULL"}
_TRUE = {"true", "True", "TRUE", "y", "Y", "yes", "Yes", "YES", "on", "On", "ON"}
_FALSE = {"false", "False", "FALSE", "n", "N", "no", "No", "NO", "off", "Off", "OFF"}
_DECIMAL = re.compile(r"-?(0|[1-9][0-9]*)\Z")
_INTEGER = re.compile(r"[-+]?(0[xob])?[0-9a-fA-F_]+\Z")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")


def _read_yaml(text: str) -> Any:
    """Read YAML as kubectl does: yes and on are true, and a date is a text. ValueError for aliases, anchors and deep texts.

    Events come one by one: what is refused costs no more than what was read of it.
    """
    depth = 0
    for event in yaml.parse(text, yaml.BaseLoader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            raise ValueError("it is nested too deep")
        if isinstance(event, yaml.NodeEvent) and event.anchor is not None:
            raise ValueError("it has anchors or aliases")
    return _value(yaml.compose(text, yaml.BaseLoader))


def _value(node: yaml.Node | None) -> Any:
    if isinstance(node, yaml.MappingNode):
        return {str(key.value): _value(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [_value(item) for item in node.value]
    if node is None:
        return None
    if node.tag != "tag:yaml.org,2002:str":
        raise ValueError("it has a tag of its own")
    word = str(node.value)
    return word if isinstance(node, yaml.ScalarNode) and node.style is not None else _plain(word)


def _plain(word: str) -> Any:
    if word in _NULL:
        return None
    if word in _TRUE or word in _FALSE:
        return word in _TRUE
    if _DECIMAL.match(word) or _FLOAT.match(word):
        octal = len(word) > 1 and word[0] == "0" and word.isdecimal()
        return Number(str(int(word, 8))) if octal and set(word) <= set("01234567") else Number(word)
    if _INTEGER.match(word) and word.lstrip("+-")[:1].isdecimal():
        try:
            return Number(str(int(word, 0)))
        except ValueError:
            return word
    return word
