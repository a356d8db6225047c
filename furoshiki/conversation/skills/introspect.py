"""The skill `introspect`: the companion's state, its recent actions, and how it works."""

import sqlite3
from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, Literal

from pydantic import Field

from furoshiki.conversation.skills import choosing
from furoshiki.conversation.skills.skill import Arguments, Place, Result, Skill, SkillContext
from furoshiki.core import refs
from furoshiki.core.catalogue import ENGLISH, later, say, speaking
from furoshiki.core.timestamps import day_start
from furoshiki.language.humanize import ago, dollars, join_in_english, plural
from furoshiki.memory.rules.one_line import compress
from furoshiki.memory.store import memories
from furoshiki.messages.store import act_iterations, skill_runs, turns
from furoshiki.mind.inner_life import inner_state
from furoshiki.mind.inner_life.knowledge_sources import REALITY
from furoshiki.mind.inner_life.rules import documents
from furoshiki.mind.inner_life.self_model import own_models
from furoshiki.mind.inner_life.self_model.document_search import look_up
from furoshiki.mind.inner_life.store import wandered
from furoshiki.mind.outreach.store import decisions as outreach
from furoshiki.models.llm.store import costs
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.owner.routing.store import decisions
from furoshiki.world import World

COSTS, BACKUPS = "What do I cost?", "What do I back up?"
CAME_TO_MIND = 3  # number of newest wandering thoughts reported

SPENT = later("Thinking has cost {today} today; answering in this conversation {here}.")


class IntrospectArguments(Arguments):
    """The subject of the look inward."""

    about: Literal["state", "knowing", "doings", "design"] = "state"
    question: Annotated[str, Field(max_length=300)] = ""


def _run(doing: SkillContext, args: IntrospectArguments) -> Result:
    world = doing.world
    if args.about == "design":
        return _design(world, args.question)
    if args.about in ("knowing", "doings"):
        tell = describe_knowledge if args.about == "knowing" else doings
        with world.database.read() as db:
            return Result(True, tell(world, db, doing.place))
    with speaking(ENGLISH):
        inside = inner_state.look(world)
    beat = inside.beat
    with world.database.read() as db:
        today, here = _spent(world, db)
        said, held, waiting = turns.count(db), memories.count(db), mind_queue.count_pending(db)
        came = wandered.newest(db, CAME_TO_MIND)
    strongest = sorted(beat.emotions.as_mapping().items(), key=lambda pair: -pair[1])[:3]
    text = (
        f"Mood: {beat.mood.word}. Strongest: {', '.join(f'{name} {value:.2f}' for name, value in strongest)}. "
        f"{f'Moved most lately: {inside.why}. ' if inside.why else ''}"
        f"{said} messages and {held} memories kept; {waiting} thoughts waiting. "
        f"{SPENT.format(today=f'${today:.2f}', here=f'${here:.2f}')}"
    )
    for one in came:
        if one.thought is not None:
            text += f' By yourself you thought: "{one.thought}" (it {wandered.BECAME[one.action]}).'
    return Result(True, text)


def _design(world: World, question: str) -> Result:
    """Search the companion's documents; without a question or result return a general text."""
    found = look_up(world, question) if question else []
    plainly = _plainly(world, question)
    if not found:
        design = world.prompts.render("introspect/design")
        return Result(True, plainly or design, {"plain": plainly})
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
        found.append(say(SPENT, today=dollars(today), here=dollars(here)))
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
    today = costs.spent_since(db, day_start(world.now))
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


LATELY = timedelta(days=7)
SHOWN = 5

# the ways of answering, in words
WAYS: Mapping[str, str] = {
    "RESPOND": "answered in words",
    "CLARIFY": "asked back",
    "ACT": "did something first",
    "ACKNOWLEDGE": "only took note",
    "IGNORE": "let it stand",
}

OUTCOMES: Mapping[str, str] = {
    "finished": "it came to an end",
    "time": "its time was over",
    "rounds": "its rounds were used up",
    "same": "the same step came again and was ended",
    "circles": "it went in circles and was ended",
    "nobody": "no model was there to go on",
}


def describe_knowledge(world: World, db: sqlite3.Connection, place: Place) -> str:
    """Describe recent context warmth, feeling of knowing, empty searches, and skill failures."""
    since = world.now - LATELY
    felt = [decision for decision in decisions.in_chat(db, place.channel, place.chat_id, SHOWN) if decision.at > since]
    searches, empty = skill_runs.searches(db, since)
    runs = skill_runs.statistics(db, since)
    notes = choosing.list_failing(db, world)
    parts = []
    if felt:
        warm = sum(decision.warmth for decision in felt) / len(felt)
        known = sum(decision.knowing or 0.0 for decision in felt) / len(felt)
        messages = plural(len(felt), "message")
        parts.append(f"At the last {messages}: warmth of the context {warm:.2f}, feeling of knowing {known:.2f}.")
    else:
        parts.append("There is no record yet of how much was at hand for a message.")
    if searches:
        parts.append(f"In a week {plural(searches, 'search', 'searches')} of memory, {empty} found nothing.")
    else:
        parts.append("Memory was not searched by me this week.")
    if runs:
        told = [f"{name} {plural(int(one['runs']), 'time')}" for name, one in runs.items()]
        parts.append(f"Skills used this week: {join_in_english(told)}.")
        failed = [f"{name} {one['failed']:.0%}" for name, one in runs.items() if one["failed"]]
        parts.append(f"Failed: {join_in_english(failed)}." if failed else "None of them failed.")
    else:
        parts.append("No skill was used this week.")
    parts += [f"{name} is unreliable just now. {note}" for name, note in notes.items()]
    return " ".join(parts)


def doings(world: World, db: sqlite3.Connection, place: Place) -> str:
    """Describe how recent messages were answered and why, and recent unrequested actions."""
    since = world.now - LATELY
    decided = decisions.in_chat(db, place.channel, place.chat_id, SHOWN, without=place.key)
    own = act_iterations.by_itself(db, since, SHOWN)
    lines = ["Which way I answered lately:"] if decided else ["No decision about how to answer is on record yet."]
    for decision in decided:
        close = "" if decision.confidence >= decision.margin else ", and it was close"
        known = "" if decision.knowing is None else f", feeling of knowing {decision.knowing:.2f}"
        second = sorted(decision.scores.items(), key=lambda pair: -pair[1])[1:2]
        beside = f" (before {WAYS[second[0][0]]})" if second and second[0][0] in WAYS else ""
        lines.append(
            f"{ago(decision.at, world.now)}: {WAYS[decision.mode]}{beside}; warmth {decision.warmth:.2f}{known}{close}."
        )
    wrote = outreach.list_sent(db, since, SHOWN)
    alone = "Done by myself this week:"
    lines.append(alone if own or wrote else "Nothing was done by myself this week that nobody asked for.")
    for row in own:
        did = join_in_english([f"{each.name}{'' if each.ok else ' (failed)'}" for each in row.actions])
        ended = "" if row.stopped is None else f"; {OUTCOMES.get(row.stopped, row.stopped)}"
        lines.append(f"{ago(row.at, world.now)}, moved by {row.source_tag}: {did}{ended}.")
    told = [decision.turn_id for decision in wrote if decision.turn_id is not None]
    here = (place.channel, place.chat_id)
    said = {turn.id: str(turn.own) for turn in turns.many(db, told) if (turn.channel, turn.chat_id) == here}
    for sent in wrote:
        words = "" if sent.turn_id not in said else f": {compress(said[sent.turn_id])}"
        thought = None if sent.item_id is None or not words else mind_queue.get(db, sent.item_id)
        because = "" if thought is None else f", because of “{compress(thought.summary)}”"
        lines.append(f"{ago(sent.at, world.now)}, I wrote first ({sent.kind.replace('_', ' ')}{because}){words}")
    return "\n".join(lines)
