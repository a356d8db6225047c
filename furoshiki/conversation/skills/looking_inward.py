"""Describe from records how the companion knows and what it did."""

import sqlite3
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from furoshiki.conversation.skills import choosing
from furoshiki.conversation.skills.skill import Place
from furoshiki.language.humanize import ago, join_items, plural
from furoshiki.memory.rules.one_line import compress
from furoshiki.messages.store import act_iterations, skill_runs, turns
from furoshiki.mind.outreach.store import decisions as outreach
from furoshiki.owner.routing.store import decisions
from furoshiki.world import World

LATELY = timedelta(days=7)
SHOWN = 5

WAYS: Mapping[str, str] = {
    "RESPOND": "answered in words",
    "CLARIFY": "asked back",
    "ACT": "did something first",
    "ACKNOWLEDGE": "only took note",
    "IGNORE": "let it stand",
}
"""The ways of answering, in words."""

OUTCOMES: Mapping[str, str] = {
    "finished": "it came to an end",
    "time": "its time was over",
    "rounds": "its rounds were used up",
    "same": "the same step came again and was ended",
    "circles": "it went in circles and was ended",
    "nobody": "no model was there to go on",
}


def describe_knowledge(world: World, db: sqlite3.Connection, place: Place) -> tuple[str, dict[str, Any]]:
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
        parts.append(f"Skills used this week: {join_items(told)}.")
        failed = [f"{name} {one['failed']:.0%}" for name, one in runs.items() if one["failed"]]
        parts.append(f"Failed: {join_items(failed)}." if failed else "None of them failed.")
    else:
        parts.append("No skill was used this week.")
    parts += [f"{name} is unreliable just now. {note}" for name, note in notes.items()]
    data = {
        "warmth": [round(decision.warmth, 3) for decision in felt],
        "knowing": [None if decision.knowing is None else round(decision.knowing, 3) for decision in felt],
        "searches": searches,
        "searches_without_result": empty,
        "skills": runs,
        "failing": sorted(notes),
    }
    return " ".join(parts), data


def doings(world: World, db: sqlite3.Connection, place: Place) -> tuple[str, dict[str, Any]]:
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
        did = join_items([f"{each.name}{'' if each.ok else ' (failed)'}" for each in row.actions])
        ended = "" if row.stopped is None else f"; {OUTCOMES.get(row.stopped, row.stopped)}"
        lines.append(f"{ago(row.at, world.now)}, moved by {row.source_tag}: {did}{ended}.")
    told, here = (
        [decision.turn_id for decision in wrote if decision.turn_id is not None],
        (place.channel, place.chat_id),
    )
    said = {turn.id: str(turn.own) for turn in turns.many(db, told) if (turn.channel, turn.chat_id) == here}
    for sent in wrote:
        words = "" if sent.turn_id not in said else f": {compress(said[sent.turn_id])}"
        lines.append(f"{ago(sent.at, world.now)}, I wrote first ({sent.kind.replace('_', ' ')}){words}")
    data = {
        "decisions": [
            {"at": decision.at.isoformat(), "mode": decision.mode, "scores": dict(decision.scores)}
            for decision in decided
        ],
        "by_itself": [{"at": iteration.at.isoformat(), "source": iteration.source_tag} for iteration in own],
        "wrote_first": [{"at": decision.at.isoformat(), "kind": decision.kind} for decision in wrote],
    }
    return "\n".join(lines), data
