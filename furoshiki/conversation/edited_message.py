"""Update facts and a reminder after an answered message was edited."""

import sqlite3
from datetime import UTC

from furoshiki.core.catalogue import later, say
from furoshiki.language.humanize import clock
from furoshiki.language.reflex.reminders import requests
from furoshiki.language.requests.values import Remind
from furoshiki.memory import rewording, weighing
from furoshiki.messages.store import outbox
from furoshiki.messages.values import NewOutgoing, Turn
from furoshiki.owner.agenda.store import tasks
from furoshiki.owner.user_model import user
from furoshiki.world import World

MOVED = later("I've changed the reminder: {title}, {when}.")


def follow(world: World, db: sqlite3.Connection, old: Turn, new: Turn, key: str, live: bool) -> None:
    """Update facts and the reminder; a changed reminder is reported under `key` if `live`."""
    zone = user.zone(world, db)
    rewording.follow(db, old, new, weighing.cycle(world, "turn"), world.now, zone)
    said = _reminder(world, db, old, new)
    if said and live:
        outbox.put(db, [NewOutgoing(new.channel, new.chat_id, said)], world.now, None, key)


def _reminder(world: World, db: sqlite3.Connection, old: Turn, new: Turn) -> str | None:
    """Change the message's one reminder to the new text; return a report, or None."""
    zone, habits, now = user.zone(world, db), user.habits(world, db), world.now
    made = [task for task in tasks.of_turn(db, old.turn_key or "") if task.list_id == tasks.REMINDERS]
    then = min(old.at, now).astimezone(zone)
    before, wanted = (requests.request(turn.own, then, habits) for turn in (old, new))
    if len(made) != 1 or not isinstance(before, Remind) or not isinstance(wanted, Remind):
        return None
    if wanted.when is None or before.when is None or wanted.when.at <= now or not wanted.what:
        return None
    if (wanted.what, wanted.when.at, wanted.when.rule) == (before.what, before.when.at, before.when.rule):
        return None
    task = made[0]
    due = wanted.when.at.astimezone(UTC)
    if wanted.what == before.what and wanted.when.rule == before.when.rule:
        tasks.set_due(db, task.id, due, now)
        title = task.title
    else:
        tasks.set_state(db, task.id, "cancelled", now)
        title = wanted.what
        tasks.add(
            db,
            tasks.REMINDERS,
            title,
            now,
            due_at=due,
            due_zone=str(zone),
            recurrence=wanted.when.rule,
            channel=task.channel,
            chat_id=task.chat_id,
            turn_key=f"{old.turn_key}",
        )
    return say(MOVED, title=title, when=clock(due, zone, now))
