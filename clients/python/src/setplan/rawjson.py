"""JSON text as it stands: what the API server sent, cut out by key, with every digit, escape and unknown field.

The names of revisions are computed from the text of templates, so a template must not pass through a parser that turns numbers
into doubles (SPEC.md, A1). `Raw` finds a value without changing it; `Raw.value` reads it where a field of the contract needs it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from setplan import _deepjson

_SPACE = re.compile(r"[ \t\n\r]*")
_SURROGATE = re.compile("[\ud800-\udfff]")


def _whole(text: str) -> int | float:
    # No field has more than 64 bits, and Python refuses to read thousands of digits.
    return int(text) if len(text) <= len("-9223372036854775808") else float(text)


def _refused(text: str) -> Any:
    raise ValueError(f"{text} is not JSON")


_decoder = json.JSONDecoder(parse_int=_whole, parse_constant=_refused)


class Raw:
    """A value of a JSON document, by its place there."""

    def __init__(self, text: str | bytes, start: int = 0, end: int | None = None) -> None:
        """Read a document. Bytes that are not UTF-8 become U+FFFD, as for the API server's own readers."""
        self._text = text if isinstance(text, str) else text.decode(errors="replace")
        self._start = _after_space(self._text, start)
        if end is None:
            self.value, end = _read(self._text, self._start)
            if _after_space(self._text, end) != len(self._text):
                raise ValueError(f"there is more text after the JSON value, at {end}")
        self._end = end

    @classmethod
    def known(cls, text: str, value: Any) -> Raw:
        """Make a document of which the value is known: it is not read again."""
        raw = cls(text, 0, len(text))
        raw.value = value
        return raw

    @property
    def text(self) -> str:
        """The text of the value, unchanged."""
        return self._text[self._start : self._end]

    def __bytes__(self) -> bytes:
        """Encode the text of the value, unchanged, in UTF-8."""
        return self.text.encode()

    @cached_property
    def value(self) -> Any:
        """The value in Python's types. Half of a surrogate pair, which no message can carry, becomes U+FFFD."""
        return _read(self._text, self._start)[0]

    @cached_property
    def members(self) -> dict[str, Raw]:
        """The members of an object; of a key that stands twice, the last. Empty for other values."""
        return dict(self._members())

    @cached_property
    def items(self) -> list[Raw]:
        """The items of an array, with their values: a list may have thousands. Empty for other values."""
        return list(self._items())

    def get(self, *keys: str) -> Raw | None:
        """Walk down the keys. None where there is nothing, or null."""
        found: Raw | None = self
        for key in keys:
            found = found.members.get(key) if found is not None else None
        return None if found is None or found.text == "null" else found

    def _members(self) -> Iterator[tuple[str, Raw]]:
        if self._text[self._start] != "{":
            return
        at = _after_space(self._text, self._start + 1)
        while self._text[at] != "}":
            key, at = _decoder.raw_decode(self._text, at)
            at = _after_space(self._text, at) + 1  # the colon
            start = _after_space(self._text, at)
            end = _read(self._text, start)[1]
            yield key, Raw(self._text, start, end)
            at = _after_comma(self._text, end)

    def _items(self) -> Iterator[Raw]:
        if self._text[self._start] != "[":
            return
        at = _after_space(self._text, self._start + 1)
        while self._text[at] != "]":
            start = _after_space(self._text, at)
            value, end = _read(self._text, start)
            item = Raw(self._text, start, end)
            item.value = value
            yield item
            at = _after_comma(self._text, end)


def _after_space(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return space.end() if space else at


def _after_comma(text: str, at: int) -> int:
    at = _after_space(text, at)
    return _after_space(text, at + 1) if text[at] == "," else at


def _read(text: str, start: int) -> tuple[Any, int]:
    """Read the value that starts here, and say where it ends. ValueError if there is none."""
    try:
        value, end = _decoder.raw_decode(text, start)
        return (_mended(value) if text.find("\\u", start, end) >= 0 else value), end
    except RecursionError:
        return _deepjson.read(text, start, _scalar)


def _scalar(text: str, start: int) -> tuple[Any, int]:
    value, end = _decoder.raw_decode(text, start)
    return _mended(value), end


def _mended(value: Any) -> Any:
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_mended(item) for item in value]
    if isinstance(value, dict):
        return {_mended(key): _mended(member) for key, member in value.items()}
    return value
