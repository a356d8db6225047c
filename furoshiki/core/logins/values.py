"""Types of what lets somebody in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Role = Literal["admin", "viewer"]
"""A viewer sees everything and changes nothing."""

Way = Literal["link", "password", "telegram"]
"""How somebody signed in."""

Refusal = Literal["unknown", "used", "expired"]
"""Why a login link lets nobody in."""

ENTER = "/enter/"
"""Where a login link leads, before its secret."""

MINI_APP = "/app"
"""The page of the dashboard that opens within Telegram."""


@dataclass(frozen=True)
class Link:
    """A login link: for which role, when it was made, when it was used, and where it is good (as of a session)."""

    role: Role
    made_at: datetime
    used_at: datetime | None = None
    place: str = ""


@dataclass(frozen=True)
class Session:
    """A signed-in visitor. `id` names it to people and opens nothing; `seen_at` is right to five
    minutes.

    It is good at one `place`: "" is the dashboard itself, another the pages that were opened for a
    phone."""

    id: str
    role: Role
    way: Way
    browser: str
    began_at: datetime
    seen_at: datetime
    place: str = ""


@dataclass(frozen=True)
class Token:
    """A program that may ask the API. `used_at` is right to five minutes; None when it never asked."""

    id: str
    role: Role
    name: str
    made_at: datetime
    used_at: datetime | None = None


@dataclass(frozen=True)
class SignedIn:
    """A session that has just begun, with the secret that its browser is to keep."""

    secret: str
    session: Session
