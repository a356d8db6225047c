"""Open questions about reminders and lists: which one, and for how long.

A message that is an instruction of its own is carried out. A question about a reminder is then
repeated below the reply; an offer ("Shall I put …?") is dropped. A question expires after three
replies or ten minutes, and "never mind" ends it at once.
"""

import re
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from itertools import chain
from typing import Literal

from furoshiki.core.catalogue import everywhere, later
from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.wording import COMPANION

WAITS_REPLIES = 3
WAITS = timedelta(minutes=10)

ASK_WHEN = "When should I remind you"
ASK_WHAT = "What should I remind you of"
ASK_WHEN_OF = later("When should I remind you {matter}?")
ASK_WHAT_AND_WHEN = later("What should I remind you of, and when?")
ASK_WHAT_AT = later("What should I remind you of {when}?")
WHICH_TIME = later("Which time do you mean?")
WHICH = "Which one"
WHICH_ONE = later("Which one: {first} or {last}?")
WHICH_OF_MORE = later("Which one: {items}, or one of {number} more?")
ASK_ITEMS = later("What should go on the list?")
OFFER = later("Shall I put {items} on the shopping list?")
OFFER_TO_DO = later("Shall I put “{what}” on your to-do list?")
WRITE_DOWN = later("I can't order or buy anything, but I can write it down: shall I put {items} on the shopping list?")
ON_LIST, YOUR_LIST = later("On the {list} list: {items}."), later("On your {list} list:")
GONE_BY = later("That would be {when}, which has already passed.")
DROPPED = (later("Dropped."), later("Dropped, then."))

Kind = Literal["when", "what", "which", "offer"]

_QUESTIONS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("when", re.compile(rf"{ASK_WHEN}[^?]{{0,340}}\?|which time do you mean\?", re.IGNORECASE)),
    ("when", re.compile(r"when shall I[^?]{0,340}\?", re.IGNORECASE)),
    ("what", re.compile(rf"{ASK_WHAT}[^?]{{0,120}}\?", re.IGNORECASE)),
    ("which", re.compile(rf"{WHICH}\b[^?]{{0,900}}\?", re.IGNORECASE)),
)

_ON_LIST_IN_ENGLISH = re.compile(r"\bon the (?P<list>[\w ]+) list\.")

_ASKED_ELSEWHERE: tuple[tuple[Kind, str], ...] = (
    ("when", ASK_WHEN_OF), ("when", WHICH_TIME), ("what", ASK_WHAT_AND_WHEN), ("what", ASK_WHAT_AT),
    ("which", WHICH_ONE), ("which", WHICH_OF_MORE), ("offer", OFFER), ("offer", WRITE_DOWN), ("offer", OFFER_TO_DO),
)  # fmt: skip


@dataclass(frozen=True)
class OpenQuestion:
    """The question asked, verbatim; `last` if no other reply followed."""

    kind: Kind
    text: str
    last: bool


def find_open(heard: Heard) -> OpenQuestion | None:
    """Return the newest question that is still open."""
    replies = 0
    for said in reversed(heard.situation.recent):
        if said.speaker != COMPANION:
            continue
        replies += 1
        if replies > WAITS_REPLIES or heard.situation.now - said.at > WAITS:
            return None
        found = question(said.text)
        if found is not None:
            return OpenQuestion(*found, last=replies == 1)
        if said.text.startswith(_list_closing_words()):
            return None
    return None


def question(text: str) -> tuple[Kind, str] | None:
    """Return the question about a reminder or list in a reply."""
    for kind, pattern in (*_QUESTIONS, *_list_asked_elsewhere()):
        match = pattern.search(text)
        if match is not None:
            return kind, match.group()
    return None


def repeat_question(heard: Heard) -> str | None:
    """Return the question to repeat below another reply; None if it was asked twice."""
    found = find_open(heard)
    if found is None or found.kind == "offer" or not found.last:
        return None
    before = [said.text for said in heard.situation.recent if said.speaker == COMPANION and found.text in said.text]
    return found.text if len(before) < 2 else None


@cache
def _list_asked_elsewhere() -> tuple[tuple[Kind, re.Pattern[str]], ...]:
    return tuple((kind, _pattern(words)) for kind, asked in _ASKED_ELSEWHERE for words in everywhere(asked))


def find_offered(reply: str) -> str | None:
    """Return the items a reply offers to put on the shopping list, in any language."""
    return _find(reply, "items", OFFER, WRITE_DOWN)


def find_errand_offered(reply: str) -> str | None:
    """Return the thing to do that a reply offers to put on the list, in any language."""
    return _find(reply, "what", OFFER_TO_DO)


def find_list(reply: str) -> str | None:
    """Return the name of the list that a reply shows or has put something on, in any language."""
    if (found := _ON_LIST_IN_ENGLISH.search(reply)) is not None:
        return found["list"]
    return _find(reply, "list", ON_LIST, YOUR_LIST)


def _find(reply: str, name: str, *texts: str) -> str | None:
    """Return what a reply says in the place of a name, as one of these texts in any language."""
    for words in map(_pattern, chain.from_iterable(map(everywhere, texts))):
        if (found := words.search(reply)) is not None:
            return found[name].partition("?")[0]  # a greeting may follow the question
    return None


@cache
def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.{1,340})", re.escape(words)))


@cache
def _list_closing_words() -> tuple[str, ...]:
    return tuple(words for text in DROPPED for words in everywhere(text))
