"""`/remind`: a reminder from one line of plain words, with buttons to take it back; and "later" on one that came."""

from __future__ import annotations

from datetime import UTC, timedelta, tzinfo

from furoshiki.domain import dates
from furoshiki.domain.conversation import Envelope, Words
from furoshiki.domain.dates import Unclear, When
from furoshiki.domain.reflex.wording import stopped
from furoshiki.mind import user
from furoshiki.mind.commands.words import clock
from furoshiki.storage import skillruns, tasks
from furoshiki.world import World

LATER = timedelta(hours=1)
LONGEST_TITLE = 300

_MARKS = " \t\n,;:–-"
_EXAMPLE = "For example: /remind tomorrow at 9 call Anika, or /remind every monday at 18:00 take out the bins."
_BESIDE = frozenset(
    (
        "please me to about that of at on in by for mich daran an dass zu bitte que de para por favor bana için "
        + "что о об"
    ).split()
)
"""Words that lead from the time to the matter, or to the time, and belong to neither."""


async def run(world: World, args: str, envelope: Envelope) -> Words:
    """Make the reminder, or ask for what is missing."""
    now = world.now
    with world.store.read() as db:
        zone = user.zone(world, db)
        habits = user.habits(world, db)
        waiting = tasks.in_list(db, tasks.REMINDERS)
    if not args:
        lines = [f"- {clock(one.due_at, zone, now)}: {one.title}" for one in waiting if one.due_at]
        return Words("\n".join([*(lines or ["No reminders are waiting."]), "", _EXAMPLE]))
    when = dates.reading(args, now.astimezone(zone), habits)
    if when is None:
        return Words(f"When shall I remind you? {_EXAMPLE}")
    if isinstance(when, Unclear):
        return Words(f"{stopped(when.asks)} When exactly shall I remind you? {_EXAMPLE}")
    if when.past:
        return Words(f"That time has passed. {_EXAMPLE}")
    title = what(args, when)
    if not title:
        return Words(f"Of what shall I remind you? {_EXAMPLE}")
    return _made(world, title, when, zone, envelope)


def what(text: str, when: When) -> str:
    """What is left of the words when the time is taken out: "tomorrow at 9 to call Anika" → "call Anika"."""
    pieces, at = [], 0
    for start, end in (*when.spans, (len(text), len(text))):
        words = text[at:start].strip(_MARKS).split()
        while words and words[0].strip(_MARKS).lower() in _BESIDE:
            words.pop(0)
        while len(words) > 1 and words[-1].lower() in _BESIDE:
            words.pop()
        pieces.append(" ".join(words).strip(_MARKS))
        at = end
    return " ".join(piece for piece in pieces if piece)[:LONGEST_TITLE]


async def press(world: World, verb: str, value: str, envelope: Envelope) -> Words | None:
    """`undo` takes a reminder back; `later` says it again in an hour."""
    if not value.isdigit() or verb not in ("undo", "later"):
        return None
    now = world.now
    with world.store.write() as db:
        zone = user.zone(world, db)
        task = tasks.get(db, int(value))
        if task is None:
            return Words("That reminder is not there any more.")
        if verb == "undo":
            tasks.set_state(db, task.id, "cancelled", now)
            return Words(f"Taken back: {task.title}.")
        again = now + LATER
        if task.recurrence:  # moving it would move every one that follows
            tasks.add(db, tasks.REMINDERS, task.title, now, due_at=again, channel=task.channel, chat_id=task.chat_id)
        else:
            tasks.set_due(db, task.id, again, now)
    return Words(f"{task.title}: again {clock(again, zone, now)}.")


def _made(world: World, title: str, when: When, zone: tzinfo, envelope: Envelope) -> Words:
    now, key = world.now, f"inbox:{envelope.id}"
    with world.store.write() as db:
        task_id = tasks.add(
            db,
            tasks.REMINDERS,
            title,
            now,
            due_at=when.at.astimezone(UTC),
            due_zone=str(zone),
            recurrence=when.rule,
            channel=envelope.channel,
            chat_id=envelope.chat_id,
            turn_key=key,
        )
        # on record like a skill's run, so that /undo finds it
        data = {"reminder": {"id": task_id, "title": title}}
        result = {"ok": True, "text": title, "data": data, "notes": []}
        skillruns.add(db, key, f"command-{task_id}", "schedule", {"action": "create"}, result, True, 0.0, now)
    again = " and then again and again" if when.rule else ""
    said = f"I will remind you {clock(when.at, zone, now)}{again}: {title}."
    return Words(said, {"buttons": [[{"text": "Take it back", "data": f"remind.undo:{task_id}"}]]})
