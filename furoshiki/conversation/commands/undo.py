"""`/undo`: undo the last note, list change, tick or reminder; again for the one before."""

import sqlite3
from collections.abc import Mapping
from datetime import datetime, tzinfo
from typing import Any

from furoshiki.conversation.commands import outreach
from furoshiki.conversation.commands.registry import Button, Command
from furoshiki.core.catalogue import say, say_number
from furoshiki.language.humanize import clock
from furoshiki.language.list_names import list_said
from furoshiki.memory.store import memories
from furoshiki.messages.store import skill_runs, turns
from furoshiki.messages.store.skill_runs import Run
from furoshiki.messages.values import Envelope, Words
from furoshiki.owner.agenda.store import tasks
from furoshiki.owner.user_model import user
from furoshiki.world import World

NOTING = ("list", "schedule")
CHANGING = (*NOTING, "memorize", outreach.RUN)

# keys in a run's result that indicate a changed list or reminder
_CHANGES = frozenset({"done", "reminder", "cancelled", "moved", "renamed", "snoozed", "ticked"})


@Command("undo", "take back the last thing I noted", place=210, who="alone")
async def run(world: World, _args: str, _envelope: Envelope) -> Words:
    """Undo the last change, and describe it in one sentence."""
    with world.database.write() as db:
        for ran in skill_runs.recent(db, CHANGING):
            said = undo_run(db, ran, world.now, user.zone(world, db))
            if said is not None and skill_runs.take_back(db, ran.id):
                return Words(said)
    return Words(say("There is nothing I can take back."))


@Button("undo", ("turn",), who="paired")
async def press(world: World, _verb: str, value: str, _envelope: Envelope) -> Words:
    """Undo all list and reminder changes of the turn with this key."""
    said = []
    with world.database.write() as db:
        zone = user.zone(world, db)
        for ran in skill_runs.recent(db, NOTING):
            if ran.turn_key != value or (words := undo_run(db, ran, world.now, zone)) is None:
                continue
            if skill_runs.take_back(db, ran.id):
                said.append(words)
    return Words(" ".join(reversed(said)) or say("That was already taken back."))


def rows_beneath(db: sqlite3.Connection, turn_key: str) -> list[list[dict[str, str]]]:
    """Return the row with an undo button for a turn; [] when it changed nothing."""
    runs = [ran for name in NOTING for ran in skill_runs.of_turn(db, turn_key, name)]
    if not any(_CHANGES & (ran.result.get("data") or {}).keys() for ran in runs):
        return []
    return [[{"text": say("Undo"), "data": f"undo.turn:{turn_key}"}]]


def undo_run(db: sqlite3.Connection, ran: Run, now: datetime, zone: tzinfo) -> str | None:
    """Undo one run; None when it changed nothing or the changed item is gone."""
    data: Mapping[str, Any] = ran.result.get("data") or {}
    match ran.name:
        case "list":
            return _list(db, data, now)
        case "schedule":
            return _schedule(db, data, now, zone)
        case outreach.RUN:
            return outreach.take_back(db, data, now)
        case _:
            return _memory(db, ran, str(data.get("text", "")), now)


def _list(db: sqlite3.Connection, data: Mapping[str, Any], now: datetime) -> str | None:
    action, ids = data.get("action"), data.get("ids") or ()
    state = {"add": "cancelled", "check": "open", "remove": "open", "clear": "open"}.get(str(action))
    if state is None:
        return None
    changed = [task.title for task_id in ids if (task := _set(db, int(task_id), state, now)) is not None]
    if not changed:
        return None
    names = ", ".join(changed)
    if action != "add":
        return say("Open again: {names}.", names=names)
    return say("Taken off the {list} list again: {names}.", list=list_said(str(data["list"])), names=names)


def _schedule(db: sqlite3.Connection, data: Mapping[str, Any], now: datetime, zone: tzinfo) -> str | None:
    if "reminder" in data:
        task = _set(db, int(data["reminder"]["id"]), "cancelled", now)
        return None if task is None else say("The reminder is gone: {what}.", what=task.title)
    if "cancelled" in data:
        gone = data["cancelled"] if isinstance(data["cancelled"], list) else [data["cancelled"]]
        back = [task.title for one in gone if (task := _set(db, int(one["id"]), "open", now)) is not None]
        if not back:
            return None
        return say_number(
            "The reminder is back: {what}.", "The reminders are back: {what}.", len(back), what=", ".join(back)
        )
    if "ticked" in data:
        titles = [one["title"] for one in data["ticked"] if tasks.restore(db, int(one["id"]), one["before"], now)]
        return say("Open again: {names}.", names=", ".join(titles)) if titles else None
    changed = next((data[name] for name in ("moved", "renamed", "snoozed") if name in data), None)
    if changed is None:
        return None
    if "before" not in data:  # a recurring reminder, repeated once
        if _set(db, int(changed["id"]), "cancelled", now) is None:
            return None
        return say("Then I do not say it again.")
    if not tasks.restore(db, int(changed["id"]), data["before"], now):
        return None
    before = tasks.get(db, int(changed["id"]))
    when = f", {clock(before.due_at, zone, now)}" if before is not None and before.due_at is not None else ""
    return say("Back to how it was: {what}{when}.", what=data["before"]["title"], when=when)


def _memory(db: sqlite3.Connection, ran: Run, text: str, now: datetime) -> str | None:
    """Close a fact that only this turn gave; a repeated fact stays."""
    own = {turn.id for turn in turns.of_key(db, ran.turn_key)}
    for fact in memories.newest(db, 50):
        if fact.content == text and fact.status == "active" and own.issuperset(fact.turn_ids):
            memories.close(db, fact.id, now)
            return say("I no longer believe this is true: {what}", what=text)
    return None


def _set(db: sqlite3.Connection, task_id: int, state: str, now: datetime) -> tasks.Task | None:
    task = tasks.get(db, task_id)
    return task if task is not None and tasks.set_state(db, task_id, state, now) else None
