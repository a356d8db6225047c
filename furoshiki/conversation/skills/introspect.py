"""The skill `introspect`: the companion's state, its recent actions, and how it works."""

import sqlite3
from datetime import timedelta
from typing import Annotated, Literal

from pydantic import Field

from furoshiki.conversation.skills import looking_inward
from furoshiki.conversation.skills.skill import Arguments, Result, Skill, SkillContext
from furoshiki.core import refs
from furoshiki.core.catalogue import ENGLISH, speaking
from furoshiki.feelings.store import history
from furoshiki.language.humanize import ago
from furoshiki.memory.store import memories
from furoshiki.messages.store import skill_runs, turns
from furoshiki.mind.inner_life import inner_state
from furoshiki.mind.inner_life.knowledge_sources import REALITY
from furoshiki.mind.inner_life.rules import documents
from furoshiki.mind.inner_life.self_model import own_models
from furoshiki.mind.inner_life.self_model.document_search import look_up
from furoshiki.mind.inner_life.store import wandered
from furoshiki.models.llm.store import costs
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.world import World

COSTS, BACKUPS = "What do I cost?", "What do I back up?"
CAME_TO_MIND = 3
"""Number of newest wandering thoughts reported."""

SPENT = "Thinking has cost ${today:.2f} today; answering in this conversation ${here:.2f}."


class IntrospectArguments(Arguments):
    """The subject of the look inward."""

    about: Literal["state", "knowing", "doings", "design"] = "state"
    question: Annotated[str, Field(max_length=300, description="for design")] = ""


def _run(doing: SkillContext, args: IntrospectArguments) -> Result:
    world = doing.world
    if args.about == "design":
        return _design(world, args.question)
    if args.about in ("knowing", "doings"):
        tell = looking_inward.describe_knowledge if args.about == "knowing" else looking_inward.doings
        with world.database.read() as db:
            told, record = tell(world, db, doing.place)
        return Result(True, told, record)
    with speaking(ENGLISH):
        inside = inner_state.look(world)
    beat = inside.beat
    with world.database.read() as db:
        last = history.last(db)
        today, here = _spent(world, db)
        came = [
            {"thought": one.thought, "became": wandered.BECAME[one.action], "at": one.at.isoformat()}
            for one in wandered.newest(db, CAME_TO_MIND)
            if one.thought is not None
        ]
        data = {
            "mood": beat.mood.word,
            "emotions": {name: round(value, 2) for name, value in beat.emotions.as_mapping().items()},
            "needs": {name: round(value, 2) for name, value in beat.needs.items()},
            "moved_by": inside.why or None,
            "senses_they_need": list(inside.sensed),
            "turns": turns.count(db),
            "memories": memories.count(db),
            "thoughts_waiting": mind_queue.count_pending(db),
            "came_to_mind": came,
            "skills_this_week": skill_runs.statistics(db, world.now - timedelta(days=7)),
            "cost_today_usd": round(today, 4),
            "cost_session_usd": round(here, 4),
            "last_tick": None if last is None else last[0].isoformat(),
        }
    strongest = sorted(beat.emotions.as_mapping().items(), key=lambda pair: -pair[1])[:3]
    text = (
        f"Mood: {beat.mood.word}. Strongest: {', '.join(f'{name} {value:.2f}' for name, value in strongest)}. "
        f"{f'Moved most lately: {inside.why}. ' if inside.why else ''}"
        f"{data['turns']} messages and {data['memories']} memories kept; {data['thoughts_waiting']} thoughts waiting. "
        f"{SPENT.format(today=today, here=here)}"
    )
    for one in came:
        text += f' By yourself you thought: "{one["thought"]}" (it {one["became"]}).'
    return Result(True, text, data)


def _design(world: World, question: str) -> Result:
    """Search the companion's documents; without a question or result return a general text."""
    found = look_up(world, question) if question else []
    plainly = _plainly(world, question)
    if not found:
        design = world.prompts.render("introspect/design")
        return Result(True, plainly or design, {"design": design, "parts": [], "plain": plainly})
    parts = [
        {
            "name": refs.name("design", part.id),
            "source": part.source,
            "heading": part.heading,
            "text": part.text,
            "real": part.source == REALITY,
        }
        for part in found
    ]
    text = world.prompts.render("introspect/found", question=question, page=REALITY, parts=parts)
    return Result(True, text, {"parts": parts, "plain": plainly})


def _plainly(world: World, question: str) -> str:
    """Answer a frequent question given in the words of its heading; "" for others.

    It is rendered now, so that recent changes of settings are included.
    """
    answers = documents.chunks(own_models.plain(world)) if question.endswith("?") else ()
    found = [chunk.text for chunk in answers if chunk.heading == question]
    if found and question == COSTS and world.who.place is None:
        with world.database.read() as db:
            today, here = _spent(world, db)
        found.append(SPENT.format(today=today, here=here))
    if found and question == BACKUPS and world.who.place is None:
        found.append(_newest_backup(world))
    return "\n".join(found)


def _newest_backup(world: World) -> str:
    """Describe the newest verified backup: its path and age."""
    from furoshiki.maintenance import backup  # imported only here (20 ms)

    there = backup.list_backups(world.settings.data / "backups")
    good = next((result for result in there if result.verified is not None and result.verified.ok), None)
    if good is None:
        if there:
            return "No backup is verified yet: furoshiki backup makes one now."
        return "There is none yet: the first is made at night, or now by furoshiki backup."
    kept = "encrypted" if good.encrypted else "not encrypted"
    told = f"The newest verified one was made {ago(good.made_at, world.now)}, and is {kept}: {good.path}"
    return told if good is there[0] else f"{told} (a newer one was not verified, or is damaged)"


def _spent(world: World, db: sqlite3.Connection) -> tuple[float, float]:
    """Return the cost today (UTC) and of answers in the present session, in US dollars."""
    last = turns.last_session(db)
    today = costs.spent_since(db, world.now.replace(hour=0, minute=0, second=0, microsecond=0))
    return today, 0.0 if last is None else costs.spent_on_session(db, last[0])


SKILL = Skill(
    name="introspect",
    description="Look at yourself: mood, needs, costs; knowing: what you know well; doings: what you did unasked; "
    "design, with a question: how you work.",
    arguments=IntrospectArguments,
    limit_s=0.1,
    run=_run,
    who="paired",
)
