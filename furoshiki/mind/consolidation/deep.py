"""Deep consolidation, once a day or after many new memories: a cycle of steps, each done once.

Finished steps are logged, so an interrupted cycle continues after the last one; every step can be
restarted. Steps whose service (memoryd, models) is away are left to the next cycle.
"""

import asyncio
import contextlib
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from furoshiki.core.database import kv
from furoshiki.core.errors import AnswerUnusable, NoMindAnswered
from furoshiki.core.process.crash_points import point
from furoshiki.core.terminal import style
from furoshiki.core.timestamps import parse, stamp
from furoshiki.memory import relevance_learning, weighing
from furoshiki.memory.exit_gate import MATURITY, maturity
from furoshiki.memory.relevance_learning import Outcome
from furoshiki.memory.store import retrievals
from furoshiki.memory.weighing import Cycle
from furoshiki.mind.consolidation.store import consolidation
from furoshiki.mind.consolidation.store.consolidation import CYCLE, LAST
from furoshiki.owner.agenda import doubts
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.recall.retrieval.store import vectors
from furoshiki.world import Report, World

Did = Mapping[str, Any]
# a step commits by itself, can be restarted at any point, and returns its counts
Step = Callable[[World, Cycle], Did | Awaitable[Did]]

TRIES = 3  # after this many unfinished attempts in a cycle a step is skipped

WAITED_SECONDS = 120.0
# how long a terminal user waits for missing vectors, and the interval of the checks
GLANCE_SECONDS = 0.5


async def consolidate(world: World) -> Report:
    """Continue the interrupted cycle or run a new one. Returns each step's result."""
    with world.database.read() as db:
        if not consolidation.last_memory(db):
            return Report(False, "nothing is remembered yet")
    cycle, steps_done = _begin(world)
    all_steps = steps()
    with bar(len(all_steps)) as tell:
        for number, (name, step) in enumerate(all_steps):
            tell(name, number)
            if name not in steps_done:
                steps_done[name] = await _take(world, cycle, name, step)
    _finish(world)
    did = {name: dict(what) for name, what in steps_done.items()}
    changed = {name: _words(what) for name, what in did.items() if _words(what)}
    summary = "; ".join(f"{name}: {words}" for name, words in changed.items()) or "nothing had to change"
    return Report(any(name not in _ONLY_LOOKS for name in changed), summary, {"cycle": cycle.id, **did})


def steps() -> tuple[tuple[str, Step], ...]:
    """Return all steps by name, in order: duplicates are merged before models think about them, and
    weights are measured last."""
    from furoshiki.memory import concepts
    from furoshiki.mind.consolidation import co_activation, concept_merging, decay, duplicates, promotion
    from furoshiki.mind.consolidation.synthesis.steps import STEPS

    return (
        ("index", catch_up),
        ("duplicates", duplicates.remove_duplicates),
        ("audit", audit),
        ("forgotten", decay.forget),
        ("dormant", decay.sleep),
        ("cold", decay.warm_and_cool),
        ("doubts", settle_doubts),
        ("company", co_activation.drift),
        ("concepts", concepts.tidy),
        ("concept_merging", concept_merging.step),
        ("promotion", promotion.step),
        ("tuning", step),
        *STEPS,
        ("vitals", vitals),
    )


async def catch_up(world: World, cycle: Cycle) -> dict[str, Any]:
    """Let memoryd embed rows without a current vector; at a terminal, wait for it.

    Until then, rows can be found by their words.
    """
    with contextlib.suppress(VectorsAway):  # it finds them by itself when it is back
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


def settle_doubts(world: World, cycle: Cycle) -> dict[str, Any]:
    """Drop facts doubted for too long, and queue at most one question about another."""
    with world.database.write() as db:
        return {"faded": doubts.fade(db, cycle.now), "asked": int(doubts.ask(db, cycle.now))}


def audit(world: World, cycle: Cycle) -> dict[str, Any]:
    """Let memoryd compare its index with the database and remove orphaned entries."""
    audited = world.vectors.audit()
    return {name: len(value) if isinstance(value, list) else value for name, value in audited.items() if name != "ok"}


def vitals(world: World, cycle: Cycle) -> dict[str, Any]:
    """Measure all weights once, for the ceilings of the next cycle."""
    with world.database.write() as db:
        summary = weighing.monitor(db, cycle)
    return {
        "entropy": round(summary.entropy, 4),
        "mean": round(summary.mean, 4),
        "coherence": round(summary.coherence.score, 4),
    }


_ONLY_LOOKS = frozenset({"index", "audit", "vitals"})  # steps that only report


def _begin(world: World) -> tuple[Cycle, dict[str, Mapping[str, Any]]]:
    """Return the cycle to work in, with its finished steps."""
    new = weighing.cycle(world, "deep")
    with world.database.write() as db:
        going = kv.get(db, CYCLE)
        if going is None:
            going = {"id": new.id, "began": stamp(new.now), "newest": consolidation.last_memory(db), "tries": {}}
            kv.put(db, CYCLE, going, new.now)
        steps_done = consolidation.steps_done(db, going["id"])
    point("consolidation.begun")
    return replace(new, id=going["id"]), dict(steps_done)


async def _take(world: World, cycle: Cycle, name: str, step: Step) -> Mapping[str, Any]:
    if not _try(world, cycle, name):
        did: Mapping[str, Any] = {"skipped": f"it was begun {TRIES} times and never came to its end"}
    else:
        try:
            report = step(world, cycle)
            did = await report if isinstance(report, Awaitable) else report
        except (VectorsAway, NoMindAnswered, AnswerUnusable) as error:
            did = {"skipped": str(error)[:200]}
    point(f"consolidation.{name}")
    with world.database.write() as db:
        consolidation.step_done(db, cycle.id, name, did, cycle.now)
    point(f"consolidation.{name}.done")
    return did


def _try(world: World, cycle: Cycle, name: str) -> bool:
    """Record the start of a step; return False after too many unfinished attempts."""
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
    """Format a step's non-zero counts."""
    counts = {name: value for name, value in did.items() if value and type(value) is int}
    return ", ".join(f"{value} {name.replace('_', ' ')}" for name, value in counts.items())


def is_watched() -> bool:
    """Return whether standard error is a terminal."""
    return sys.stderr.isatty()


@contextlib.contextmanager
def bar(steps: int) -> Iterator[Callable[[str, float], None]]:
    """Yield a function to report progress: the starting step's name and the count done."""
    if not is_watched():
        yield lambda _name, _done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description:<28}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(file=style(sys.stderr)), transient=True) as progress:
        task = progress.add_task("", total=steps)
        yield lambda name, done: progress.update(task, description=name, completed=done)


# the `kv` key of the time up to which the gate has learned: each outcome counts once
TUNED_TO = "tuning.to"

# the `kv` key of the time up to which relevance has learned, which needs enough outcomes
LEARNED_TO = "relevance.to"

A_CHANCE = timedelta(days=30)  # a memory that no answer used for this long was kept in vain


def step(world: World, cycle: Cycle) -> dict[str, Any]:
    """Learn from outcomes since the last run. Returns the counts and the gate's new maturity."""
    with world.database.write() as db:
        last = kv.get(db, TUNED_TO)
        since = cycle.now - A_CHANCE if last is None else parse(last)
        if since >= cycle.now:
            return {"needed": 0, "unused": 0, "learned": 0}
        needed = consolidation.count_needed_drops(db, since, cycle.now)
        unused = consolidation.count_unused(db, since - A_CHANCE, cycle.now - A_CHANCE)
        before = maturity(world, db)
        after = adjust_maturity(before, needed, unused)
        if after != before:
            kv.put(db, MATURITY, after, cycle.now)
        learned_to = kv.get(db, LEARNED_TO)
        fresh = retrievals.outcomes(db, since if learned_to is None else parse(learned_to))
        outcomes = [Outcome(outcome.retrieval.voices, outcome.retrieval.used) for outcome in fresh]
        learned = False
        if len(outcomes) >= relevance_learning.ENOUGH:
            learned = relevance_learning.learn(db, cycle.now, outcomes, cycle)
            kv.put(db, LEARNED_TO, stamp(cycle.now), cycle.now)
        kv.put(db, TUNED_TO, stamp(cycle.now), cycle.now)
    return {"needed": needed, "unused": unused, "learned": int(learned), "maturity": round(after, 4)}


# -- tuning of the exit gate by the outcomes of its decisions --
#
# Dropping a needed item costs more than keeping a useless one, which can be corrected. One of the
# former therefore counts as ten of the latter, and a night changes the gate only a little.


# the bounds of the gate's maturity; some chance of passing always remains
LEAST_MATURITY, MOST_MATURITY = 0.0, 0.9

NEEDED_OPENS = 0.02
UNUSED_TIGHTENS = 0.002  # the change per dropped but needed item, and per kept but unused item

MOST_A_NIGHT = 0.05


def adjust_maturity(maturity: float, needed: int, unused: int) -> float:
    """Return the gate's maturity after these outcomes, within its bounds."""
    step = UNUSED_TIGHTENS * unused - NEEDED_OPENS * needed
    step = min(max(step, -MOST_A_NIGHT), MOST_A_NIGHT)
    return min(max(maturity + step, LEAST_MATURITY), MOST_MATURITY) if step else maturity
