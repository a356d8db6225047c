"""`/self`: the self-description, its last change and a proposal. The shell uses it too."""

import re
import sqlite3
from typing import Any

from furoshiki.conversation.commands.registry import Button, Command
from furoshiki.core import refs
from furoshiki.core.catalogue import later, say, say_number
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.timestamps import stamp
from furoshiki.language.humanize import day, shorten
from furoshiki.memory.store import memories
from furoshiki.messages.values import Envelope, Words
from furoshiki.mind.inner_life.journal.pages import TITLES
from furoshiki.mind.inner_life.self_model import description
from furoshiki.mind.inner_life.store import commitments, drift, monologue
from furoshiki.mind.inner_life.store.drift import Drift, Ground
from furoshiki.mind.outreach.rules import buttons
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.owner.user_model import user
from furoshiki.world import World

QUOTED = 140  # maximum characters quoted of the evidence of a change

# a line break within a paragraph of SELF.md, where an editor wrapped it
_WRAPPED = re.compile(r"(?<=[^\n])\n(?=[^\W\d_])")

STATES = later(
    {
        "applied": "applied",
        "accepted": "accepted",
        "declined": "declined",
        "proposed": "waiting for you",
    }
)
FATES = {"declined": ", and was declined", "proposed": ", and waits for you"}


@Command("self", "who I say I am; /self diff for what changed and why", place=40, shows=True)
async def run(world: World, args: str, _envelope: Envelope) -> Words:
    """Show the description, or the last change with `/self diff`. A proposal has two buttons."""
    asked = args.lower().strip()
    if asked in ("diff", "change", "why"):
        return Words(last_change(world))
    if asked in ("accept", "decline"):
        return Words(decide(world, asked == "accept"))
    with world.database.read() as db:
        waiting = drift.proposal(db)
    if waiting is None:
        return Words(describe(world))
    with world.database.write() as db:  # shown here, so not told again
        mind_queue.mark_seen(db, refs.name("personality_drift_log", waiting.id))
    return Words(describe(world), {"buttons": [buttons.choices("personality_drift_log", waiting.id)]})


@Button("self", ("accept", "decline"), by_word=True)
async def press(world: World, verb: str, value: str, _envelope: Envelope) -> Words | None:
    """Handle `accept` and `decline` with the proposal's id."""
    with world.database.read() as db:
        waiting = drift.proposal(db)
    if waiting is None or str(waiting.id) != value:
        return Words(say("That is already decided."))
    return Words(decide(world, verb == "accept"))


def decide(world: World, accept: bool) -> str:
    """Accept or decline the proposal; return the outcome in words."""
    try:
        found = description.accept(world) if accept else description.decline(world)
    except FuroshikiError as error:
        return say(str(error))
    taken, kept = (
        later("Then that is who I am: {share:.0%} of the text is new."),
        later("Then I stay as I am; {share:.0%} of the text would have changed."),
    )
    return say(taken if accept else kept, share=found.changed_share)


def describe(world: World) -> str:
    """Return the description, its date, and the proposal."""
    text = _WRAPPED.sub(" ", description.text(world))
    with world.database.read() as db:
        zone = user.zone(world, db)
        last, waiting = drift.last_change(db), drift.proposal(db)
    parts = [text or say("I have no description of myself: SELF.md is empty.")]
    if last is None:
        since = say("Nothing has changed it yet.")
    else:
        at = last.decided_at or last.at
        so = later("Like this since {day}, when {share:.0%} of the text changed.")
        since = say(so, day=day(at, zone), share=last.changed_share)
    if description.was_edited(world):
        since += f" {say('It has been edited by hand since, and that version counts.')}"
    parts.append(f"*{since}*")
    if waiting is not None:
        proposed = later(
            "**Proposed on {day}**, because {share:.0%} of the text would change, and a change "
            "that big is yours to decide (/self accept or /self decline):"
        )
        parts.append(say(proposed, day=day(waiting.at, zone), share=waiting.changed_share))
        parts.append(change(world, waiting))
    return "\n\n".join(parts)


def last_change(world: World) -> str:
    """Describe the last change in force and its reasons."""
    with world.database.read() as db:
        zone, last = user.zone(world, db), drift.last_change(db)
    if last is None:
        return say("Nothing has changed yet in how I describe myself.")
    at = last.decided_at or last.at
    changed = later("**{day}**: {share:.0%} of the text changed.")
    head = say(changed, day=day(at, zone), share=last.changed_share)
    return f"{head}\n\n{change(world, last)}"


def change(world: World, found: Drift) -> str:
    """Describe a change: removed and added sentences, and its evidence."""
    lines = [f"\u2212 {line[1:]}" for line in _lines(found, "-")] + [f"+ {line[1:]}" for line in _lines(found, "+")]
    why = [ground for ground in found.reasons if ground.kind != "sentence"]
    with world.database.read() as db:
        zone = user.zone(world, db)
        rests = {name: words for ground in found.reasons for name in ground.cites if (words := source(db, name, zone))}
    parts = ["  \n".join(lines)] if lines else []
    if why:
        parts.append("\n".join([say("Why:"), *(f"- {_with_names(one)}" for one in why)]))
    if rests:
        parts.append("\n".join([say("Based on:"), *(f"- {name}, {words}" for name, words in rests.items())]))
    if found.themes:
        parts.append("\n".join([say("What that week was about:"), *(f"- {one.text}" for one in found.themes)]))
    return "\n\n".join(parts)


def history(world: World) -> list[dict[str, Any]]:
    """Return all reflections, newest first, as JSON values."""
    with world.database.read() as db:
        return [as_data(one) for one in drift.newest(db, 10_000)]


def as_data(one: Drift) -> dict[str, Any]:
    """Return a reflection as JSON values."""
    return {
        "id": one.id,
        "at": stamp(one.at),
        "state": one.state,
        "before": one.before,
        "text": one.text,
        "diff": one.diff,
        "similarity": round(one.similarity, 4),
        "changed_share": round(one.changed_share, 4),
        "themes": [_ground(theme) for theme in one.themes],
        "reasons": [{"kind": reason.kind, **_ground(reason)} for reason in one.reasons],
        "by_rule": one.provider == "local",
        "filed_at": stamp(one.filed_at),
        "decided_at": stamp(one.decided_at),
    }


def source(db: sqlite3.Connection, name: str, zone: Any) -> str | None:
    """Describe "entry:12", "memory:3" or "commitment:1" in a line; None when it is deleted."""
    ref = refs.Ref.parse(name)
    if ref is None or ref.row is None:
        return None
    if ref.kind == "entry" and (entry := monologue.get(db, ref.row)) is not None and entry.passages:
        return f"{day(entry.at, zone)}, {say(TITLES[entry.kind])}: “{shorten(entry.text, QUOTED)}”"
    if ref.kind == "memory" and (held := memories.get(db, ref.row)) is not None:
        return f"{day(held.created_at, zone)}: “{shorten(held.content, QUOTED)}”"
    if ref.kind == "commitment" and (promise := commitments.get(db, ref.row)) is not None:
        kept = say_number("kept {number} time", "kept {number} times", promise.honoured)
        return f"“{promise.text}”, {kept}"
    return None


def _lines(found: Drift, sign: str) -> list[str]:
    """Return the removed or added sentences of a diff."""
    lines = found.diff.splitlines()[2:]
    return [line for line in lines if line.startswith(sign) and line[1:].strip()]


def _with_names(ground: Ground) -> str:
    return f"{ground.text} ({', '.join(ground.cites)})" if ground.cites else ground.text


def _ground(ground: Ground) -> dict[str, Any]:
    return {"text": ground.text, "rests_on": list(ground.cites), "turns": refs.names("turn", ground.turns)}
