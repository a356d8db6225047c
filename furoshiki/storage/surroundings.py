"""What the ranking has to know of many candidates at once: the words of turns, who stands beside whom, and of memories
what they are about and whether they still hold. Reads only, a few milliseconds for a thousand rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from furoshiki.domain.when import parse
from furoshiki.storage.rows import marks, moment

REACH = 2
"""How many turns on each side count as beside."""

_LOOKED = 5
"""Ids on each side among which they are looked for: two conversations at a time may be interleaved, seldom more."""

_AT_ONCE = 500

_BESIDE = "SELECT id, session_id FROM turns WHERE id IN ({}) AND replaced_by IS NULL AND text != ''"
_SAID = "SELECT id, session_id, speaker, text, at FROM turns WHERE id IN ({}) AND replaced_by IS NULL AND text != ''"
_HELD = (
    "SELECT id, type, subject, content, status, created_at, event_time, valid_from, valid_to FROM memories "
    "WHERE id IN ({}) AND status != 'archived'"
)


@dataclass(frozen=True)
class Said:
    """A turn as the ranking sees it."""

    id: int
    session_id: str
    speaker: str
    text: str
    at: datetime


@dataclass(frozen=True)
class Held:
    """A memory as the ranking sees it; `times` are the moments it may be asked for by."""

    id: int
    subject: str | None
    status: str
    times: tuple[datetime, ...]
    valid_to: datetime | None


def beside(db: sqlite3.Connection, ids: Iterable[int]) -> dict[int, tuple[tuple[int, ...], tuple[int, ...]]]:
    """For each turn that is there the ids before it and after it in its session, nearest first, up to two each."""
    wanted = set(ids)
    looked = {number + step for number in wanted for step in range(-_LOOKED, _LOOKED + 1)}
    sessions: dict[str, list[int]] = {}
    for number, session in sorted((row[0], row[1]) for row in _chunked(db, _BESIDE, sorted(looked))):
        sessions.setdefault(session, []).append(number)
    found: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {}
    for order in sessions.values():
        for place, number in enumerate(order):
            if number in wanted:
                before = tuple(reversed(order[max(0, place - REACH) : place]))
                found[number] = (before, tuple(order[place + 1 : place + 1 + REACH]))
    return found


def said(db: sqlite3.Connection, ids: Sequence[int]) -> dict[int, Said]:
    """These turns, as far as they are there and have words."""
    return {
        row[0]: Said(row[0], row[1], row[2], row[3], parse(row[4])) for row in _chunked(db, _SAID, sorted(set(ids)))
    }


def held(db: sqlite3.Connection, ids: Sequence[int]) -> dict[int, Held]:
    """These memories, archived ones left out."""
    found = {}
    for row in _chunked(db, _HELD, sorted(set(ids))):
        times = [moment(row[column]) for column in ("event_time", "valid_from", "created_at")]
        known = tuple(time for time in times if time is not None)
        found[row["id"]] = Held(row["id"], row["subject"], row["status"], known, moment(row["valid_to"]))
    return found


def _chunked(db: sqlite3.Connection, question: str, ids: Sequence[int]) -> Iterator[Any]:
    for start in range(0, len(ids), _AT_ONCE):
        part = ids[start : start + _AT_ONCE]
        yield from db.execute(question.format(marks(part)), part)
