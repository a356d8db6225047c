"""Tombstones: marks without content that keep forgotten items from being imported again.

A mark is an HMAC-SHA256 under a random key in this database (a plain hash of a short text could be
found by trying all short texts). It says only that an item was forgotten and when. It applies to
older items only: the same words said later are new.
"""

import hashlib
import hmac
import secrets
import sqlite3
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from furoshiki.core.database import kv
from furoshiki.core.database.rows import find_value, marks
from furoshiki.core.timestamps import parse, stamp

Kind = Literal["turn", "memory"]

# the `kv` key of the secret (hexadecimal), which is created with the first mark
KEY = "tombstones.key"

# the `kv` key of the secrets of marks from other databases, in hexadecimal
OTHER_KEYS = "tombstones.other_keys"

_BETWEEN = "\x1f"


# Characters from which on the same text on the same day is the same message, under any speaker's
# name. Shorter texts ("ok", "good morning") must have the same speaker.
LONG_ENOUGH = 24

ANYBODY = "*"


def turn(speaker: str, at: datetime, text: str) -> tuple[str, ...]:
    """Return the names of a turn for marks: speaker, day and text, and for long texts any speaker.

    The day rather than the second, as an export and the time of arrival differ by seconds; any
    speaker, as an export gives the speaker's name.
    """
    words = normal(text)
    speakers = (speaker.casefold(), ANYBODY) if len(words) >= LONG_ENOUGH else (speaker.casefold(),)
    return tuple(_BETWEEN.join(("said", one, stamp(at)[:10], words)) for one in speakers)


def make_import_name(source: str, import_id: str) -> str:
    """Return an imported turn's second name: its id in its import, which survives edits."""
    return _BETWEEN.join(("id", source, import_id))


def fact(subject: str | None, predicate: str | None, object_: str | None, content: str) -> tuple[str, ...]:
    """Return the names of a memory for marks: its text, and a fact's three parts."""
    names = [content]
    if subject and predicate and object_:
        names.append(_BETWEEN.join(("fact", normal(subject), normal(predicate), normal(object_))))
    return tuple(names)


def normal(text: str) -> str:
    """Normalise a text: case, spacing, composed or decomposed letters."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def bury(db: sqlite3.Connection, kind: Kind, text: str | Iterable[str], now: datetime) -> None:
    """Store marks for these names, or for plain text."""
    ours = key(db, now)
    for name in (text,) if isinstance(text, str) else text:
        db.execute(
            "INSERT INTO tombstones (digest, kind, forgotten_at) VALUES (?, ?, ?) "
            "ON CONFLICT (digest) DO UPDATE SET forgotten_at=excluded.forgotten_at",
            (_digest(ours, kind, name), kind, stamp(now)),
        )


def is_buried(db: sqlite3.Connection, kind: Kind, text: str | Iterable[str], said_at: datetime | None = None) -> bool:
    """Whether an item with one of these names was forgotten and not said again since.

    `said_at` is when it was said; None (unknown) counts as before.
    """
    names = (text,) if isinstance(text, str) else tuple(text)
    digests = [_digest(one, kind, name) for one in _keys(db) for name in names]
    if not digests:
        return False
    query = f"SELECT max(forgotten_at) FROM tombstones WHERE digest IN ({marks(digests)})"  # noqa: S608
    row = db.execute(query, digests).fetchone()
    return row[0] is not None and (said_at is None or stamp(said_at) <= row[0])


@dataclass(frozen=True)
class Marks:
    """All marks of one database, and the keys they are made with."""

    keys: tuple[bytes, ...]
    forgotten: Mapping[str, tuple[str, str]]  # by digest: kind, and time (ISO format)

    def against(self, kind: Kind, names: Iterable[str], said_at: str) -> bool:
        """Whether an item with one of these names, said at that time, was forgotten later."""
        digests = (_digest(one, kind, name) for name in names for one in self.keys)
        return any(digest in self.forgotten and said_at <= self.forgotten[digest][1] for digest in digests)


def marks_of(db: sqlite3.Connection) -> Marks:
    """Read the marks of a database."""
    rows = db.execute("SELECT digest, kind, forgotten_at FROM tombstones")
    return Marks(tuple(_keys(db)), {row[0]: (row[1], row[2]) for row in rows})


def carry(db: sqlite3.Connection, there: Marks, now: datetime) -> None:
    """Copy the marks of another database with their keys."""
    if not there.forgotten:
        return
    ours = _keys(db)
    fresh = [one.hex() for one in there.keys if one not in ours]
    if fresh and not ours:
        kv.put(db, KEY, fresh.pop(0), now)
    if fresh:
        kv.put(db, OTHER_KEYS, [*(kv.get(db, OTHER_KEYS) or []), *fresh], now)
    db.executemany(
        "INSERT INTO tombstones (digest, kind, forgotten_at) VALUES (?, ?, ?) ON CONFLICT (digest) DO UPDATE "
        "SET forgotten_at=max(forgotten_at, excluded.forgotten_at)",
        [(digest, kind, at) for digest, (kind, at) in there.forgotten.items()],
    )


def _keys(db: sqlite3.Connection) -> list[bytes]:
    """Return this database's key and those of imported marks."""
    stored = kv.several(db, KEY, OTHER_KEYS)
    own = [stored[KEY]] if KEY in stored else []
    return [bytes.fromhex(one) for one in (*own, *stored.get(OTHER_KEYS, ()))]


def key(db: sqlite3.Connection, now: datetime) -> bytes:
    """Return this database's key; create it if missing."""
    secret = kv.get(db, KEY)
    if secret is None:
        secret = secrets.token_hex(32)
        kv.put(db, KEY, secret, now)
    return bytes.fromhex(secret)


def seal(key: bytes, words: Sequence[str]) -> str:
    """Return a keyed digest of words, to recognise unfinished work without storing the text."""
    return _digest(key, "words", _BETWEEN.join(words))


def count(db: sqlite3.Connection) -> int:
    """Return the number of marks."""
    return int(find_value(db, "SELECT count(*) FROM tombstones"))


def _digest(key: bytes, kind: str, name: str) -> str:
    text = _BETWEEN.join((kind, normal(name) if _BETWEEN not in name else name))
    return hmac.new(key, text.encode("utf-8", "replace"), hashlib.sha256).hexdigest()


# -- items hidden while a question about forgetting them is open --


ASKED = "forgetting.asked"  # the `kv` key of a question waiting for a yes; deleted with the answer

ANSWER_WITHIN = timedelta(minutes=15)


def names(db: sqlite3.Connection, now: datetime) -> frozenset[str]:
    """Return the turns and memories ("turn:12") in an open question about forgetting."""
    stored = kv.get(db, ASKED)
    if stored is None or now - parse(stored["at"]) > ANSWER_WITHIN:
        return frozenset()
    return frozenset(stored.get("names", ()))
