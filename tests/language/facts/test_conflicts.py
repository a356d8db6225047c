"""When two facts cannot both be true."""

from __future__ import annotations

import pytest

from furoshiki.language.facts import conflicts


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Lisbon", " lisbon. "),
        ("St. John", "st john"),
        ("co-op", "Co Op"),
        ("Straße", "STRASSE"),
        ("café", "cafe\u0301"),
        (None, ""),
    ],
)
def test_the_same_thing_written_differently(first: str | None, second: str | None) -> None:
    assert conflicts.same(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [("Lisbon", "Porto"), ("C++", "C#"), ("C", "C#"), ("🐶", "🐱"), ("दिन", "दान"), ("ไข่", "ไข้"), ("nurse", None)],
)
def test_things_that_differ_by_a_mark_are_two_things(first: str, second: str | None) -> None:
    assert not conflicts.same(first, second)


@pytest.mark.parametrize(
    ("predicate", "old", "new", "over"),
    [
        ("lives_in", "Lisbon", "Lyon", True),
        ("lives_in", "Lisbon", "lisbon", False),
        ("likes", "tea", "coffee", False),
        ("sister", "Anika", "Mara", False),
        (None, "a", "b", False),
    ],
)
def test_one_home_but_many_likings(predicate: str | None, old: str, new: str, over: bool) -> None:
    assert conflicts.ends(predicate, old, new) is over
