"""Idle wandering: pick a memory, follow its associations, and perhaps form a thought.

A model is asked at most once, outside of any transaction; thought and effects are stored in one. If
the process is killed before that, nothing is stored and the next run starts from another memory.
"""

import sqlite3
from dataclasses import replace
from datetime import datetime, timedelta

from furoshiki.conversation.skills.rules import LEAST_CONFIDENCE
from furoshiki.conversation.wandering import due, thought_outcomes
from furoshiki.conversation.wandering.associations import CameUpon, come_upon
from furoshiki.conversation.wandering.forms import Drifted, Goal, Wandered
from furoshiki.conversation.wandering.rules import actions, energy
from furoshiki.conversation.wandering.store import pairs, seeds, wanderings
from furoshiki.conversation.wandering.thought_outcomes import Thought
from furoshiki.conversation.wandering.values import Action, Wandering
from furoshiki.core.database import kv
from furoshiki.core.process.crash_points import point
from furoshiki.core.timestamps import stamp
from furoshiki.feelings.rules import user_needs
from furoshiki.memory.similarity import embed_english
from furoshiki.memory.store import concepts, gists
from furoshiki.memory.store.gists import Gist
from furoshiki.mind.inner_life.journal import pages
from furoshiki.mind.inner_life.journal.thoughts import Ground, Written, ask, ground, thought_before
from furoshiki.models.llm.background import Unanswered
from furoshiki.models.llm.values import Answer
from furoshiki.world import Report, World

REWARD = 0.1
"""The gain in strength of a fading concept that led to an action."""

AGAIN = timedelta(days=7)
"""A repetition of a thought within this time is dropped."""

SHOWN_BEFORE = 5
"""Earlier thoughts shown to the model, so that it forms a new one."""

OFF_RESTS = timedelta(hours=1)
NOTHING_RESTS = timedelta(hours=6)
NOBODY_RESTS = timedelta(hours=6)
"""Waiting times when switched off, without seeds, and without a model."""

DEEP_FOCUS = (0.7, 0.5)
"""Minimum level and confidence of the user's need for focus that prevents wandering."""


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
        worth = actions.scores(thought_outcomes.situation(world, db, thought))
    ranked = actions.rank(worth)
    if ranked[0] == "AMBIENT_TOOL":
        thought = replace(thought, found=await thought_outcomes.look_up(world, thought.text, frozenset(came.rests_on)))
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
        outcome = thought_outcomes.EFFECTS[action](db, thought, row, now)
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
