"""Determine which fact a question asks for: about whom, and which predicate."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from operator import itemgetter

from furoshiki.language.facts import words
from furoshiki.language.facts.relatives import RELATIONS
from furoshiki.language.word_tables import by_language, pattern
from furoshiki.language.words import RUN

ANYTHING = ("",)  # in place of predicates: any fact with the words of the question


OTHERS = "others"  # in place of a subject: anybody but the user


@dataclass(frozen=True)
class Asked:
    """The subject of a question and its predicates, likeliest first; none asks for all facts.

    `shown` is how to name the subject ("your sister").
    """

    subject: str
    predicates: tuple[str, ...]
    shown: str


_RELATION = "|".join(sorted((re.escape(word) for word in RELATIONS | set(words.RELATION_FORMS)), key=len, reverse=True))

_SAID = by_language("asked")["en"]
_GROUPS = {"PETS": sorted(words.PETS), "KIN": sorted(words.KIN)}


def _list_ways(key: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return the ways to ask for a fact, each with the predicates that answer it; {who} stands for "my sister"."""
    return [(way, (*named[:-1], *_GROUPS.get(named[-1], named[-1:]))) for way, *named in _SAID[key]]


_OF_OTHERS, _OF_USER = map(_list_ways, ("of_others", "of_user"))

# questions for everything known; explicit ones about earlier statements; those with "I" or "my"
# that no earlier statement can answer; and statements to be remembered: "can you remember that my
# wifi password is plum22"
ABOUT_ME, TOLD_YOU, NOT_TOLD, TO_KEEP = map(pattern, itemgetter("about_me", "told_you", "not_told", "to_keep")(_SAID))

MINE = r"\b(?:my|mine|i|i'm|me|we|our|us)\b"


def find_name(plain: str, names: Iterable[str]) -> str | None:
    """Return the known person or pet that the message names, also as "aruns birthday"."""
    spoken = set(RUN.findall(plain))
    return next((name for name in names if not spoken.isdisjoint((name.lower(), f"{name.lower()}s"))), None)


def question(plain: str, names: Iterable[str]) -> Asked | None:
    """Return what a plain text asks for. `names` are the known names of people and pets."""
    if re.search(r"\b(?:who|which|whose)\b.{0,200}\ballerg", plain):
        return Asked(OTHERS, ("allergic_to",), "that")
    other = re.search(rf"\b(?:my|our) (?:\w+ )?(?P<relation>{_RELATION})(?=s?\b)", plain)
    if other is not None:
        relation = words.RELATION_FORMS.get(other["relation"], other["relation"])
        return _of_other(relation, plain, re.escape(other.group()))
    name = find_name(plain, names)
    if name is not None:
        return _of_other(name, plain, re.escape(name.lower()))
    favourite = re.search(r"\bmy (?:all-time )?favou?rite (?P<what>[\w ]{1,60}?)(?: is| again| now| then)?$", plain)
    if favourite is not None:
        what = favourite["what"]
        return Asked("user", (f"favourite_{what.replace(' ', '_')}",), f"your favourite {what}")
    for way, predicates in _OF_USER:
        if re.search(way, plain):
            return Asked("user", predicates, "that")
    return None


def _of_other(who: str, plain: str, spoken: str) -> Asked:
    shown = f"your {who}" if who in RELATIONS else who
    theirs = re.search(rf"\b{spoken}'?s (?:\w+ )?(?P<relation>{_RELATION})\b", plain)
    if theirs is not None:
        relation = words.RELATION_FORMS.get(theirs["relation"], theirs["relation"])
        return Asked(who, (relation,), f"{shown}'s {relation}")
    for way, predicates in _OF_OTHERS:
        if re.search(way.replace("{who}", f"(?:{spoken})"), plain):
            return Asked(who, predicates, shown)
    about_name = rf"\b(?:name|called)\b|\bwho(?:'s| is) {spoken}|\bdo i have\b|\bwho {spoken} is"
    if who in RELATIONS and re.search(about_name, plain):
        return Asked("user", (who, *_SAID["also"].get(who, ())), shown)
    if re.search(
        rf"\bwho(?:'s| is| was) {spoken}|know about {spoken}|tell me about {spoken}|remember {spoken}$", plain
    ):
        return Asked(who, (), shown)
    return Asked(who, ANYTHING, shown)
