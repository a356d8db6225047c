"""Lifetimes of login links and sessions, removal of secrets from texts, and names of browsers."""

import re
from datetime import datetime, timedelta

from furoshiki.core.logins.values import ENTER, Link, Refusal, Session

LINK_LASTS = timedelta(minutes=5)
# how long a used link is remembered, so that opening it again reports "used"
LINK_KEPT = timedelta(days=1)

IDLE_LASTS = timedelta(hours=12)
LONGEST_SESSION = timedelta(days=7)

# minimum time between two records that a session or a token was used
SEEN_EVERY = timedelta(minutes=5)

_BROWSERS = (("Edg", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("FxiOS", "Firefox"), ("Chrome/", "Chrome"),
             ("CriOS", "Chrome"), ("Safari/", "Safari"), ("curl/", "curl"))  # fmt: skip
# marks in a User-Agent, most specific first: Chrome also contains "Safari", Edge also "Chrome"
_SYSTEMS = (("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"),
            ("Macintosh", "Mac"), ("CrOS", "ChromeOS"), ("Linux", "Linux"))  # fmt: skip

_KEY = re.compile(rf"(?<={ENTER})(?:[a-z0-9-]{{1,32}}\.)?[0-9a-f]{{64}}")


def without_keys(text: str) -> str:
    """Mask the secret of every login link in a text, keeping its length."""
    return _KEY.sub(lambda found: "•" * len(found[0]), text) if ENTER in text else text


# the secret of a login link in sent bytes, also a partial one of a streamed answer
_SENT = re.compile(rb"((?:/|%2f)enter(?:/|%2f)(?:[a-z0-9-]{1,32}\.)?)([0-9a-f]{8,64})", re.IGNORECASE)


def without_keys_sent(body: bytes) -> bytes:
    """Mask the secret of every login link in sent bytes, keeping the length."""
    return _SENT.sub(lambda found: found[1] + b"*" * len(found[2]), body) if b"enter" in body else body


def refusal(link: Link, now: datetime) -> Refusal | None:
    """Return why a link is not valid; None when it is."""
    if link.used_at is not None:
        return "used"
    return None if timedelta() <= now - link.made_at < LINK_LASTS else "expired"


def lives(session: Session, now: datetime) -> bool:
    """Return whether a session is valid. Setting the clock back ends future sessions."""
    return now - session.seen_at < IDLE_LASTS and timedelta(minutes=-5) <= now - session.began_at < LONGEST_SESSION


def browser(user_agent: str) -> str:
    """Return a readable name for a User-Agent: "Firefox on Linux"."""
    name = next((name for mark, name in _BROWSERS if mark in user_agent), "")
    system = next((name for mark, name in _SYSTEMS if mark in user_agent), "")
    return f"{name} on {system}" if name and system else name or system or "an unknown browser"
