"""Keys that came in a message: covered before anything is kept, and held in this process alone until they are tried."""

from __future__ import annotations

import sqlite3
import threading
from collections import OrderedDict
from datetime import datetime, timedelta

from furoshiki.core.database import kv
from furoshiki.core.network import keys
from furoshiki.core.timestamps import parse, stamp
from furoshiki.messages.events import Event, Message

HELD_FOR = timedelta(minutes=10)
MOST_HELD = 20

ASKED_FOR = timedelta(hours=1)
"""How long a key is waited for once it was asked for."""

_ASKED = "key_asked_for"
"""Under this name `kv` keeps until when one is waited for."""


class Withheld:
    """Keys by a name, in memory, for a few minutes: the newest few, and nowhere else. Safe between threads."""

    def __init__(self) -> None:
        self._held: OrderedDict[str, tuple[str, datetime]] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, name: str, key: str, now: datetime) -> None:
        """Hold a key."""
        with self._lock:
            self._held[name] = key, now
            self._held.move_to_end(name)
            while len(self._held) > MOST_HELD:
                self._held.popitem(last=False)

    def take(self, name: str, now: datetime) -> str | None:
        """The key, which is held no longer; None where there is none, or it was held too long."""
        with self._lock:
            key, since = self._held.pop(name, ("", now))
        return key if key and now - since <= HELD_FOR else None


def ask(db: sqlite3.Connection, now: datetime) -> None:
    """From now on a key is waited for."""
    kv.put(db, _ASKED, stamp(now + ASKED_FOR), now)


def over(db: sqlite3.Connection) -> None:
    """No key is waited for any more."""
    kv.drop(db, _ASKED)


def is_asked(db: sqlite3.Connection, now: datetime) -> bool:
    """Whether a key is waited for."""
    until = kv.get(db, _ASKED)
    return until is not None and now <= parse(until)


def key_in(event: Event, *, asked: bool) -> str | None:
    """The key that a message brings; None for one without, and for what is no message."""
    if not isinstance(event, Message):
        return None
    return keys.found_in(event.text, asked=asked and event.holds == "text" and not event.passed_on)
