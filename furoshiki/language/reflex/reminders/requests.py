"""Parse requests about reminders and lists by rule. The values are in `values`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, tzinfo
from functools import lru_cache
from typing import Any

from furoshiki.language import word_tables
from furoshiki.language.chat_spelling import write_out
from furoshiki.language.dates import exceptions
from furoshiki.language.dates.habits import ENGLISH, Habits
from furoshiki.language.dates.past import day_asked
from furoshiki.language.reflex.reminders import embedded_requests, listing, urgency
from furoshiki.language.reflex.reminders.rearranging import parse_rearrangement
from furoshiki.language.reflex.reminders.reminding import parse_reminder
from furoshiki.language.requests import correction_words, reminder_words
from furoshiki.language.requests.list_things import LONGEST, MOST_NEEDED, PARTS, normalize_name, split
from furoshiki.language.requests.values import (
    CancelReminder,
    ChangeList,
    ClearList,
    MoveReminder,
    Remind,
    RenameReminder,
    Request,
    SeveralRequests,
    ShowDay,
    ShowList,
    ShowReminders,
    Snooze,
    list_each,
)
from furoshiki.language.self_corrections import blank_retractions
from furoshiki.language.word_tables import pattern, texts
from furoshiki.language.words import MOST_ANSWERED, asks, count_words

MOST_PARTS = 4

MOST_TO_DO = 14  # most words of a task marked only by "urgent:"

_WAYS = word_tables.by_language("reminders_beside")["en"]
_TOLD = re.compile(_WAYS["told"], re.IGNORECASE)

_JOINT = re.compile(_WAYS["joint"], re.IGNORECASE)
_WHAT_THERE_IS = re.compile(_WAYS["what_there_is"], re.IGNORECASE)
_ON_ANOTHER = re.compile(_WAYS["on_another"], re.IGNORECASE)


def request(text: str, now: datetime, habits: Habits = ENGLISH) -> Request | None:
    """Return the request in a message, if it is unambiguous. `now` is aware, in the user's zone;
    `habits` are for reading dates."""
    found = perhaps(text, now, habits)
    return None if found is None or _unsure(found) else found


def perhaps(text: str, now: datetime, habits: Habits = ENGLISH) -> Request | None:
    """Return the request, even if it depends on stored items ("I bought the eggs")."""
    return _perhaps(text, now, (now.tzinfo, now.fold), habits)


@lru_cache(maxsize=32)  # several rules read the same message
def _perhaps(text: str, now: datetime, _clock: tuple[tzinfo | None, int], habits: Habits) -> Request | None:
    if day_asked.read(text, now.date()) is not None:
        return None  # "remind me what we talked about yesterday"
    text = write_out(text[:MOST_ANSWERED].replace("\u2019", "'"), habits.tongues[0])
    text = embedded_requests.without_question(blank_retractions(text))
    rest, priority = urgency.split_priority(text)
    if priority is not None:
        found = urgency.put_on(_read(rest, now, habits), priority)
        if found is None and urgency.leads(text) and _is_to_do(rest):
            found = listing.todo(rest, now, habits, priority)
        if found is not None:
            return found
    return _read_with_exceptions(text, now, habits) or _read(text, now, habits)


def _read_with_exceptions(text: str, now: datetime, habits: Habits) -> Remind | None:
    """Return a recurring reminder of which days are left out: "every day at 8 except sundays"."""
    rest, left_out = exceptions.split(text, now, habits)
    if left_out is None:
        return None
    found = _read(rest, now, habits)
    if not isinstance(found, Remind):
        return None
    times = [exceptions.apply(one, left_out, now) for one in (found.when, *found.halves) if one is not None]
    kept = [one for one in times if one is not None]
    if not kept or len(kept) < len(times):
        return None
    return replace(found, when=kept[0]) if found.when is not None else replace(found, halves=tuple(kept))


def _read(text: str, now: datetime, habits: Habits) -> Request | None:
    plain = " ".join(text.split())

    def read(part: str) -> Request | None:
        return _one(" ".join(part.split()), part, now, habits)

    event = embedded_requests.read_behind(plain, read, now, habits)
    found = event or _several(plain, now, habits) or _one(plain, text, now, habits)
    if isinstance(found, Remind) and embedded_requests.is_withdrawn(text):
        return None
    if found is not None and not _unsure(found):
        return found
    return embedded_requests.within(text, read, now, habits) or found


def _is_to_do(words: str) -> bool:
    """Return whether words after "urgent:" may be a task, not a statement or question."""
    return len(words.split()) <= MOST_TO_DO and not asks(words) and _TOLD.match(words) is None


def _one(plain: str, text: str, now: datetime, habits: Habits) -> Request | None:
    return _plainly(plain, text, now, habits) or parse_removal(plain)


def _plainly(plain: str, text: str, now: datetime, habits: Habits) -> Request | None:
    if (shown := _shown(plain)) is not None:
        return shown
    for words in reversed(list(correction_words.list_bare(plain))):
        for action, _, groups in _find(words, _NOT_WANTED):
            alarm = action == "asleep"
            return CancelReminder(groups.get("items") or "", surely=alarm, alarm=alarm)
    found = parse_reminder(plain, now, habits)
    if found is not None:
        return found
    if (other := parse_list_request(plain, habits.tongues[0])) is not None:
        return other
    if re.search(r"\b(?:remind|alarm|timer)", plain, re.IGNORECASE):
        return parse_rearrangement(plain) or listing.parse_request(plain, text, now, habits)
    listed = listing.parse_request(plain, text, now, habits)
    unsure = isinstance(listed, ShowList) and not listed.surely  # "what have I got on Monday"
    found = parse_rearrangement(plain) or listed if unsure else listed or parse_rearrangement(plain)
    return found or parse_nouns(plain)


def _shown(plain: str) -> Request | None:
    """Return what "remind me what I have on today" asks to show; nothing is set."""
    match = _WHAT_THERE_IS.match(plain)
    if match is not None:
        return ShowDay(match["when"] or "")
    asked = reminder_words.parse_request(plain)
    shown = (
        None
        if asked is None or asked.kind not in ("remind", "timed")
        else parse_list_request(asked.rest.lstrip(" ,，"))
    )
    return shown if isinstance(shown, ShowReminders | ShowDay) else None


def _several(plain: str, now: datetime, habits: Habits) -> SeveralRequests | None:
    """Return two or more complete requests in one message."""
    parts = _on_lists(plain) or [part.strip(" ,.;") for part in _JOINT.split(plain, maxsplit=MOST_PARTS - 1)]
    if len(parts) < 2:
        return None
    found = [_one(part, part, now, habits) for part in parts]
    if any(one is None or not _whole(one) for one in found):
        return None
    if isinstance(found[0], Remind) and any(isinstance(one, CancelReminder | ClearList) for one in found[1:]):
        return None  # "remind me at five to call the gym and cancel the alarm there" is one thing to do
    return SeveralRequests(tuple(part for one in found for part in list_each(one)))


def _on_lists(plain: str) -> list[str]:
    """Split "put milk on the shopping list and socks on the packing list" in two."""
    match = _ON_ANOTHER.match(plain)
    verb = re.search(r"\b(?:add|put|write|stick|take|remove|delete)\b", plain, re.IGNORECASE)
    if match is None or verb is None:
        return []
    return [match["first"], match["more"] if verb.re.match(match["more"]) else f"{verb.group()} {match['more']}"]


def _unsure(one: Request) -> bool:
    if isinstance(one, MoveReminder | RenameReminder):
        return not one.named
    return isinstance(one, ChangeList | CancelReminder | Snooze | ShowList) and not one.surely


def _whole(one: Request) -> bool:
    """Return whether a request is complete: an incomplete one may continue the previous one."""
    if isinstance(one, Remind):
        return one.when is not None and bool(one.what)
    return not _unsure(one)


# -- requests about lists in other languages: each pattern (`config/words`, "lists") matches a whole sentence --


_Way = tuple[str, str, re.Pattern[str]]  # an action, its language, and how it is asked for

_POLITE = f"(?:{'|'.join(texts('lists', 'polite').values())})"
# courtesies before or after a request, and what joins it to the one before
_COURTESY = re.compile(
    rf"^(?:(?:{_POLITE}|and|und|y|et?|и|ve)[\s,]+){{1,3}}|^请问?|^然后|(?<![\s,])[\s,]*{_POLITE}$", re.IGNORECASE
)


@lru_cache(maxsize=64)  # several rules read the same words
def parse_list_request(plain: str, spoken: str = "") -> Request | None:
    """Parse a list request, first in the language `spoken`. `plain` has single spaces. A thing bought or
    done counts only if it is on a list."""
    ways = sorted(_COMPILED, key=lambda way: way[1] != spoken)
    for action, tongue, said in _find(plain, ways):
        if action == "reminders":
            if "when" in said:
                return ShowDay(said["when"] or "")
            return ShowReminders()
        if action == "all":
            return CancelReminder("", every=True)
        if action == "cancel":
            return CancelReminder(said["items"] or "")
        name = normalize_name(said.get("name"))
        if action == "clear":
            return ClearList(name)
        if action == "new":
            return ChangeList("add", split(said.get("items") or ""), name, tongue=tongue)
        if action == "left":
            return ShowList("shopping" if said.get("buy") else "it", surely=bool(said.get("buy")))
        if action in ("show", "asked"):
            return ShowList(name or "" if "name" in said else None, surely=action == "show")
        if items := split(said["items"]):
            return ChangeList(action, items, name, surely=action != "check", tongue=tongue)
    return None


def parse_nouns(plain: str) -> Request | None:
    """Parse an order without a verb: "milk and eggs on the shopping list please". A single thing of several
    words needs a courtesy: "Anna looks on the list" tells."""
    for _, tongue, said in _find(plain, _BARE):
        items = split(said["items"])
        longest = max(map(count_words, items), default=0)
        asked = len(items) > 1 or longest == 1 or _COURTESY.search(plain.strip(" .!")) is not None
        if items and asked and longest <= MOST_NEEDED and not asks(plain):
            return ChangeList("add", items, normalize_name(said["name"]), tongue=tongue)
    return None


def parse_removal(plain: str) -> ChangeList | None:
    """Parse a request to remove something that may be on a list or a reminder: "убери молоко"."""
    for _, tongue, said in _find(plain, _DROPPED):
        if items := split(said["items"]):
            return ChangeList("remove", items, None, surely=False, tongue=tongue)
    return None


def _find(plain: str, among: Sequence[_Way]) -> Iterator[tuple[Any, str, dict[str, str]]]:
    """Yield the action, the language and the groups of each way that matches, with courtesies or without."""
    if len(plain) > LONGEST:
        return
    text = plain.strip(" .!?¿¡,。！？\u2026").replace("\u2019", "'")
    said = dict.fromkeys((text, _COURTESY.sub("", text)))
    for action, tongue, way in among:
        match = next(filter(None, map(way.fullmatch, said)), None)
        if match is not None:
            yield action, tongue, match.groupdict()


def _compile(*actions: str) -> tuple[_Way, ...]:
    return tuple(
        (action, tongue, re.compile(pattern(ways, PARTS), re.IGNORECASE))
        for action in actions
        for tongue, patterns in texts("lists", action).items()
        for ways in patterns
    )


_COMPILED = _compile(
    "clear", "new", "all", "add", "remove", "show", "asked", "left", "reminders", "cancel", "check"
)  # fmt: skip
_NOT_WANTED = _compile("asleep", "unasked")
_BARE = _compile("bare")
_DROPPED = _compile("drop")
