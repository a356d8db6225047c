"""Types of the dashboard's credentials."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Role = Literal["admin", "viewer"]  # a viewer can read everything and change nothing

Way = Literal["link", "password", "telegram"]  # how a session was started

Refusal = Literal["unknown", "used", "expired"]  # why a login link is not valid

ENTER = "/enter/"  # the path of a login link, before its secret
MINI_APP = "/app"  # the dashboard's page for Telegram (Mini App)


@dataclass(frozen=True)
class Link:
    """A login link: its role, when it was created and used, and its place (see `Session`)."""

    role: Role
    made_at: datetime
    used_at: datetime | None = None
    place: str = ""


@dataclass(frozen=True)
class Session:
    """A signed-in browser.

    `id` is its public name and grants no access; `seen_at` is accurate to five minutes. It is valid
    at one `place`: "" is the dashboard itself, others are pages opened for a phone.
    """

    id: str
    role: Role
    way: Way
    browser: str
    began_at: datetime
    seen_at: datetime
    place: str = ""


@dataclass(frozen=True)
class Token:
    """A program's API token. `used_at` is accurate to five minutes; None when never used."""

    id: str
    role: Role
    name: str
    made_at: datetime
    used_at: datetime | None = None


@dataclass(frozen=True)
class SignedIn:
    """A new session with its secret, which the browser stores."""

    secret: str
    session: Session
