"""What the companion keeps asking itself about its own conduct, and what it may promise itself because of that. Pure.

Which questions are about the same behaviour is for a mind to say (`self_model.sorting`): no list of words knows it.
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from furoshiki.language import questions
from furoshiki.language.facts.words import FRIENDS, KIN, PARTNERS, PETS
from furoshiki.language.grounding.words import content_of, stems_of
from furoshiki.language.stems import singular
from furoshiki.language.words import HYPHENED, asks, count_words

OFTEN = 3
WITHIN = timedelta(days=14)
"""So often, in so long a time, a question must come up before anything is promised."""

WAITS = timedelta(days=30)
"""How long a pattern that has recurred waits for a free place or a mind; later it must recur again. As long as a
question stays open."""

MOST_ACTIVE = 5
"""Promises kept in mind at a time."""

FAILURES = 3
"""Broken so often in a row, it is looked at openly."""

HONOURED = 10
"""After so many occasions it has become part of the companion."""

LONGEST_WORDS = 12
LONGEST_SIGN_WORDS = 40


# -- how often --


def find_recurrence(times: Sequence[datetime], since: datetime | None = None) -> datetime | None:
    """When it last happened that a thing had come up three times within 14 days; None when it never did.

    Only what came up after `since` counts. Two questions of one moment are one occasion.
    """
    after = sorted({at for at in times if since is None or at > since})
    ends = [last for first, last in zip(after, after[OFTEN - 1 :], strict=False) if last - first <= WITHIN]
    return max(ends, default=None)


def ripe(times: Sequence[datetime], since: datetime | None, now: datetime) -> bool:
    """Whether it has recurred, and not so long ago that nobody wonders any more."""
    last = find_recurrence([at for at in times if at <= now], since)
    return last is not None and now - last <= WAITS


# -- what may be promised --

_FRAME_WORDS = """
too so again always often ever still keep keeps kept keeping give gave given giving gives make made making say said
saying says tell told telling talk talked talking speak spoke speaking reply replies replied replying answer answers
answered answering respond responded responding response responses message messages word words way ways thing things
time times one once first before after instead without while when whenever until soon quick quickly enough more less
rather only even them they their conversation conversations behaviour habit tend promise promised fail failing failed
done be let yet today yesterday any all at
"""
_FRAME = stems_of(_FRAME_WORDS)


def _gist(text: str) -> frozenset[str]:
    """What a promise says about conduct, in stems."""
    return frozenset(one for one in questions.stem(text).split() if not one.startswith("^")) - _FRAME


_NAME_OR_NUMBER = re.compile(
    r"(?<!^)(?<![.!?:]\s)\b(?!I\b|I['\u2019])[^\W\d_a-z][\w'\u2019-]*"
    r"|\b\d[\w.,:/-]*\b(?!\s+(?:words?|sentences?|questions?|lines?|messages?|replies|times?)\b)"
)
_NO_ORDER = frozenset(
    """
    i you he she it we they them their his her its my our your a an the this that these those there here to will would
    should could can may might must shall is are was were be been am has have had does did what which who why how where
    maybe perhaps because and but or remember know note recall believe think feel understand
    """.split()  # noqa: SIM905 - reads better than quotes
)
"""Words with which nothing begins that one can tell somebody to do, or only to know."""

_ORDERS_IN_S = frozenset(
    {"always", "address", "discuss", "dismiss", "express", "focus", "guess", "pass", "press", "stress"}
)
_VOWEL = re.compile("[aeiouy]")

_PEOPLE = frozenset(word for word in KIN | PARTNERS | FRIENDS | PETS if " " not in word)
_COMMON = frozenset(
    {"friend", "mate", "child", "baby", "kid", "fish", "bird", "ex", "mouse", "rat", "coach", "teacher"}
)


def _other_form(verb: str) -> bool:
    """Whether it tells nobody to do anything: "asks", "asking", "asked"; "sing" and "heed" are orders."""
    told = verb.endswith("ed") and verb[:-2] and not verb.endswith("eed")
    return bool(verb.endswith("s") or told or (verb.endswith("ing") and _VOWEL.search(verb[:-3])))


def unfit(
    text: str, sign: str, asked: Sequence[str], active: Sequence[str] = (), facts: Sequence[str] = ()
) -> str | None:
    """Why this may not be promised; None when it may: something short to do, about the conduct in question.

    `asked` are the pattern's questions, `active` the promises that hold already, `facts` what is known of the user.
    """
    words = [word.casefold() for word in HYPHENED.findall(text)]
    count = count_words(text)
    if not 2 <= count <= LONGEST_WORDS:
        return f"{count} words are too {'few' if count < 2 else 'many'} for a promise"
    if asks(text) or re.search(r"[.!;]\s+\S|\n", text.strip()):
        return "a promise is one plain sentence"
    first = words[0]
    if first in _NO_ORDER or first not in _ORDERS_IN_S and _other_form(first):
        return f"it does not say what to do: {first!r}"
    if not 3 <= count_words(sign) <= LONGEST_SIGN_WORDS:
        return "nobody could see in a conversation whether it was kept"
    if found := _about_user(text, sign, asked, facts):
        return f"it is about the user, not about conduct: {found!r}"
    if _gist(text) in map(_gist, active):
        return "it is promised already"
    return None


def _about_user(text: str, sign: str, asked: Sequence[str], facts: Sequence[str]) -> str | None:
    """The first word that makes a promise one about the user's life: a name, a number, their people, what they told."""
    for part in (text, sign):
        if name := _NAME_OR_NUMBER.search(part):
            return str(name[0])
    for word in HYPHENED.findall(f"{text} {sign}".casefold()):
        if (word in _PEOPLE or singular(word) in _PEOPLE) and singular(word) not in _COMMON:
            return str(word)
    known, own = frozenset[str]().union(*map(content_of, facts)), frozenset[str]().union(*map(stems_of, asked))
    told = (content_of(text) & known) - own - _FRAME
    return min(told, default=None)
