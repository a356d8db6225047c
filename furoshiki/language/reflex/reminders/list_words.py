"""Requests about lists in other languages: add, remove, check off, show, empty, begin.

The patterns are `config/words`, "lists"; each matches a whole sentence.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from furoshiki.language.reflex.reminders.values import (
    CancelReminder,
    ChangeList,
    ClearList,
    Request,
    ShowDay,
    ShowList,
    ShowReminders,
)
from furoshiki.language.requests.list_things import LONGEST, MOST_NEEDED, PARTS, normalize_name, split
from furoshiki.language.word_tables import pattern, texts
from furoshiki.language.words import asks, count_words

_Way = tuple[str, str, re.Pattern[str]]
"""An action, its language, and how it is asked for."""

_POLITE = f"(?:{'|'.join(texts('lists', 'polite').values())})"
_COURTESY = re.compile(rf"^(?:{_POLITE}[\s,]+){{1,3}}|^请问?|(?<![\s,])[\s,]*{_POLITE}$", re.IGNORECASE)
"""Courtesies before or after a request."""


def parse_request(plain: str) -> Request | None:
    """Parse a list request in another language. `plain` has single spaces. A thing bought or
    done counts only if it is on a list."""
    for action, tongue, said in _find(plain, _COMPILED):
        if action == "reminders":
            when = said.get("when")
            return ShowDay(when) if when else ShowReminders()
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
    plainly = _COURTESY.sub("", text)
    for action, tongue, way in among:
        match = way.fullmatch(text) or way.fullmatch(plainly)
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
_BARE = _compile("bare")
_DROPPED = _compile("drop")
