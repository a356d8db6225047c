"""The skill `list`: shopping, packing, books to read — free lists by name."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import Field

from furoshiki.domain import truths
from furoshiki.mind.act.skill import Arguments, Change, Doing, Result, Skill
from furoshiki.storage import tasks
from furoshiki.storage.tasks import Task


class ListArguments(Arguments):
    """What to do with which list."""

    action: Literal["add", "remove", "check", "view", "history", "lists"]
    list: Annotated[str, Field(min_length=1, max_length=60, description='"shopping", "books"')] = "shopping"
    items: Annotated[tuple[Annotated[str, Field(max_length=200)], ...], Field(max_length=50)] = ()


def _run(doing: Doing, args: ListArguments) -> Result:
    world, name = doing.world, list_id(args.list)
    if args.action == "lists":
        with world.store.read() as db:
            found = {key: count for key, count in tasks.lists(db).items() if key != tasks.REMINDERS}
        words = ", ".join(f"{key} ({count})" for key, count in found.items()) or "There are no lists yet."
        return Result(True, words, {"lists": found})
    if args.action in ("view", "history"):
        with world.store.read() as db:
            rows = tasks.in_list(db, name) if args.action == "view" else tasks.history(db, name)
        return Result(True, _view(name, rows), {"list": name, "items": [_row(task) for task in rows]})
    wanted = [item.strip() for item in args.items if item.strip()]
    if not wanted:
        return Result(False, f"Which items? Give them in `items` to {args.action} them.")
    with doing.write() as db:
        open_now = tasks.in_list(db, name)
        done, missing, ids = [], [], []
        for item in wanted:
            held = next((task for task in open_now if truths.same(task.title, item)), None)
            if args.action == "add":
                if held is None:
                    ids.append(tasks.add(db, name, item, world.now, turn_key=doing.place.key))
                done.append(item)
            elif held is None:
                missing.append(item)
            else:
                tasks.set_state(db, held.id, "done" if args.action == "check" else "cancelled", world.now)
                ids.append(held.id)
                done.append(held.title)
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


def _change(doing: Doing, args: ListArguments) -> Change | None:
    wanted = tuple(item for item in args.items if item)
    if args.action not in ("add", "remove", "check") or not wanted:
        return None
    verb = {"add": "Add to", "remove": "Take off", "check": "Check off on"}[args.action]
    return Change(args, f"{verb} the list “{list_id(args.list)}”: {', '.join(wanted)}", wanted)


def list_id(name: str) -> str:
    """ "my Shopping list" → "shopping"."""
    plain = re.sub(r"\b(?:my|the|our|list)\b", " ", name.casefold())
    return "_".join(re.findall(r"\w+", plain)) or "shopping"


def _view(name: str, rows: list[Task]) -> str:
    if not rows:
        return f"The list {name} is empty."
    return f"{name}: " + ", ".join(f"{task.title}{' (done)' if task.state == 'done' else ''}" for task in rows)


def _row(task: Task) -> dict[str, object]:
    return {"id": task.id, "title": task.title, "state": task.state}


SKILL = Skill(
    name="list",
    description="Keep lists: add items, remove or check them off, view a list, its history, or the names of all lists.",
    arguments=ListArguments,
    limit_s=0.05,
    run=_run,
    change=_change,
)
