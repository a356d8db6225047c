"""Requests about lists: add, remove, check off, clear, show."""

import re
from dataclasses import replace
from datetime import datetime

from furoshiki.language.dates import parsing
from furoshiki.language.dates.habits import Habits
from furoshiki.language.dates.parsing import Unclear, When
from furoshiki.language.list_names import TODO
from furoshiki.language.reflex.reminders.reminding import matter
from furoshiki.language.requests.impossible import PLEASE
from furoshiki.language.requests.list_things import set_apart, stands_for_named
from furoshiki.language.requests.values import ChangeList, ClearList, MoveItems, Request, ShowList
from furoshiki.language.word_tables import by_language, pattern
from furoshiki.language.words import count_words

MOST_WORDS = 5  # most words of an item when no list was named

# least parts between commas that are a task each: "fix bike, call plumber, school photos"
LEAST_PARTS = 3

_SAID = by_language("list_orders")["en"]
_PARTS = {"please": PLEASE, "list": _SAID["list"], "name_word": _SAID["name_word"]}
_PARTS["list_other"] = _SAID["list"].replace("<name>", "<other>")
_PARTS["list_again"] = _SAID["list"].replace("<name>", "<again>")
# ways in which the things may stand on lines of their own
_FLAGS = dict.fromkeys(("add", "add_to", "new_list", "list_of", "todo", "list_is", "shopping_is"), re.DOTALL)

_WAYS = {
    name: re.compile(pattern(way, _PARTS), re.IGNORECASE | _FLAGS.get(name, re.NOFLAG)) for name, way in _SAID.items()
}
_NUMBERED = re.compile(r"(?:^|\s)\d{1,2}[.)]\s")
_LED_UP = re.compile(r"^[\s,;]{0,3}(?:(?:for|by|on|due|until|before|to be done)\s){0,2}", re.IGNORECASE)
# areas of life that are a list even when it is empty
_SIDES = frozenset({"work", "home", "house", "household", "office"})

_OTHER = frozenset({"other", "another", "second"})
_ITEMS = re.compile(r"(?:(?<!\s)\s+)?(?:[,;&]|\band\b|\bplus\b)\s*|(?<!\s)[^\S\n]*\n\s*", re.IGNORECASE)


def parse_request(plain: str, text: str, now: datetime, habits: Habits) -> Request | None:
    """Parse a list request. `plain` has single spaces; `text` keeps its lines. `now` is aware,
    in the user's zone: an added item may have a time."""
    noted = _WAYS["todo"].match(text.strip())
    if noted is not None:
        several = tuple(filter(None, (one.strip(" ,;.\n") for one in _NUMBERED.split(noted["item"]))))
        if len(several) > 1 and _NUMBERED.match(noted["item"]):
            return ChangeList("add", several, TODO)
        return todo(noted["item"], now, habits)
    shopping = _WAYS["shopping_is"].match(text.strip())
    if shopping is not None and split(shopping["items"]):
        return ChangeList("add", split(shopping["items"]), "shopping")
    for way in ("put_them", "list_of", "list_is"):
        said = _WAYS[way].match(text.strip())
        if said is not None and split(said["items"]):
            return ChangeList("add", split(said["items"]), _get_list_name(said))
    action, within = "add", text.strip()
    for name in ("new_list", "add", "add_to", "remove"):
        if name == "remove":
            action, within = name, plain
        match = _WAYS[name].match(within)
        pronoun = match is not None and action == "add" and stands_for_named((match["items"],))
        if match is not None and pronoun:
            return ChangeList(action, (match["items"],), _get_list_name(match))
        if match is not None and split(match["items"]):
            if action == "remove" and _WAYS["everything"].match(match["items"]):
                return ClearList(_get_list_name(match))
            found = ChangeList(action, split(match["items"]), _get_list_name(match))
            return _by_when(found, match.string[match.end() :], now, habits) if name == "add" else found
    moved = _WAYS["move"].match(plain)
    if moved is not None and split(moved["items"]) and _get_list_name(moved):
        name = _get_list_name(moved) or ""
        return MoveItems(split(moved["items"]), "" if name in _OTHER else name)
    cleared = _WAYS["clear"].match(plain)
    if cleared is not None:
        name = cleared["name"] or cleared["other"] or cleared["again"]
        return ClearList(name.strip().lower() if name else None)
    checked = _parse_check(plain)
    if checked is not None:
        return checked
    if _WAYS["show_lists"].search(plain):
        return ShowList(None)
    shown = _WAYS["show_list"].match(plain) or _WAYS["bare_list"].match(plain)
    if shown is not None:
        return ShowList(_get_list_name(shown) or "")
    left = _WAYS["left_for"].match(plain)
    if left is not None:
        return ShowList(_get_list_name(left), surely=left["name"].lower() in _SIDES)
    return _bare(plain)


def todo(item: str, now: datetime, habits: Habits, priority: int | None = None) -> ChangeList:
    """Return a task for no particular list; a time at its beginning or end is the due time."""
    words = item.strip(" .\n\t")
    found = parsing.parse_when(words, now, habits)
    if isinstance(found, When) and (found.start == 0 or found.end >= len(words)) and matter(words, found.spans):
        title = re.sub(r" (?:by|until|before|due)$", "", matter(words, found.spans))
        return ChangeList("add", (title,), TODO, when=found, priority=priority)
    parts = tuple(one.strip() for one in words.split(",") if one.strip())
    short = len(parts) >= LEAST_PARTS and len({" " in one for one in parts}) == 1
    if not short or max(map(count_words, parts)) >= MOST_WORDS:
        parts = tuple(one.strip() for one in words.split("\n") if one.strip())
    return ChangeList("add", parts, TODO, priority=priority)


def _by_when(wanted: ChangeList, rest: str, now: datetime, habits: Habits) -> ChangeList:
    """Add the time given after the list's name."""
    words = _LED_UP.sub("", rest).strip(" .!?")
    found = parsing.parse_when(words, now, habits) if words else None
    if isinstance(found, When) and not matter(words, found.spans):
        return replace(wanted, when=found)
    return replace(wanted, asks=found.asks, halves=found.halves) if isinstance(found, Unclear) else wanted


def split(items: str) -> tuple[str, ...]:
    """Split "milk, eggs and some bread" into three items."""
    parts = (
        re.sub(
            r"^(?:some|the|a|an|also)\s+|(?<=\w)(?: (?:there|too|as well|please|back)){1,3}$",
            "",
            part.strip(" .!?'\"-–•*"),
        )
        for part in _ITEMS.split(items)
    )
    return set_apart([one for one in parts if one and one.lower() not in {"too", "please", "as well", "it", "that"}])


def _parse_check(plain: str) -> ChangeList | None:
    checked = _WAYS["check"].match(plain)
    if checked is not None and not _WAYS["not_bought"].match(checked["items"] or checked["bought"]):
        items = _all_or(checked["items"] or checked["bought"])
        # "I bought a telescope" and "Mark says hi" are news; a request checks off, or names a list
        orders = "list" in plain.lower() or _WAYS["done_with"].match(plain)
        if items is not None and (checked["items"] or orders):
            surely = bool(orders or checked["first"] or checked["off"])
            return ChangeList("check", items, _get_list_name(checked), surely=surely)
    bought = _WAYS["bought"].match(plain)
    if bought is None:
        did = _WAYS["did"].match(plain)
        items = split(did["did"] or did["done"]) if did is not None else ()
        return ChangeList("check", items, None, surely=False) if items else None
    things = bought["items"] or bought["things"]
    items = _all_or(things)
    every = _WAYS["everything"].match(things)
    return None if items is None else ChangeList("check", items, every["name"] if every else None, surely=False)


def _all_or(items: str) -> tuple[str, ...] | None:
    """Return the items; () for "everything"; None if nothing is named."""
    return () if _WAYS["everything"].match(items.strip()) else split(items) or None


def _bare(plain: str) -> ChangeList | None:
    """Parse items to add or remove without a list: "add milk and eggs", "remove milk"."""
    for way, action in ((_WAYS["add_bare"], "add"), (_WAYS["remove_bare"], "remove")):
        match = way.match(plain)
        items = split(match["items"]) if match is not None else ()
        if items and all(len(item.split()) <= MOST_WORDS for item in items):
            return ChangeList(action, items, None, surely=action == "add")
    return None


def _get_list_name(match: re.Match[str]) -> str | None:
    return match["name"].strip().lower() if match["name"] else None
