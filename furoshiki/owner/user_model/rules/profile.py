"""Who the user is, in statements that each name the facts they rest on.

How they come about: `user_model.rules.profiling`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from furoshiki.core import refs
from furoshiki.language.tokens import estimate

MINI_WORDS = 120
REFERENCE_WORDS = 1200
"""What the two texts may have at most, headings and ids included."""

PAST = "past"
"""The section of what is no longer so."""

SECTIONS: Mapping[str, str] = {
    "addressing": "Name and how to address them",
    "family": "Family",
    "relationship": "People",
    "location": "Where they live and come from",
    "employment": "Work and learning",
    "health": "Health",
    "preference": "What they like and do not like",
    "plan": "Plans",
    "skill": "What they can do",
    "belief": "What they hold to be true",
    "possession": "What they have",
    "other": "Besides",
    PAST: "No longer so",
}
"""The sections of the reference, in order, by the category of their facts."""


@dataclass(frozen=True)
class Fact:
    """A fact about the user. `confidence` in [0, 1]; `past` when it was so and is not any more."""

    id: int
    text: str
    category: str
    confidence: float = 1.0
    past: bool = False


@dataclass(frozen=True)
class Statement:
    """A sentence about the user with the ids of the facts it rests on; `section` is one of SECTIONS."""

    section: str
    text: str
    facts: tuple[int, ...]


@dataclass(frozen=True)
class Gap:
    """Something that is not known, or not for certain: a field, what could be asked, how sure it is in [0, 1]."""

    field: str
    question: str
    confidence: float
    facts: tuple[int, ...] = ()


@dataclass(frozen=True)
class Profile:
    """Who the user is: in short, in full, and what is missing."""

    mini: tuple[Statement, ...] = ()
    reference: tuple[Statement, ...] = ()
    gaps: tuple[Gap, ...] = ()


def without(profile: Profile, gone: Callable[[str, tuple[int, ...]], bool]) -> Profile:
    """A profile without the statements and gaps of which `gone` (words, fact ids) is true."""
    return Profile(
        tuple(one for one in profile.mini if not gone(one.text, one.facts)),
        tuple(one for one in profile.reference if not gone(one.text, one.facts)),
        tuple(one for one in profile.gaps if not gone(one.question, one.facts)),
    )


def mini_text(statements: Iterable[Statement]) -> str:
    """Who they are, in one paragraph."""
    return " ".join(one.text for one in statements)


def reference_text(statements: Iterable[Statement]) -> str:
    """All that is known, by section, as Markdown; every statement ends in the ids of its facts."""
    parts = [
        "\n".join([f"## {title}", "", *(f"- {text} [{cited}]" for text, cited in said)])
        for title, said in by_section(statements)
    ]
    return "\n\n".join(parts)


def by_section(statements: Iterable[Statement]) -> list[tuple[str, list[tuple[str, str]]]]:
    """The sections that have something to say, in order: titles, and sentences with the ids of their facts."""
    held: dict[str, list[tuple[str, str]]] = {}
    for one in statements:
        held.setdefault(one.section, []).append((one.text, ", ".join(refs.names("memory", one.facts))))
    return [(SECTIONS[section], held[section]) for section in SECTIONS if section in held]


def within(statements: Sequence[Statement], tokens: int) -> tuple[Statement, ...]:
    """Return as many statements as have room, the first of every section before the second of any,
    in their order."""
    places: dict[str, int] = {}
    turns = []
    for number, one in enumerate(statements):
        places[one.section] = places.get(one.section, 0) + 1
        turns.append((places[one.section], number))
    chosen: list[int] = []
    for _, number in sorted(turns):
        if estimate(reference_text([statements[held] for held in [*chosen, number]])) > tokens:
            break
        chosen.append(number)
    return tuple(statements[number] for number in sorted(chosen))


def to_data(profile: Profile) -> dict[str, Any]:
    """A profile as plain values."""
    return {
        "mini": [_plainly(one) for one in profile.mini],
        "reference": [_plainly(one) for one in profile.reference],
        "gaps": [
            {"field": one.field, "question": one.question, "confidence": one.confidence, "facts": list(one.facts)}
            for one in profile.gaps
        ],
    }


def from_data(data: Mapping[str, Any]) -> Profile:
    """The profile behind `to_data`."""
    mini, reference = (
        tuple(Statement(one["section"], one["text"], tuple(one["facts"])) for one in data[part])
        for part in ("mini", "reference")
    )
    missing = (Gap(one["field"], one["question"], one["confidence"], tuple(one["facts"])) for one in data["gaps"])
    return Profile(mini, reference, tuple(missing))


def _plainly(one: Statement) -> dict[str, Any]:
    return {"section": one.section, "text": one.text, "facts": list(one.facts)}
