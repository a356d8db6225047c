"""What a message asks to be done: reminders and lists, read by rule."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from furoshiki.domain import dates
from furoshiki.domain.date_habits import ENGLISH, Habits
from furoshiki.domain.dates import Unclear, When
from furoshiki.domain.readable import MOST_ANSWERED


@dataclass(frozen=True)
class Remind:
    """A reminder wanted. `when` is None when no time was said, or none that is clear: then `asks` says what is not."""

    what: str
    when: When | None
    asks: str | None = None


@dataclass(frozen=True)
class CancelReminder:
    """A reminder taken back; `what` is "" when it was not said which."""

    what: str


@dataclass(frozen=True)
class ShowReminders:
    """The reminders that wait."""


@dataclass(frozen=True)
class ChangeList:
    """Items to add to a list, remove from it or check off. `name` is None when no list was named."""

    action: str
    items: tuple[str, ...]
    name: str | None


@dataclass(frozen=True)
class ShowList:
    """A list to look at; without a name, the names of all."""

    name: str | None


Request = Remind | CancelReminder | ShowReminders | ChangeList | ShowList

_PLEASE = (
    r"^\W*+(?:(?:hey|hi|hello|ok|okay|oh|and|also|so|please|pls|well|then|now|yes|yeah|could you|can you"
    r"|would you|will you"
    r"|i(?:'d| would) like you to|i want you to|i need you to)\b[\s,]*+)*+(?:please\s+)?"
)
_REMIND = re.compile(
    _PLEASE + r"(?:remind me|set (?:me )?(?:up )?(?:a |an )?(?:reminder|alarm)|give me a reminder|don't let me forget"
    r"|do not let me forget|ping me|nudge me|wake me(?: up)?|notify me|make sure i (?:don't forget|remember)"
    r"|set (?:a )?timer|i need a reminder|i want a reminder|reminder(?=:))\b[\s,:]*(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_ALARM = re.compile(_PLEASE + r"(?:set (?:me )?(?:an? )?(?P<kind>alarm|timer)|(?P<wake>wake) me)", re.IGNORECASE)
_TO = re.compile(
    r"^(?:to|that i (?:have|need|should|must)(?: to)?|that|about|of|for|i (?:have|need) to|:)\s+", re.IGNORECASE
)
_CANCEL = re.compile(
    _PLEASE
    + r"(?:cancel|delete|remove|drop|forget|stop|turn off|clear)\s++(?:the|my|that|this)?+\s*+(?P<before>[\w' ]*?) ?"
    r"(?:reminders?|alarm|timer)\b\s*+(?:(?:to|about|for|of|that)\s+)?(?P<rest>.*)$",
    re.IGNORECASE,
)
_SHOW_REMINDERS = re.compile(
    r"\b(?:what|which|show|list|any|see|view|do i have|are there)\b.{0,200}\b(?:reminders|alarms)\b"
    r"|^my reminders\W*$|\bwhat (?:will|are) you (?:going to )?remind(?:ing)? me\b",
    re.IGNORECASE,
)
# "my books to read list", "the shopping list", or just "the list"
_LIST = (
    r"(?:(?:(?:my|the|our|a|this)\s+)*(?P<name>(?!(?:my|the|our|a|this)\b)[\w'][\w' -]{0,40}?)[\s-]*"
    r"|(?:the|my|our)\s+)list\b"
)
_ADD = re.compile(
    _PLEASE
    + rf"(?:add|put|write|note|stick|throw|include)\s+(?P<items>.+?)(?<!\s)\s++(?:to|on|onto|in|into)\s+{_LIST}",
    re.IGNORECASE | re.DOTALL,
)
_ADD_TO = re.compile(
    _PLEASE + rf"(?:add|put)?\s*(?:to|on|onto)\s+{_LIST}\s*[:,]?\s*(?:add|put)?\s*(?P<items>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_NEW_LIST = re.compile(
    _PLEASE + r"(?:make|create|start|begin|open)\s+(?:me\s+)?(?:a\s+|an\s+)?(?:new\s+)?"
    rf"{_LIST}\s*(?:with|:|of|containing)\s*(?P<items>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_REMOVE = re.compile(
    _PLEASE + rf"(?:remove|delete|take|drop|erase)\s+(?P<items>.+?)(?<!\s)\s++(?:off|from|out of)\s+(?:of\s+)?{_LIST}",
    re.IGNORECASE,
)
_CHECK = re.compile(
    _PLEASE + r"(?:(?:check|tick|cross|mark|strike)\s+(?:off\s+)?(?P<items>.+?)"
    r"(?:(?<!\s)\s++(?:off|as done|done|as bought|as finished))?"
    r"|(?:i(?:'m| am)\s+|i\s+|we\s+|all\s+)?(?:done with|finished with|got|bought|have bought"
    r"|picked up)\s+(?P<bought>.+?))"
    rf"(?:(?<!\s)\s++(?:off|on|from)\s+{_LIST})?(?<!\W)\W*+$",
    re.IGNORECASE,
)
_SHOW_LIST = re.compile(
    _PLEASE + r"(?:what(?:'s| is| do i have)?(?: still)?(?: left)?(?: to do)?\s+(?:on|in|for)|show(?: me)?"
    r"|read(?: me)?(?: out)?"
    rf"|view|see|open|check|tell me|give me)\s+{_LIST}\W*+(?:now|please|again)?\W*+$",
    re.IGNORECASE,
)
_BARE_LIST = re.compile(
    r"^(?:my |the |our )?(?!make|create|start|write|add|need|want|no\b|a\b|in\b"
    r"|on\b)(?P<name>[\w'-]+(?: [\w'-]+)?) list\W*$",
    re.IGNORECASE,
)
_SHOW_LISTS = re.compile(r"\b(?:what|which|show|any|see)\b.{0,200}\blists\b|^my lists\W*$", re.IGNORECASE)
_ITEMS = re.compile(r"(?:(?<!\s)\s++)?+(?:[,;&]|\band\b|\bplus\b)\s*+|(?<!\s)[^\S\n]*+\n\s*+", re.IGNORECASE)
_DONE_WITH = re.compile(_PLEASE + r"(?:i'm |i am |all )?(?:done|finished) with", re.IGNORECASE)
_NOT_BOUGHT = re.compile(
    r"^(?:it|that|this|you|a (?:new )?(?:job|dog|cat|house|car|cold|message|call|idea|question)|married"
    r"|home|up|there|to|the job)\b",
    re.IGNORECASE,
)


def request(text: str, now: datetime, habits: Habits = ENGLISH) -> Request | None:
    """What is asked to be done, if the message asks that. `now` is aware, in the user's zone; `habits` say how
    they write dates."""
    text = text[:MOST_ANSWERED].replace("\u2019", "'")
    plain = " ".join(text.split())
    return _reminding(plain, now, habits) or _listing(plain, text)


def reminder(text: str, now: datetime, habits: Habits = ENGLISH) -> Remind | None:
    """The reminder that words without "remind me" mean: "call mum on Sunday at six" (after `/remind`)."""
    text = text[:MOST_ANSWERED]
    return _remind(text, now, habits) if text.strip() else None


def split(items: str) -> tuple[str, ...]:
    """ "milk, eggs and some bread" as three items."""
    parts = (re.sub(r"^(?:some|the|a|an|also)\s+", "", part.strip(" .!?'\"")) for part in _ITEMS.split(items))
    return tuple(part for part in parts if part and part.lower() not in {"too", "please", "as well", "it", "that"})


def _reminding(plain: str, now: datetime, habits: Habits) -> Request | None:
    match = _REMIND.match(plain)
    if match is not None:
        alarm = _ALARM.match(plain)
        if alarm:
            return _alarm((alarm["kind"] or "wake").lower(), match["rest"], now, habits)
        return _remind(match["rest"], now, habits)
    match = _CANCEL.match(plain)
    if match is not None:
        return CancelReminder(_without_ends(f"{match['before']} {match['rest']}"))
    return ShowReminders() if _SHOW_REMINDERS.search(plain) else None


def _alarm(kind: str, rest: str, now: datetime, habits: Habits) -> Remind:
    """An alarm is meant for the morning when the hour may be either; a timer counts from now."""
    if kind == "timer":
        wanted = _remind(re.sub(r"^(?:for|of) ", "in ", rest), now, habits)
        return Remind(wanted.what or "your timer is up", wanted.when, wanted.asks)
    wanted = _remind(rest, now, habits)
    if wanted.when is not None and not re.search(r"[ap]\.?m\b|noon|evening|night|afternoon|half an hour|\bin \d", rest):
        morning = _remind(f"{rest} in the morning", now, habits)
        wanted = wanted if morning.when is None else Remind(wanted.what, morning.when)
    what = re.sub(r"^(?:for|at)\b\s*", "", wanted.what)
    return Remind(what or "time to wake up", wanted.when, wanted.asks)


def _remind(rest: str, now: datetime, habits: Habits) -> Remind:
    found = dates.reading(rest, now, habits)
    if found is None:
        return Remind(_without_ends(rest), None)
    what = _without_ends(dates.without(rest, found.spans))
    return Remind(what, None, found.asks) if isinstance(found, Unclear) else Remind(what, found)


def _without_ends(what: str) -> str:
    text = " ".join(what.split()).strip(" ,.!?:")
    text = _TO.sub("", text)
    text = re.sub(r"(?:\s++(?:at|on|in|by|for|to|about|please|thanks|thank you)){1,6}$", "", text, flags=re.IGNORECASE)
    text = re.sub(r"^(?:please|to)\s+", "", text, flags=re.IGNORECASE)
    return text.strip(" ,.!?:")


def _listing(plain: str, text: str) -> Request | None:
    for pattern, action in ((_NEW_LIST, "add"), (_ADD, "add"), (_ADD_TO, "add"), (_REMOVE, "remove")):
        match = pattern.match(text.strip() if action == "add" else plain)
        if match is not None and split(match["items"]):
            return ChangeList(action, split(match["items"]), _named(match))
    checked = _CHECK.match(plain)
    if checked is not None and not _NOT_BOUGHT.match(checked["items"] or checked["bought"]):
        items = split(checked["items"] or checked["bought"])
        # "I bought a telescope" is news; only ticking off, or a list by name, is a request
        if items and (checked["items"] or "list" in plain.lower() or _DONE_WITH.match(plain)):
            return ChangeList("check", items, _named(checked))
    if _SHOW_LISTS.search(plain):
        return ShowList(None)
    shown = _SHOW_LIST.match(plain) or _BARE_LIST.match(plain)
    return ShowList(_named(shown) or "shopping") if shown is not None else None


def _named(match: re.Match[str]) -> str | None:
    return match["name"].strip().lower() if match["name"] else None
