"""The checks of resources in place.

A start notes what the containers had, and a resize then gives them what the revision asks for.
"""

from __future__ import annotations

from setplan.adapter.verify._containers import CONTAINERS, INIT_CONTAINERS, shown_of
from setplan.adapter.verify._json import members, quote
from setplan.adapter.verify._quantity import same_quantity
from setplan.adapter.verify._resources import apart_from_resources, asked_in, recorded_amounts, resized, shown_amount
from setplan.adapter.verify._subject import Subject
from setplan.adapter.verify._under_way import Step, UnderWay, in_place_fault, runs, under_way, updating
from setplan.v1.snapshot_pb2 import Container


def pod_resources_fault(s: Subject) -> str:
    """Let what is under way say of the resources what the snapshot shows."""
    view, does, under = s.view, updating(s), under_way(s.view, s.pod)
    if does.step == Step.RELABELS:
        return ""
    if does.step == Step.FINISHES:
        return _finished_fault(s, under)
    had, right = recorded_amounts(does.record)
    wanted = dict(recorded_amounts(under.record)[0])
    restarts, restarted = "restarts" in members(does.record), "restarts" in members(under.record)
    anew = restarted
    if does.step == Step.STARTS:
        _, _, changed, anew = apart_from_resources(view.stored.get(runs(view, s.pod)), view.template_of(does.to))
        for amount in changed:
            container = _shown_named(s, amount.container)
            if container is None:
                return "the pod lacks a container whose resources change"
            wanted[amount] = shown_amount(container, amount)
    if not right or (restarts and does.record["restarts"] is not True):
        return "what is under way has another form"
    if had != wanted:
        return "what is under way is not what the snapshot shows of the resources that change"
    if anew != restarts and not (restarts and restarted and does.step == Step.STARTS):
        return "what is under way does not say whether containers start anew for their resources"
    return ""


def _finished_fault(s: Subject, under: UnderWay) -> str:
    """Let the label follow when the spec has what the revision asks for, or what somebody else has put there since."""
    had, _ = recorded_amounts(under.record)
    template = s.view.template_of(under.revision)
    for amount, was in had.items():
        container, wanted = _shown_named(s, amount.container), asked_in(template, amount)
        now = "" if container is None else shown_amount(container, amount)
        to_be_written = wanted is not None and same_quantity(now, was) and not same_quantity(now, wanted)
        if container is None or to_be_written:
            return f"{amount.words} are not what the revision asks for"
    return ""


def _shown_named(s: Subject, name: str) -> Container | None:
    """Return a container that the snapshot shows of the pod; None: there is none of the name."""
    return next((c for containers in shown_of(s).values() for c in containers if c.name == name), None)


def pod_resize_fault(s: Subject) -> str:
    """Give containers what the revision asks for to which their pod is on its way, and nothing that nobody has noted."""
    view, under = s.view, under_way(s.view, s.pod)
    had, right = recorded_amounts(under.record)
    template = view.template_of(under.revision)
    if why := in_place_fault(s):
        return why
    if not under.revision or not right:
        return "no resources of the pod are under way"
    if not s.pod.HasField("containers"):
        return "the snapshot does not show what runs in the pod"
    if (under.revision not in view.revisions and under.revision not in view.made) or not template:
        return f"the revision {quote(under.revision)} is neither in the snapshot nor made by the plan, or it cannot be read"
    changes = 0
    for of, resizes in ((CONTAINERS, s.body.containers), (INIT_CONTAINERS, s.body.init_containers)):
        shown = shown_of(s)[of]
        if len(resizes) not in {0, len(shown)}:
            return "the resources are not those of all containers of the pod"
        for resize, container in zip(resizes, shown, strict=False):
            if resize.name != container.name:
                return "the containers are not in the order of the pod"
            for amount, quantity in resized(resize).items():
                changes += 1
                if amount not in had or not same_quantity(had[amount], shown_amount(container, amount)):
                    return f"{amount.words} are not what is under way"
                wanted = asked_in(template, amount)
                if wanted is None or not same_quantity(quantity, wanted):
                    return f"{amount.words} are not what the revision asks for"
    return "" if changes else "nothing changes"
