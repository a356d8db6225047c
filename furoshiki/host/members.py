"""Which person belongs to which home on the shared bot: each is invited once, by a link for one
person, good for a week.

Stored in `.host/members.json`, codes as hashes, before any message is. A person in it owns their
home; a home that does not know its owner yet learns it with the first message.
"""

import hashlib
import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

from furoshiki.core import atomic_files
from furoshiki.core.atomic_files import locked
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.paths import HOST, stamp_of
from furoshiki.core.timestamps import parse, stamp

FILE = "members.json"
GOOD_FOR = timedelta(days=7)


class Taken(FuroshikiError):
    """The home has its person already; one person to a home, one home to a person."""


@dataclass(frozen=True)
class Invite:
    """An unused invitation into a home."""

    home: str
    until: datetime


@dataclass(frozen=True)
class Members:
    """Homes by the Telegram ids of their people, and invitations by the hashes of their codes."""

    people: dict[int, str] = field(default_factory=dict)
    invites: dict[str, Invite] = field(default_factory=dict)
    # entries of other releases in the file, preserved
    rest: dict[str, object] = field(default_factory=dict)

    def home_of(self, user_id: int) -> str | None:
        """Return the home of a person; None for a stranger."""
        return self.people.get(user_id)

    def invited(self, code: str, now: datetime) -> str | None:
        """Return the home that a code invites to; None when the code is invalid or expired."""
        invite = self.invites.get(_hash_code(code))
        return invite.home if invite is not None and now < invite.until else None

    def person_of(self, home: str) -> int | None:
        """Return the Telegram id of a home's person, or None."""
        return next((user for user, name in self.people.items() if name == home), None)


class MemberFile:
    """The members file, read again when it has changed."""

    def __init__(self, root: Path) -> None:
        self._path = root / HOST / FILE
        self._seen: object = None
        self._known = Members()

    def read(self) -> Members:
        """Return the members. Raises FuroshikiError for a file that cannot be read."""
        found = stamp_of(self._path)
        if found != self._seen:
            self._known = _load_file(self._path)
            self._seen = found
        return self._known

    def invite(self, home: str, now: datetime) -> str:
        """Return a new invitation code for a home. Raises Taken."""
        code = secrets.token_urlsafe(16)

        def add(members: Members) -> Members:
            if members.person_of(home) is not None:
                raise Taken(f"{home} has its person already: one person to a home (`furoshiki host add` makes another)")
            good = {key: one for key, one in members.invites.items() if one.until > now and one.home != home}
            return replace(members, invites={**good, _hash_code(code): Invite(home, now + GOOD_FOR)})

        self._change(add)
        return code

    def enter(self, user_id: int, code: str, now: datetime) -> str | None:
        """Accept an invitation and return its home; None for a wrong code or a member."""
        came: list[str] = []

        def add(members: Members) -> Members:
            home = members.invited(code, now)
            if home is None or user_id in members.people or members.person_of(home) is not None:
                return members
            came.append(home)
            left = {key: one for key, one in members.invites.items() if one.home != home}
            return replace(members, people={**members.people, user_id: home}, invites=left)

        self._change(add)
        return came[0] if came else None

    def settle(self, user_id: int, home: str) -> None:
        """Record the person of an adopted home. Raises Taken."""

        def add(members: Members) -> Members:
            if members.people.get(user_id, home) != home:
                raise Taken(f"the person of {home} is at home in {members.people[user_id]} already")
            if members.person_of(home) not in (None, user_id):
                raise Taken(f"{home} has its person already: one person to a home")
            return replace(members, people={**members.people, user_id: home})

        self._change(add)

    def forget(self, home: str) -> None:
        """Remove the person and the invitations of a home."""
        self._change(
            lambda members: replace(
                members,
                people={user: name for user, name in members.people.items() if name != home},
                invites={key: one for key, one in members.invites.items() if one.home != home},
            )
        )

    def _change(self, step: Callable[[Members], Members]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with locked(self._path.with_name(f".{FILE}.lock")):
            before = _load_file(self._path)
            after = step(before)
            if after != before:
                atomic_files.write_text(self._path, _text(after))


def _hash_code(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()


def _load_file(path: Path) -> Members:
    if not path.is_file():
        return Members()
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        people, invited = found.pop("people", {}), found.pop("invites", {})
        invites = {key: Invite(one["home"], parse(one["until"])) for key, one in invited.items()}
        return Members({int(user): str(home) for user, home in people.items()}, invites, found)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FuroshikiError(
            f"{path} cannot be read ({error}): put back a copy of it, or remove it and invite everybody again"
        ) from error


def _text(members: Members) -> str:
    found = {
        **members.rest,
        "people": {str(user): home for user, home in sorted(members.people.items())},
        "invites": {key: {"home": one.home, "until": stamp(one.until)} for key, one in members.invites.items()},
    }
    return json.dumps(found, indent=1) + "\n"
