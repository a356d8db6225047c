"""Current failures, recorded by the code that meets them: of a model, Telegram, the encoder, turns.

A failure stays recorded until the same thing works again. The owner gets one alert after enough
failures in a row, and another only for a different reason.
"""

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

# names of failing parts, besides Telegram's ("telegram.away", "telegram.conflict",
# "telegram.token"); a model's name follows the first ("model anthropic:claude-…")
MODEL, ENCODER, INDEX, TURNS, SPEECH = "model ", "encoder", "index", "turns", "speech"

LONGEST_WORDS = 300


@dataclass(frozen=True)
class Trouble:
    """A current failure: cause and fix in words, since when, when last tried, failures in a row."""

    what: str
    words: str
    since: datetime
    at: datetime
    times: int


def record_failure(db: sqlite3.Connection, what: str, words: str, now: datetime, tell_after: int = 1) -> None:
    """Record a failure and its reason; alert the owner once after `tell_after` in a row."""
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
    """Record that this part works again."""
    held: dict[str, Any] = kv.get(db, KEY, {})
    if held.pop(what, None) is not None:
        kv.put(db, KEY, held, now)


def is_met(db: sqlite3.Connection, what: str) -> bool:
    """Return whether this part is failing. Callers check first, to avoid a write."""
    return what in kv.get(db, KEY, {})


def record_end(database: Database, what: str, now: datetime) -> None:
    """Record that this part works again if it was failing. Raises StorageUnavailable."""
    with database.read() as db:
        if not is_met(db, what):
            return
    with database.write() as db:
        over(db, what, now)


def read_all(db: sqlite3.Connection) -> list[Trouble]:
    """Return all current failures, longest lasting first."""
    held: dict[str, Any] = kv.get(db, KEY, {})
    troubles = [from_row(Trouble, one, what=what, words=unpack(one["words"])) for what, one in held.items()]
    return sorted(troubles, key=lambda one: (one.since, one.what))
