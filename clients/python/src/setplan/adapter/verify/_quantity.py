"""Quantities, read exactly: 1Gi, 1024Mi and 1073741824 are the same."""

from __future__ import annotations

import re
from fractions import Fraction

_LONGEST = 64
_LARGEST_EXPONENT = 30
_PARTS = re.compile(r"([0-9]*)(?:\.([0-9]*))?([^0-9.].*)?", re.DOTALL)
_EXPONENT = re.compile(r"[eE]([+-]?[0-9]+)")
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}


def quantity_of(text: str) -> Fraction | None:
    """Return None for a text that is no quantity, or one that is negative."""
    parts = _PARTS.fullmatch(text) if len(text) <= _LONGEST else None
    if parts is None:
        return None
    whole, fraction, suffix = (part or "" for part in parts.groups())
    factor = _factor_of(suffix)
    return None if factor is None or not whole + fraction else Fraction(int(whole + fraction), 10 ** len(fraction)) * factor


def _factor_of(suffix: str) -> Fraction | None:
    """Return None for a text that is no suffix of a quantity."""
    if suffix in _BINARY:
        return Fraction(2) ** _BINARY[suffix]
    power = _DECIMAL.get(suffix)
    if power is None:
        exponent = _EXPONENT.fullmatch(suffix)
        power = int(exponent.group(1)) if exponent else None
    return None if power is None or abs(power) > _LARGEST_EXPONENT else Fraction(10) ** power


def same_quantity(a: str, b: str) -> bool:
    """Report whether two texts are the same quantity. No text is as good as zero."""
    one, other = quantity_of(a or "0"), quantity_of(b or "0")
    return one is not None and one == other
