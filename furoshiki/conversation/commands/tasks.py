"""`/tasks`: open list items by page, with buttons to tick them off and turn pages; the first page
shows long tasks, with buttons to start, pause, resume, cancel and show them."""

import sqlite3
from datetime import datetime, timedelta, tzinfo

from furoshiki.conversation.commands.registry import Button, Command
from furoshiki.conversation.skills import persistent_task
from furoshiki.core import numbers
from furoshiki.core.catalogue import later, say
from furoshiki.language.dates.recurrence_words import add_rhythm
from furoshiki.language.humanize import clock, plural, shorten
from furoshiki.language.list_names import list_said
from furoshiki.messages.values import Envelope, Words
from furoshiki.mind.outreach.rules import buttons
from furoshiki.owner.agenda.rules import long_tasks
from furoshiki.owner.agenda.rules.long_tasks import OPEN, LongTask
from furoshiki.owner.agenda.store import persistent_tasks, tasks
from furoshiki.owner.agenda.store.tasks import Task
from furoshiki.owner.user_model import user
from furoshiki.world import World

PER_PAGE = 8  # items on a page; each has a button

LONG = frozenset({"long", "long tasks"})

LONGEST_DATA = 64  # maximum bytes of a button's data in Telegram


LAST_PAGE = 9999

# how long finished tasks appear in `/tasks`; `/tasks long` shows all stored ones
JUST_OVER = timedelta(days=3)

MOST = 8  # maximum long tasks on a page


_DONE = {
    "pause": later("Paused: what is running will finish, nothing new starts."),
    "resume": later("It resumes where it was."),
    "cancel": later("Cancelled. Anything found so far is kept."),
    "decline": later("Then I'll leave it, and won't bring it up again."),
}


@Command(
    "tasks",
    "open lists, reminders and long tasks; /tasks long for how those turned out",
    place=80,
    who="alone",
    shows=True,
    in_menu=True,
)
async def run(world: World, args: str, _envelope: Envelope) -> Words:
    """Show a page of all lists or of one: `/tasks`, `/tasks 2`, `/tasks shopping 2`; or the long
    tasks: `/tasks long`."""
    if args.lower() in LONG:
        with world.database.read() as db:
            lines, rows = list_long_tasks(db, world.now, every=True)
        return Words("\n".join(lines) or say("There are no long tasks."), {"buttons": rows} if rows else {})
    words = args.split()
    page = numbers.whole(words[-1], 0, LAST_PAGE) if words else None
    return _page(world, " ".join(words if page is None else words[:-1]), page or 1)


def _page(world: World, wanted: str, number: int) -> Words:
    now = world.now
    with world.database.read() as db:
        zone = user.zone(world, db)
        names = [name for name in tasks.lists(db) if not wanted or wanted.lower().replace(" ", "_") in name.lower()]
        open_ = [(name, task) for name in names for task in tasks.in_list(db, name)]
        long_lines, long_rows = list_long_tasks(db, now) if not wanted and number <= 1 else ([], [])
    if not open_ and long_lines:
        return Words("\n".join(long_lines), {"buttons": long_rows})
    if not open_:
        if wanted:
            return Words(say("Nothing is open on a list called “{list}”.", list=wanted))
        return Words(say("Nothing is open."))
    pages = -(-len(open_) // PER_PAGE)
    number = min(max(1, number), pages)
    shown = open_[(number - 1) * PER_PAGE : number * PER_PAGE]
    lines: list[str] = []
    for place, (name, task) in enumerate(shown):
        if not place or shown[place - 1][0] != name:
            lines.append(f"**{title(name)}**")
        lines.append(f"- {_line(task, zone, now)}")
    if pages > 1:
        more = f"/tasks {wanted} {number + 1}".replace("  ", " ")
        page_of = say("Page {page} of {pages}.", page=number, pages=pages)
        lines.append(page_of + (f" {say('Next: {more}', more=more)}" if number < pages else ""))
    buttons = [
        [{"text": say("Done: {what}", what=shorten(task.title, 30)), "data": f"task.done:{task.id}"}]
        for _, task in shown
    ]
    turns = [(say("‹ Before"), number - 1), (say("Next ›"), number + 1)]
    row = []
    for text, page in turns:
        data = f"task.page:{page}:{wanted}"
        if 1 <= page <= pages and len(data.encode()) <= LONGEST_DATA:
            row.append({"text": text, "data": data})
    if long_lines:
        lines += ["", *long_lines]
    return Words("\n".join(lines), {"buttons": [*buttons, *([row] if row else []), *long_rows]})


def _line(task: Task, zone: tzinfo, now: datetime) -> str:
    if task.due_at is None:
        return task.title
    return add_rhythm(f"{task.title} — {clock(task.due_at, zone, now)}", task.recurrence, task.due_at, zone)


@Button("task", ("done", "open", "page"), who="paired")
async def press(world: World, verb: str, value: str, _envelope: Envelope) -> Words | None:
    """Handle `done` and `open` with a task id, and `page` with its number and list."""
    if verb == "page":
        number, _, wanted = value.partition(":")
        page = numbers.row(number)
        return None if page is None else _page(world, wanted, page)
    row = numbers.row(value)
    if row is None:
        return None
    with world.database.write() as db:
        task = tasks.get(db, row)
        # a recurring task is only done this time
        changed = task is not None and not task.recurrence and tasks.set_state(db, task.id, verb, world.now)
    if task is None:
        return Words(say("That is no longer on any list."))
    if verb == "open":
        return Words(say("“{what}” is open again.", what=task.title))
    return Words(say("Done: {what}.", what=task.title), undo_button(task.id) if changed else {})


def undo_button(task_id: int) -> dict[str, object]:
    return {"buttons": [[{"text": say("Undo"), "data": f"task.open:{task_id}"}]]}


def title(list_id: str) -> str:
    """Return a list's display name: "user_reminders" is "Reminders"."""
    name = list_said(list_id)
    return name[:1].upper() + name[1:]


def list_long_tasks(
    db: sqlite3.Connection, now: datetime, *, every: bool = False
) -> tuple[list[str], list[buttons.Row]]:
    """Return lines and buttons of open and recently finished tasks; `every`: all stored ones."""
    over = persistent_tasks.just_over(db, datetime.min.replace(tzinfo=now.tzinfo) if every else now - JUST_OVER)
    found = [*persistent_tasks.of_states(db, OPEN), *over][:MOST]
    lines = [_render_long_task(task, len(persistent_tasks.steps(db, task.id))) for task in found]
    return ([f"**{say('Long tasks')}**", *lines] if lines else []), [
        row for task in found if (row := buttons.of_long_task(task))
    ]


def _render_long_task(task: LongTask, steps: int) -> str:
    far = f", {round(task.coverage * steps)} of {plural(steps, 'step')}" if steps else ""
    why = f". {shorten(task.reason, 100)}" if task.reason else ""
    return f"- {task.title} — {long_tasks.bar(task.coverage)} {long_tasks.describe(task)}{far}{why}"


@Button("longtask", ("accept", "decline", "pause", "resume", "cancel", "show"), of_row=True, by_word=True)
async def press_long_task(world: World, verb: str, number: int, _envelope: Envelope) -> Words | None:
    """Handle `accept`, `decline`, `pause`, `resume`, `cancel` and `show` for a task id."""
    with world.database.read() as db:
        task = persistent_tasks.get(db, number)
        steps = [] if task is None else persistent_tasks.steps(db, task.id)
    if task is None:
        return Words(say("That long task no longer exists."))
    if verb == "show":
        row = buttons.of_long_task(task, whole=True)
        return Words(long_tasks.report(task, steps), {"buttons": [row]} if row else {})
    with world.database.write() as db:
        done, words = persistent_task.decide(db, task, verb, world.now)
    return Words(say(_DONE[verb]) if done and verb in _DONE else words)
