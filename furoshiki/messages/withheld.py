"""Keys and other secrets that came in a message: covered before anything is kept, and held in this process alone until
they are used."""

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
"""How long a secret is waited for once it was asked for."""

KEY, ADDRESS, PASSWORD = "key", "address", "password"
"""What may be asked for: a key to a model, an address that is a secret, or a password."""

_ALONE = {KEY: keys.BARE, ADDRESS: keys.ADDRESS, PASSWORD: keys.PASSWORD}
_ASKED = "secret_asked_for"
"""Under this name `kv` keeps what is waited for and until when."""


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


def ask(db: sqlite3.Connection, now: datetime, what: str = KEY) -> None:
    """Expect a secret from now on."""
    kv.put(db, _ASKED, {"what": what, "until": stamp(now + ASKED_FOR)}, now)


def over(db: sqlite3.Connection) -> None:
    """None is waited for any more."""
    kv.drop(db, _ASKED)


def find_awaited(db: sqlite3.Connection, now: datetime) -> str | None:
    """What is waited for; None for nothing."""
    held = kv.get(db, _ASKED)
    return None if held is None or now > parse(held["until"]) else str(held["what"])


def find_secret(db: sqlite3.Connection, event: Event, now: datetime) -> str | None:
    """The secret that a message brings; None for one without, and for what is no message."""
    if not isinstance(event, Message):
        return None
    alone = _ALONE.get(find_awaited(db, now) or "") if event.holds == "text" and not event.passed_on else None
    return keys.find_key(event.text, alone)
