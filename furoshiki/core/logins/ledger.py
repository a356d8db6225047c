"""`run/dashboard-access.json`: who may come in. Readable by its owner alone, and it holds hashes, never a secret.

It lies in `run/`, so no backup and no export carries it. Every change is made under a lock, on what the file holds at
that moment, because the listener, the shell and the dashboard all write it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import secrets
import threading
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from furoshiki.core import stored
from furoshiki.core.atomic_files import locked, write_text
from furoshiki.core.errors import FuroshikiError, in_words
from furoshiki.core.logins import rules
from furoshiki.core.logins.values import Link, Role, Session, Token
from furoshiki.core.paths import host_of, is_home_name, stamp_of
from furoshiki.core.timestamps import parse, stamp

log = logging.getLogger(__name__)
T = TypeVar("T")

FILE = "dashboard-access.json"
DOT = "."
MOST = 50
"""Links, sessions and tokens that there can be, of each."""


class TooMany(FuroshikiError):
    """There are as many API tokens as there can be: revoke one that no program uses."""


class NotKept(FuroshikiError):
    """Who may come in cannot be written down: the message says what the system refused, and what to do."""


@dataclass
class Book:
    """What the file holds. Links, sessions and tokens by the hash of their secret; `spent` are hashes of what lets
    somebody in once (init data of Telegram), with the moment from which on they are too old anyway."""

    links: dict[str, Link] = field(default_factory=dict)
    sessions: dict[str, Session] = field(default_factory=dict)
    tokens: dict[str, Token] = field(default_factory=dict)
    passwords: dict[Role, str] = field(default_factory=dict)
    spent: dict[str, datetime] = field(default_factory=dict)
    home: str = ""
    rest: dict[str, Any] = field(default_factory=dict)
    """What another release keeps in the file."""

    place: str = ""
    """Where what is added now is good (see `Session`)."""

    def secret(self) -> str:
        """256 bits that nobody can guess, in letters and digits that no markup takes for its own. In a home of a host
        they begin with its name ("anna."), so that one dashboard for many homes knows where to look them up."""
        return f"{self.home}{DOT}{secrets.token_hex(32)}" if self.home else secrets.token_hex(32)


def name() -> str:
    """What people and pages call a session or a token by: it opens nothing."""
    return secrets.token_hex(4)


def compute_hash(value: str) -> str:
    """What is kept of a secret. It is random, so that a plain hash is enough."""
    return hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()


def home_of(key: str) -> str:
    """Return the home of a host that a secret names; "" for none."""
    name, dot, _ = key.partition(DOT)
    return name if dot and is_home_name(name) else ""


class Ledger:
    """The file, read again only when it has changed. May be used by several threads.

    Each looks at it from one `place` (see `Session`): what is good at another lets nobody in.
    """

    def __init__(self, data: Path, place: str = "") -> None:
        self.place = place
        self._path = data / "run" / FILE
        self._lock = data / "run" / f"{FILE}.lock"
        self._home = "" if host_of(data) is None else data.name
        self._known: tuple[object, Book] = (None, Book())
        self._alone = threading.Lock()

    def held(self) -> Book:
        """What the file holds now. Not to be changed."""
        seen = stamp_of(self._path)
        if seen is None:
            return Book()
        known = self._known
        if known[0] != seen:
            known = self._known = (seen, self._read())
        return known[1]

    def knows(self, key: str) -> bool:
        """Whether it says anything of this secret: of a link, a session or a token, good or not any more."""
        book, mark = self.held(), compute_hash(key)
        return mark in book.links or mark in book.sessions or mark in book.tokens

    @contextlib.contextmanager
    def changing(self, now: datetime) -> Iterator[Book]:
        """What the file holds, to be changed; what has run out is dropped on the way. Nobody else changes it
        meanwhile. Raises NotKept, and then the old file stays."""
        try:
            with self._alone, locked(self._lock):
                book = self._read()
                book.place = self.place
                yield book
                _tidy(book, now)
                text = json.dumps(_as_json(book), indent=1, ensure_ascii=False)
                write_text(self._path, text + "\n", mode=0o600)
        except OSError as error:
            raise NotKept(in_words(error)) from error

    def _read(self) -> Book:
        try:
            return _of_json(json.loads(self._path.read_text(encoding="utf-8")), self._home)
        except FileNotFoundError:
            return Book(home=self._home)
        except (ValueError, KeyError, TypeError, AttributeError):
            log.warning("%s cannot be read, so nobody is signed in any more: sign in with a new link", self._path)
            return Book(home=self._home)


def _tidy(book: Book, now: datetime) -> None:
    """Drop what lets nobody in any more, and the oldest of what there is too much of."""
    links = {key: one for key, one in book.links.items() if abs(now - one.made_at) < rules.LINK_KEPT}
    sessions = {key: one for key, one in book.sessions.items() if rules.lives(one, now)}
    book.links = dict(sorted(links.items(), key=lambda item: item[1].made_at)[-MOST:])
    book.sessions = dict(sorted(sessions.items(), key=lambda item: item[1].seen_at)[-MOST:])
    book.spent = {key: until for key, until in book.spent.items() if until > now}


def _as_json(book: Book) -> dict[str, Any]:
    return book.rest | {
        group: {key: _plain(one) for key, one in held.items()}
        for group, held in (
            ("links", book.links),
            ("sessions", book.sessions),
            ("tokens", book.tokens),
            ("passwords", book.passwords),
            ("spent", book.spent),
        )
    }


def _plain(one: Any) -> Any:
    if isinstance(one, datetime):
        return stamp(one)
    if isinstance(one, Link | Session | Token):
        return {key: _plain(value) for key, value in asdict(one).items()}
    return one


def _of_json(found: dict[str, Any], home: str) -> Book:
    return Book(
        _each(Link, found.pop("links", {})),
        _each(Session, found.pop("sessions", {})),
        _each(Token, found.pop("tokens", {})),
        {key: str(value) for key, value in found.pop("passwords", {}).items() if key in ("admin", "viewer")},
        {key: parse(until) for key, until in found.pop("spent", {}).items() if isinstance(until, str)},
        home,
        found,
    )


def _each(kind: Callable[..., T], held: dict[str, dict[str, Any]]) -> dict[str, T]:
    found: dict[str, T] = {}
    for key, one in held.items():
        with contextlib.suppress(TypeError, ValueError, AttributeError):  # that one lets nobody in; the others hold
            found[key] = stored.build(kind, _moments(one))
    return found


def _moments(one: dict[str, Any]) -> dict[str, Any]:
    return {key: parse(value) if key.endswith("_at") and value else value for key, value in one.items()}
