"""What was forgotten must not come back by itself: marks without content, asked before anything old is taken in.

A mark is an HMAC-SHA256 under a random key that stays in this database (the plain hash of a short text can be guessed
by hashing every short text). It says that something was forgotten and when, and nothing of what it was. Words said
after that moment are new words, whatever they are: a mark stands against what is older only.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import sqlite3
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from furoshiki.core.database import kv
from furoshiki.core.database.rows import marks
from furoshiki.core.timestamps import stamp

Kind = Literal["turn", "memory"]

KEY = "tombstones.key"
"""Under this name `kv` keeps the key, in hexadecimal; made with the first mark."""

OTHER_KEYS = "tombstones.other_keys"
"""Under this name `kv` keeps the keys of marks that came from another database, in hexadecimal."""

_BETWEEN = "\x1f"


LONG_ENOUGH = 24
"""Characters from which on words are their own: the same ones on the same day are the same message, no matter who is
named as the speaker. Shorter ones ("ok", "good morning") count only from the same mouth."""

ANYBODY = "*"


def turn(speaker: str, at: datetime, text: str) -> tuple[str, ...]:
    """The names of a turn for marks: who said what on which day, and for a long text what alone.

    The day and not the second, because an app's export and the moment of arrival differ by some of them; what alone,
    because an export calls the speaker by name.
    """
    words = normal(text)
    speakers = (speaker.casefold(), ANYBODY) if len(words) >= LONG_ENOUGH else (speaker.casefold(),)
    return tuple(_BETWEEN.join(("said", one, stamp(at)[:10], words)) for one in speakers)


def make_import_name(source: str, import_id: str) -> str:
    """How an imported turn is named besides: by its id in its import, which outlives any change of its words."""
    return _BETWEEN.join(("id", source, import_id))


def fact(subject: str | None, predicate: str | None, object_: str | None, content: str) -> tuple[str, ...]:
    """The names of a memory for marks: its words, and what it says of whom when it is a fact."""
    names = [content]
    if subject and predicate and object_:
        names.append(_BETWEEN.join(("fact", normal(subject), normal(predicate), normal(object_))))
    return tuple(names)


def normal(text: str) -> str:
    """A text without what may differ between two copies of it: case, spacing, composed or decomposed letters."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def bury(db: sqlite3.Connection, kind: Kind, text: str | Iterable[str], now: datetime) -> None:
    """Leave marks for these names, or for plain words."""
    ours = key(db, now)
    for name in (text,) if isinstance(text, str) else text:
        db.execute(
            "INSERT INTO tombstones (digest, kind, forgotten_at) VALUES (?, ?, ?) "
            "ON CONFLICT (digest) DO UPDATE SET forgotten_at=excluded.forgotten_at",
            (_digest(ours, kind, name), kind, stamp(now)),
        )


def is_buried(db: sqlite3.Connection, kind: Kind, text: str | Iterable[str], said_at: datetime | None = None) -> bool:
    """Whether what bears this name (or one of these) was forgotten, and has not been said again since.

    `said_at` is when the words were said; None when that is not known, and then they count as the old ones.
    """
    names = (text,) if isinstance(text, str) else tuple(text)
    digests = [_digest(one, kind, name) for one in _keys(db) for name in names]
    if not digests:
        return False
    row = db.execute(
        f"SELECT max(forgotten_at) FROM tombstones WHERE digest IN ({marks(digests)})",  # noqa: S608
        digests,
    ).fetchone()
    return row[0] is not None and (said_at is None or stamp(said_at) <= row[0])


@dataclass(frozen=True)
class Marks:
    """All marks of one database: what digest was forgotten when, and the keys they are made under."""

    keys: tuple[bytes, ...]
    forgotten: Mapping[str, tuple[str, str]]
    """By digest: kind, and when (as an ISO time)."""

    def against(self, kind: Kind, names: Iterable[str], said_at: str) -> bool:
        """Whether what bears one of these names, and was said at that time, was forgotten after it."""
        digests = (_digest(one, kind, name) for name in names for one in self.keys)
        return any(digest in self.forgotten and said_at <= self.forgotten[digest][1] for digest in digests)


def marks_of(db: sqlite3.Connection) -> Marks:
    """The marks of a database."""
    rows = db.execute("SELECT digest, kind, forgotten_at FROM tombstones")
    return Marks(tuple(_keys(db)), {row[0]: (row[1], row[2]) for row in rows})


def carry(db: sqlite3.Connection, there: Marks, now: datetime) -> None:
    """Take over the marks of another database, and the keys they are made under."""
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
    """The key under which marks are made here, and those of marks that came along."""
    kept = kv.several(db, KEY, OTHER_KEYS)
    own = [kept[KEY]] if KEY in kept else []
    return [bytes.fromhex(one) for one in (*own, *kept.get(OTHER_KEYS, ()))]


def key(db: sqlite3.Connection, now: datetime) -> bytes:
    """The key under which marks are made here; made now when there was none."""
    kept = kv.get(db, KEY)
    if kept is None:
        kept = secrets.token_hex(32)
        kv.put(db, KEY, kept, now)
    return bytes.fromhex(kept)


def seal(key: bytes, words: Sequence[str]) -> str:
    """Words as something that can be recognised again and not read: for work that may have to be finished later."""
    return _digest(key, "words", _BETWEEN.join(words))


def count(db: sqlite3.Connection) -> int:
    """How many marks there are."""
    return int(db.execute("SELECT count(*) FROM tombstones").fetchone()[0])


def _digest(key: bytes, kind: str, name: str) -> str:
    text = _BETWEEN.join((kind, normal(name) if _BETWEEN not in name else name))
    return hmac.new(key, text.encode("utf-8", "replace"), hashlib.sha256).hexdigest()
