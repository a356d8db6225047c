"""Select the item a user means: by words, time, position, or "it"."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial

from furoshiki.core import numbers
from furoshiki.language.dates import parsing
from furoshiki.language.dates.habits import ENGLISH, Habits
from furoshiki.language.dates.parsing import When
from furoshiki.language.dates.tokens import TONGUES, words_of
from furoshiki.language.reflex.values import OpenItem
from furoshiki.language.requests import list_things
from furoshiki.language.tables.numbers import ORDINALS
from furoshiki.language.words import WORD, bare, stem

FRESH = timedelta(minutes=15)  # how long after its last change a reminder is what "it" means

_EMPTY = frozenset().union(*map(partial(words_of, kinds="_"), TONGUES)) | frozenset(
    (
        "the a an my our your his her their to of about for at on in by from one ones that this it and some me i with "
        + "up off is o'clock please reminder reminders alarm timer task thing last latest newest other"
    ).split()
)
_IT = re.compile(r"(?:it|that|this|that one|this one|the last(?: one)?|the latest(?: one)?|the new(?: one)?)?", re.I)
_PLACE = re.compile(
    rf"(?:the |number |no\.? ?|#)?(?P<word>{'|'.join(ORDINALS)}|last|\d{{1,2}})(?:st|nd|rd|th)?(?: one| reminder)?",
    re.IGNORECASE,
)
# a position even without a preceding question: "move the first one to 12"
_PLACE_NAMED = re.compile(rf"(?:the )?(?P<word>{'|'.join(ORDINALS)})(?: one| reminder)", re.IGNORECASE)

SHORT = 5  # words up to this length differ in one letter between forms, longer ones in two

# a letter of a script that separates words
_HAS_CASE = re.compile(r"[^\W\d_\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]")

_EVERY = re.compile(r"(?:both|all|all of them|both of them|them all|every one|everything|all three)", re.IGNORECASE)


def find_meant(
    words: str, waiting: Sequence[OpenItem], now: datetime, habits: Habits = ENGLISH, places: bool = False
) -> list[OpenItem]:
    """Return the items of `waiting` (soonest first) that the words can mean: all of them where
    the words name none. "#12" is an id; "it" the item changed last, if recently; "the first one"
    a position; with `places` also "the first", as an answer."""
    said = words.strip(" .,!?")
    if said.startswith("#") and (number := numbers.row(said[1:])) is not None:
        return [one for one in waiting if one.id == number]
    if _IT.fullmatch(said):
        newest = max(waiting, key=_get_touch_order, default=None)
        if said and newest is not None and newest.touched is not None and now - newest.touched < FRESH:
            return [newest]
        return list(waiting)
    if places and _EVERY.fullmatch(said):
        return list(waiting)
    place = (_PLACE if places else _PLACE_NAMED).fullmatch(said)
    if place is not None:
        number = _number(place["word"].lower(), len(waiting))
        return [waiting[number - 1]] if 1 <= number <= len(waiting) else []
    when = parsing.read(said, now, habits)
    named = stems(said if when is None else parsing.without(said, when.spans))
    found = _find_fitting(named, waiting) if named else list(waiting)
    if when is not None:
        timed = [one for one in found if one.at is not None and _at(one.at, when)]
        if timed or not named:
            return timed
        return _find_fitting(stems(said), waiting) if when.spans else found
    return found if named else []


def names_all(words: str) -> bool:
    """Return whether words mean all items."""
    return _EVERY.fullmatch(words.strip(" .,!?")) is not None


def items(wanted: Iterable[str], listed: Sequence[OpenItem]) -> tuple[list[OpenItem], list[str]]:
    """Return the list items wanted ("the eggs" is "eggs"), and the names found on no list."""
    found, missing = [], []
    for one in wanted:
        named = _bare_stems(one)
        exact = [item for item in listed if _bare_stems(item.title) == named]
        near = [
            item
            for item in listed
            if named and (named <= _bare_stems(item.title) or list_things.is_accusative(one, item.title))
        ]
        if exact or len(near) == 1:
            found.append((exact or near)[0])
        else:
            missing.append(one)
    return found, missing


def find_named(words: str, waiting: Sequence[OpenItem]) -> list[OpenItem]:
    """Return the items reported as done: an exact match, else all with the report's words."""
    wanted = _bare_stems(words)
    if not wanted:
        return []
    exact = [one for one in waiting if _bare_stems(one.title) == wanted or list_things.is_accusative(words, one.title)]
    return exact or [one for one in waiting if wanted <= _bare_stems(one.title)]


def stems(text: str) -> frozenset[str]:
    """Return the stems of the distinguishing words."""
    return frozenset(stem(word) for word in WORD.findall(text.lower().replace("\u2019", "'")) if word not in _EMPTY)


def _bare_stems(text: str) -> frozenset[str]:
    """Return the stems without diacritics, as many type them."""
    return stems(bare(text))


def _find_fitting(named: frozenset[str], waiting: Sequence[OpenItem]) -> list[OpenItem]:
    """Return the items with all the words, else those with most of them, at least half."""
    said = frozenset(stem(bare(word)) for word in named)
    shares = [(len(said & _bare_stems(one.title)) / max(1, len(said)), one) for one in waiting]
    best = max((share for share, _ in shares), default=0.0)
    if best < 0.5:
        return [one for one in waiting if is_inflected(named, one.title.lower())]
    return [one for share, one in shares if share == best]


def is_inflected(named: frozenset[str], title: str) -> bool:
    """Return whether a title has a word in another form: "Ali'yi" for "Ali", "Оле" for "Олю"."""
    for word in named:
        if word.isascii():
            found = re.search(rf"\b{re.escape(word)}['\u2019]", title) is not None
        elif _HAS_CASE.search(word):
            slack = 1 if len(word) <= SHORT else 2
            forms = (one for one in WORD.findall(title) if abs(len(one) - len(word)) <= slack)
            found = any(one.startswith(word[:-slack]) for one in forms)
        else:
            found = word in title
        if found:
            return True
    return False


def _at(at: datetime, when: When) -> bool:
    """Return whether an item is due then: that day, that time of any day, or both."""
    wall, said = at.replace(tzinfo=None), when.at.replace(tzinfo=None)
    day = not when.dated or wall.date() == said.date()
    hours = {said.time(), said.replace(hour=(said.hour + 12) % 24).time()} if not when.dated else {said.time()}
    return day and (not when.timed or wall.time() in hours)


def _number(word: str, count: int) -> int:
    if word == "last":
        return count
    number = numbers.row(word)
    return ORDINALS.index(word) + 1 if number is None else number


def _get_touch_order(one: OpenItem) -> tuple[float, int]:
    return (one.touched.timestamp() if one.touched else 0.0, one.id)
