"""JSON that is nested deeper than the reader of `json` goes; an API server stores ten thousand levels."""

from __future__ import annotations

import json

import pytest

from setplan import _deepjson, rawjson
from setplan.rawjson import Raw

DEPTH = 9000
DEEP = '{"a":[' * DEPTH + "1.0" + "]}" * DEPTH


def test_a_deep_value_keeps_its_text() -> None:
    text = f'{{"b": 2, "deep" : {DEEP} , "c":[]}}'
    raw = Raw(f" {text}\n")
    assert raw.text == text
    assert [(key, member.text) for key, member in raw.members.items()] == [("b", "2"), ("deep", DEEP), ("c", "[]")]
    value = raw.value["deep"]
    for _ in range(DEPTH):
        value = value["a"][0]
    assert value == 1.0


def test_it_reads_as_json_does() -> None:
    text = ' {"a" : [ 1, -2.5e3 , "x\\n\\u00e4", true,false, null, [ ], { } , [[]]], "b":{"a":1,"a":2}, "": 12345678901234567890} '
    assert _deepjson.read(text, 1, rawjson._scalar) == rawjson._read(text, 1)
    assert _deepjson.read('"\\ud800"', 0, rawjson._scalar)[0] == "\ufffd"


ENDS = ["", "1", '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a":1,}', "{1:1}", '{"a" 1}', "[1 2]", "[1,", "[,", "x"]


@pytest.mark.parametrize("end", ENDS)
def test_what_is_no_json(end: str) -> None:
    with pytest.raises(ValueError, match=r"at|Expecting"):
        Raw("[" * DEPTH + end + "}")


def test_a_deep_document_costs_little() -> None:
    wide = json.dumps({f"k{i}": [i, str(i)] for i in range(1000)})
    assert Raw(f"[{wide},{DEEP}]").items[0].value["k7"] == [7, "7"]
