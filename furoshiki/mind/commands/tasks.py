"""`/tasks`: what is open on the lists, with a button to tick each thing off."""

from __future__ import annotations

from furoshiki.domain.conversation import Envelope, Words
from furoshiki.mind import user
from furoshiki.mind.commands.words import clock, shortened
from furoshiki.storage import tasks
from furoshiki.world import World

MOST_BUTTONS = 8
PER_LIST = 15


async def run(world: World, args: str, _envelope: Envelope) -> Words:
    """Every open list, or the one that is named."""
    now = world.now
    with world.store.read() as db:
        zone = user.zone(world, db)
        names = [name for name in tasks.lists(db) if not args or args.lower().replace(" ", "_") in name.lower()]
        open_ = {name: tasks.in_list(db, name) for name in names}
    if not open_:
        return Words(f"Nothing is open on a list called “{args}”." if args else "Nothing is open.")
    lines, buttons = [], []
    for name, items in open_.items():
        lines.append(f"**{title(name)}**")
        for task in items[:PER_LIST]:
            due = f" — {clock(task.due_at, zone, now)}" if task.due_at else ""
            lines.append(f"- {task.title}{due}")
            buttons.append([{"text": f"Done: {shortened(task.title, 30)}", "data": f"task.done:{task.id}"}])
        if len(items) > PER_LIST:
            lines.append(f"- … and {len(items) - PER_LIST} more")
    return Words("\n".join(lines), {"buttons": buttons[:MOST_BUTTONS]})


async def press(world: World, verb: str, value: str, _envelope: Envelope) -> Words | None:
    """`done` with the task's id, or `open` to take that back."""
    if not value.isdigit() or verb not in ("done", "open"):
        return None
    with world.store.write() as db:
        task = tasks.get(db, int(value))
        # what comes again is done for this time only
        changed = task is not None and not task.recurrence and tasks.set_state(db, task.id, verb, world.now)
    if task is None:
        return Words("That is not on any list any more.")
    if verb == "open":
        return Words(f"“{task.title}” is open again.")
    return Words(f"Done: {task.title}.", undo_button(task.id) if changed else {})


def undo_button(task_id: int) -> dict[str, object]:
    """A button that opens a task again."""
    return {"buttons": [[{"text": "Undo", "data": f"task.open:{task_id}"}]]}


def title(list_id: str) -> str:
    """A list's name for people: "user_reminders" is "Reminders"."""
    name = list_id.removeprefix("user_").replace("_", " ").strip()
    return name[:1].upper() + name[1:]
