"""Names of things: in and out again, and what is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.core import refs
from furoshiki.core.refs import Ref


@given(st.sampled_from(sorted(refs.KINDS)), st.integers(0, 10**12))
def test_a_name_of_a_row_comes_out_as_it_went_in(kind: refs.AnyKind, row: int) -> None:
    name = refs.name(kind, row)
    assert Ref.parse(name) == (kind, str(row))
    assert str(Ref.parse(name)) == name
    assert refs.split(name) == (kind, row)
    assert refs.row(name) == row
    assert refs.rows(refs.names(kind, [row, 7]), kind) == [row, 7]
    assert refs.is_of(name, kind)
    assert name.startswith(refs.prefix(kind))


@pytest.mark.parametrize(
    ("text", "kind", "id_", "row"),
    [
        ("turn:12", "turn", "12", 12),
        ("Memory:3", "memory", "3", 3),
        ("session:20261121-093000", "session", "20261121-093000", None),
        ("session:7", "session", "7", 7),
        ("task:4:2026-11-21T09:30:00+00:00", "task", "4:2026-11-21T09:30:00+00:00", None),
        ("turn:\u00b2", "turn", "\u00b2", None),
        ("needs:connection_need", "needs", "connection_need", None),
    ],
)
def test_a_name_taken_apart(text: str, kind: str, id_: str, row: int | None) -> None:
    found = Ref.parse(text)
    assert found == (kind, id_)
    assert found is not None and found.row == row


@pytest.mark.parametrize("text", ["", "turn", "turn:", ":12", "12", "planet:3", "turns:3", " turn:12"])
def test_what_is_no_name(text: str) -> None:
    assert Ref.parse(text) is None


def test_rows_are_sorted_by_kind_in_their_order() -> None:
    names = ["turn:12", "memory:3", "turn:5", "session:1"]
    assert refs.by_kind(names) == {"turn": [12, 5], "memory": [3], "session": [1]}
    assert refs.rows(names, "turn") == [12, 5]
    assert not refs.is_of("turns:1", "turn")


@pytest.mark.parametrize("text", ["turn:", "turn", "session:20261121-093000"])
def test_a_name_of_no_row_is_no_row(text: str) -> None:
    with pytest.raises(ValueError):
        refs.row(text)
    with pytest.raises(ValueError):
        refs.split(text)
