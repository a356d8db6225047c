"""The skill `list`: shopping, packing, books to read — free lists by name."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from furoshiki.agenda.store import tasks
from furoshiki.agenda.store.tasks import Task
from furoshiki.language.facts import conflicts
from furoshiki.language.words import snake
from furoshiki.skills.skill import Arguments, Change, Result, Skill, SkillContext


class ListArguments(Arguments):
    """What to do with which list: without a name the one that holds the item, or the shopping list."""

    action: Literal["add", "remove", "check", "view", "history", "lists", "clear"]
    list: Annotated[str, Field(max_length=60, description='"shopping", "books"')] = ""
    items: Annotated[tuple[Annotated[str, Field(max_length=200)], ...], Field(max_length=50)] = ()


def _run(doing: SkillContext, args: ListArguments) -> Result:
    world, name = doing.world, list_id(args.list or "shopping")
    if args.action == "lists":
        with world.database.read() as db:
            names = [key for key in tasks.lists(db) if key != tasks.REMINDERS]
            held = {key: [task.title for task in tasks.in_list(db, key)] for key in names}
        found = {key: len(titles) for key, titles in held.items()}
        words = ", ".join(f"{key} ({count})" for key, count in found.items()) or "There are no lists yet."
        return Result(True, words, {"lists": found, "held": held})
    if args.action in ("view", "history"):
        with world.database.read() as db:
            rows = tasks.in_list(db, name) if args.action == "view" else tasks.history(db, name)
        return Result(True, _view(name, rows), {"list": name, "items": [_row(task) for task in rows]})
    wanted = [item.strip() for item in args.items if item.strip()]
    if not wanted and args.action != "clear":
        return Result(False, f"Which items? Give them in `items` to {args.action} them.")
    with doing.write() as db:
        if not args.list and args.action in ("check", "remove"):
            name = _holding(db, wanted[0]) or name
        done, missing, ids = _done(db, name, args.action, wanted, world.now, doing.place.key)
        left = tasks.in_list(db, name)
    data = {
        "list": name,
        "action": args.action,
        "done": done,
        "missing": missing,
        "ids": ids,
        "items": [_row(task) for task in left],
    }
    said = f"{args.action}: {', '.join(done) or 'nothing'}. "
    said += f"Not on the list: {', '.join(missing)}. " if missing else ""
    return Result(bool(done), said + _view(name, left), data)


def _done(
    db: sqlite3.Connection, name: str, action: str, wanted: Sequence[str], now: datetime, key: str
) -> tuple[list[str], list[str], list[int]]:
    """Change a list; what was done, what was not there, and which rows changed."""
    open_now = tasks.in_list(db, name)
    if action == "clear":
        for task in open_now:
            tasks.set_state(db, task.id, "cancelled", now)
        return [task.title for task in open_now], [], [task.id for task in open_now]
    done, missing, ids = [], [], []
    for item in wanted:
        held = next((task for task in open_now if conflicts.same(task.title, item)), None)
        if action == "add":
            if held is None:
                ids.append(tasks.add(db, name, item, now, turn_key=key))
            done.append(item)
        elif held is None:
            missing.append(item)
        else:
            tasks.set_state(db, held.id, "done" if action == "check" else "cancelled", now)
            ids.append(held.id)
            done.append(held.title)
    return done, missing, ids


def _holding(db: sqlite3.Connection, item: str) -> str | None:
    """The list that holds an item; the shopping list first, where several do."""
    names = [name for name in tasks.lists(db) if name != tasks.REMINDERS]
    holding = [name for name in names if any(conflicts.same(task.title, item) for task in tasks.in_list(db, name))]
    return min(holding, key=lambda name: name != "shopping", default=None)


def _change(doing: SkillContext, args: ListArguments) -> Change | None:
    wanted = tuple(item for item in args.items if item)
    if args.action == "clear":
        return Change(args, f"Clear the list “{list_id(args.list or 'shopping')}”", (args.list or "shopping",))
    if args.action not in ("add", "remove", "check") or not wanted:
        return None
    verb = {"add": "Add to", "remove": "Take off", "check": "Check off on"}[args.action]
    return Change(args, f"{verb} the list “{list_id(args.list or 'shopping')}”: {', '.join(wanted)}", wanted)


def list_id(name: str) -> str:
    """ "my Shopping list" → "shopping"."""
    plain = re.sub(r"\b(?:my|the|our|list)\b", " ", name.casefold())
    return snake(plain) or "shopping"


def _view(name: str, rows: list[Task]) -> str:
    if not rows:
        return f"The list {name} is empty."
    return f"{name}: " + ", ".join(f"{task.title}{' (done)' if task.state == 'done' else ''}" for task in rows)


def _row(task: Task) -> dict[str, object]:
    return {"id": task.id, "title": task.title, "state": task.state}


SKILL = Skill(
    name="list",
    description="Keep lists: add, remove or check off items, clear or view a list, its history, or all.",
    arguments=ListArguments,
    limit_s=0.05,
    run=_run,
    change=_change,
)
