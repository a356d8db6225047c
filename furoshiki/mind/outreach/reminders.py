"""Send each reminder once, at its time or as soon as possible after it, with its lateness."""

import logging
import sqlite3
from contextlib import nullcontext
from datetime import datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from furoshiki.core import refs
from furoshiki.core.catalogue import say
from furoshiki.core.process.crash_points import point
from furoshiki.core.timestamps import stamp
from furoshiki.language.dates import recurrence
from furoshiki.language.humanize import ago, clock
from furoshiki.messages.store import accounts, outbox, turns
from furoshiki.messages.values import NewOutgoing
from furoshiki.mind.outreach.rules.laws import URGENT
from furoshiki.mind.outreach.store import decisions
from furoshiki.owner.agenda.store import tasks
from furoshiki.owner.agenda.store.tasks import Task
from furoshiki.owner.user_model import languages, user
from furoshiki.world import Report, World

log = logging.getLogger(__name__)

ASKED_FOR = "you asked to be reminded at this time"

LATE = timedelta(minutes=5)  # from this delay on, a reminder says how late it is


def speak_due(world: World) -> Report:
    """Put every due reminder into the outbox, each in one transaction with its "said" mark."""
    now = world.now
    with world.database.read() as db:
        due = tasks.due(db, now)
    with languages.speaking_as_usual(world) if due else nullcontext():
        said = [task.title for task in due if _speak(world, task, now)]
    point("reminders.spoken")
    return Report(bool(said), f"{len(said)} reminders said" if said else "no reminder is due", {"said": said})


def _again(task: Task, now: datetime, zone: tzinfo) -> datetime | None:
    """Return when it is next due; None when never, too far ahead, or invalid (then logged)."""
    if not task.recurrence or task.first_due is None:
        return None
    try:
        return recurrence.find_next(task.recurrence, task.first_due, now, zone)
    except ValueError as error:
        log.warning("reminder %s does not come again: %s", task.id, error)
        return None


def _speak(world: World, task: Task, now: datetime) -> bool:
    assert task.due_at is not None and task.first_due is not None
    with world.database.write() as db:
        zone: tzinfo = ZoneInfo(task.due_zone) if task.due_zone else user.zone(world, db)
        again = _again(task, now, zone)
        if not tasks.fire(db, task, now, again):
            return False
        channel, chat_id = _where(db, task)
        text = _words(task, now, zone)
        key = refs.name("task", f"{task.id}:{task.due_at.isoformat()}")
        turn_id = turns.add_unasked(db, channel, chat_id, text, now, key, kind="reminder")
        buttons = [
            [
                {"text": say("Done"), "data": f"task.done:{task.id}"},
                {"text": say("In an hour"), "data": f"remind.later:{task.id}"},
            ]
        ]
        words = NewOutgoing(channel, chat_id, text, extra={"buttons": buttons}, policy="reminder")
        outbox.put(db, [words], now, turn_id, refs.name("task", task.id))
        late = (now - task.due_at).total_seconds() // 60
        seen = ({"gate": "time", "passed": True, "value": f"{late:g} min late", "limit": stamp(task.due_at)},)
        why = decisions.NewDecision(
            "reminder", URGENT, "sent", ASKED_FOR, source=refs.name("tasks", task.id), gates=seen, turn_id=turn_id
        )
        decisions.record(db, why, now)
    return True


def task_of(turn_key: str) -> int | None:
    """Return the task id of a reminder's turn; None for any other turn."""
    key = refs.Ref.parse(turn_key)
    return int(key.id.partition(":")[0]) if key is not None and key.kind == "task" else None


def _where(db: sqlite3.Connection, task: Task) -> tuple[str, str]:
    """Return the owner's Telegram chat, else the chat where the reminder was requested."""
    telegram = accounts.owner_chat(db, "telegram")
    if telegram and task.channel != "telegram":
        return "telegram", telegram
    return task.channel or "console", task.chat_id or "console"


def _words(task: Task, now: datetime, zone: tzinfo) -> str:
    assert task.due_at is not None
    text = f"⏰ {task.title}"
    late = now - task.due_at
    if late < LATE:
        return text
    due = clock(task.due_at, zone, now)
    since = ago(task.due_at, now)
    return f"{text}\n({say('This was for {when}, {ago}; I could not say it then.', when=due, ago=since)})"
