"""What the user said on given days, on any channel."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, tzinfo
from itertools import groupby
from operator import attrgetter

from furoshiki.core import refs
from furoshiki.language.dates.past import day_asked
from furoshiki.language.grounding.words import stems_of
from furoshiki.language.words import count_words
from furoshiki.memory.store import tombstones
from furoshiki.messages.store import sessions, turns
from furoshiki.messages.values import USER, Turn

LOOKED_BACK = 200  # most earlier messages among which the last conversation is looked for
TELLING = 3  # least words of a message that tells something; shorter ones are shown only alone

_AT, _SESSION = attrgetter("at"), attrgetter("session_id")


@dataclass(frozen=True)
class SaidThen:
    """The user's messages of some days in order, the topics of finished conversations then, and the
    time of the last message before (None if there is none)."""

    turns: tuple[Turn, ...]
    topics: tuple[str, ...] = ()
    before: datetime | None = None


def read(db: sqlite3.Connection, first: date, after: date, zone: tzinfo, now: datetime) -> SaidThen:
    """Return what was said on the days [first, after) of a zone. `now` is aware."""
    start, end = datetime.combine(first, time(), zone), datetime.combine(after, time(), zone)
    held_back = tombstones.names(db, now)
    own_turns = _filter_telling(turns.read_since(db, USER, start, end), held_back, zone)
    topics: dict[str, None] = {}
    if not held_back:
        for finished in sessions.between(db, start, end):
            topics.update(dict.fromkeys(finished.topics))
    earlier = _filter_telling(turns.read_back(db, USER, start, LOOKED_BACK), held_back, zone)
    return SaidThen(own_turns, tuple(topics), max(map(_AT, earlier), default=None))


def read_last(db: sqlite3.Connection, session: str, zone: tzinfo, now: datetime) -> SaidThen:
    """Return what was said in the last conversation before a session."""
    earlier = _filter_telling(turns.read_back(db, USER, now, LOOKED_BACK), tombstones.names(db, now), zone)
    for name, session_turns in groupby(earlier, _SESSION):
        if name != session:
            return SaidThen(tuple(reversed(list(session_turns))))
    return SaidThen(())


def choose(own_turns: Sequence[Turn], most: int, query: str = "") -> list[Turn]:
    """Return so many messages in order: those with most words of a query, then the longest."""
    wanted = stems_of(query)

    def rank(turn: Turn) -> tuple[int, int]:
        return len(wanted & stems_of(turn.own)), count_words(turn.own)

    return sorted(sorted(own_turns, key=rank, reverse=True)[:most], key=own_turns.index)


def _filter_telling(own_turns: Sequence[Turn], held_back: frozenset[str], zone: tzinfo) -> tuple[Turn, ...]:
    """Keep own words once each, without such questions, and short ones only alone."""
    telling: dict[str, Turn] = {}
    short: dict[str, Turn] = {}
    for turn in own_turns:
        words = turn.own.strip()
        if not words or refs.name("turn", turn.id) in held_back:
            continue
        if day_asked.read(words, turn.at.astimezone(zone).date()) is not None:
            continue
        if count_words(words) >= TELLING:
            telling[words] = turn
        else:
            short[words] = turn
    return tuple((telling or short).values())
