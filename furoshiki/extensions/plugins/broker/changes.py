"""Changes that a plugin may make: reminders, list items, and undoing its own changes.

Each has the plugin's name in its visible text and in its database row.
"""

import sqlite3
from collections.abc import Callable, Mapping
from datetime import UTC, timedelta
from typing import Any

from furoshiki.core import refs
from furoshiki.extensions.plugins.broker.caller import Caller
from furoshiki.extensions.plugins.rules import asking
from furoshiki.extensions.plugins.rules.asking import Refused
from furoshiki.language.facts import conflicts
from furoshiki.language.list_names import list_id
from furoshiki.owner.agenda.store import tasks
from furoshiki.owner.user_model import user
from furoshiki.world import World

_NO_ID = 1 << 63  # ids from here on exceed SQLite's integers

MOST_ITEMS = 20
LONGEST_LIST = 40


def make(world: World, caller: Caller, args: Mapping[str, Any]) -> dict[str, Any]:
    """Make one change and return its result. Raises Refused."""
    operation, given = args.get("operation"), args.get("args", {})
    found = _OPERATIONS.get(operation) if isinstance(operation, str) else None
    if found is None or not isinstance(given, dict):
        raise Refused(f'"operation" is one of {", ".join(_OPERATIONS)}, and "args" an object')
    with world.database.write() as db:
        return found(world, db, caller, given)


def _remind(world: World, db: sqlite3.Connection, caller: Caller, args: Mapping[str, Any]) -> dict[str, Any]:
    title, zone = _build_title(caller, args, "title"), user.zone(world, db)
    at = asking.moment(args, "at", world.now, zone, asking.FURTHEST_REMINDER)
    if at is None or at <= world.now:
        raise Refused('"at" is a time that lies ahead, such as 2026-11-24T07:00+00:00')
    due = at.astimezone(UTC)
    held = [task for task in tasks.in_list(db, tasks.REMINDERS) if task.title == title and task.due_at == due]
    return {
        "id": held[0].id if held else _add(world, db, caller, tasks.REMINDERS, title, due_at=due, due_zone=str(zone))
    }


def _list_add(world: World, db: sqlite3.Connection, caller: Caller, args: Mapping[str, Any]) -> dict[str, Any]:
    name, items = list_id(asking.one_line(args, "list", LONGEST_LIST)), args.get("items")
    if name in (tasks.REMINDERS, tasks.REPLY_QUEUE):
        raise Refused(f'{name} is no list of this kind: use the operation "remind"')
    if not isinstance(items, list) or not 0 < len(items) <= MOST_ITEMS:
        raise Refused(f'"items" is a list of 1 to {MOST_ITEMS} texts')
    ids = []
    for item in items:
        title = _build_title(caller, {"items": item}, "items")
        bare = title.removesuffix(_label(caller))
        alike = [task for task in tasks.in_list(db, name) if task.title == title or conflicts.same(task.title, bare)]
        ids.append(alike[0].id if alike else _add(world, db, caller, name, title))
    return {"list": name, "ids": ids}


def _take_back(world: World, db: sqlite3.Connection, caller: Caller, args: Mapping[str, Any]) -> dict[str, Any]:
    number = args.get("id")
    if not isinstance(number, int) or not 0 < number < _NO_ID or tasks.find_asking_turn(db, number) != _source(caller):
        raise Refused('"id" is of something this plugin has put there itself')
    task = tasks.get(db, number)
    open_ = task is not None and task.state == "open"
    return {"taken_back": open_ and tasks.set_state(db, number, "cancelled", world.now)}


_OPERATIONS: Mapping[str, Callable[[World, sqlite3.Connection, Caller, Mapping[str, Any]], dict[str, Any]]] = {
    "remind": _remind,
    "list_add": _list_add,
    "take_back": _take_back,
}


def _add(world: World, db: sqlite3.Connection, caller: Caller, list_: str, title: str, **when: Any) -> int:
    source = _source(caller)
    day, open_ = tasks.count_by(db, source, world.now - timedelta(days=1))
    if day >= asking.CHANGES_A_DAY or open_ >= asking.OPEN_CHANGES:
        raise Refused(
            f"a plugin may put down {asking.CHANGES_A_DAY} things a day, and have {asking.OPEN_CHANGES} open: "
            'take some back ("take_back"), or wait'
        )
    return tasks.add(db, list_, title, world.now, turn_key=source, **when)


def _build_title(caller: Caller, args: Mapping[str, Any], name: str) -> str:
    title = asking.one_line(args, name, asking.LONGEST_TITLE)
    if not title:
        raise Refused(f'"{name}" is to be words, at most {asking.LONGEST_TITLE} characters')
    return title + _label(caller)


def _label(caller: Caller) -> str:
    return f" (plugin {caller.name})"


def _source(caller: Caller) -> str:
    return refs.name("plugins", caller.name)
