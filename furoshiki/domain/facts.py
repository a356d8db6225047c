"""Facts about the user and their people, read from the user's own words by pattern, each with the words it rests on.

A fact is only taken from what is asserted (`furoshiki.domain.assertions`); the patterns are in `fact_patterns`. What
no pattern knows is left alone: it is still remembered as what was said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from furoshiki.domain import fact_patterns as known
from furoshiki.domain.assertions import Clause, asserted
from furoshiki.domain.identity import NameStatement, statements
from furoshiki.domain.kinfolk import PRONOUN, RELATIONS, related
from furoshiki.domain.retelling import sentence

USER = "user"

CATEGORIES = (
    "employment",
    "family",
    "location",
    "addressing",
    "health",
    "preference",
    "plan",
    "relationship",
    "possession",
    "skill",
    "belief",
    "other",
)

_CORRECTS = re.compile(
    r"^\W*(?:(?:oh|no|nope|sorry|wait|well|um)\W+)*(?:actually|correction|no\b|i meant|rather|not anymore|that's wrong)"
    r"|\b(?:now|these days|nowadays|since last|not any ?more|no longer|moved to|changed jobs)\b",
    re.IGNORECASE,
)
_SURE, _LIKELY = 0.9, 0.75


@dataclass(frozen=True, slots=True)
class Fact:
    """Something the user said is so.

    `subject` is "user", a person's or pet's name, or a relation without a name ("sister"). `text` says it in a
    sentence about the user. `span` is the place in the message it rests on, `words` what stands there. `corrects`
    when the user said it as a change or a correction. `confidence` in [0, 1].
    """

    subject: str
    predicate: str
    object: str
    category: str
    text: str
    span: tuple[int, int]
    words: str
    confidence: float = _SURE
    corrects: bool = False


def facts_in(text: str, spoken_of: str | None = None) -> tuple[Fact, ...]:
    """The facts a user's message states, in order, without repeats. Never from questions, quotes or stories.

    `spoken_of` is the person or pet the talk was about before: whom "she" means where nobody else is named.
    """
    found: dict[tuple[str, str, str], Fact] = {}
    for clause in asserted(text):
        for fact in _in_clause(clause, spoken_of):
            key = (fact.subject.lower(), fact.predicate, fact.object.lower())
            found.setdefault(key, replace(fact, corrects=_corrects(text, clause)))
            if fact.predicate in RELATIONS:
                spoken_of = fact.object
            elif fact.subject != USER:
                spoken_of = fact.subject
    for name in statements(text):
        if not name.refused:
            found.setdefault((USER, "name", name.name.lower()), _of_name(name, text))
    kept = [fact for fact in found.values() if not _part_of_another(fact, found.values())]
    return tuple(sorted(kept, key=lambda fact: fact.span))


def _part_of_another(fact: Fact, others: Iterable[Fact]) -> bool:
    """Whether another fact of the same kind says this and more ("two sisters", "two sisters and a brother")."""
    return any(
        other is not fact
        and (other.subject, other.predicate) == (fact.subject, fact.predicate)
        and other.span[0] <= fact.span[0] < fact.span[1] <= other.span[1]
        and fact.object in other.object
        for other in others
    )


def _corrects(text: str, clause: Clause) -> bool:
    """Whether the sentence, up to the clause's end, announces a change ("no, …", "actually …", "… now")."""
    begin = max(text.rfind(mark, 0, clause.start) for mark in ".!?\n") + 1
    return _CORRECTS.search(text[begin : clause.end]) is not None


def _in_clause(clause: Clause, spoken_of: str | None) -> Iterator[Fact]:
    person = related(clause.text)
    if person is not None:
        if person.name:
            place = (clause.start + person.start, clause.start + person.end)
            yield _fact(USER, person.relation, person.name, person.category, clause, place, _SURE)
        for match, pattern in known.matches(known.THIRD_PERSON, clause.text, person.end):
            if match.start() == person.end:
                yield from _built(person.name or person.relation, pattern, match, clause, person.start)
    elif spoken_of is not None and (pronoun := PRONOUN.match(clause.text)):
        for match, pattern in known.matches(known.THIRD_PERSON, clause.text, pronoun.end()):
            if match.start() == pronoun.end():
                yield from _built(spoken_of, pattern, match, clause, pronoun.start())
    for match, pattern in known.matches(known.FIRST_PERSON, clause.text, 0):
        yield from _built(USER, pattern, match, clause, match.start())


def _built(subject: str, pattern: known.Pattern, match: re.Match[str], clause: Clause, begin: int) -> Iterator[Fact]:
    for object_ in pattern.objects(match):
        predicate = pattern.named(match)
        place = (clause.start + begin, clause.start + match.end())
        sure = _SURE if pattern.sure else _LIKELY
        yield _fact(subject, predicate, object_, pattern.category, clause, place, sure)


def _fact(
    subject: str,
    predicate: str,
    object_: str,
    category: str,
    clause: Clause,
    place: tuple[int, int],
    confidence: float,
) -> Fact:
    raw = clause.text[place[0] - clause.start : place[1] - clause.start]
    start = place[0] + len(raw) - len(raw.lstrip(" ,:;-\n"))
    end = place[0] + len(raw.rstrip(" ,:;-\n"))
    words = clause.text[start - clause.start : end - clause.start]
    return Fact(
        subject, predicate, object_, category, sentence(subject, predicate, object_), (start, end), words, confidence
    )


def _of_name(name: NameStatement, text: str) -> Fact:
    place = (name.start, name.end)
    said = text[name.start : name.end]
    return Fact(USER, "name", name.name, "addressing", sentence(USER, "name", name.name), place, said)
