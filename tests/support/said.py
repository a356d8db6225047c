"""What is said to the built-in mind of reminders and lists, through the whole turn, and what is kept of it."""

from __future__ import annotations

import csv
from pathlib import Path
from zoneinfo import ZoneInfo

from furoshiki.mind.outreach import reminders
from furoshiki.owner.agenda.store import tasks
from furoshiki.owner.agenda.store.tasks import Task
from furoshiki.world import World
from tests.support.world import START, FrozenClock, Human

LISBON = ZoneInfo("Europe/Lisbon")


def rows_of(table: Path) -> list[dict[str, str]]:
    """The rows of a table whose columns stand apart by tabs, by the names in its first line."""
    lines = table.read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def begin_again(number: int, world: World, human: Human, clock: FrozenClock) -> None:
    """A chat in which nothing has been said, at the first hour, with nothing waiting or listed."""
    clock.at, human.chat_id = START, str(100 + number)
    with world.database.write() as db:
        db.execute("DELETE FROM tasks")
        db.execute("DELETE FROM skill_runs")


async def spoken(said: str, world: World, human: Human, clock: FrozenClock) -> str:
    """The last answer to what is said: messages with " / " between them, "+11m" lets minutes pass and is what is due
    said. A message takes a minute."""
    answer: list[str] = []
    for message in said.split(" / "):
        if message.startswith("+"):
            clock.pass_(minutes=int(message.strip("+m")))
            assert reminders.speak_due(world).did
        else:
            answer = await human.says(message)
            clock.pass_(minutes=1)
    return " ".join(" ".join(answer).split())


def kept(world: World) -> str:
    """What's waiting to be said and stands on lists, in the order in which it was first asked for; "-" for nothing."""
    with world.database.read() as db:
        rows = db.execute("SELECT id FROM tasks WHERE state!='cancelled' ORDER BY id").fetchall()
        found = [task for row in rows if (task := tasks.get(db, row["id"])) is not None]
    return "; ".join(shown for task in found if (shown := _shown(task))) or "-"


def _shown(task: Task) -> str:
    """ "title @ local time rule !priority" of a reminder, "list: title (done)" of anything else."""
    if task.list_id == tasks.REMINDERS and (task.state == "done" or task.due_at is None):
        return ""
    words = task.title if task.list_id == tasks.REMINDERS else f"{task.list_id}: {task.title}"
    if task.due_at is not None:
        due = task.due_at.astimezone(LISBON)
        words += f" @ {due.strftime('%Y-%m-%dT%H:%M')}{due.strftime(':%S') if due.second else ''}"
    words += f" {task.recurrence}" if task.recurrence else ""
    words += f" !{task.priority}" if task.priority != 3 else ""
    return f"{words} (done)" if task.state == "done" else words
