"""Reads JSON of any depth, slowly. The reader of `json` gives up after some hundred levels, and an API server stores thousands."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

_SPACE = re.compile(r"[ \t\n\r]*")
_CLOSES = {"{": "}", "[": "]"}

Scalar = Callable[[str, int], tuple[Any, int]]
"""Reads a value that is no object and no array, and says where it ends. ValueError: there is none."""


class _Open:
    """An object or an array whose end has not come."""

    def __init__(self, bracket: str) -> None:
        self.value: Any = {} if bracket == "{" else []
        self.end = _CLOSES[bracket]
        self._key = ""

    def begin(self, text: str, at: int, scalar: Scalar) -> int:
        """Read what stands before a member, and return where its value begins."""
        if self.end == "]":
            return at
        if text[at : at + 1] != '"':
            raise ValueError(f"no key of an object begins at {at}")
        self._key, at = scalar(text, at)
        at = _after_space(text, at)
        if text[at : at + 1] != ":":
            raise ValueError(f"no colon at {at}")
        return _after_space(text, at + 1)

    def add(self, value: Any) -> None:
        """Add a member."""
        if self.end == "]":
            self.value.append(value)
        else:
            self.value[self._key] = value


def read(text: str, at: int, scalar: Scalar) -> tuple[Any, int]:
    """Read the value that begins here, and say where it ends. ValueError if there is none."""
    outer: list[_Open] = []
    while True:
        if text[at : at + 1] in _CLOSES:
            outer.append(_Open(text[at]))
            at = _after_space(text, at + 1)
            if text[at : at + 1] != outer[-1].end:
                at = outer[-1].begin(text, at, scalar)
                continue
            value, at = outer.pop().value, at + 1
        else:
            value, at = scalar(text, at)
        while outer:
            outer[-1].add(value)
            at = _after_space(text, at)
            mark = text[at : at + 1]
            if mark == ",":
                at = outer[-1].begin(text, _after_space(text, at + 1), scalar)
                break
            if mark != outer[-1].end:
                raise ValueError(f"neither a comma nor {outer[-1].end} at {at}")
            value, at = outer.pop().value, at + 1
        else:
            return value, at


def _after_space(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return space.end() if space else at
