"""Detect recurring questions about the companion's conduct, and check commitments. Pure.

A model groups the questions by behaviour (`self_model.sorting`): no word list can.
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from furoshiki.language import questions
from furoshiki.language.facts.words import FRIENDS, KIN, PARTNERS, PETS
from furoshiki.language.grounding.words import content_of, stems_of
from furoshiki.language.word_tables import by_language
from furoshiki.language.words import HYPHENED, asks, count_words, singular

OFTEN = 3
# how often, within how much time, a question must recur before a commitment
WITHIN = timedelta(days=14)

# How long a recurring pattern waits for a free place or a model, then it must recur again. Equals
# the lifetime of an open question.
WAITS = timedelta(days=30)

MOST_ACTIVE = 5  # maximum number of active commitments
FAILURES = 3  # failures in a row after which a commitment is examined
HONOURED = 10  # kept occasions after which a commitment becomes a trait

LONGEST_WORDS = 12
LONGEST_SIGN_WORDS = 40


# -- how often --


def find_recurrence(times: Sequence[datetime], since: datetime | None = None) -> datetime | None:
    """Return when a subject last came up for the third time within 14 days; None if never.

    Only times after `since` count. Two questions at the same time are one occasion.
    """
    after = sorted({at for at in times if since is None or at > since})
    ends = [last for first, last in zip(after, after[OFTEN - 1 :], strict=False) if last - first <= WITHIN]
    return max(ends, default=None)


def ripe(times: Sequence[datetime], since: datetime | None, now: datetime) -> bool:
    """Return whether it recurred recently enough."""
    last = find_recurrence([at for at in times if at <= now], since)
    return last is not None and now - last <= WAITS


# -- what may be promised --

_FRAME = stems_of(by_language("small")["en"]["of_conduct"])


def _gist(text: str) -> frozenset[str]:
    """Return what a commitment says about conduct, as stems."""
    return frozenset(one for one in questions.stem(text).split() if not one.startswith("^")) - _FRAME


_NAME_OR_NUMBER = re.compile(
    r"(?<!^)(?<![.!?:]\s)\b(?!I\b|I['\u2019])[^\W\d_a-z][\w'\u2019-]*"
    r"|\b\d[\w.,:/-]*\b(?!\s+(?:words?|sentences?|questions?|lines?|messages?|replies|times?)\b)"
)
# words that cannot start an instruction to do something observable
_NO_ORDER = frozenset(
    """
    i you he she it we they them their his her its my our your a an the this that these those there here to will would
    should could can may might must shall is are was were be been am has have had does did what which who why how where
    maybe perhaps because and but or remember know note recall believe think feel understand
    """.split()  # noqa: SIM905 - reads better than quotes
)

_ORDERS_IN_S = frozenset(
    {"always", "address", "discuss", "dismiss", "express", "focus", "guess", "pass", "press", "stress"}
)
_VOWEL = re.compile("[aeiouy]")

_PEOPLE = frozenset(word for word in KIN | PARTNERS | FRIENDS | PETS if " " not in word)
_COMMON = frozenset(
    {"friend", "mate", "child", "baby", "kid", "fish", "bird", "ex", "mouse", "rat", "coach", "teacher"}
)


def _other_form(verb: str) -> bool:
    """Return whether a verb is not an imperative: "asks", "asking", "asked"; not "sing", "heed"."""
    told = verb.endswith("ed") and verb[:-2] and not verb.endswith("eed")
    return bool(verb.endswith("s") or told or (verb.endswith("ing") and _VOWEL.search(verb[:-3])))


def unfit(
    text: str, sign: str, asked: Sequence[str], active: Sequence[str] = (), facts: Sequence[str] = ()
) -> str | None:
    """Return why a commitment is unfit; None for a short instruction about the conduct in question.

    `asked`: the pattern's questions; `active`: commitments in force; `facts`: facts about the user.
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
    """Return the first word about the user's life: a name, a number, a relation, a known fact."""
    for part in (text, sign):
        if name := _NAME_OR_NUMBER.search(part):
            return str(name[0])
    for word in HYPHENED.findall(f"{text} {sign}".casefold()):
        if (word in _PEOPLE or singular(word) in _PEOPLE) and singular(word) not in _COMMON:
            return str(word)
    known, own = frozenset[str]().union(*map(content_of, facts)), frozenset[str]().union(*map(stems_of, asked))
    told = (content_of(text) & known) - own - _FRAME
    return min(told, default=None)
