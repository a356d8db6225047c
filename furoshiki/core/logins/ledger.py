"""`run/dashboard-access.json`: links, sessions and tokens of the dashboard, as hashes.

Only its user can read the file; it is in `run/`, so no backup or export contains it. Changes are
made under a lock, on the current content: listener, shell and dashboard all write it.
"""

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

from furoshiki.core import json_values
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
MOST = 50  # the maximum number each of links, sessions and tokens


class TooMany(FuroshikiError):
    """There are as many API tokens as there can be: revoke one that no program uses."""


class NotKept(FuroshikiError):
    """Who may come in cannot be written down: the message says what the system refused, and what to do."""


@dataclass
class Book:
    """The file's content; links, sessions and tokens by the hash of their secret.
    `spent`: hashes of used Telegram init data, with the time when they expire anyway."""

    links: dict[str, Link] = field(default_factory=dict)
    sessions: dict[str, Session] = field(default_factory=dict)
    tokens: dict[str, Token] = field(default_factory=dict)
    passwords: dict[Role, str] = field(default_factory=dict)
    spent: dict[str, datetime] = field(default_factory=dict)
    home: str = ""
    # unknown parts of the file, from another release; preserved
    rest: dict[str, Any] = field(default_factory=dict)

    place: str = ""  # the place where links and sessions added now are valid (see `Session`)

    def secret(self) -> str:
        """Return a random secret of 256 bits, letters and digits only. In a home of a host it
        begins with its name ("anna."), so that a shared dashboard finds the home."""
        return f"{self.home}{DOT}{secrets.token_hex(32)}" if self.home else secrets.token_hex(32)


def name() -> str:
    """Return a random public name for a session or a token; it grants no access."""
    return secrets.token_hex(4)


def compute_hash(value: str) -> str:
    """Return the stored hash of a secret. The secret is random, so a plain hash is enough."""
    return hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()


def home_of(key: str) -> str:
    """Return the home of a host that a secret belongs to; "" for none."""
    name, dot, _ = key.partition(DOT)
    return name if dot and is_home_name(name) else ""


class Ledger:
    """The file, read again only when it changes. Thread-safe.

    A ledger belongs to one `place` (see `Session`): credentials of another place are not valid.
    """

    def __init__(self, data: Path, place: str = "") -> None:
        self.place = place
        self._path = data / "run" / FILE
        self._lock = data / "run" / f"{FILE}.lock"
        self._home = "" if host_of(data) is None else data.name
        self._known: tuple[object, Book] = (None, Book())
        self._alone = threading.Lock()

    def held(self) -> Book:
        """Return the current content. Do not change it."""
        seen = stamp_of(self._path)
        if seen is None:
            return Book()
        known = self._known
        if known[0] != seen:
            known = self._known = (seen, self._read())
        return known[1]

    def knows(self, key: str) -> bool:
        """Return whether the file has a link, session or token with this secret, valid or not."""
        book, mark = self.held(), compute_hash(key)
        return mark in book.links or mark in book.sessions or mark in book.tokens

    @contextlib.contextmanager
    def changing(self, now: datetime) -> Iterator[Book]:
        """Change the content in this block, under the lock; expired entries are dropped.
        Raises NotKept; the old file then stays."""
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
    """Drop expired entries, and the oldest above the limit."""
    links = {key: one for key, one in book.links.items() if abs(now - one.made_at) < rules.LINK_KEPT}
    sessions = {key: one for key, one in book.sessions.items() if rules.lives(one, now)}
    book.links = dict(sorted(links.items(), key=lambda item: item[1].made_at)[-MOST:])
    book.sessions = dict(sorted(sessions.items(), key=lambda item: item[1].seen_at)[-MOST:])
    book.spent = {key: until for key, until in book.spent.items() if until > now}


def _as_json(book: Book) -> dict[str, Any]:
    names = ("links", "sessions", "tokens", "passwords", "spent")
    groups = {name: getattr(book, name) for name in names}
    return book.rest | {name: {key: _plain(one) for key, one in group.items()} for name, group in groups.items()}


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
        with contextlib.suppress(TypeError, ValueError, AttributeError):  # skip unreadable entries
            moments = {name: parse(value) for name, value in one.items() if name.endswith("_at") and value}
            found[key] = json_values.build(kind, {**one, **moments})
    return found
