"""How values become columns and back: JSON text, stamps, and guarded updates."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from furoshiki.core.timestamps import parse


def dump(value: object) -> str:
    """Compact JSON text that keeps every character as it was; lone surrogates become replacement marks."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace").decode("utf-8")


def load(text: str | None) -> Any:
    """The value behind JSON text, None for NULL."""
    return None if text is None else json.loads(text)


def moment(text: str | None) -> datetime | None:
    """The time behind a stamp, None for NULL."""
    return None if text is None else parse(text)


def clean(text: str) -> str:
    """Text that SQLite and every reader can hold: no lone surrogates, no NUL."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "")


def insert(db: sqlite3.Connection, table: str, values: Mapping[str, Any], or_ignore: bool = False) -> int | None:
    """Insert one row and answer its id; None when `or_ignore` met a row that was there already.

    Texts are cleaned. Only a row that is there already is passed over: a wrong value still raises IntegrityError.
    """
    names = ", ".join(values)
    marks = ", ".join(f":{name}" for name in values)
    unless = "ON CONFLICT DO NOTHING" if or_ignore else ""
    row = {name: clean(value) if isinstance(value, str) else value for name, value in values.items()}
    done = db.execute(f"INSERT INTO {table} ({names}) VALUES ({marks}) {unless}", row)  # noqa: S608
    return done.lastrowid if done.rowcount else None


def marks(values: Sequence[object]) -> str:
    """`?, ?, ?` for an IN clause."""
    return ", ".join("?" * len(values))
