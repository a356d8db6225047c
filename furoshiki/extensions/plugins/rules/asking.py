"""A plugin's calls to its broker: permissions, limits, and checks of arguments."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from typing import Any

from furoshiki.core.framing import strip_tags
from furoshiki.extensions.plugins.values import Permissions

NOT_AGREED = "and have its owner agree to it"  # end of the message for a missing permission


class Refused(Exception):
    """A refused call; the message tells the plugin's author what to do."""


@dataclass(frozen=True)
class Call:
    """One call: its permission, the required line in PLUGIN.md, and the maximum in one run."""

    permission: str
    needs: str
    most: int


CALLS: Mapping[str, Call] = {
    "read_db": Call("read_db", "read_db: true", 500),
    "write_mind_queue": Call("write_mind_queue", "write_mind_queue: true", 3),
    "write_db": Call("write_db", "write_db: true", 10),
    "llm": Call("llm", "llm: true", 3),
    "fetch": Call("network", "network: [the host's name]", 20),
    "find_mail": Call("read_mail", "read_mail: true", 3),
    "fetch_mail": Call("read_mail", "read_mail: true", 5),
    "send_mail": Call("send_mail", "send_mail: true", 1),
}

READING_S = 10.0  # seconds for all queries of a run

THOUGHTS_A_DAY = 5
CHANGES_A_DAY = 30
OPEN_CHANGES = 100  # maximum open tasks created by one plugin

LONGEST_SUMMARY = 200
LONGEST_DETAIL = 2000
LONGEST_KEY = 100
LONGEST_TITLE = 200
LONGEST_PROMPT = 8000  # maximum characters of `prompt` and `system` together

MOST_TOKENS = 800
FURTHEST_THOUGHT = timedelta(days=30)
FURTHEST_REMINDER = timedelta(days=366)

_ADDRESS = re.compile(r"\b(?:[a-z][a-z0-9+.-]{1,20}://|www\.|t\.me/)|(?<!\w)@\w", re.IGNORECASE)


def refusal(call: str, granted: Permissions, done: int) -> str | None:
    """Return why a call is refused after `done` calls in this run; None if it is allowed."""
    known = CALLS.get(call)
    if known is None:
        return f"there is no call {call[:40]!r}: there are {', '.join(CALLS)}"
    if not getattr(granted, known.permission):
        return f"not allowed: write {known.needs} under permissions in PLUGIN.md, {NOT_AGREED}"
    if done >= known.most:
        return f"one run may ask {known.most} times for it: ask for more at once, or at the next run"
    return None


@dataclass(frozen=True)
class Said:
    """A topic that a plugin wants to bring up."""

    summary: str
    detail: str
    key: str
    not_before: datetime | None
    until: datetime | None


def parse_topic(args: Mapping[str, Any], now: datetime, zone: tzinfo) -> Said:
    """Parse a topic from the arguments of the call. Raises Refused."""
    summary = one_line(args, "summary", LONGEST_SUMMARY)
    if not summary:
        raise Refused('"summary" is one sentence: what is to be said')
    if _ADDRESS.search(summary):
        raise Refused('a "summary" has no links and no @names: put them into "detail"')
    detail = text(args, "detail", LONGEST_DETAIL)
    not_before, until = (moment(args, name, now, zone, FURTHEST_THOUGHT) for name in ("not_before", "until"))
    if until is not None and until <= (not_before or now):
        raise Refused('"until" lies ahead, and after "not_before"')
    return Said(summary, detail, one_line(args, "key", LONGEST_KEY), not_before, until)


def text(args: Mapping[str, Any], name: str, most: int) -> str:
    """Return a text argument without prompt tags; "" if missing. Raises Refused."""
    held = args.get(name)
    if held is None:
        return ""
    if not isinstance(held, str) or len(held) > most:
        raise Refused(f'"{name}" is a text of at most {most:,} characters')
    return strip_tags(held).strip()


def one_line(args: Mapping[str, Any], name: str, most: int) -> str:
    """Return a text argument on one line, as `text` does."""
    return " ".join(text(args, name, most).split())


def moment(args: Mapping[str, Any], name: str, now: datetime, zone: tzinfo, furthest: timedelta) -> datetime | None:
    """Return a time argument, by default in the owner's zone; None if missing. Raises Refused."""
    held = args.get(name)
    if held is None or held == "":
        return None
    try:
        found = datetime.fromisoformat(str(held))
        found = found if found.tzinfo else found.replace(tzinfo=zone)
        if found - now > furthest:
            raise Refused(f'"{name}" lies more than {furthest.days} days ahead')
    except (ValueError, OverflowError):
        raise Refused(f'"{name}" is a time such as 2026-11-24T07:00+00:00') from None
    return found
