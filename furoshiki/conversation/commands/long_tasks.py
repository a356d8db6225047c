"""Long tasks in `/tasks`: progress bars, and buttons to start, pause, resume, cancel and show."""

import sqlite3
from datetime import datetime, timedelta

from furoshiki.conversation.commands.registry import Button
from furoshiki.conversation.skills import persistent_task
from furoshiki.core.catalogue import later, say
from furoshiki.language.humanize import plural, shorten
from furoshiki.messages.values import Envelope, Words
from furoshiki.mind.outreach.rules import buttons
from furoshiki.owner.agenda.rules import long_tasks
from furoshiki.owner.agenda.rules.long_tasks import OPEN, LongTask
from furoshiki.owner.agenda.store import persistent_tasks
from furoshiki.world import World

JUST_OVER = timedelta(days=3)
"""How long finished tasks appear in `/tasks`; `/tasks long` shows all stored ones."""

MOST = 8
"""Maximum long tasks on a page."""

GONE = later("That long task no longer exists.")

_DONE = {
    "pause": later("Paused: what is running will finish, nothing new starts."),
    "resume": later("It resumes where it was."),
    "cancel": later("Cancelled. Anything found so far is kept."),
    "decline": later("Then I'll leave it, and won't bring it up again."),
}


def section(db: sqlite3.Connection, now: datetime, *, every: bool = False) -> tuple[list[str], list[buttons.Row]]:
    """Return lines and buttons of open and recently finished tasks; `every`: all stored ones."""
    over = persistent_tasks.just_over(db, datetime.min.replace(tzinfo=now.tzinfo) if every else now - JUST_OVER)
    found = [*persistent_tasks.of_states(db, OPEN), *over][:MOST]
    lines = [_line(one, len(persistent_tasks.steps(db, one.id))) for one in found]
    return ([f"**{say('Long tasks')}**", *lines] if lines else []), [
        row for one in found if (row := buttons.of_long_task(one))
    ]


def _line(task: LongTask, steps: int) -> str:
    far = f", {round(task.coverage * steps)} of {plural(steps, 'step')}" if steps else ""
    why = f". {shorten(task.reason, 100)}" if task.reason else ""
    return f"- {task.title} — {long_tasks.bar(task.coverage)} {long_tasks.describe(task)}{far}{why}"


@Button("longtask", ("accept", "decline", "pause", "resume", "cancel", "show"), of_row=True, by_word=True)
async def press(world: World, verb: str, number: int, _envelope: Envelope) -> Words | None:
    """Handle `accept`, `decline`, `pause`, `resume`, `cancel` and `show` for a task id."""
    with world.database.read() as db:
        task = persistent_tasks.get(db, number)
        steps = [] if task is None else persistent_tasks.steps(db, task.id)
    if task is None:
        return Words(say(GONE))
    if verb == "show":
        row = buttons.of_long_task(task, whole=True)
        return Words(long_tasks.report(task, steps), {"buttons": [row]} if row else {})
    with world.database.write() as db:
        done, words = persistent_task.decide(db, task, verb, world.now)
    return Words(say(_DONE[verb]) if done and verb in _DONE else words)
