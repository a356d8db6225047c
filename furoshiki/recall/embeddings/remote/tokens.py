"""Access tokens of an encoder's server, one per client (revocable), stored as hashes."""

import hashlib
import hmac
import json
import re
import secrets
from datetime import datetime
from pathlib import Path

from furoshiki.core.atomic_files import locked, write_text
from furoshiki.core.errors import BadSetting, FuroshikiError
from furoshiki.core.paths import stamp_of
from furoshiki.core.timestamps import parse, stamp

PREFIX = "furoshiki_encoder_"
"""The prefix of every token, by which a token published by mistake can be found."""

TOKEN_BYTES = 32
MOST = 1000

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")


class BadName(FuroshikiError):
    """A client cannot be called so, or there is none or one already: the message says which."""

    exit_code = 2


class Tokens:
    """The tokens in a file, reloaded when it has changed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen: tuple[int, int, int] | None = None
        self._held: dict[str, dict[str, str]] = {}

    def make(self, name: str, now: datetime) -> str:
        """Create a token, which is shown only once. Raises BadName, BadSetting."""
        if _NAME.fullmatch(name) is None:
            raise BadName(f"{name!r}: a client's name is of letters, digits, hyphens and dots, as in attic-pi")
        token = PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
        with locked(self._path.with_suffix(".lock")):
            clients = self._read()
            if name in clients:
                raise BadName(f"{name} has a token: `furoshiki encoder withdraw {name}` first, or take another name")
            if len(clients) >= MOST:
                raise BadName(f"there are {MOST} tokens already: withdraw one that nobody uses")
            self._write({**clients, name: {"sha256": _hash_token(token), "made": stamp(now)}})
        return token

    def withdraw(self, name: str) -> None:
        """Revoke a client's token from its next request on. Raises BadName, BadSetting."""
        with locked(self._path.with_suffix(".lock")):
            clients = self._read()
            if clients.pop(name, None) is None:
                raise BadName(f"no client is called {name!r}; `furoshiki encoder tokens` lists them")
            self._write(clients)

    def listed(self) -> dict[str, datetime]:
        """Return the clients and when their tokens were created. Raises BadSetting."""
        return {name: parse(one["made"]) for name, one in sorted(self._read().items())}

    def client(self, token: str) -> str | None:
        """Return the client of a token, or None, in constant time. Raises BadSetting."""
        if self._seen != (now := stamp_of(self._path)):
            self._held, self._seen = self._read(), now
        digest, matching = _hash_token(token), None
        for name, row in self._held.items():
            if hmac.compare_digest(row["sha256"], digest):
                matching = name
        return matching

    def _read(self) -> dict[str, dict[str, str]]:
        try:
            parsed = json.loads(self._path.read_text(encoding="utf-8"))
            return {
                str(name): {**one, "sha256": str(one["sha256"]), "made": str(one["made"])}
                for name, one in parsed.items()
            }
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise BadSetting(f"{self._path} cannot be read: take it away, and make new tokens") from error

    def _write(self, held: dict[str, dict[str, str]]) -> None:
        write_text(self._path, json.dumps(held, indent=1))


def _hash_token(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
