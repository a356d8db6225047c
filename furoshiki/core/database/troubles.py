"""What does not work at the moment, recorded by the code that met it: a model, Telegram, the encoder, the turns.

Each trouble stands until the same thing works again. The owner is told once: an alert goes on record when it has
happened often enough to be more than a hiccup, and again only when it is for another reason.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from furoshiki.core.catalogue import Sentence, pack, unpack
from furoshiki.core.database import events, kv
from furoshiki.core.database.connection import Database
from furoshiki.core.database.rows import from_row
from furoshiki.core.failure_words import ALERT
from furoshiki.core.timestamps import stamp

KEY = "troubles"

MODEL, ENCODER, INDEX, TURNS, SPEECH = "model ", "encoder", "index", "turns", "speech"
"""What can be in trouble besides Telegram ("telegram.away", "telegram.conflict", "telegram.token"); a model is named
after the first of them ("model anthropic:claude-…")."""

LONGEST_WORDS = 300


@dataclass(frozen=True)
class Trouble:
    """One thing that does not work: cause and fix in words, since when, when last tried, how often in a row."""

    what: str
    words: str
    since: datetime
    at: datetime
    times: int


def record_failure(db: sqlite3.Connection, what: str, words: str, now: datetime, tell_after: int = 1) -> None:
    """Record a failure and its reason; after so many in a row the owner gets one alert."""
    held: dict[str, Any] = kv.get(db, KEY, {})
    before = held.get(what)
    said = pack(words) if isinstance(words, Sentence) else words[:LONGEST_WORDS]
    times = 1 if before is None else int(before["times"]) + 1
    told = None if before is None else before["told"]
    if times >= tell_after and told != said:
        events.announce(db, ALERT, {"kind": what, "words": said}, now)
        told = said
    since = stamp(now) if before is None else before["since"]
    held[what] = {"words": said, "since": since, "at": stamp(now), "times": times, "told": told}
    kv.put(db, KEY, held, now)


def over(db: sqlite3.Connection, what: str, now: datetime) -> None:
    """Record that it works again."""
    held: dict[str, Any] = kv.get(db, KEY, {})
    if held.pop(what, None) is not None:
        kv.put(db, KEY, held, now)


def is_met(db: sqlite3.Connection, what: str) -> bool:
    """Whether it is in trouble: one look, so that what works need not write to say so."""
    return what in kv.get(db, KEY, {})


def record_end(database: Database, what: str, now: datetime) -> None:
    """`over`, written only where it was met. Raises StorageUnavailable."""
    with database.read() as db:
        if not is_met(db, what):
            return
    with database.write() as db:
        over(db, what, now)


def read_all(db: sqlite3.Connection) -> list[Trouble]:
    """All that does not work, the longest lasting first."""
    held: dict[str, Any] = kv.get(db, KEY, {})
    found = [from_row(Trouble, one, what=what, words=unpack(one["words"])) for what, one in held.items()]
    return sorted(found, key=lambda one: (one.since, one.what))
