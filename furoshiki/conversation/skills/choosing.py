"""Rank skills and tools for a purpose by meaning; failing ones come last, with a note."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from furoshiki.core.similarity import cosine
from furoshiki.language.tables.function_words import query_words
from furoshiki.language.words import RUN, stem
from furoshiki.messages.store import skill_runs
from furoshiki.models.llm.values import Tool
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.world import World

ALWAYS = ("recall", "memorize", "introspect")  # skills that every plan-and-act loop has
MOST_CHOSEN = 3  # number of further tools chosen for its goal
LEAST_LIKE = 0.1  # cosine below which a tool does not fit

LATELY = timedelta(days=7)
FAILS_SHARE, FAILS_LEAST = 0.6, 4  # minimum share and number of recent failures of a failing skill

NOTE = "It failed {failed} of the last {runs} times: try something else first."

# the cached vectors of descriptions, which only change with a release or a plugin
_described: dict[str, tuple[float, ...]] = {}


@dataclass(frozen=True)
class Ability:
    """A callable. `whose`: None or "the plugin dice"; `offered`: in every prompt."""

    tool: Tool
    whose: str | None = None
    offered: bool = True


def list_failing(db: sqlite3.Connection, world: World) -> dict[str, str]:
    """List the skills that failed often recently, each with a note that says how often."""
    found = skill_runs.statistics(db, world.now - LATELY)
    times = {name: (round(one["runs"] * one["failed"]), int(one["runs"])) for name, one in found.items()}
    return {
        name: NOTE.format(failed=failed, runs=runs)
        for name, (failed, runs) in times.items()
        if failed >= FAILS_LEAST and failed / runs >= FAILS_SHARE
    }


def rank(world: World, abilities: Sequence[Ability], purpose: str) -> list[tuple[Ability, float]]:
    """Rank the abilities that fit a purpose, with scores in [0, 1]; those that often fail last."""
    with world.database.read() as db:
        notes = list_failing(db, world)
    near = _rate_by_meaning(world, abilities, purpose)
    scores, least = (_by_words(abilities, purpose), 0.0) if near is None else (near, LEAST_LIKE)
    fitting = [(attach_note(one, notes), score) for one, score in zip(abilities, scores, strict=True) if score > least]
    return sorted(fitting, key=lambda pair: (pair[0].tool.name in notes, -pair[1], pair[0].tool.name))


def attach_note(ability: Ability, notes: Mapping[str, str]) -> Ability:
    """Add the note of its failures, if there is one."""
    note = notes.get(ability.tool.name)
    if note is None:
        return ability
    return replace(ability, tool=replace(ability.tool, description=f"{ability.tool.description} {note}"))


def choose_tools(world: World, abilities: Sequence[Ability], purpose: str) -> tuple[Tool, ...]:
    """Return the tools for a loop with this goal: the fixed ones, those that it names, and the best others."""
    with world.database.read() as db:
        notes = list_failing(db, world)
    always = [attach_note(ability, notes).tool for ability in abilities if ability.tool.name in ALWAYS]
    rest = [ability for ability in abilities if ability.tool.name not in ALWAYS]
    named, others, words = list[Tool](), list[Tool](), set(RUN.findall(purpose))
    for ability, _ in rank(world, rest, purpose):
        if words.issuperset(RUN.findall(ability.tool.name)):
            named.append(ability.tool)
        else:
            others.append(ability.tool)
    return (*always, *named, *others[: max(0, MOST_CHOSEN - len(named))])


def _rate_by_meaning(world: World, abilities: Sequence[Ability], purpose: str) -> list[float] | None:
    """Return the similarity of each; None without vectors."""
    words = [_words(ability) for ability in abilities]
    missing = [one for one in dict.fromkeys(words) if one not in _described]
    try:
        said, *made = world.vectors.embed([purpose, *missing])
    except VectorsAway:
        return None
    if missing and any(len(one) != len(said) for one in _described.values()):
        _described.clear()  # made by another encoder
        return _rate_by_meaning(world, abilities, purpose)
    _described.update((text, tuple(vector)) for text, vector in zip(missing, made, strict=True))
    return [max(0.0, cosine(said, _described[one])) for one in words]


def _by_words(abilities: Sequence[Ability], purpose: str) -> list[float]:
    wanted = {stem(word) for word in query_words(purpose)}
    named = ({stem(word) for word in query_words(_words(ability))} for ability in abilities)
    return [len(wanted & words) / len(wanted) if wanted else 0.0 for words in named]


def _words(one: Ability) -> str:
    return f"{one.tool.name.replace('_', ' ')}: {one.tool.description}"
