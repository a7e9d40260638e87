"""JSON values that compare as the checks mean it: order of keys, blanks and the spelling of a number do not count."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Container, Mapping
from typing import Any

MAX_DOCUMENT = 3 << 20
"""Bytes: no API server accepts a larger object."""
MAX_DEPTH = 200

_SURROGATE = re.compile("[\ud800-\udfff]")


class Number:
    """A number, by its text. A stored revision holds what a float64 keeps of a number, the set holds its text."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Number):
            return False
        if self.text == other.text:
            return True
        a, b = float(self.text), float(other.text)
        return a == b and math.isfinite(a)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return self.text


def parse(document: bytes, *, strict: bool = False) -> Any:
    """Read a document. `strict` refuses a key that stands twice in an object: two readers may take different ones.

    ValueError says what is wrong with it.
    """
    if len(document) > MAX_DOCUMENT:
        raise ValueError("it is larger than an API server takes")

    def pairs(members: list[tuple[str, Any]]) -> dict[str, Any]:
        read = {_whole(key): value for key, value in members}
        if strict and len(read) < len(members):
            raise ValueError("a key stands twice in an object")
        return read

    try:
        value = json.loads(
            document.decode(errors="replace"),
            object_pairs_hook=pairs,
            parse_int=Number,
            parse_float=Number,
            parse_constant=_refused,
        )
    except json.JSONDecodeError:
        raise ValueError("it is not JSON") from None
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    return _checked(value)


def _refused(_text: str) -> Any:
    raise ValueError("it is not JSON")


def _whole(text: str) -> str:
    return _SURROGATE.sub("\ufffd", text)


def _checked(root: Any) -> Any:
    """Refuse what is nested too deep, and mend texts that are not whole."""
    level = [root]
    for _ in range(MAX_DEPTH + 1):
        deeper: list[Any] = []
        for value in level:
            if isinstance(value, (dict, list)):
                for key, inner in list(value.items() if isinstance(value, dict) else enumerate(value)):
                    if isinstance(inner, str):
                        value[key] = _whole(inner)
                    deeper.append(inner)
        level = [value for value in deeper if isinstance(value, (dict, list))]
        if not level:
            return root
    raise ValueError("it is nested too deep")


def get(value: Any, *keys: str) -> Any:
    """Walk down the keys; None where there is nothing, or null."""
    for key in keys:
        value = members(value).get(key)
    return value


def members(value: Any) -> Mapping[str, Any]:
    """Return the members of an object; none of other values."""
    return value if isinstance(value, dict) else {}


def removes(value: Any, template: str) -> bool:
    """Report whether an object has None for a claim template, which then is removed."""
    return template in members(value) and members(value)[template] is None


def listed(value: Any) -> list[Any]:
    """Return the items of an array; none of other values."""
    return value if isinstance(value, list) else []


def text_of(value: Any) -> str:
    """Return a text; empty for other values."""
    return value if isinstance(value, str) else ""


def differing(a: Any, b: Any, but: Container[str] = ()) -> str:
    """Return a key under which two objects differ, in quotes, exceptions aside; empty if there is none.

    A null member differs from a missing one: in a map of strings it is a key.
    """
    one, other = members(a), members(b)
    for key in {**one, **other}:
        if key not in but and (key not in one or key not in other or one[key] != other[key]):
            return quote(key)
    return ""


LONGEST = 80


def quote(text: str) -> str:
    """Quote a planner's text, and keep it from filling logs and events."""
    return json.dumps(text if len(text) <= LONGEST else text[:LONGEST] + "...")


def merged(of: Any, over: Any) -> Any:
    """Lay the members of an object over those of another one, at every level."""
    if not isinstance(of, Mapping) or not isinstance(over, Mapping):
        return over
    return dict(of) | {key: merged(of.get(key), value) for key, value in over.items()}
