"""How long what lets somebody in holds, and how a browser is called."""

import re
from datetime import datetime, timedelta

from furoshiki.core.logins.values import ENTER, Link, Refusal, Session

LINK_LASTS = timedelta(minutes=5)
LINK_KEPT = timedelta(days=1)
"""How long a used link is remembered, so that anyone who opens it again is told that it was used."""

IDLE_LASTS = timedelta(hours=12)
LONGEST_SESSION = timedelta(days=7)

SEEN_EVERY = timedelta(minutes=5)
"""How often it is written down that a session or a token was used."""

_BROWSERS = (("Edg", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("FxiOS", "Firefox"), ("Chrome/", "Chrome"),
             ("CriOS", "Chrome"), ("Safari/", "Safari"), ("curl/", "curl"))  # fmt: skip
_SYSTEMS = (("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"),
            ("Macintosh", "Mac"), ("CrOS", "ChromeOS"), ("Linux", "Linux"))  # fmt: skip
"""What a browser calls itself, the telling ones first: Chrome says that it is Safari, Edge that it is Chrome."""

_KEY = re.compile(rf"(?<={ENTER})(?:[a-z0-9-]{{1,32}}\.)?[0-9a-f]{{64}}")


def without_keys(text: str) -> str:
    """A text with the secret of every login link in it blackened, as long as it was; nobody who looks can use it."""
    return _KEY.sub(lambda found: "•" * len(found[0]), text) if ENTER in text else text


_SENT = re.compile(rb"((?:/|%2f)enter(?:/|%2f)(?:[a-z0-9-]{1,32}\.)?)([0-9a-f]{8,64})", re.IGNORECASE)
"""The same in what is sent, half a secret of an answer that grows too."""


def without_keys_sent(body: bytes) -> bytes:
    """What is sent, without the secret of any login link and as long as it was."""
    return _SENT.sub(lambda found: found[1] + b"*" * len(found[2]), body) if b"enter" in body else body


def refusal(link: Link, now: datetime) -> Refusal | None:
    """Why a link lets nobody in; None when it does."""
    if link.used_at is not None:
        return "used"
    return None if timedelta() <= now - link.made_at < LINK_LASTS else "expired"


def lives(session: Session, now: datetime) -> bool:
    """Whether somebody is still signed in. A clock that was set back ends sessions of the future."""
    return now - session.seen_at < IDLE_LASTS and timedelta(minutes=-5) <= now - session.began_at < LONGEST_SESSION


def browser(user_agent: str) -> str:
    """What a person calls a browser that says this of itself: "Firefox on Linux"."""
    name = next((name for mark, name in _BROWSERS if mark in user_agent), "")
    system = next((name for mark, name in _SYSTEMS if mark in user_agent), "")
    return f"{name} on {system}" if name and system else name or system or "an unknown browser"
