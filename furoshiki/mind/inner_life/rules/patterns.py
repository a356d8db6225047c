"""What the companion keeps asking itself about its own conduct, and what it may promise itself because of that. Pure.

Questions are one pattern when they are about the same behaviour, in whatever words: "should I have asked before
advising" and "why did I give advice without asking". A question about the user or about what is known is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

from furoshiki.core.similarity import Vector, dot
from furoshiki.language import questions
from furoshiki.language.facts.words import FRIENDS, KIN, PARTNERS, PETS
from furoshiki.language.grounding.words import content_of, stems_of
from furoshiki.language.stems import singular
from furoshiki.language.words import HYPHENED

OFTEN = 3
WITHIN = timedelta(days=14)
"""So often, in so long a time, a question must come up before anything is promised."""

WAITS = timedelta(days=30)
"""How long a pattern that has recurred waits for a free place or a mind; later it must recur anew. As long as a
question stays open."""

MOST_ACTIVE = 5
"""Promises kept in mind at a time."""

FAILURES = 3
"""Broken so often in a row, it is looked at openly."""

HONOURED = 10
"""After so many occasions it has become part of the companion."""

ALIKE = 0.6
"""From this likeness on (Dice over what they say of conduct) two questions are about the same behaviour."""

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


# -- what about --

_HELPING = r"(?:should|could|would|did|do|does|am|was|were|have|had|will|can|might|must|need)(?:n['\u2019]t)?"
_DOING = re.compile(
    rf"\b{_HELPING}\s+(?:not\s+)?I\b"
    r"|\bI(?:['\u2019]m|['\u2019]ve)?\s+(?:always|never|often|again|keep|kept|tend)\b"
    r"|\bmy\s+(?:\w+\s+)?(?:replies|reply|answers?|messages?|tone|words?|advice|questions?|jokes?|promises?|manner|"
    r"style|silence|apolog\w+|voice|humou?r|habit|way of)\b",
    re.IGNORECASE,
)
_BETWEEN = r"(?:\s+(?:not|ever|even|still|have|just|already|\w+ly)\b)*"
_KNOWING = re.compile(
    rf"\bI{_BETWEEN}\s+(?:know|knew|known|remember(?:ed)?|recall(?:ed)?|learn(?:ed|t)?|find|found|see|saw|seen|meet|met|"
    r"understand|understood|wonder(?:ed)?|believed?|like|want|enjoy|love|miss|need|prefer|feel|felt|mean|meant|"
    r"(?:hear|heard)\s+(?:of|about|from))\b",
    re.IGNORECASE,
)
_WHAT = re.compile(r"^\W*(?:and\s+|so\s+)?(?:what|which|who|whom|whose|where|when)\b", re.IGNORECASE)
_AMISS = re.compile(r"\b(?:wrong|amiss|badly|overlook\w*|mistake\w*|habit\w*|careless\w*)\b", re.IGNORECASE)


def about_conduct(question: str) -> bool:
    """Whether a question is about what the companion itself does in a conversation, by rule.

    Not what it knows, likes or feels, not what there is to ask or bring up next, and nothing about somebody else.
    """
    if not _DOING.search(question) or _KNOWING.search(question):
        return False
    return bool(_AMISS.search(question) or not _WHAT.search(question)) and bool(conduct(question))


_CONCEPTS = {
    "advice": "advice advise advised advises advising advisor solution solutions solve fix fixes fixing fixed suggest "
    "suggested suggesting suggestion suggestions recommend recommended recommending recommendation tips",
    "ask": "ask asked asking asks question questions questioned questioning",
    "long": "long longer lengthy wordy verbose ramble rambled rambling winded short shorter brief briefly concise",
    "many": "many much lots excess excessive excessively",
    "sorry": "sorry apology apologies apologise apologised apologising apologize apologized apologizing",
    "listen": "listen listened listening listens",
    "lecture": "lecture lectured lecturing preach preached preaching moralise moralising moralize moralizing",
    "flatter": "flatter flattered flattering flattery praise praised praising compliment compliments",
    "interrupt": "interrupt interrupted interrupting interrupts",
}
_CONCEPT_OF = {stem: concept for concept, words in _CONCEPTS.items() for stem in stems_of(words)}

_FRAME_WORDS = """
too so again always often ever still keep keeps kept keeping give gave given giving gives make made making say said
saying says tell told telling talk talked talking speak spoke speaking reply replies replied replying answer answers
answered answering respond responded responding response responses message messages word words way ways thing things
time times one once first before after instead without while when whenever until soon quick quickly enough more less
rather only even them they their conversation conversations behaviour habit tend promise promised fail failing failed
done be let yet today yesterday any all at
"""
_FRAME = stems_of(_FRAME_WORDS)


@lru_cache(maxsize=4096)  # every question is compared with many
def conduct(text: str) -> frozenset[str]:
    """What a question or a promise says about conduct: its stems by what they mean; names and numbers say nothing."""
    plain = {one for one in questions.stem(text).split() if not one.startswith("^")} - _FRAME
    return frozenset(_CONCEPT_OF.get(one, one) for one in plain)


@dataclass(frozen=True)
class Asked:
    """A question about conduct: its words, and their unit vector where one is stored."""

    text: str
    vector: Vector | None = None


def alike(first: Asked, second: Asked) -> bool:
    """Whether two questions are about the same behaviour: by what they say of it, or by a cosine above 0.70 where they
    have something of that in common. What says a single thing is alike only to the same thing."""
    a, b = conduct(first.text), conduct(second.text)
    if not a & b:
        return False
    if a == b or (min(len(a), len(b)) > 1 and 2 * len(a & b) / (len(a) + len(b)) >= ALIKE):
        return True
    if first.vector is None or second.vector is None or len(first.vector) != len(second.vector):
        return False
    return dot(first.vector, second.vector) > questions.NEAR_COSINE


def belongs(asked: Asked, members: Sequence[Asked]) -> bool:
    """Whether a question belongs to a pattern: it is like at least half of its questions, so that no chain of
    neighbours leads from one behaviour to another."""
    return bool(members) and 2 * sum(alike(asked, one) for one in members) >= len(members)


# -- what may be promised --

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
    if not 2 <= len(words) <= LONGEST_WORDS:
        return f"{len(words)} words are too {'few' if len(words) < 2 else 'many'} for a promise"
    if "?" in text or re.search(r"[.!;]\s+\S|\n", text.strip()):
        return "a promise is one plain sentence"
    first = words[0]
    if first in _NO_ORDER or first not in _ORDERS_IN_S and _other_form(first):
        return f"it does not say what to do: {first!r}"
    if not 3 <= len(HYPHENED.findall(sign)) <= LONGEST_SIGN_WORDS:
        return "nobody could see in a conversation whether it was kept"
    if found := _about_user(text, sign, asked, facts):
        return f"it is about the user, not about conduct: {found!r}"
    if any(alike(Asked(text), Asked(one)) for one in active):
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
    return next((one for one in sorted(told) if one not in _CONCEPT_OF), None)
