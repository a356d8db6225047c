"""Simulates a life: persona, number of days, seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.simulator import home, store
from bench.simulator.checks.watch import Watch
from bench.simulator.clock import VirtualClock
from bench.simulator.home import Minds
from bench.simulator.life import Life, rng_of
from bench.simulator.person import Person
from bench.simulator.personas import Persona
from bench.simulator.story import Story

BEGINS = datetime(2026, 2, 1, tzinfo=UTC)
"""The default start: within 90 days clocks change in America (8 March) and in Europe (29 March)."""


@dataclass(frozen=True)
class Wanted:
    """The parameters. `data` is a data directory to keep; without one it is temporary.

    `settings` are overridden values by field.
    """

    persona: Persona
    days: int
    seed: int
    begins: datetime = BEGINS
    minds: Minds = "scripted"
    data: Path | None = None
    keep_going: bool = False
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Lived:
    """A simulated life, and its database's statistics."""

    wanted: Wanted
    story: Story
    days: int
    calls: list[dict[str, Any]]
    decisions: list[dict[str, Any]]


def simulate(wanted: Wanted, on_day: Callable[[int, Story], None] = lambda _day, _story: None) -> Lived:
    """Simulate. `on_day` is called daily. Raises BadSetting, NotConfigured, StorageUnavailable."""
    clock, passed = VirtualClock(wanted.begins), 0
    with home.folder(wanted.data) as data:
        world = home.built(data, wanted.persona, clock, wanted.seed, wanted.minds, wanted.settings)
        person = Person(wanted.persona, wanted.begins, rng_of(wanted.seed, wanted.persona.name))
        story = Story(wanted.persona.name, wanted.persona.zone, wanted.begins, wanted.seed)

        def told(day: int) -> None:
            nonlocal passed
            passed = day
            on_day(day, story)

        watch = Watch(world.database, story, clock.now, world.vectors.embed)
        life = Life(world, clock, person, story, watch, told)
        life.live(wanted.days, wanted.keep_going)
        with world.database.read() as db:
            calls, decisions = store.calls(db), store.decisions(db)
        lived = Lived(wanted, story, passed, calls, decisions)
        world.database.close()
    return lived


def figures(lived: Lived) -> dict[str, Any]:
    """Return a life's figures, as `--json` prints them."""
    story, wanted = lived.story, lived.wanted
    return {
        "persona": story.persona,
        "seed": wanted.seed,
        "begins": wanted.begins.isoformat(),
        "days": lived.days,
        "heard": len(story.heard),
        "said": {
            policy: sum(one.policy == policy for one in story.said) for policy in ("reply", "unprompted", "reminder")
        },
        "jobs": {name: sum(one.name == name for one in story.ran) for name in sorted(story.asked)},
        "asked": dict(sorted(story.asked.items())),
        "calls": sum(row["calls"] for row in lived.calls),
        "tokens": sum(row["tokens"] for row in lived.calls),
        "usd": round(sum(row["usd"] for row in lived.calls), 4),
        "decisions": lived.decisions,
        "violations": [{"rule": one.rule, "at": one.at.isoformat(), "words": one.words} for one in story.violations],
    }
