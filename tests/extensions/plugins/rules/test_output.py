"""What a plugin printed is read as what it may be, or refused with words; whatever it is, nothing is raised."""

from __future__ import annotations

import json

import pytest

from furoshiki.extensions.plugins.rules import output
from furoshiki.extensions.plugins.values import Output


@pytest.mark.parametrize(
    ("printed", "reason"),
    [
        (b"not json {", "no JSON"),
        (b'{"context": "a"} {"context": "b"}', "no JSON"),
        (b"[" * 200_000, "nested"),
        (b'{"data":' + b"[" * 60 + b"]" * 60 + b"}", "nested"),
        (b'{"data": NaN}', "NaN is no number"),
        (b'{"data": -Infinity}', "no number"),
        (b'{"data": 1e999}', "too large"),
        (b'{"data": ' + b"9" * 5000 + b"}", "no JSON"),
        (b"\xff\xfe\x00", "no JSON"),
        (b"[]", "no object"),
        (b'{"contxt": "a"}', "'contxt', which nobody reads"),
        (b'{"context": 3}', "are texts"),
        (b'{"mind_queue": [{"detail": "no summary"}]}', "a list of objects"),
        (b'{"mind_queue": [{"summary": "x", "kind": 3}]}', "a list of objects"),
        (b'{"mind_queue": "x"}', "a list of objects"),
        (json.dumps({"data": "x" * 70_000}).encode(), "give less"),
    ],
)
def test_what_does_not_fit_is_refused_with_a_reason(printed: bytes, reason: str) -> None:
    found = output.read(printed)
    assert isinstance(found, str)
    assert reason in found


def test_what_fits_is_cut_to_what_it_may_be_and_can_be_shown_anywhere() -> None:
    said = {
        "context": "Rain\x1b[2J \ud800 \u202e" + "x" * 9_000,
        "data": {"a\x00": ["\x07", 1.5, None, True]},
        "mind_queue": [{"summary": "s" * 400, "unknown": "gone"}] * 9,
        "log": "l" * 3_000,
    }
    found = output.read(json.dumps(said).encode())
    assert isinstance(found, Output)
    assert found.context.startswith("Rain\\u001b[2J ? \\u202ex")
    assert (len(found.context), found.context[-1]) == (8_000, "…")
    assert found.data == {"a\\u0000": ["\\u0007", 1.5, None, True]}
    assert [list(one) for one in found.thoughts] == [["summary"]] * 5
    assert (len(found.thoughts[0]["summary"]), len(found.log)) == (300, 2_000)


def test_nothing_printed_is_nothing_to_say() -> None:
    assert output.read(b" \n") == output.read(b"{}") == Output()
