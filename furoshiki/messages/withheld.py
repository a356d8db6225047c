"""Secrets in messages (API keys and others): masked in storage, held in memory until used."""

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

ASKED_FOR = timedelta(hours=1)  # how long a requested secret is expected

# kinds of secrets that may be requested: an API key, a secret address, or a password
KEY, ADDRESS, PASSWORD = "key", "address", "password"

_ALONE = {KEY: keys.BARE, ADDRESS: keys.ADDRESS, PASSWORD: keys.PASSWORD}
_ASKED = "secret_asked_for"  # the `kv` key of the expected secret's kind and deadline


class Withheld:
    """Secrets by name, in memory only, for ten minutes: the newest 20. Thread-safe."""

    def __init__(self) -> None:
        self._held: OrderedDict[str, tuple[str, datetime]] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, name: str, key: str, now: datetime) -> None:
        """Store a secret."""
        with self._lock:
            self._held[name] = key, now
            self._held.move_to_end(name)
            while len(self._held) > MOST_HELD:
                self._held.popitem(last=False)

    def take(self, name: str, now: datetime) -> str | None:
        """Remove and return the secret; None if there is none or it is too old."""
        with self._lock:
            key, since = self._held.pop(name, ("", now))
        return key if key and now - since <= HELD_FOR else None


def ask(db: sqlite3.Connection, now: datetime, what: str = KEY) -> None:
    """Expect a secret from now on."""
    kv.put(db, _ASKED, {"what": what, "until": stamp(now + ASKED_FOR)}, now)


def over(db: sqlite3.Connection) -> None:
    """Expect no secret any more."""
    kv.drop(db, _ASKED)


def find_awaited(db: sqlite3.Connection, now: datetime) -> str | None:
    """Return the kind of secret that is expected, or None."""
    stored = kv.get(db, _ASKED)
    return None if stored is None or now > parse(stored["until"]) else str(stored["what"])


def find_secret(db: sqlite3.Connection, event: Event, now: datetime) -> str | None:
    """Return the secret in a message; None without one, and for other events."""
    if not isinstance(event, Message):
        return None
    alone = _ALONE.get(find_awaited(db, now) or "") if event.holds == "text" and not event.passed_on else None
    return keys.find_key(event.text, alone)
