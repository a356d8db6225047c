"""Carry out the action for a thought, in the transaction that stores the thought."""

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from furoshiki.conversation.skills import registry
from furoshiki.conversation.skills.skill import Place, SkillContext
from furoshiki.conversation.wandering.associations import CameUpon
from furoshiki.conversation.wandering.forms import Drifted, Goal
from furoshiki.conversation.wandering.rules.actions import WELL_KNOWN, Situation
from furoshiki.conversation.wandering.store import pairs
from furoshiki.conversation.wandering.values import Action
from furoshiki.core import refs
from furoshiki.core.similarity import Vector
from furoshiki.core.timestamps import stamp
from furoshiki.language import questions
from furoshiki.memory import owed_checks
from furoshiki.memory.rules.one_line import compress
from furoshiki.memory.store import concepts
from furoshiki.messages.store import turns
from furoshiki.mind.inner_life.store import monologue, self_questions
from furoshiki.mind.inner_life.store.monologue import Passage
from furoshiki.models.llm.values import ToolCall
from furoshiki.owner.agenda.rules.long_tasks import ACTIVE, MOST_ACTIVE
from furoshiki.owner.agenda.store import mind_queue, persistent_tasks
from furoshiki.world import World

SAID_APART = timedelta(hours=24)
"""Minimum time between two queued thoughts from wandering."""

KEY = "wandering:"
"""The key prefix of such a thought in the queue."""

SOURCE = "drift"
"""The source tag of a task that nobody requested."""

LOOKED_UP = 8
"""Maximum results of a memory search."""


@dataclass(frozen=True)
class Thought:
    """A thought to be stored: its text, citations, a question's vector, the found memory (name and
    text), and two memories that may contradict each other."""

    drifted: Drifted
    text: str
    cites: tuple[int, ...]
    came: CameUpon
    day: str
    provider: str
    vector: Vector | None = None
    found: tuple[str, str] | None = None
    pair: tuple[int, int, int] | None = None
    goal: Goal | None = None


def situation(world: World, db: sqlite3.Connection, thought: Thought) -> Situation:
    """Return the situation that the scores depend on."""
    now = world.now
    heard = turns.newest_heard(db)
    return Situation(
        kind=thought.drifted.kind,
        about_them=bool(thought.cites),
        for_them=thought.drifted.for_them,
        need=world.state.heartbeat().needs.get("communication", 0.0),
        days=0.0 if heard is None else (now - heard[1]) / timedelta(days=1),
        waits=mind_queue.apart(db, KEY, SAID_APART, now) is not None,
        open=len(self_questions.list_pending(db)),
        known=len(concepts.holders(db, thought.came.seed.concept, WELL_KNOWN)),
        pair=thought.pair is not None,
        goal=None if thought.goal is None else thought.goal.confidence,
        room=_room(db),
        itself=thought.came.seed.kind == "self",
        silent=turns.silent(db, now),
    )


def _room(db: sqlite3.Connection) -> bool:
    """Return whether a task may be proposed: room for one, and no own proposal pending."""
    waits = any(task.source_tag == SOURCE for task in persistent_tasks.of_states(db, ("proposed",)))
    return not waits and len(persistent_tasks.of_states(db, ACTIVE)) < MOST_ACTIVE


async def look_up(world: World, text: str, without: frozenset[str]) -> tuple[str, str] | None:
    """Search the memory with the skill `recall`; return the name and text of a new result, or None.
    Text of others is ignored."""
    doing = SkillContext(world, None, Place(refs.name("wandering", stamp(world.now)), "", "", ""))
    result = await registry.run(doing, ToolCall("wandering", "recall", {"query": text, "k": LOOKED_UP}))
    rows: list[Mapping[str, Any]] = list(result.data.get("results", ())) if result.ok else []
    new = (row for row in rows if row["id"] not in without and not row["foreign"] and row["past"] is None)
    return next(((str(row["id"]), " ".join(str(row["text"]).split())) for row in new), None)


def _communicate(db: sqlite3.Connection, thought: Thought, row: int, now: datetime) -> str | None:
    key = f"{KEY}{questions.stem(thought.text)}"
    queued = mind_queue.add(db, "thought", thought.text, key, now, priority=4, source=refs.name("wanderings", row))
    return None if queued is None else "it waits to be said"


def _plan(db: sqlite3.Connection, thought: Thought, row: int, now: datetime) -> str | None:
    if thought.goal is None:
        return None
    goal = thought.goal.text
    made = persistent_tasks.propose(
        db, compress(goal), goal, SOURCE, now, source_confidence=thought.goal.confidence, priority=4
    )
    return None if made.merged else refs.name("persistent_tasks", made.task.id)


def _seed(db: sqlite3.Connection, thought: Thought, row: int, now: datetime) -> str | None:
    source = refs.name("wanderings", row)
    made = self_questions.add(db, thought.text, source, now, kind="curiosity", vector=thought.vector)
    return None if made is None else refs.name("question", made)


def _reflect(db: sqlite3.Connection, thought: Thought, row: int, now: datetime) -> str | None:
    passages = [Passage(thought.text, thought.cites)]
    seen = max((turn.id for turn in thought.came.said), default=0)
    item = refs.name("wanderings", row)
    made = monologue.add(db, "contemplation", thought.day, passages, thought.provider, seen, now, item=item)
    return None if made is None else refs.name("entry", made)


def _reconcile(db: sqlite3.Connection, thought: Thought, row: int, now: datetime) -> str | None:
    if thought.pair is None:
        return None
    older, turn, newer = thought.pair
    owed_checks.note(db, older, turn, newer, now)
    return pairs.name(older, newer)


def _look_up(db: sqlite3.Connection, thought: Thought, row: int, now: datetime) -> str | None:
    return None if thought.found is None else f"memory has {thought.found[0]}"


def _do_nothing(db: sqlite3.Connection, thought: Thought, row: int, now: datetime) -> str | None:
    return "it passed"


Effect = Callable[[sqlite3.Connection, Thought, int, datetime], str | None]

EFFECTS: Mapping[Action, Effect] = {
    "COMMUNICATE": _communicate,
    "PLAN": _plan,
    "SEED_THREAD": _seed,
    "REFLECT": _reflect,
    "RECONCILE": _reconcile,
    "AMBIENT_TOOL": _look_up,
    "NOTHING": _do_nothing,
}
"""Carries out an action for a thought and its row; returns the outcome, or None."""
