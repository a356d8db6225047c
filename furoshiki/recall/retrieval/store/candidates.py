"""Bulk reads for ranking: turns, neighbours, memories; a thousand rows in milliseconds."""

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from furoshiki.core.database.rows import IDS, as_json, find_values, from_row, moment
from furoshiki.core.timestamps import parse, stamp
from furoshiki.recall.retrieval.store.full_text import STATUS

REACH = 2  # turns on each side that count as neighbours

# ids on each side searched for neighbours: two conversations may be interleaved, seldom more
_LOOKED = 5

_BESIDE = f"SELECT id, session_id FROM turns WHERE id IN {IDS} AND replaced_by IS NULL AND text != '' ORDER BY id"  # noqa: S608
_SAID = f"SELECT id, session_id, speaker, text, at FROM turns WHERE id IN {IDS} AND replaced_by IS NULL AND text != ''"  # noqa: S608
_SPEAKERS = f"SELECT DISTINCT speaker FROM turns WHERE session_id IN {IDS} AND replaced_by IS NULL AND text != ''"  # noqa: S608
_HELD = (
    f"SELECT id, type, subject, content, {STATUS}, created_at, event_time, valid_from, valid_to FROM memories "  # noqa: S608
    f"WHERE id IN {IDS} AND memories.status != 'archived'"
)


class CandidateTurn(NamedTuple):
    """A turn as the ranking sees it."""

    id: int
    session_id: str
    speaker: str
    text: str
    stamped: str

    @property
    def at(self) -> datetime:
        return parse(self.stamped)


@dataclass(frozen=True)
class CandidateMemory:
    """A memory as the ranking sees it; `times` are the times at which a question may place it."""

    id: int
    subject: str | None
    content: str
    status: str
    times: tuple[datetime, ...]
    valid_to: datetime | None


# the ids before and after a turn in its session, nearest first, up to two each
Beside = tuple[tuple[int, ...], tuple[int, ...]]


def beside(db: sqlite3.Connection, ids: Iterable[int]) -> dict[int, Beside]:
    """Return the neighbours of these turns and of their direct neighbours, as far as they exist."""
    wanted = set(ids)
    looked = {near for number in wanted for near in range(number - _LOOKED, number + _LOOKED + 1)}
    sessions: dict[str, list[int]] = {}
    for number, session in db.execute(_BESIDE, (as_json(looked),)):
        sessions.setdefault(session, []).append(number)
    beside_of: dict[int, Beside] = {}
    for order in sessions.values():
        last = len(order) - 1
        for place, number in enumerate(order):
            here = number in wanted or (place and order[place - 1] in wanted)
            if here or (place < last and order[place + 1] in wanted):
                before = tuple(order[max(0, place - REACH) : place][::-1])
                beside_of[number] = (before, tuple(order[place + 1 : place + 1 + REACH]))
    return beside_of


def read_turns(db: sqlite3.Connection, ids: Sequence[int]) -> dict[int, CandidateTurn]:
    """Return these turns, if they exist and have text."""
    return {row[0]: CandidateTurn(*row) for row in db.execute(_SAID, (as_json(ids),))}


def speakers(db: sqlite3.Connection, sessions: Iterable[str]) -> set[str]:
    return set(find_values(db, _SPEAKERS, as_json(sessions)))


def read_memories(db: sqlite3.Connection, ids: Sequence[int]) -> dict[int, CandidateMemory]:
    """Return these memories, except archived ones."""
    memory_of = {}
    for row in db.execute(_HELD, (as_json(ids),)):
        times = [moment(row[column]) for column in ("event_time", "valid_from", "created_at")]
        known_times = tuple(time for time in times if time is not None)
        memory_of[row["id"]] = from_row(CandidateMemory, row, times=known_times)
    return memory_of


_OUTDATED = f"""
SELECT s.turn_id FROM memory_sources s JOIN memories m ON m.id=s.memory_id
WHERE s.turn_id IN {IDS} AND m.predicate IS NOT NULL AND m.status!='archived'
GROUP BY s.turn_id HAVING min(m.valid_to IS NOT NULL AND m.valid_to<=?)
"""  # noqa: S608


def find_outdated(db: sqlite3.Connection, turn_ids: Iterable[int], now: datetime) -> set[int]:
    """Return the turns that state only facts that were true once and are no longer."""
    return set(find_values(db, _OUTDATED, as_json(turn_ids), stamp(now)))
