"""How a profile comes about: what of it stands, and what can be said without a model. Pure: facts in, a profile out.

A statement stands when every part of it is carried by one of the facts it cites: the words, the side (nothing denied
that was said, or the other way round), and whom it is about. What does not stand is replaced by the facts it cites, in
their own words. What is no longer so is told apart, as past, and never by a mind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from furoshiki.language.facts.opposition import opposed
from furoshiki.language.facts.relatives import RELATIONS
from furoshiki.language.grounding.insights import FRAME
from furoshiki.language.grounding.words import content_of, stems_of
from furoshiki.language.stems import kindred
from furoshiki.language.tables.denials import DENIES
from furoshiki.user_model.rules.profile import (
    MINI_WORDS,
    PAST,
    REFERENCE_WORDS,
    SECTIONS,
    Fact,
    Gap,
    Profile,
    Statement,
    mini_text,
    reference_text,
)

LONGEST_FACT_WORDS = 60
MOST_PAST = 12
MOST_GAPS = 8

LOW = 0.8
"""A field whose surest fact is less sure than this is a gap. A pattern that is only likely gives 0.75."""

DOUBTED = 0.3
"""How sure a fact is that its evidence disputes, or that a mind found unclear."""

ASKED_FOR: Mapping[str, str] = {
    "addressing": "What would you like to be called?",
    "location": "Where do you live?",
    "employment": "What do you do all day?",
    "family": "Is there family you would like to tell me about?",
    "preference": "What do you enjoy most?",
    "plan": "Is there something coming up?",
}
"""Fields a companion would like to know, with what it could ask. Health, beliefs and possessions are left to them."""

_OVER = re.compile(r"\b(?:used to|no longer|formerly|previously|was|were|had|once|ex)\b", re.IGNORECASE)
_CLAUSE = re.compile(
    r"(?<![,;:.!?()\u2013\u2014])[,;:.!?()\u2013\u2014]+(?:\s|$)|\b(?:and|but|or|who|whose|which|while|where|because|then)\b",
    re.I,
)
_THEM = re.compile(r"^(?:they|them|the user)\b(?!['\u2019]s)", re.IGNORECASE)
_ABOUT_THEM = re.compile(r"\b(?:they|them|themselves|the user)\b(?!['\u2019]s)", re.IGNORECASE)
_NAMED = re.compile(r"(?!(?:their|the)\b)[^\W\d_]", re.IGNORECASE)
_THEIRS = re.compile(r"^(?:their|the user['\u2019]s)\b", re.IGNORECASE)
_CONNECTING = stems_of("currently together known there these those having well too still yet either each including")
_FRAME = FRAME | _CONNECTING


@dataclass(frozen=True)
class Refused:
    """A statement that may not stand, and why."""

    statement: Statement
    reason: str


def objection(text: str, cited: Sequence[int], known: Mapping[int, str]) -> str | None:
    """Why a statement may not stand; None when it may. `known` holds the words of every current fact by its id."""
    unknown = [one for one in cited if one not in known]
    if unknown:
        return f"there is no current fact {unknown[0]}"
    if not cited:
        return "it cites no fact"
    text, words = _spelled_out(text), [_spelled_out(known[one]) for one in cited]
    if _same(text) in map(_same, words):
        return None
    if not content_of(text, _FRAME):
        return "it says nothing"
    if bool(DENIES.search(text)) != any(DENIES.search(one) for one in words):
        return "it denies what was said, or says what was denied"
    if _OVER.search(text) and not any(_OVER.search(one) for one in words):
        return "it tells as past what is so now"
    if any((opposed(text, one) or 0.0) > 0.0 for one in words):
        return "it says the opposite of a fact it cites"
    return _uncarried(text, words)


def _uncarried(text: str, words: Sequence[str]) -> str | None:
    """The first clause that no single fact carries, on its side and of the one it is told of, said as a reason."""
    facts = [(bool(DENIES.search(one)), bool(_THEM.match(one)), stems_of(one)) for one in words]
    of_them: bool | None = None
    about: frozenset[str] = frozenset()
    for number, raw in enumerate(_CLAUSE.split(text)):
        clause = raw.strip()
        content = content_of(clause, _FRAME)
        if content & _KIN or (number == 0 and _NAMED.match(clause) and not _ABOUT_THEM.search(clause)):
            of_them = bool(_THEM.match(clause))
            about = frozenset() if of_them else content
        elif _ABOUT_THEM.search(clause):
            of_them, about = True, frozenset()
        elif _THEIRS.match(clause):
            of_them, about = None, content
        denied = bool(DENIES.search(clause))
        said = [stems for no, them, stems in facts if no == denied and of_them in (None, them)]
        if about and not content <= about:
            said = [one for one in said if about & one]
        if content and not (
            any(_covers(content, one) for one in said) or _of_somebody(content, [one for *_, one in facts], said)
        ):
            return f"{clause!r} stands in no fact it cites about the one it is told of"
    return None


_KIN = frozenset().union(*(stems_of(one.replace("_", " ")) for one in RELATIONS))


def _of_somebody(content: frozenset[str], everybody: Sequence[frozenset[str]], said: Sequence[frozenset[str]]) -> bool:
    """Whether one fact says who somebody is ("their sister Anika") and another, about the same one, says the rest."""
    for who in everybody:
        them = frozenset(word for word in content if _covers(frozenset((word,)), who))
        if them & _KIN and any(them & one and _covers(content - them, one) for one in said):
            return True
    return False


def _covers(content: frozenset[str], said: frozenset[str]) -> bool:
    return all(word in said or any(kindred(word, one) for one in said) for word in content)


def _spelled_out(text: str) -> str:
    for short, long in _SHORT:
        text = short.sub(long, text)
    return text


_SHORT = (
    (re.compile(r"\bcan(?:['\u2019]t|not)\b", re.IGNORECASE), "can not"),
    (re.compile(r"\bwon['\u2019]t\b", re.IGNORECASE), "will not"),
    (re.compile(r"n['\u2019]t\b", re.IGNORECASE), " not"),
    (re.compile(r"(?<=\w)['\u2019]re\b", re.IGNORECASE), " are"),
)


def _same(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".")


# -- putting together --


def settled(
    mini: Iterable[Statement],
    reference: Iterable[Statement],
    doubted: Collection[int],
    facts: Sequence[Fact],
    held_back: Callable[[str], bool] = lambda _text: False,
) -> tuple[Profile, list[Refused]]:
    """A profile of what stands, within its limits, and what was refused.

    `facts` are ordered, the most important first; `doubted` are those that a mind found unclear; what is `held_back` is
    not shown always.
    """
    current = {one.id: one for one in facts if not one.past}
    known = {one.id: one.text for one in current.values()}
    refused: list[Refused] = []
    short = [one for one in _standing(mini, current, known, refused) if not held_back(one.text)]
    full = _standing(reference, current, known, refused)
    order = list(SECTIONS)
    full.sort(key=lambda one: order.index(one.section))
    full += [plain(one) for one in facts if one.past][:MOST_PAST]
    refused = list({(one.statement.text, one.statement.facts): one for one in refused}.values())
    return Profile(
        mini=_within(short, MINI_WORDS, mini_text),
        reference=_within(full, REFERENCE_WORDS, reference_text),
        gaps=gaps([one for one in facts if not one.past], doubted),
    ), refused


def _standing(
    statements: Iterable[Statement], current: Mapping[int, Fact], known: Mapping[int, str], refused: list[Refused]
) -> list[Statement]:
    """The statements that stand; in place of each other one the facts it cites, where nothing else says them."""
    found: list[Statement] = []
    instead: list[int] = []
    for one in statements:
        text = " ".join(one.text.split())
        cited = tuple(dict.fromkeys(one.facts))
        reason = objection(text, cited, known)
        if reason is None and one.section != PAST and one.section in SECTIONS:
            found.append(Statement(one.section, _ended(text), cited))
            continue
        refused.append(Refused(one, reason or "it belongs to no section of what is so now"))
        instead += [fact for fact in cited if fact in current]
    said = {fact for one in found for fact in one.facts}
    found += [plain(current[fact]) for fact in dict.fromkeys(instead) if fact not in said]
    first: dict[str, Statement] = {}
    for one in found:
        first.setdefault(_same(one.text), one)
    return list(first.values())


def plain(fact: Fact) -> Statement:
    """A fact in its own words."""
    words = fact.text.split()
    text = " ".join(words[:LONGEST_FACT_WORDS]) + (" …" if len(words) > LONGEST_FACT_WORDS else "")
    return Statement(PAST if fact.past else _section(fact.category), _ended(text), (fact.id,))


def by_rule(facts: Sequence[Fact]) -> dict[str, Any]:
    """What can be said without a model: every fact in its own words, in the shape a model is asked for."""
    current = [one for one in facts if not one.past]
    order = list(SECTIONS)
    first = sorted(current, key=lambda one: order.index(_section(one.category)))
    return {
        "mini": [_told(plain(one)) for one in _one_of_each(first)],
        "reference": [{"section": _section(one.category)} | _told(plain(one)) for one in current],
        "unsure": [],
    }


def _told(one: Statement) -> dict[str, Any]:
    return {"text": one.text, "facts": list(one.facts)}


def _one_of_each(facts: Sequence[Fact]) -> list[Fact]:
    """The first of every section, then the second of each, and so on."""
    places: dict[str, int] = {}
    ranked = []
    for number, one in enumerate(facts):
        section = _section(one.category)
        places[section] = places.get(section, 0) + 1
        ranked.append((places[section], number, one))
    return [one for _, _, one in sorted(ranked, key=lambda entry: entry[:2])]


def gaps(facts: Sequence[Fact], doubted: Collection[int] = ()) -> tuple[Gap, ...]:
    """The fields that are empty or unsure, the least sure first."""
    found = [
        Gap(field, question, 0.0)
        for field, question in ASKED_FOR.items()
        if not any(_section(one.category) == field for one in facts)
    ]
    for one in facts:
        sure = min(one.confidence, DOUBTED) if one.id in doubted else one.confidence
        if sure < LOW:
            found.append(Gap(_section(one.category), f"Is it so: {_ended(one.text)}", round(sure, 2), (one.id,)))
    return tuple(sorted(found, key=lambda gap: gap.confidence)[:MOST_GAPS])


def _within(
    statements: Sequence[Statement], words: int, told: Callable[[Iterable[Statement]], str]
) -> tuple[Statement, ...]:
    """As many statements, in order, as fit into so many words; one that does not fit is passed over."""
    kept: list[Statement] = []
    for one in statements:
        if len(told([*kept, one]).split()) <= words:
            kept.append(one)
    return tuple(kept)


def _section(category: str) -> str:
    return category if category in SECTIONS and category != PAST else "other"


def _ended(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."
