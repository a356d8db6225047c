"""Idle wandering: pick a memory, follow its associations, and perhaps form a thought.

A model is asked at most once, outside of any transaction; thought and effects are stored in one. If
the process is killed before that, nothing is stored and the next run starts from another memory.
"""

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from furoshiki.conversation.skills import registry
from furoshiki.conversation.skills.rules import LEAST_CONFIDENCE
from furoshiki.conversation.skills.skill import Place, SkillContext
from furoshiki.conversation.wandering import due
from furoshiki.conversation.wandering.associations import CameUpon, come_upon
from furoshiki.conversation.wandering.rules import actions, energy
from furoshiki.conversation.wandering.rules.actions import WELL_KNOWN, Situation
from furoshiki.conversation.wandering.store import pairs, seeds, wanderings
from furoshiki.conversation.wandering.values import Action, Wandering
from furoshiki.core import refs
from furoshiki.core.database import kv
from furoshiki.core.process.crash_points import point
from furoshiki.core.similarity import Vector
from furoshiki.core.timestamps import stamp
from furoshiki.feelings.rules import user_needs
from furoshiki.language import questions
from furoshiki.memory import deferred_checks
from furoshiki.memory.rules.one_line import compress
from furoshiki.memory.similarity import embed_english
from furoshiki.memory.store import concepts, gists
from furoshiki.memory.store.gists import Gist
from furoshiki.messages.store import turns
from furoshiki.mind.inner_life.journal import pages
from furoshiki.mind.inner_life.journal.forms import Ids
from furoshiki.mind.inner_life.journal.thoughts import Ground, Written, ask, ground, thought_before
from furoshiki.mind.inner_life.store import monologue, self_questions
from furoshiki.mind.inner_life.store.monologue import Passage
from furoshiki.models.llm.background import Unanswered
from furoshiki.models.llm.fields import Share
from furoshiki.models.llm.values import Answer, ToolCall
from furoshiki.owner.agenda.rules.long_tasks import ACTIVE, MOST_ACTIVE
from furoshiki.owner.agenda.store import mind_queue, persistent_tasks
from furoshiki.world import Report, World


class Goal(BaseModel):
    """Work that would serve what they want, as one sentence, and how sure it is that they would want it."""

    text: Annotated[str, Field(min_length=8, max_length=300)]
    confidence: Share


class Drifted(BaseModel):
    """One thought in one or two sentences; no ids when it is only about the companion itself."""

    kind: Literal["reflection", "question", "hypothesis"]
    text: Annotated[str, Field(min_length=8, max_length=400)]
    messages: Ids = []
    for_them: Annotated[bool, Field(description="Whether they would be glad to hear it")] = False
    goal: Annotated[Goal | None, Field(description="Longer work that it leads to; usually none")] = None


class Wandered(BaseModel):
    """One passing thought, or null when nothing comes of it."""

    thought: Drifted | None


SAID_APART = timedelta(hours=24)  # minimum time between two queued thoughts from wandering
KEY = "wandering:"  # the key prefix of such a thought in the queue
SOURCE = "drift"  # the source tag of a task that nobody requested
LOOKED_UP = 8  # maximum results of a memory search


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
    deferred_checks.note(db, older, turn, newer, now)
    return pairs.name(older, newer)


def _look_up(db: sqlite3.Connection, thought: Thought, row: int, now: datetime) -> str | None:
    return None if thought.found is None else f"memory has {thought.found[0]}"


def _do_nothing(db: sqlite3.Connection, thought: Thought, row: int, now: datetime) -> str | None:
    return "it passed"


Effect = Callable[[sqlite3.Connection, Thought, int, datetime], str | None]

# carries out an action for a thought and its row; returns the outcome, or None
EFFECTS: Mapping[Action, Effect] = {
    "COMMUNICATE": _communicate,
    "PLAN": _plan,
    "SEED_THREAD": _seed,
    "REFLECT": _reflect,
    "RECONCILE": _reconcile,
    "AMBIENT_TOOL": _look_up,
    "NOTHING": _do_nothing,
}


REWARD = 0.1  # the gain in strength of a fading concept that led to an action
AGAIN = timedelta(days=7)  # a repetition of a thought within this time is dropped
SHOWN_BEFORE = 5  # earlier thoughts shown to the model, so that it forms a new one

OFF_RESTS = timedelta(hours=1)
NOTHING_RESTS = timedelta(hours=6)
# waiting times when switched off, without seeds, and without a model
NOBODY_RESTS = timedelta(hours=6)

# minimum level and confidence of the user's need for focus that prevents wandering
DEEP_FOCUS = (0.7, 0.5)


async def wander(world: World) -> Report:
    """Form one passing thought and act on it."""
    now = world.now
    if not world.settings.furoshiki_wandering:
        return _rest(world, "it is switched off", OFF_RESTS)
    if _in_focus(world):
        return _rest(world, "they are deep in something", energy.IDLE)
    with world.database.read() as db:
        if due.wander(db, now) is None:  # checked again: a message may have come, or another run started
            return Report(False, "the mind is not idle")
        came = come_upon(world, db)
        before = wanderings.thoughts(db, now - AGAIN)
    if came is None:
        return _rest(world, "there is nothing to come upon", NOTHING_RESTS)
    if came.energy < energy.LEAST or not came.said:
        with world.database.write() as db:
            wanderings.add(db, _row(came, now, None, "it brought nothing along"))
        return Report(True, f"{came.seed.name} brought nothing along", {"seed": came.seed.kind})
    base = ground(world, came.said)
    answer = await ask(
        world,
        "wandering",
        Wandered,
        [
            ("What comes to mind", came.lines),
            ("Where it comes from", base.lines(1200)),
            ("Lately", before[-SHOWN_BEFORE:]),
        ],
        base,
        tier="fast",
        max_tokens=300,
    )
    if isinstance(answer, Unanswered):
        if answer.nobody and not answer.away:
            return _rest(world, "nobody is there to think", NOBODY_RESTS)
        return Report(False, f"no thought: {answer.reason}")
    point("wander.answered")
    drifted, why = await _judge(world, answer.parsed.thought, base, before)
    if drifted is None:
        with world.database.write() as db:
            wanderings.add(db, _row(came, now, why, why, answer))
            base.list_refused(db, now)
        return Report(True, why, {"seed": came.seed.kind, "refused": len(base.refused)})
    return await _keep(world, came, drifted, base, answer)


async def _keep(world: World, came: CameUpon, drifted: Drifted, base: Ground, answer: Answer) -> Report:
    """Store the thought, active for half an hour, and carry out the best possible action."""
    now = world.now
    thought = Thought(
        drifted=drifted,
        text=" ".join(drifted.text.split()),
        cites=base.cites(drifted.messages),
        came=came,
        day=now.astimezone(base.zone).date().isoformat(),
        provider=answer.provider,
        goal=await _goal(world, drifted, base),
        vector=next(iter(embed_english(world, [drifted.text]))) if drifted.kind == "question" else None,
    )
    with world.database.read() as db:
        thought = replace(thought, pair=pairs.find_contradiction(db, came.seed.concept, came.against))
        worth = actions.scores(situation(world, db, thought))
    ranked = actions.rank(worth)
    if ranked[0] == "AMBIENT_TOOL":
        thought = replace(thought, found=await look_up(world, thought.text, frozenset(came.rests_on)))
        point("wander.looked_up")
    with world.database.write() as db:
        passing = _gist(thought, now)
        why = f"{came.seed.kind}: {came.seed.name}"
        wandering = replace(_row(came, now, "", why, answer), scores=worth, rests_on=passing.rests_on)
        row = wanderings.add(db, replace(wandering, gist=gists.add(db, passing)))
        action, outcome = _first_done(db, ranked, thought, row, now)
        base.list_refused(db, now)
        wanderings.became(db, row, action, outcome)
        if action != "NOTHING" and seeds.is_fading(db, came.seed.concept, now):
            concepts.reward(db, came.seed.concept, REWARD, now)
        point("wander.before_commit")
    filed = pages.file(world) if action == "REFLECT" else 0
    data = {"seed": came.seed.kind, "action": action, "energy": came.energy, "pages": filed}
    return Report(True, f"a {drifted.kind} about {came.seed.name}: {outcome}", data)


def _first_done(
    db: sqlite3.Connection, ranked: list[Action], thought: Thought, row: int, now: datetime
) -> tuple[Action, str]:
    for action in ranked:
        outcome = EFFECTS[action](db, thought, row, now)
        if outcome is not None:
            return action, outcome
    raise AssertionError("nothing can always be done")


def _gist(thought: Thought, now: datetime) -> Gist:
    text, rests_on = thought.text, thought.came.rests_on
    if thought.found is not None:
        name, words = thought.found
        text, rests_on = f"{text} What you remember of that: {words}", (*rests_on, name)
    return Gist("drift", thought.drifted.kind, text, now, rests_on)


def _row(came: CameUpon, now: datetime, outcome: str | None, reason: str, answer: Answer | None = None) -> Wandering:
    return Wandering(
        seed_kind=came.seed.kind,
        concept=came.seed.concept,
        activated=came.activated,
        energy=came.energy,
        action="NOTHING",
        scores={},
        outcome=outcome,
        reason=reason,
        at=now,
        rests_on=came.rests_on,
        cost_usd=0.0 if answer is None else answer.cost_usd,
    )


async def _judge(world: World, thought: Drifted | None, base: Ground, before: list[str]) -> tuple[Drifted | None, str]:
    if thought is None:
        return None, "nothing came of it"
    if not all(await base.known(world, [Written(thought.text, thought.messages)])):
        return None, "the thought had no ground and was dropped"
    if thought_before(world, thought.text, before):
        return None, "it had been thought before and was dropped"
    return thought, ""


async def _goal(world: World, thought: Drifted, base: Ground) -> Goal | None:
    """Return the thought's goal if the user's words support it and it is probable enough."""
    goal = thought.goal
    if goal is None or goal.confidence < LEAST_CONFIDENCE:
        return None
    known = await base.known(world, [Written(goal.text, thought.messages, "follow_up")])
    return goal if all(known) else None


def _in_focus(world: World) -> bool:
    """Return whether the user seems focused; `due.py` checks explicit focus sessions."""
    need = world.state.heartbeat().user_needs["focus"]
    level, confidence = DEEP_FOCUS
    return need.level >= level and user_needs.confidence_at(need, world.now, world.laws.user_needs) >= confidence


def _rest(world: World, why: str, rests: timedelta) -> Report:
    with world.database.write() as db:
        kv.put(db, due.RESTS_UNTIL, stamp(world.now + rests), world.now)
    return Report(False, why)
