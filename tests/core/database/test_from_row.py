"""A dataclass from a row: what its fields say is what the columns are read as."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, make_dataclass
from datetime import UTC, datetime
from typing import Any

import pytest

from furoshiki.core.database.rows import from_row


@dataclass(frozen=True)
class Kept:
    id: int
    at: datetime
    ended: datetime | None
    done: bool
    words: tuple[str, ...]
    more: Mapping[str, Any]
    found: tuple[str, ...] | None
    name: str = "none"


COLUMNS = "1 AS id, '2026-03-24T09:00:00.000000Z' AS at, 1 AS done, 'Miso' AS name"
NINE = datetime(2026, 3, 24, 9, tzinfo=UTC)


def row(columns: str) -> sqlite3.Row:
    db = sqlite3.connect(":memory:")
    db.row_factory = sqlite3.Row
    found = db.execute(f"SELECT {COLUMNS}, {columns}").fetchone()
    assert isinstance(found, sqlite3.Row)
    return found


def test_each_field_is_read_as_it_says() -> None:
    full = row("""'2026-03-24T09:00:00.000000Z' AS ended, '["a"]' AS words, '{"b": 2}' AS more, NULL AS found""")
    assert from_row(Kept, full) == Kept(1, NINE, NINE, True, ("a",), {"b": 2}, None, "Miso")
    empty = row("NULL AS ended, NULL AS words, NULL AS more, NULL AS found")
    assert from_row(Kept, empty, name="Loki") == Kept(1, NINE, None, True, (), {}, None, "Loki")


def test_a_column_that_is_not_there_is_no_default() -> None:
    with pytest.raises(IndexError):
        from_row(Kept, row("NULL AS ended, NULL AS words, NULL AS more"))


def test_a_class_whose_annotations_are_types_is_read_as_one_whose_annotations_are_texts() -> None:
    typed = make_dataclass("Typed", [("at", datetime), ("ended", datetime | None), ("words", tuple[str, ...])])
    read = from_row(typed, row("""NULL AS ended, '["a"]' AS words"""))
    assert read == typed(NINE, None, ("a",))
