"""What of the resources of a container may change while it stays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from setplan.adapter.verify._containers import LISTS, pairs_of, stays, with_containers
from setplan.adapter.verify._json import Number, get, listed, members, quote, text_of
from setplan.adapter.verify._quantity import quantity_of, same_quantity
from setplan.v1.plan_pb2 import ContainerResize
from setplan.v1.snapshot_pb2 import Container, ContainerResources

LIMITS, REQUESTS = _AMOUNT_LISTS = ("limits", "requests")
_RESOURCES = ("cpu", "memory")


class Amount(NamedTuple):
    """The place of a quantity in a pod."""

    container: str
    of: str  # limits, or requests
    resource: str

    @property
    def words(self) -> str:
        return f"the {self.of} of {self.resource} of the container {quote(self.container)}"


Amounts = Mapping[Amount, str]
"""Quantities; empty is none."""


def asked(container: Any, amount: Amount) -> str | None:
    """Return what a container of a template asks for; None: nothing. A request that it does not have is its limit."""
    quantity = get(container, "resources", amount.of, amount.resource)
    if quantity is None and amount.of == REQUESTS:
        quantity = get(container, "resources", LIMITS, amount.resource)
    if quantity is None:
        return None
    return quantity.text if isinstance(quantity, Number) else text_of(quantity)


def asked_in(template: Any, amount: Amount) -> str | None:
    """Return what a template asks for in a container that stays; None: nothing, or it has no such container."""
    for of in LISTS:
        for container in listed(get(template, "spec", of)):
            if get(container, "name") == amount.container and stays(of, container):
                return asked(container, amount)
    return None


def apart_from_resources(old: Any, new: Any) -> tuple[Any, Any, Amounts, bool]:
    """Take the cpu and the memory that may change in place out of two templates.

    These are those of containers, and of sidecars, which have the same place and name in both. Also return what the second one asks
    for where that is another quantity, and whether a container starts anew for it. What the second one no longer asks for stays
    where it is, and so does what is no quantity.
    """
    changed: dict[Amount, str] = {}
    restarts = False
    for of in LISTS:
        pairs = pairs_of(old, new, of)
        for i, (x, y) in enumerate(pairs):
            name = text_of(get(y, "name"))
            if not name or get(x, "name") != name or not stays(of, x) or not stays(of, y):
                continue
            may_change = [a for a in _amounts_of(name) if _may_change(asked(x, a), asked(y, a))]
            pairs[i] = _without(x, may_change), _without(y, may_change)
            changes = {a: asked(y, a) or "" for a in may_change if _differs(asked(x, a), asked(y, a))}
            changed |= changes
            restarts = restarts or any(_restarts_for(y, a.resource) for a in changes)
        if pairs:
            old, new = with_containers(old, of, [x for x, _ in pairs]), with_containers(new, of, [y for _, y in pairs])
    return old, new, changed, restarts


def _amounts_of(container: str) -> Iterator[Amount]:
    return (Amount(container, of, resource) for of in _AMOUNT_LISTS for resource in _RESOURCES)


def _may_change(was: str | None, now: str | None) -> bool:
    """Report whether both are quantities, and the second one is there."""
    return now is not None and quantity_of(now) is not None and (was is None or quantity_of(was) is not None)


def _differs(was: str | None, now: str | None) -> bool:
    return was is None or not same_quantity(was, now or "")


def _restarts_for(container: Any, resource: str) -> bool:
    """Report whether a container starts anew where a resource of it changes."""
    return any(
        get(policy, "resourceName") == resource and get(policy, "restartPolicy") == "RestartContainer"
        for policy in listed(get(container, "resizePolicy"))
    )


def _without(container: Any, amounts: list[Amount]) -> Any:
    """Leave quantities out, and then limits and requests of nothing."""
    resources = get(container, "resources")
    if not isinstance(resources, dict):
        return container
    left = dict(resources)
    for of in _AMOUNT_LISTS:
        if isinstance(left.get(of), dict):
            gone = {a.resource for a in amounts if a.of == of}
            left[of] = {key: value for key, value in left[of].items() if key not in gone}
        if _is_nothing(left.get(of)):
            left.pop(of, None)
    return {**container, "resources": left}


def _is_nothing(amounts: Any) -> bool:
    """Report whether a list of amounts asks for nothing. Other controllers may have written nulls into a revision."""
    return amounts is None or (isinstance(amounts, dict) and all(amount in (None, {}) for amount in amounts.values()))


def shown_amount(container: Container, amount: Amount) -> str:
    """Return what the spec of a pod's container has."""
    return _texts(container.resources, amount.of).get(amount.resource, "")


def resized(resize: ContainerResize) -> Amounts:
    """Return the quantities that a resize sets of a container."""
    return {Amount(resize.name, of, r): text for of in _AMOUNT_LISTS for r, text in _texts(resize, of).items()}


def _texts(of: ContainerResources | ContainerResize, amounts: str) -> Mapping[str, str]:
    return of.limits if amounts == LIMITS else of.requests


def recorded_amounts(record: Any) -> tuple[Amounts, bool]:
    """Return what a record says that the containers had, and whether it says nothing else, and in its form."""
    had: dict[Amount, str] = {}
    if "resize" not in members(record):
        return had, True
    right = _is_full(record["resize"])
    for container, lists in members(record["resize"]).items():
        right = right and _is_full(lists, _AMOUNT_LISTS)
        for of, quantities in members(lists).items():
            right = right and _is_full(quantities, _RESOURCES)
            for resource, quantity in members(quantities).items():
                had[Amount(container, of, resource)] = text_of(quantity)
                right = right and isinstance(quantity, str)
    return had, right


def _is_full(value: Any, keys: tuple[str, ...] = ()) -> bool:
    """Report whether a value is an object that is not empty, and has no other keys."""
    return isinstance(value, dict) and value != {} and (not keys or all(key in keys for key in value))
