"""The skill `autobiography`: the user's story, assembled from stored items with their sources.

No model writes it: every line is a stored memory, task or question, with its date and name.
"""

import itertools
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from typing import Literal

from furoshiki.conversation.skills.skill import Arguments, Result, Skill, SkillContext
from furoshiki.core import refs
from furoshiki.language import humanize
from furoshiki.language.tokens import cut
from furoshiki.memory import concepts
from furoshiki.memory.store import concepts as concept_store
from furoshiki.memory.store import overview
from furoshiki.memory.values import Memory
from furoshiki.mind.inner_life.store import self_questions
from furoshiki.owner.agenda.rules import long_tasks
from furoshiki.owner.agenda.store import persistent_tasks, tasks
from furoshiki.owner.user_model import user
from furoshiki.owner.user_model.rules.style_traits import HIGH, LEAST_OBSERVATIONS, LOW
from furoshiki.owner.user_model.store import anticipations, profiles, style

LINES_EACH = 8  # maximum lines of a part

MOST_TOKENS = 60
THEMES_OF = timedelta(days=90)
LEAST_TIMES = 3  # minimum number of memories in that period for a theme

IDENTITY = ("addressing", "location", "employment", "family", "relationship", "skill", "health", "possession")
# categories of facts about identity, and about values
VALUES = ("value", "belief", "goal", "preference")

Part = Literal["identity", "arc", "values", "patterns", "open"]

HEADINGS: Mapping[Part, str] = {
    "identity": "Who they are",
    "arc": "How it went",
    "values": "What they care about",
    "patterns": "What comes again",
    "open": "What is open",
}


class AutobiographyArguments(Arguments):
    """The part of the story; None means all."""

    part: Part | None = None


@dataclass(frozen=True)
class _Line:
    text: str
    source: str | None = None
    at: datetime | None = None
    note: str = ""


def _run(doing: SkillContext, args: AutobiographyArguments) -> Result:
    world, now = doing.world, doing.world.now
    parts: Sequence[Part] = [args.part] if args.part else list(HEADINGS)
    with world.database.read() as db:
        zone = user.zone(world, db)
        told = {part: _PARTS[part](db, now, zone)[:LINES_EACH] for part in parts}
    lines: list[str] = []
    for part, found in told.items():
        lines.append(f"{HEADINGS[part]}:")
        lines += [_render_line(line, zone) for line in found] or ["Nothing is known of it yet."]
    rows = [{"id": line.source} for line in itertools.chain(*told.values()) if line.source is not None]
    return Result(True, "\n".join(lines), {"results": rows})


def _render_line(line: _Line, zone: tzinfo) -> str:
    label = [line.source, None if line.at is None else humanize.day(line.at, zone), line.note or None]
    names = " · ".join(part for part in label if part)
    return f"{cut(' '.join(line.text.split()), MOST_TOKENS)}{f' [{names}]' if names else ''}"


def _build_lines(memories: Iterable[Memory], note: Callable[[Memory], str] = lambda _: "") -> list[_Line]:
    return [
        _Line(memory.content, refs.name("memory", memory.id), memory.created_at, note(memory)) for memory in memories
    ]


def _by_category(db: sqlite3.Connection, categories: Sequence[str]) -> list[_Line]:
    """Return the most important facts of these categories, in their order."""
    facts = profiles.facts_of(db, categories, LINES_EACH)
    ranks = {name: place for place, name in enumerate(categories)}
    return _build_lines(sorted(facts, key=lambda fact: ranks.get(fact.category or fact.type, len(ranks))))


def _arc(db: sqlite3.Connection, now: datetime, zone: tzinfo) -> list[_Line]:
    """Return events and changes, oldest first."""
    over = _build_lines(
        profiles.list_past(db, LINES_EACH),
        lambda memory: f"until {humanize.day(memory.valid_to, zone)}, not now" if memory.valid_to else "",
    )
    told = _build_lines(overview.newest_of(db, ("narrative", "episodic"), LINES_EACH))
    happened = [
        _Line(memory.content, refs.name("memory", memory.id), memory.event_time)
        for memory in profiles.list_dated(db, now, LINES_EACH)
    ]
    lines = {line.source: line for line in (*over, *told, *happened)}.values()
    return sorted(lines, key=lambda line: line.at or now)[-LINES_EACH:]


def _patterns(db: sqlite3.Connection, now: datetime, _zone: tzinfo) -> list[_Line]:
    lines = []
    counted = concept_store.counts(db, now - THEMES_OF, now)
    often = sorted((pair for pair in counted.items() if pair[1] >= LEAST_TIMES), key=lambda pair: (-pair[1], pair[0]))
    if often:
        names = humanize.join_in_english([f"{name} ({times:.0f})" for name, times in often[:5]])
        lines.append(_Line(f"They come back to {names}, counted over the last three months."))
    moved = concepts.themes(db)
    if moved.rising:
        lines.append(_Line(f"More of late: {humanize.join_in_english(moved.rising[:4])}."))
    if moved.fading:
        lines.append(_Line(f"Less of late: {humanize.join_in_english(moved.fading[:4])}."))
    traits = [trait for trait in style.traits(db).values() if trait.observations >= LEAST_OBSERVATIONS]
    marked = [trait for trait in traits if trait.value <= LOW or trait.value >= HIGH]
    if marked:
        told = [f"{one.name} {one.value:.1f}" for one in sorted(marked, key=lambda one: one.name)]
        lines.append(_Line(f"How they write, from 1 to 10: {humanize.join_in_english(told)}."))
    insights = [memory for memory in overview.newest_of(db, ("reflection",), LINES_EACH) if memory.category != "self"]
    return [*lines, *_build_lines(insights[:4], lambda _: "my own conclusion")]


def _open(db: sqlite3.Connection, now: datetime, zone: tzinfo) -> list[_Line]:
    todo = [
        _Line(task.title, None, None, f"due {humanize.clock(task.due_at, zone, now)}" if task.due_at else "to do")
        for task in tasks.list_every_open(db, 4)
    ]
    work = [
        _Line(task.title, refs.name("persistent_tasks", task.id), None, f"long task, {task.coverage:.0%} done")
        for task in persistent_tasks.of_states(db, long_tasks.ACTIVE)
    ]
    put = self_questions.put_to_user(db)
    lines = []
    for question in self_questions.list_pending(db):
        if question.state == "user_required":
            note = "I asked them" if question.id in put else "I wonder"
            lines.append(_Line(question.question, refs.name("question", question.id), None, note))
    guessed = [
        _Line(anticipation.text, None, anticipation.expected_at, "I expect it, they did not say so")
        for anticipation in anticipations.open_(db, now)
    ]
    return [*work[:2], *todo, *guessed[:2], *lines[:3]]


_PARTS: Mapping[Part, Callable[[sqlite3.Connection, datetime, tzinfo], list[_Line]]] = {
    "identity": lambda db, _now, _zone: _by_category(db, IDENTITY),
    "arc": _arc,
    "values": lambda db, _now, _zone: _by_category(db, VALUES),
    "patterns": _patterns,
    "open": _open,
}

SKILL = Skill(
    name="autobiography",
    description="Their story as you know it, with sources.",
    arguments=AutobiographyArguments,
    limit_s=0.5,
    run=_run,
    who="alone",
)
