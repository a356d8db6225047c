"""Links lead only where the owner's own words led, however they are written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from furoshiki.channels.telegram.formatting.entities import format_markdown

ALLOWED = ["https://ok.example/x"]

LINKS = [
    ("see evil.example now", ["evil.example"]),
    ("[bank.example](https://evil.example)", ["bank.example", "https://evil.example"]),
    ("[click](https://evil.example)", ["https://evil.example"]),
    ("write to eve@evil.example", ["eve@evil.example"]),
    ("[write](mailto:eve@evil.example)", ["mailto:eve@evil.example"]),
    ("ask @evil_bot about it", ["@evil_bot"]),
    ("tg://resolve?domain=evil", ["tg://resolve?domain=evil"]),
    ("t.me/evil", ["t.me/evil"]),
    ("203.0.113.9/login", ["203.0.113.9/login"]),
    ("ftp://evil.example", ["ftp://evil.example"]),
    ("ev\u200bil.example", ["il.example"]),
    ("\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444", ["\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444"]),
    ("a.b.c.d.e.f.g.h.i.j.evil.example", ["a.b.c.d.e.f.g.h.i.j.evil.example"]),
    ("https://ok.example@evil.example/x", ["https://ok.example@evil.example/x"]),
    ("https://ok.example/x/../y", ["https://ok.example/x/../y"]),
    ("[bank.example](https://ok.example/x)", ["bank.example"]),
]


@pytest.mark.parametrize(("markdown", "muted"), LINKS)
def test_what_the_owner_did_not_write_is_shown_as_code(markdown: str, muted: list[str]) -> None:
    piece = format_markdown(markdown, ALLOWED)
    assert {one["type"] for one in piece.entities} <= {"code"}
    assert [_of(piece.text, one) for one in sorted(piece.entities, key=lambda one: int(one["offset"]))] == muted


@pytest.mark.parametrize("markdown", ["https://ok.example/x", "see https://ok.example/x.", "(https://ok.example/x)"])
def test_what_they_wrote_may_be_followed(markdown: str) -> None:
    assert format_markdown(markdown, ALLOWED).entities == ()


def test_words_may_stand_for_a_link_of_theirs() -> None:
    [link] = format_markdown("[the boat](https://ok.example/x)", ALLOWED).entities
    assert (link["type"], link["url"]) == ("text_link", "https://ok.example/x")


@pytest.mark.parametrize("text", ["notes.txt and Node.js", "z.B. 3.5 at 12.30, e.g.", "U.S.A.", "a@b", "5@6"])
def test_what_is_no_link_is_left_alone(text: str) -> None:
    assert format_markdown(text, ()).entities == ()


def _of(text: str, entity: Mapping[str, Any]) -> str:
    units = text.encode("utf-16-le")
    return units[entity["offset"] * 2 : (entity["offset"] + entity["length"]) * 2].decode("utf-16-le")
