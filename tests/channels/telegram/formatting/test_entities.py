"""Markdown becomes what Telegram shows, and splits without tearing anything."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from furoshiki.channels.telegram.formatting.entities import (
    CAPTION_LIMIT,
    MOST_PARTS,
    caption,
    compose,
    format_markdown,
    may_link,
)
from furoshiki.channels.telegram.formatting.spans import (
    LIMIT,
    OffsetConverter,
    Piece,
    Ranges,
    Span,
    clean,
    entities_of,
    rewritten,
    spans_of,
    split,
    tears,
    units,
)
from tests.support.growth import MOST_GROWTH, growth
from tests.support.telegram import MARKDOWN


def said(piece: Piece) -> list[tuple[str, str]]:
    """The entities as (type, text)."""
    raw = piece.text.encode("utf-16-le", "surrogatepass")
    return [
        (e["type"], raw[2 * e["offset"] : 2 * (e["offset"] + e["length"])].decode("utf-16-le")) for e in piece.entities
    ]


@pytest.mark.parametrize(
    ("markdown", "text", "entities"),
    [
        ("**bold** and _it_", "bold and it", [("bold", "bold"), ("italic", "it")]),
        ("👨‍👩‍👧 **b**", "👨‍👩‍👧 b", [("bold", "b")]),
        ("# Title\n\nbody", "Title\n\nbody", [("underline", "Title"), ("bold", "Title")]),
        ("- a\n- b\n  - c\n1. x", "• a\n• b\n  • c\n1. x", []),
        ("- 24. März: Hallo\n* 3. Mai", "• 24. März: Hallo\n• 3. Mai", []),
        ("> quote\n\nafter", "quote\n\nafter", [("blockquote", "quote")]),
        ("```python\nx = 1\n```", "x = 1", [("pre", "x = 1")]),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "a | b\n--+--\n1 | 2", [("pre", "a | b\n--+--\n1 | 2")]),
        ("**unclosed and `code", "unclosed and `code", []),
        ("**Важно:**текст", "Важно:текст", [("bold", "Важно:")]),
        ("日本**「これ」**です", "日本「これ」です", [("bold", "「これ」")]),
        ("2**8 and 3**4", "2**8 and 3**4", []),
        ("costs $5 or 5$", "costs $5 or 5$", []),
        ("2*3*4=24, a*b*c", "2*3*4=24, a*b*c", []),
        ("x**2 + y**2", "x**2 + y**2", []),
        ("**Haus**tür", "Haustür", [("bold", "Haus")]),
        ("**два слова**ми", "два словами", [("bold", "два слова")]),
        ("call __init__ first", "call __init__ first", []),
        ("$$E=mc^2$$ in a line", "E=mc² in a line", [("code", "E=mc²")]),
        ("energy $$E=mc^2$$, he said", "energy E=mc², he said", [("code", "E=mc²")]),
        (r"so \(E=mc^2\) it is", "so E=mc² it is", [("code", "E=mc²")]),
        ("src/**/*.py and *.txt", "src/**/*.py and *.txt", []),
        (r"C:\dir\*.txt", r"C:\dir\*.txt", []),
        ("call f(*args, **options)", "call f(*args, **options)", []),
        ("f(**options) (**really**)", "f(**options) (really)", [("bold", "really")]),
        ("(a+b)*(c+d) and 2*(3+4)*5", "(a+b)*(c+d) and 2*(3+4)*5", []),
        ("`2*3*4` and 2*3*4", "2*3*4 and 2*3*4", [("code", "2*3*4")]),
        ("List<int> & <br>", "List<int> & <br>", []),
        ("snake_case_name and a__b", "snake_case_name and a__b", []),
        (r"\*not bold\* C:\Users done\!", r"*not bold* C:\Users done!", []),
        ("use `**` for ** bold**", "use ** for ** bold", [("code", "**")]),
        ("**bold `code` end**", "bold code end", [("bold", "bold"), ("code", "code"), ("bold", "end")]),
        ("- [ ] open\n- [x] done", "☐ open\n✅ done", []),
        ("> a\n>> b", "a\nb", [("blockquote", "a\nb")]),
        ("a\x00b \u202ehidden", "ab hidden", []),
        ("ends with **", "ends with", []),
        ("", "", []),
    ],
)
def test_markdown_as_telegram_shows_it(markdown: str, text: str, entities: list[tuple[str, str]]) -> None:
    piece = format_markdown(markdown)
    assert piece.text == text
    assert said(piece) == entities


def test_links_lead_only_where_the_user_led() -> None:
    markdown = "[site](https://evil.example/?q=secret), [ok](https://ok.example/a/) or https://foo.example/x."
    piece = format_markdown(markdown, ["https://ok.example/a"])
    assert piece.text == "site (https://evil.example/?q=secret), ok or https://foo.example/x."
    assert said(piece) == [
        ("code", "https://evil.example/?q=secret"),
        ("text_link", "ok"),
        ("code", "https://foo.example/x"),
    ]
    bold = format_markdown("**see https://a.example/b now** and [x](tg://user?id=1)")
    assert said(bold) == [("bold", "see"), ("code", "https://a.example/b"), ("bold", "now"), ("code", "tg://user?id=1")]


def test_an_allow_list_names_urls_or_hosts() -> None:
    assert may_link("https://en.wikipedia.org/wiki/Tea", ["wikipedia.org"])
    assert may_link("https://ok.example/a/", ["https://ok.example/a"])
    assert not may_link("https://wikipedia.org.evil.example/", ["wikipedia.org"])
    assert not may_link("https://wikipedia.org@evil.example/", ["wikipedia.org"])
    assert not may_link("https://ok.example/b", ["https://ok.example/a"])


def check_sound(piece: Piece) -> None:
    """Everything Telegram asks of entities."""
    length = units(piece.text)
    ruler = OffsetConverter(piece.text)
    assert piece.text == piece.text.strip()
    for entity in piece.entities:
        start, end = entity["offset"], entity["offset"] + entity["length"]
        assert 0 <= start < end <= length
        assert ruler.unit(ruler.position(start)) == start and ruler.unit(ruler.position(end)) == end
        assert piece.text[ruler.position(start) : ruler.position(end)].strip()
    code = [e for e in piece.entities if e["type"] in ("code", "pre")]
    for one in code:
        for other in piece.entities:
            apart = (
                other["offset"] >= one["offset"] + one["length"] or other["offset"] + other["length"] <= one["offset"]
            )
            assert other is one or apart or other["type"] == "blockquote"


@settings(max_examples=120, deadline=None)
@given(MARKDOWN)
def test_any_markdown_gives_sound_entities(markdown: str) -> None:
    check_sound(format_markdown(markdown))


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_any_text_gives_sound_entities(text: str) -> None:
    check_sound(format_markdown(text))


SIGNS = st.sampled_from(["👨‍👩‍👧‍👦", "🇩🇪", "é", "אב", "👍🏽", "a", "word ", "End. ", "\n", "\n\n", "  ", "字", "x" * 9])


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, list[dict[str, Any]], int]:
    text = "".join(draw(st.lists(SIGNS, max_size=60)))
    ruler = OffsetConverter(text)
    entities: list[dict[str, Any]] = []
    for _ in range(draw(st.integers(0, 4))):
        a, b = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
        kind = draw(st.sampled_from(["bold", "pre", "text_link"]))
        if text[a:b].strip() and not tears(text, a) and not tears(text, b):
            entities.append({"type": kind, "offset": ruler.unit(a), "length": ruler.unit(b) - ruler.unit(a)})
    return text, entities, draw(st.integers(24, 80))


@settings(max_examples=150, deadline=None)
@given(texts())
def test_splitting_keeps_every_sign_and_fits(given_text: tuple[str, list[dict[str, Any]], int]) -> None:
    text, entities, limit = given_text
    pieces = split(text, entities, limit)
    assert "".join("".join(p.text for p in pieces).split()) == "".join(text.split())
    at = 0
    for piece in pieces:
        start = text.index(piece.text, at)
        at = start + len(piece.text)
        assert 0 < units(piece.text) <= limit
        assert not tears(text, start) and not tears(text, at)
        for entity in piece.entities:
            assert entity["offset"] >= 0 and entity["length"] > 0
            assert entity["offset"] + entity["length"] <= units(piece.text)


def one_entity(text: str, part: str, kind: str = "pre") -> list[Mapping[str, Any]]:
    return [{"type": kind, "offset": units(text[: text.index(part)]), "length": units(part), "language": "py"}]


def test_a_code_block_that_fits_is_not_torn() -> None:
    code = "\n".join(f"line {n}" for n in range(12))
    text = "Before. " * 8 + "\n\n" + code + "\n\nAfter. " + "more " * 10
    pieces = split(text, one_entity(text, code), 120)
    holding = [p for p in pieces if p.entities]
    assert [said(p) for p in holding] == [[("pre", code)]]


def test_a_code_block_too_long_for_one_message_goes_on_in_the_next() -> None:
    code = "\n".join(f"line number {n}" for n in range(30))
    pieces = split(code, one_entity(code, code), 100)
    assert len(pieces) > 3
    assert all(p.entities[0]["type"] == "pre" and p.entities[0]["language"] == "py" for p in pieces)
    assert all(p.text.startswith("line number") for p in pieces)


def test_paragraphs_come_before_sentences_and_sentences_before_words() -> None:
    assert [p.text for p in split("One. Two. Three.\n\nFour. Five six.", limit=26)] == [
        "One. Two. Three.",
        "Four. Five six.",
    ]
    assert [p.text for p in split("One two three. Four five six.", limit=20)] == ["One two three.", "Four five six."]
    assert [p.text for p in split("one two three four", limit=10)] == ["one two", "three four"]


def test_families_and_flags_stay_whole() -> None:
    for sign in ("👨‍👩‍👧‍👦", "🇩🇪", "👍🏽", "e\u0301", "🏴\U000e0067\U000e0062\U000e007f"):
        for piece in split(sign * 40, limit=50):
            assert piece.text.replace(sign, "") == ""


@pytest.mark.parametrize("length", [LIMIT - 1, LIMIT, LIMIT + 1])
def test_the_limit_is_exact(length: int) -> None:
    pieces = split("😀" * (length // 2) + "a" * (length % 2))
    assert len(pieces) == (1 if length <= LIMIT else 2)
    assert all(units(p.text) <= LIMIT for p in pieces)


def test_cleaning_keeps_what_can_be_sent() -> None:
    assert clean("a\ud800b\x00c\u202ed\r\ne") == "a?bcd\ne"


def test_long_replies_become_parts_and_very_long_ones_a_file() -> None:
    paragraph = "**A** " + "word " * 150 + "\n\n"
    few = compose(paragraph * 10)
    assert 1 < len(few) <= MOST_PARTS and all(part.kind == "text" for part in few)
    [file] = compose(paragraph * 60)
    assert file.kind == "document" and units(file.text) <= CAPTION_LIMIT
    assert base64.b64decode(file.extra["data"]).decode() == paragraph * 60
    first, *rest = caption(paragraph * 3)
    assert first.kind == "document" and units(first.text) <= CAPTION_LIMIT and rest


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit",
    [
        "word ",
        "**a ",
        "[x](http://y.z/a) ",
        "a.",
        "a-",
        "http://a.b/c ",
        "`x` **b** ",
        "__a",
        "*a",
        "> ",
        "<b> ",
        "👨‍👩‍👧",
        "e\u0301",
    ],
)
def test_long_texts_of_one_kind_take_a_moment(unit: str) -> None:
    assert growth(compose, unit, 12_000) < MOST_GROWTH
    assert growth(compose, unit, 500_000, brief=12_000) < MOST_GROWTH


@given(st.text(alphabet="ab😀", max_size=20), st.lists(st.tuples(st.integers(0, 20), st.integers(0, 3)), max_size=4))
def test_edits_move_spans_along(text: str, wanted: list[tuple[int, int]]) -> None:
    edits: list[tuple[int, int, str]] = []
    for at, length in sorted(wanted):
        start = max(at, edits[-1][1] + 1 if edits else 0)
        if start + length <= len(text):
            edits.append((start, start + length, "" if length else "++"))
    marks = [Span(i, i + 1, text[i]) for i in range(len(text))]
    new, moved = rewritten(text, marks, edits)
    kept = [s for s in marks if not any(a <= s.start < b for a, b, _ in edits)]
    assert [new[s.start : s.end] for s in moved] == [s.kind for s in kept]
    assert spans_of(new, entities_of(new, moved)) == moved


def test_ranges_join_what_overlaps_and_keep_what_only_touches() -> None:
    ranges = Ranges([(5, 9), (0, 3), (2, 4), (9, 12)])
    assert ranges.touching(0, 20) == [(0, 4), (5, 9), (9, 12)]
    assert ranges.covers(3, 5) and not ranges.covers(4, 5)
    assert ranges.holds(10) and not ranges.holds(9) and not ranges.holds(4)
