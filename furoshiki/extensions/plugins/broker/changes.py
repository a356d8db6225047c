"""The changes a plugin may make: a reminder, something on a list, and taking back what it put there itself.

Each carries the plugin's name in its words, where everybody sees it who sees the reminder or the list, and in its row.

What a plugin would have said: a thought in the mind queue, in its name, for the companion to find words for.

It is no word of the owner's and no instruction: the model that words it is told that a program said so.
"""

import hashlib
import logging
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, timedelta
from typing import Any

from furoshiki.core import refs
from furoshiki.extensions.plugins.broker.caller import Caller
from furoshiki.extensions.plugins.rules import asking
from furoshiki.extensions.plugins.rules.asking import Refused, Said
from furoshiki.language.facts import conflicts
from furoshiki.language.list_names import list_id
from furoshiki.owner.agenda.rules.mind_queue import of_plugin
from furoshiki.owner.agenda.store import mind_queue, tasks
from furoshiki.owner.user_model import user
from furoshiki.world import World

_NO_ID = 1 << 63
"""From here on SQLite has no whole numbers."""

MOST_ITEMS = 20
LONGEST_LIST = 40


def make(world: World, caller: Caller, args: Mapping[str, Any]) -> dict[str, Any]:
    """Make one change, and say what it came to. Raises Refused."""
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
    held = [one for one in tasks.in_list(db, tasks.REMINDERS) if one.title == title and one.due_at == due]
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
        held = next((one for one in tasks.in_list(db, name) if _same(one.title, bare, title)), None)
        ids.append(held.id if held is not None else _add(world, db, caller, name, title))
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


def _same(held: str, bare: str, titled: str) -> bool:
    return held == titled or conflicts.same(held, bare)


KIND = "plugin"

log = logging.getLogger(__name__)


def queue(world: World, caller: Caller, thoughts: Sequence[Mapping[str, Any]]) -> int:
    """Queue what the answer of a run holds under `mind_queue`; returns how many are new. What may not be is logged."""
    made = 0
    for number, one in enumerate(thoughts):
        refused = asking.refusal("write_mind_queue", caller.granted, number)
        try:
            if refused is not None:
                raise Refused(refused)
            made += put(world, caller, one)
        except Refused as error:
            log.info("plugin %s: mind_queue: %s", caller.name, error)
            if refused is not None:
                break
    return made


def put(world: World, caller: Caller, args: Mapping[str, Any]) -> bool:
    """Put one there; False when it is known already. Raises Refused."""
    with world.database.write() as db:
        zone = user.zone(world, db)
        return _put(world, db, caller, asking.parse_topic(args, world.now, zone))


def _put(world: World, db: sqlite3.Connection, caller: Caller, said: Said) -> bool:
    now, laws = world.now, world.laws.queue
    source = refs.name("plugins", caller.name)
    key = said.key or f"{said.summary.casefold()} {now:%Y-%m-%d}"
    dedupe_key = f"{KIND}:{caller.name}:{hashlib.sha256(key.encode()).hexdigest()[:16]}"
    if mind_queue.is_known(db, dedupe_key):
        return False
    if mind_queue.count_of(db, source, now - timedelta(days=1)) >= asking.THOUGHTS_A_DAY:
        raise Refused(f"a plugin may have {asking.THOUGHTS_A_DAY} things brought up a day: say the most important ones")
    if mind_queue.count_by_kind(db).get(KIND, 0) >= laws.most[KIND]:
        raise Refused("too much of plugins waits to be said already: try again at a later run")
    put = mind_queue.add(
        db,
        KIND,
        of_plugin(caller.name, said.summary),
        dedupe_key,
        now,
        priority=laws.priority[KIND],
        detail=said.detail or None,
        source=source,
        not_before=said.not_before,
        until=said.until,
        by_key_alone=bool(said.key),
    )
    return put is not None
