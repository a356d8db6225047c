"""The user's profile: statements with the facts they cite.

`user_model.rules.profiling` builds it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from furoshiki.core import refs
from furoshiki.language.tokens import estimate

MINI_WORDS = 120
REFERENCE_WORDS = 1200  # the most words of the two texts, including headings and ids
PAST = "past"  # the section of facts that are no longer true

# the sections of the reference, in order, by the category of their facts
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
    PAST: "What is over",
}

_OF_CATEGORY = {"goal": "plan", "manner": "preference"}


def find_section(category: object) -> str:
    """Return the section of a fact's category, or of one that a mind named."""
    name = str(category)
    return _OF_CATEGORY.get(name, name if name in SECTIONS else "other")


@dataclass(frozen=True)
class Fact:
    """A fact about the user. `confidence` in [0, 1]; `past`: it is no longer true."""

    id: int
    text: str
    category: str
    confidence: float = 1.0
    past: bool = False


@dataclass(frozen=True)
class Statement:
    """A sentence about the user with the ids of the cited facts; `section` is one of SECTIONS."""

    section: str
    text: str
    facts: tuple[int, ...]


@dataclass(frozen=True)
class Gap:
    """Missing or uncertain information: a field, a question about it, the confidence in [0, 1]."""

    field: str
    question: str
    confidence: float
    facts: tuple[int, ...] = ()


@dataclass(frozen=True)
class Profile:
    """The profile: short statements, all statements, and gaps."""

    mini: tuple[Statement, ...] = ()
    reference: tuple[Statement, ...] = ()
    gaps: tuple[Gap, ...] = ()


def without(profile: Profile, gone: Callable[[str, tuple[int, ...]], bool]) -> Profile:
    """Return the profile without statements and gaps for which `gone` (text, fact ids) is true."""
    return Profile(
        tuple(statement for statement in profile.mini if not gone(statement.text, statement.facts)),
        tuple(statement for statement in profile.reference if not gone(statement.text, statement.facts)),
        tuple(gap for gap in profile.gaps if not gone(gap.question, gap.facts)),
    )


def mini_text(statements: Iterable[Statement]) -> str:
    """Return the short profile as one paragraph."""
    return " ".join(statement.text for statement in statements)


def reference_text(statements: Iterable[Statement]) -> str:
    """Return the full profile by section, as Markdown, with the ids of facts."""
    parts = [
        "\n".join([f"## {title}", "", *(f"- {text} [{cited}]" for text, cited in said)])
        for title, said in by_section(statements)
    ]
    return "\n\n".join(parts)


def by_section(statements: Iterable[Statement]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the non-empty sections in order: titles, and sentences with the ids of their facts."""
    lines_of: dict[str, list[tuple[str, str]]] = {}
    for statement in statements:
        lines_of.setdefault(statement.section, []).append(
            (statement.text, ", ".join(refs.names("memory", statement.facts)))
        )
    return [(SECTIONS[section], lines_of[section]) for section in SECTIONS if section in lines_of]


def within(statements: Sequence[Statement], tokens: int) -> tuple[Statement, ...]:
    """Return the statements that fit into `tokens`, the first of every section before others."""
    places: dict[str, int] = {}
    turns = []
    for number, statement in enumerate(statements):
        places[statement.section] = places.get(statement.section, 0) + 1
        turns.append((places[statement.section], number))
    chosen: list[int] = []
    for _, number in sorted(turns):
        if estimate(reference_text([statements[held] for held in [*chosen, number]])) > tokens:
            break
        chosen.append(number)
    return tuple(statements[number] for number in sorted(chosen))


def from_data(data: Mapping[str, Any]) -> Profile:
    """Build a profile from its fields as plain values."""
    mini, reference = (
        tuple(Statement(one["section"], one["text"], tuple(one["facts"])) for one in data[part])
        for part in ("mini", "reference")
    )
    missing = (Gap(one["field"], one["question"], one["confidence"], tuple(one["facts"])) for one in data["gaps"])
    return Profile(mini, reference, tuple(missing))
