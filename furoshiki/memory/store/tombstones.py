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
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Literal

from furoshiki.core.database import kv
from furoshiki.core.database.rows import marks
from furoshiki.core.timestamps import stamp

Kind = Literal["turn", "memory"]

KEY = "tombstones.key"
"""Under this name `kv` keeps the key, in hexadecimal; made with the first mark."""

_BETWEEN = "\x1f"


LONG_ENOUGH = 24
"""Characters from which on words are their own: the same ones on the same day are the same message, whoever is named
as the speaker. Shorter ones ("ok", "good morning") count only from the same mouth."""

ANYBODY = "*"


def turn(speaker: str, at: datetime, text: str) -> tuple[str, ...]:
    """The names of a turn for marks: who said what on which day, and for a long text what alone.

    The day and not the second, because an app's export and the moment of arrival differ by some of them; what alone,
    because an export calls the speaker by name.
    """
    words = normal(text)
    speakers = (speaker.casefold(), ANYBODY) if len(words) >= LONG_ENOUGH else (speaker.casefold(),)
    return tuple(_BETWEEN.join(("said", one, stamp(at)[:10], words)) for one in speakers)


def imported(source: str, import_id: str) -> str:
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


def buried(db: sqlite3.Connection, kind: Kind, text: str | Iterable[str], said_at: datetime | None = None) -> bool:
    """Whether what bears this name (or one of these) was forgotten, and is not said anew after that.

    `said_at` is when the words were said; None when that is not known, and then they count as the old ones.
    """
    kept = kv.get(db, KEY)
    if kept is None:
        return False
    names = (text,) if isinstance(text, str) else tuple(text)
    digests = [_digest(bytes.fromhex(kept), kind, name) for name in names]
    row = db.execute(
        f"SELECT max(forgotten_at) FROM tombstones WHERE digest IN ({marks(digests)})",  # noqa: S608
        digests,
    ).fetchone()
    return row[0] is not None and (said_at is None or stamp(said_at) <= row[0])


def key(db: sqlite3.Connection, now: datetime) -> bytes:
    """The key under which marks are made here; made now when there was none."""
    kept = kv.get(db, KEY)
    if kept is None:
        kept = secrets.token_hex(32)
        kv.put(db, KEY, kept, now)
    return bytes.fromhex(kept)


def sealed(key: bytes, words: Sequence[str]) -> str:
    """Words as something that can be recognised again and not read: for work that may have to be finished later."""
    return _digest(key, "words", _BETWEEN.join(words))


def count(db: sqlite3.Connection) -> int:
    """How many marks there are."""
    return int(db.execute("SELECT count(*) FROM tombstones").fetchone()[0])


def _digest(key: bytes, kind: str, name: str) -> str:
    text = _BETWEEN.join((kind, normal(name) if _BETWEEN not in name else name))
    return hmac.new(key, text.encode("utf-8", "replace"), hashlib.sha256).hexdigest()
