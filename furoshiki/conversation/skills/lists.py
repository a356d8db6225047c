"""The skill `list`: freely named lists, such as shopping, packing, books to read."""

import sqlite3
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from furoshiki.conversation.skills.skill import Arguments, Change, Result, Skill, SkillContext
from furoshiki.conversation.skills.timing import Either, Timed, parse_timing
from furoshiki.core.catalogue import later, say
from furoshiki.language.facts import conflicts
from furoshiki.language.grounding.words import content_of, stems_of
from furoshiki.language.list_names import list_id, list_said, list_words
from furoshiki.language.reflex.reminders import urgency
from furoshiki.owner.agenda.rules.cadence import ORDINARY
from furoshiki.owner.agenda.store import tasks
from furoshiki.owner.agenda.store.tasks import Task
from furoshiki.owner.user_model import user
from furoshiki.world import World


class ListArguments(Arguments):
    """The action and the list: by default the one with the item, else the shopping list.

    Rules supply deadline and priority; a model writes them into the item.
    """

    action: Literal["add", "remove", "check", "view", "history", "lists", "clear"]
    list: Annotated[str, Field(max_length=60, description='"shopping", "books"')] = ""
    items: Annotated[tuple[Annotated[str, Field(max_length=200)], ...], Field(max_length=50)] = ()
    when: Annotated[SkipJsonSchema[str | None], Field(max_length=60)] = None
    recurrence: Annotated[SkipJsonSchema[str | None], Field(max_length=120)] = None
    priority: Annotated[SkipJsonSchema[int | None], Field(ge=1, le=5)] = None
    either: Either = None


def _run(doing: SkillContext, args: ListArguments) -> Result:
    world, name = doing.world, list_id(args.list or "shopping")
    if args.list:
        name = _resolve_list(world, name, whole=args.action == "add")
    if args.action == "lists":
        with world.database.read() as db:
            names = [key for key in tasks.lists(db) if key != tasks.REMINDERS]
            held = {key: [task.title for task in tasks.in_list(db, key)] for key in names}
        found = {key: len(titles) for key, titles in held.items()}
        words = ", ".join(f"{key} ({count})" for key, count in found.items()) or say("There are no lists yet.")
        return Result(True, words, {"lists": found, "held": held})
    if args.action in ("view", "history"):
        with world.database.read() as db:
            rows = tasks.in_list(db, name) if args.action == "view" else tasks.history(db, name)
        return Result(True, _view(name, rows), {"list": name, "items": [_row(task) for task in rows]})
    wanted = [item.strip() for item in args.items if item.strip()]
    due = _by_when(doing, args)
    if isinstance(due, Result):
        return due
    if not wanted and args.action != "clear":
        return Result(False, f"Which items? Give them in `items` to {args.action} them.")
    with doing.write() as db:
        if not args.list and args.action in ("check", "remove"):
            name = _find_holder(db, wanted[0]) or name
        done, missing, ids = _change_list(db, name, args.action, wanted, doing, due, args.priority)
        left = tasks.in_list(db, name)
    data = {
        "list": name,
        "action": args.action,
        "done": done,
        "missing": missing,
        "ids": ids,
        "items": [_row(task) for task in left],
    }
    said = [say(_DID[args.action], items=", ".join(done))] if done else []
    if missing:
        said.append(say("Not on the list: {items}.", items=", ".join(missing)))
    return Result(bool(done), " ".join([*said, _view(name, left)]), data)


def _resolve_list(world: World, name: str, *, whole: bool) -> str:
    """Return the list of this name; else the only one with its words (`whole`: no others)."""
    with world.database.read() as db:
        held = [key for key in tasks.lists(db) if key != tasks.REMINDERS]
    words = list_words(name)
    near = [key for key in held if words == list_words(key) or (not whole and _is_of(words, list_words(key)))]
    return near[0] if name not in held and len(near) == 1 else name


def _is_of(words: frozenset[str], key: frozenset[str]) -> bool:
    """Return whether each word begins one of the key: "filmliste" is the list "filme"."""
    return all(any(one.startswith(word) for one in key) for word in words)


_WOULD = later(
    {
        "add": "Add to the list “{list}”: {items}",
        "remove": "Take off the list “{list}”: {items}",
        "check": "Check off on the list “{list}”: {items}",
    }
)
_DID = later(
    {
        "add": "Added: {items}.",
        "remove": "Taken off: {items}.",
        "check": "Checked off: {items}.",
        "clear": "Taken off: {items}.",
    }
)


def _by_when(doing: SkillContext, args: ListArguments) -> Timed | Result | None:
    """Read the deadline of an added item; None when none was given."""
    if args.action != "add" or not args.when:
        return None
    with doing.world.database.read() as db:
        zone = user.zone(doing.world, db)
    return parse_timing(doing, SKILL.name, args, zone)


def _change_list(
    db: sqlite3.Connection,
    name: str,
    action: str,
    wanted: Sequence[str],
    doing: SkillContext,
    due: Timed | None,
    priority: int | None,
) -> tuple[list[str], list[str], list[int]]:
    """Change a list; return items done, items not found, and the changed row ids."""
    open_now, now = tasks.in_list(db, name), doing.world.now
    if action == "clear":
        for task in open_now:
            tasks.set_state(db, task.id, "cancelled", now)
        return [task.title for task in open_now], [], [task.id for task in open_now]
    done, missing, ids = [], [], []
    for item in wanted:
        held = _held(open_now, item, whole=action == "add")
        if action == "add":
            if held is None:
                ids.append(_add_item(db, name, item, doing, due, priority))
            done.append(item)
        elif held is None:
            missing.append(item)
        else:
            tasks.set_state(db, held.id, "done" if action == "check" else "cancelled", now)
            ids.append(held.id)
            done.append(held.title)
    return done, missing, ids


def _held(open_now: Sequence[Task], item: str, *, whole: bool = False) -> Task | None:
    """Return the item with this title; else, unless `whole`, the only one with all its words: "got
    the bolts" means the "two slide bolts"."""
    same = next((task for task in open_now if conflicts.same(task.title, item)), None)
    words = content_of(item)
    if same is not None or whole or not words:
        return same
    near = [task for task in open_now if words <= stems_of(task.title)]
    if len(near) != 1:
        return None
    return near[0]


def _find_holder(db: sqlite3.Connection, item: str) -> str | None:
    """Return the list with an item, preferably the shopping list."""
    names = [name for name in tasks.lists(db) if name != tasks.REMINDERS]
    holding = [name for name in names if _held(tasks.in_list(db, name), item)]
    return min(holding, key=lambda name: name != "shopping", default=None)


def _change(doing: SkillContext, args: ListArguments) -> Change | None:
    wanted, name = tuple(item for item in args.items if item), list_id(args.list or "shopping")
    if args.action == "clear":
        words = say("Clear the list “{list}”", list=list_said(name))
        return Change(args, words, (args.list or "shopping",))
    if args.action not in _WOULD or not wanted:
        return None
    words = say(_WOULD[args.action], list=list_said(name), items=", ".join(wanted))
    return Change(args, words, wanted)


def _add_item(
    db: sqlite3.Connection, name: str, item: str, doing: SkillContext, due: Timed | None, priority: int | None
) -> int:
    title, pressing = urgency.split_priority(item)
    timing: dict[str, Any] = {}
    if due is not None:
        timing = {"due_at": due.due, "due_zone": str(user.zone(doing.world, db)), "recurrence": due.rule}
    return tasks.add(
        db,
        name,
        title,
        doing.world.now,
        priority=priority or pressing or ORDINARY,
        channel=doing.place.channel,
        chat_id=doing.place.chat_id,
        turn_key=doing.place.key,
        **timing,
    )


def _view(kept: str, rows: list[Task]) -> str:
    name = list_said(kept)
    if not rows:
        return say("The list {name} is empty.", name=name)
    ticked = f" ({say('done')})"
    return f"{name}: " + ", ".join(f"{task.title}{ticked if task.state == 'done' else ''}" for task in rows)


def _row(task: Task) -> dict[str, object]:
    found: dict[str, object] = {"id": task.id, "title": task.title, "state": task.state}
    if task.due_at is not None:
        found["at"] = task.due_at.isoformat()
    if task.recurrence:
        found["recurrence"] = task.recurrence
    return found | ({"priority": task.priority} if task.priority != ORDINARY else {})


SKILL = Skill(
    name="list",
    description="Lists you keep for them, in their words.",
    arguments=ListArguments,
    limit_s=0.05,
    run=_run,
    who="paired",
    change=_change,
)
