"""Lies of a planner are refused, each by the check for it; what a planner really plans passes."""

from __future__ import annotations

import json
import re
import time
from typing import Any

import pytest
import vectors
from google.protobuf import json_format
from servers import ROOT

from setplan.adapter.operations import actions_of
from setplan.adapter.verify import CHECKS, Check, Refusal, Verifier
from setplan.adapter.verify._policy import read_template
from setplan.adapter.verify._quantity import same_quantity
from setplan.v1 import Snapshot, Stage

TOLD = json.loads((ROOT / "proto" / "testdata" / "lies.json").read_text())
LIES = TOLD["lies"]

# Checks whose lies another check would find, too: what they add is the reason. A claim of another name has no ordinal, and
# nothing is allowed for none.
BACKED_UP = {"operation", "manifest", "own-claim"}


def verdict(scene: dict[str, Any], checks: list[Check] | None = None) -> str:
    """Return the check that refuses the stage; empty where none does."""
    snapshot = json_format.ParseDict(scene.get("snapshot", TOLD["snapshot"]), Snapshot())
    stage = json_format.ParseDict(scene["stage"], Stage())
    try:
        Verifier(snapshot, checks).stage(stage)
    except Refusal as refusal:
        return refusal.check
    return ""


@pytest.mark.parametrize("truth", TOLD["truths"], ids=lambda t: t["about"])
def test_truth(truth: dict[str, Any]) -> None:
    assert verdict(truth) == ""


@pytest.mark.parametrize("lie", LIES, ids=lambda t: t["about"])
def test_lie(lie: dict[str, Any]) -> None:
    assert verdict(lie) == lie["check"]


def test_too_large() -> None:
    truth = next(t for t in TOLD["truths"] if t["about"] == "create_pod")
    stage = json_format.ParseDict(truth["stage"], Stage())
    next(actions_of(stage)).create_pod.manifest += b" " * (3 << 20)
    with pytest.raises(Refusal, match="manifest"):
        Verifier(json_format.ParseDict(TOLD["snapshot"], Snapshot())).stage(stage)


@pytest.mark.parametrize("begin", ["[", "{a: ", "[a,"])
def test_a_deep_template_costs_little(begin: str) -> None:
    """A set's author may write 64 kB of brackets; PyYAML takes a minute of CPU for them."""
    began = time.process_time()
    assert read_template((begin * (65000 // len(begin))).encode(), maybe_yaml=True) is None
    assert time.process_time() - began < 5


@pytest.mark.parametrize(("depth", "accepted"), [(200, True), (201, False)])
def test_how_deep_a_template_may_be(depth: int, accepted: bool) -> None:
    yaml_and_no_json = b"# a comment\n" + b"[" * depth + b"]" * depth
    assert (read_template(yaml_and_no_json, maybe_yaml=True) is not None) is accepted


@pytest.mark.parametrize("removed", CHECKS, ids=lambda c: c.name)
def test_every_check_is_needed(removed: Check) -> None:
    """Without a check one of its lies passes."""
    without = [check for check in CHECKS if check is not removed]
    lies = [lie for lie in LIES if lie["check"] == removed.name]
    assert lies
    if removed.name not in BACKED_UP:
        assert any(verdict(lie, without) == "" for lie in lies)


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("1Gi", "1024Mi", True),
        ("1Gi", "1073741824", True),
        ("1G", "1Gi", False),
        ("1G", "1e9", True),
        ("1E", "1e18", True),
        ("1E3", "1k", True),
        ("100m", "0.1", True),
        ("100m", ".1", True),
        ("1e-3", "1m", True),
        ("2.0", "2", True),
        ("0.1", "0.10000000000000000001", False),
        ("", "0", True),
        ("", "1", False),
        ("-1", "-1", False),
        ("1e999999999", "1e999999999", False),
        ("1/2", "0.5", False),
        ("0x1", "1", False),
        ("1_0", "10", False),
        ("1 Gi", "1Gi", False),
        ("1Gi\n", "1Gi", False),
        ("1.2.3", "1.2.3", False),
        (".", ".", False),
        ("Gi", "Gi", False),
        ("1KiB", "1KiB", False),
        ("1e", "1e", False),
        ("\u0661", "1", False),
    ],
)
def test_quantities_compare_as_numbers(a: str, b: str, same: bool) -> None:
    """What is no quantity, or less than nothing, is the same as nothing."""
    assert same_quantity(a, b) is same


def test_words() -> None:
    """The page has the list in the same words and order."""
    section = (ROOT / "docs" / "adapter.md").read_text().partition("## What is verified")[2]
    assert re.findall(r"^\| `([^`]*)` \| (.*) \|$", section, re.MULTILINE) == [(c.name, c.words) for c in CHECKS]


def test_real_plans() -> None:
    """Every action of every vector's plan passes."""
    actions = 0
    for vector in vectors.read():
        if "plan" not in vector.content:
            continue
        verifier = Verifier(vector.request.snapshot)
        for stage in vector.plan.stages:
            try:
                verifier.stage(stage)
            except Refusal as refusal:
                # It has a pod with the name "web-", which no API server stores.
                assert (vector.name, refusal.check) == ("objects/pod-names.json", "name"), refusal  # noqa: PT017
            actions += len(list(actions_of(stage)))
    assert actions > 500
