"""What becomes of memories once a day, or when much has happened: one cycle of many steps, each done once.

A finished step is named in the log with its cycle. Killed anywhere, the next run goes on in the same cycle after the
last finished step; every step by itself can be begun again. What is away (memoryd, models) is left to the next cycle.
"""

import asyncio
import contextlib
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from furoshiki.core.database import kv
from furoshiki.core.errors import AnswerUnusable, NoMindAnswered
from furoshiki.core.process.crash_points import point
from furoshiki.core.terminal import style
from furoshiki.core.timestamps import stamp
from furoshiki.memory import weighing
from furoshiki.memory.weighing import Cycle
from furoshiki.mind.consolidation.store import consolidation
from furoshiki.mind.consolidation.store.consolidation import CYCLE, LAST
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.recall.retrieval.store import vectors
from furoshiki.world import Report, World

Did = Mapping[str, Any]
Step = Callable[[World, Cycle], Did | Awaitable[Did]]
"""It commits by itself, can be begun again at any point, and answers what it did."""

TRIES = 3
"""A step that was begun so often in a cycle and never came to its end is left out of it."""

WAITED_SECONDS = 120.0
GLANCE_SECONDS = 0.5
"""How long somebody at a terminal waits for rows to get their vectors, and how often the backlog is looked at."""


async def consolidate(world: World) -> Report:
    """Finish the cycle that was cut off, or make a new one. Returns what every step did."""
    with world.database.read() as db:
        if not consolidation.last_memory(db):
            return Report(False, "nothing is remembered yet")
    cycle, done = _begin(world)
    all_steps = steps()
    with bar(len(all_steps)) as tell:
        for number, (name, step) in enumerate(all_steps):
            tell(name, number)
            if name not in done:
                done[name] = await _take(world, cycle, name, step)
    _finish(world)
    did = {name: dict(what) for name, what in done.items()}
    changed = {name: _words(what) for name, what in did.items() if _words(what)}
    summary = "; ".join(f"{name}: {words}" for name, words in changed.items()) or "nothing had to change"
    return Report(any(name not in _ONLY_LOOKS for name in changed), summary, {"cycle": cycle.id, **did})


def steps() -> tuple[tuple[str, Step], ...]:
    """Every step by its name, in order: what is one is joined before it is thought about, and weights are looked at
    when all have moved."""
    from furoshiki.memory import concepts
    from furoshiki.mind.consolidation import (
        co_activation,
        cold_facts,
        concept_merging,
        decay,
        doubts,
        duplicates,
        promotion,
        tuning,
    )
    from furoshiki.mind.consolidation.synthesis.steps import STEPS

    return (
        ("index", catch_up),
        ("duplicates", duplicates.remove_duplicates),
        ("audit", audit),
        ("forgotten", decay.forget),
        ("dormant", decay.sleep),
        ("cold", cold_facts.step),
        ("doubts", doubts.step),
        ("company", co_activation.drift),
        ("concepts", concepts.tidy),
        ("concept_merging", concept_merging.step),
        ("promotion", promotion.step),
        ("tuning", tuning.step),
        *STEPS,
        ("vitals", vitals),
    )


async def catch_up(world: World, cycle: Cycle) -> dict[str, Any]:
    """Let memoryd give vectors to rows that have none or another encoder's; somebody at a terminal sees it done.

    They stay findable by their words meanwhile.
    """
    with contextlib.suppress(VectorsAway):  # it finds them by itself when it comes back
        world.vectors.nudge()
    backlog = _backlog(world)
    if is_watched():
        for _ in range(int(WAITED_SECONDS / GLANCE_SECONDS)):
            if not backlog:
                break
            await asyncio.sleep(GLANCE_SECONDS)
            backlog = _backlog(world)
    with world.database.read() as db:
        model = vectors.model(db)
        other = 0 if model is None else consolidation.of_another_model(db, model)
    return {"backlog": backlog, "of_another_model": other}


def audit(world: World, cycle: Cycle) -> dict[str, Any]:
    """Let memoryd ask its index for what it should hold, and drop what no row stands behind."""
    found = world.vectors.audit()
    return {name: len(value) if isinstance(value, list) else value for name, value in found.items() if name != "ok"}


def vitals(world: World, cycle: Cycle) -> dict[str, Any]:
    """Look at all weights once, for the ceilings of the next cycle."""
    with world.database.write() as db:
        seen = weighing.monitor(db, cycle)
    return {"entropy": round(seen.entropy, 4), "mean": round(seen.mean, 4), "coherence": round(seen.coherence.score, 4)}


_ONLY_LOOKS = frozenset({"index", "audit", "vitals"})
"""Steps that report and change nothing themselves."""


def _begin(world: World) -> tuple[Cycle, dict[str, Mapping[str, Any]]]:
    """The cycle to work in, with the steps it has behind it."""
    new = weighing.cycle(world, "deep")
    with world.database.write() as db:
        going = kv.get(db, CYCLE)
        if going is None:
            going = {"id": new.id, "began": stamp(new.now), "newest": consolidation.last_memory(db), "tries": {}}
            kv.put(db, CYCLE, going, new.now)
        done = consolidation.steps_done(db, going["id"])
    point("consolidation.begun")
    return replace(new, id=going["id"]), dict(done)


async def _take(world: World, cycle: Cycle, name: str, step: Step) -> Mapping[str, Any]:
    if not _try(world, cycle, name):
        did: Mapping[str, Any] = {"skipped": f"it was begun {TRIES} times and never came to its end"}
    else:
        try:
            found = step(world, cycle)
            did = await found if isinstance(found, Awaitable) else found
        except (VectorsAway, NoMindAnswered, AnswerUnusable) as error:
            did = {"skipped": str(error)[:200]}
    point(f"consolidation.{name}")
    with world.database.write() as db:
        consolidation.step_done(db, cycle.id, name, did, cycle.now)
    point(f"consolidation.{name}.done")
    return did


def _try(world: World, cycle: Cycle, name: str) -> bool:
    """Note that a step is begun; False when that was in vain too often."""
    with world.database.write() as db:
        going = kv.get(db, CYCLE)
        tries = int(going["tries"].get(name, 0))
        if tries >= TRIES:
            return False
        kv.put(db, CYCLE, {**going, "tries": {**going["tries"], name: tries + 1}}, cycle.now)
    return True


def _finish(world: World) -> None:
    with world.database.write() as db:
        going = kv.get(db, CYCLE)
        kv.put(db, LAST, {name: going[name] for name in ("id", "began", "newest")}, world.now)
        kv.drop(db, CYCLE)


def _backlog(world: World) -> int:
    with world.database.read() as db:
        return vectors.without_vector(db)


def _words(did: Mapping[str, Any]) -> str:
    """The counts of a step that are not 0, as words."""
    counts = {name: value for name, value in did.items() if value and type(value) is int}
    return ", ".join(f"{value} {name.replace('_', ' ')}" for name, value in counts.items())


def is_watched() -> bool:
    """Whether somebody sits at a terminal."""
    return sys.stderr.isatty()


@contextlib.contextmanager
def bar(steps: int) -> Iterator[Callable[[str, float], None]]:
    """Call what this yields with the name of the step that begins, and how many steps are done."""
    if not is_watched():
        yield lambda _name, _done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description:<28}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(file=style(sys.stderr)), transient=True) as progress:
        task = progress.add_task("", total=steps)
        yield lambda name, done: progress.update(task, description=name, completed=done)
