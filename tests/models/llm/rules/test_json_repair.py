"""What can be read of a model's JSON, and what is left out rather than guessed."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from furoshiki.models.llm.rules.json_repair import DEEPEST, LARGEST_CHARS, Unreadable, clean_text, read_json
from tests.support.growth import MOST_GROWTH, growth

TREES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**15), 10**15) | st.text(st.characters(codec="utf-8"), max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abcdef_", min_size=1), inner, max_size=4),
    max_leaves=20,
)
OBJECTS = st.dictionaries(st.text("abcdef_", min_size=1), TREES, max_size=4)


def without_nul(value: Any) -> Any:
    return json.loads(json.dumps(value).replace("\\u0000", ""))


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(OBJECTS)
def test_good_json_is_read_as_it_is(value: dict[str, Any]) -> None:
    read = read_json(json.dumps(value))
    assert read.value == without_nul(value)
    assert not read.cut


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(OBJECTS, st.sampled_from(["Sure!\n```json\n{}\n```", "```\n{}", "Here: {} I hope it helps.", "{},"]))
def test_what_stands_around_it_is_ignored(value: dict[str, Any], around: str) -> None:
    text = around.replace("{}", json.dumps(value, indent=1))
    if "```" in json.dumps(value):
        return
    assert read_json(text).value == without_nul(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1,}', {"a": 1}),
        ('{"a": [1, 2,],}', {"a": [1, 2]}),
        ("{'a': 'b'}", {"a": "b"}),
        ("{a: True, b: None, c: undefined, d: yes}", {"a": True, "b": None, "c": None, "d": "yes"}),
        ("{“a”: “b”}", {"a": "b"}),
        ('{"a": "she said "no" twice"}', {"a": 'she said "no" twice'}),
        ('{"a": "two\nlines"}', {"a": "two\nlines"}),
        ('{"a": 1 /* one */, // two\n "b": 2}', {"a": 1, "b": 2}),
        ('{"a": .5, "b": -1e3, "c": +7,}', {"a": 0.5, "b": -1000.0, "c": 7}),
        ('{"a": "\\u00e9\\q\\n\\uzzzz",}', {"a": "é\\q\n\\uzzzz"}),
        ('{"a" = 1; "b": 2}', {"a": 1, "b": 2}),
        ('{1: "x",}', {"1": "x"}),
        ('{"a": , "b": 2}', {"b": 2}),
        ('{"a", "b": 2}', {"b": 2}),
        ('{"a": [1, 2}', {"a": [1, 2]}),
        ('{"a": {"b": 1]}', {"a": {"b": 1}}),
        ('{"a": %, "b": 2,}', {"a": None, "b": 2}),
        ('{%: 2, "b": 3,}', {"": 2, "b": 3}),
        ("[1, 2,]", [1, 2]),
        ("so [see] {'a': 1}", {"a": 1}),
        ('see [1] and\n```json\n{"a": 1}\n```', {"a": 1}),
        ("[{'a': 1}, {'b': 2}]", [{"a": 1}, {"b": 2}]),
        (json.dumps('{"a": ["b"]}'), {"a": ["b"]}),
    ],
)
def test_accidents_are_mended(text: str, value: Any) -> None:
    assert read_json(text).value == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1, "b": "hal', {"a": 1}),
        ('{"a": 1, "b": 12', {"a": 1}),
        ('{"a": 1, "b": tr', {"a": 1}),
        ('{"a": 1, "b": ', {"a": 1}),
        ('{"a": 1, "b', {"a": 1}),
        ('{"a": 1, "b": "\\u00', {"a": 1}),
        ('{"a": 1, "b": "x\\', {"a": 1}),
        ('{"a": 1, b', {"a": 1}),
        ('{"a": 1', {}),
        ("{", {}),
        ('{"facts": [{"a": 1}, {"a": 2, "b": "hal', {"facts": [{"a": 1}]}),
        ('{"facts": [{"a": {"b": [1, 2', {"facts": []}),
        ('{"outer": {"a": 1, "b": [1, 2, 3', {"outer": {"a": 1, "b": [1, 2]}}),
    ],
)
def test_what_was_cut_short_is_left_out(text: str, value: Any) -> None:
    read = read_json(text)
    assert read.value == value
    assert read.cut


@pytest.mark.parametrize("text", ["", "no", '"text"', "17", "```json\n```", "null"])
def test_no_object_is_no_answer(text: str) -> None:
    with pytest.raises(Unreadable):
        read_json(text)


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"a":'])
def test_what_is_too_deep_is_refused(opening: str) -> None:
    for depth in (DEEPEST + 5, 900, 100_000):
        with pytest.raises(Unreadable, match="levels deep"):
            read_json(opening * depth)
    whole = "[" * (DEEPEST + 5) + "]" * (DEEPEST + 5)
    with pytest.raises(Unreadable, match="levels deep"):
        read_json(whole)


def test_what_is_too_large_is_refused() -> None:
    with pytest.raises(Unreadable, match="characters"):
        read_json('{"a": "' + "x" * LARGEST_CHARS)


def test_an_escape_with_a_sign_is_no_character() -> None:
    assert read_json('{"a": "\\u-10f", }').value == {"a": "\\u-10f"}


def test_what_a_database_refuses_is_cleaned() -> None:
    read = read_json('{"a\\u0000b": "x\\u0000y\\ud83d", "n": [NaN, 1e999, -Infinity], "s": "\\ud83d\\ude00"}')
    assert read.value == {"ab": "xy\ufffd", "n": [None, None, None], "s": "😀"}
    assert clean_text("plain") == "plain"


@pytest.mark.parametrize("piece", ['"/*"', '"', "```{", '{"a":[', "// ", "\\u", "[]"])
def test_hostile_text_is_read_in_linear_time(piece: str) -> None:
    def read(text: str) -> None:
        with contextlib.suppress(Unreadable):
            read_json("{" + text)

    assert growth(read, piece, 32_000) < MOST_GROWTH


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(OBJECTS, st.data())
def test_anything_else_is_read_or_refused(value: dict[str, Any], data: st.DataObject) -> None:
    text = json.dumps(value)
    at = data.draw(st.integers(0, len(text)))
    junk = data.draw(st.text("{}[]\",:'\\`u0ntfx-/*\n“”\ud83d\0", max_size=6))
    try:
        read = read_json(text[:at] + junk + text[data.draw(st.integers(at, len(text))) :])
    except Unreadable:
        return
    json.dumps(read.value, allow_nan=False, ensure_ascii=False).encode()
