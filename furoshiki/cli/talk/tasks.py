"""`furoshiki tasks list|add|done|rm|long`: what is to be done, on the same rows as `/tasks` and the chat."""

from __future__ import annotations

import argparse
import sqlite3
from datetime import UTC, datetime, tzinfo
from typing import Any

from furoshiki.agenda.rules.cadence import ORDINARY
from furoshiki.agenda.store import tasks
from furoshiki.agenda.store.tasks import Task
from furoshiki.cli import context
from furoshiki.cli.talk import long_tasks
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.timestamps import local, stamp
from furoshiki.dates import recurrence
from furoshiki.dates.given import given
from furoshiki.dates.habits import Habits
from furoshiki.dates.parsing import FURTHEST, Unclear, When
from furoshiki.language.list_names import TODO, list_id, list_name
from furoshiki.reflex.wording import dated, rhythm
from furoshiki.skills import rescheduling
from furoshiki.terminal.printing import as_json, table
from furoshiki.user_model import user
from furoshiki.world import World

TIMES = "give an ISO time such as 2026-11-22T18:00, or words such as “sunday at six” or “in 20 minutes”"
RHYTHMS = "give words such as “every monday at 9” or “daily”, or a rule such as FREQ=WEEKLY;BYDAY=MO with --due"


class NoSuchTask(FuroshikiError):
    """Nothing open is called that: `furoshiki tasks list` shows what is."""


class SeveralTasks(FuroshikiError):
    """Words fit more than one task: name it by its number."""


def run(args: argparse.Namespace) -> int:
    """List what is open, add to it, tick it off, or take it away."""
    verbs = {"list": _list, "add": _add, "done": _done, "rm": _remove, "long": long_tasks.run}
    return verbs[args.verb](context.world(), args)


def _list(world: World, args: argparse.Namespace) -> int:
    wanted = None if args.list is None else list_id(args.list)
    with world.database.read() as db:
        zone, open_now = user.zone(world, db), tasks.lists(db)
        names = [name for name in open_now if wanted in (None, name)]
        found = [task for name in names for task in tasks.in_list(db, name)]
    if args.json:
        as_json([_plain(task, zone) for task in found])
    elif found:
        rows = [
            [str(one.id), list_name(one.list_id), one.title, _when(one, zone, world.now), _pressing(one)]
            for one in found
        ]
        table(["", "list", "to do", "when", "priority"], rows, right=[0])
    elif wanted is not None and open_now:
        print(f"Nothing is open on a list “{args.list}”. There are: {', '.join(list_name(name) for name in open_now)}.")
    else:
        print("Nothing is open. `furoshiki tasks add TITLE --due WHEN` adds something.")
    return 0


def _add(world: World, args: argparse.Namespace) -> int:
    title = " ".join(args.title).strip()
    if not title:
        raise context.Misused("tasks add needs a title: furoshiki tasks add call the bank --due 'tomorrow at 9'")
    with world.database.read() as db:
        zone, habits = user.zone(world, db), user.habits(world, db)
    when = _planned(args.due, args.repeat, local(world.now, zone), habits)
    name = list_id(args.list) if args.list else tasks.REMINDERS if when is not None else TODO
    with world.database.write() as db:
        number = tasks.add(
            db,
            name,
            title,
            world.now,
            due_at=None if when is None else when.at.astimezone(UTC),
            due_zone=None if when is None else when.zone or str(zone),
            recurrence=None if when is None else when.rule,
            priority=args.priority,
        )
        made = _open(db, number)
    said = _when(made, zone, world.now)
    _told(args, made, zone, f"On the {list_name(name)} list: {made.title}{f', {said}' if said else ''} ({number}).")
    return 0


def _done(world: World, args: argparse.Namespace) -> int:
    now = world.now
    with world.database.write() as db:
        task, zone = _meant(db, args), user.zone(world, db)
        tasks.tick_off(
            db, task, now, f"tasks done {stamp(now)}", rescheduling.again(task, max(now, task.due_at or now), zone)
        )
        made = tasks.get(db, task.id) or task
    again = f" It comes again {_when(made, zone, now)}." if made.state == "open" else ""
    _told(args, made, zone, f"Done: {task.title}.{again}")
    return 0


def _remove(world: World, args: argparse.Namespace) -> int:
    with world.database.write() as db:
        task, zone = _meant(db, args), user.zone(world, db)
        tasks.set_state(db, task.id, "cancelled", world.now)
        made = tasks.get(db, task.id) or task
    _told(args, made, zone, f"Taken off the {list_name(task.list_id)} list: {task.title}.")
    return 0


def _planned(due: str | None, repeat: str | None, now: datetime, habits: Habits) -> When | None:
    """The time and the rhythm that the options name; None for no time. Raises Misused with what to give instead."""
    when = None if due is None else _read(due, now, habits, "--due", TIMES)
    if repeat is not None:
        when = _repeated(repeat, when, now, habits)
    if when is not None and when.rule is not None and when.past:
        coming = recurrence.following(when.rule, when.at, now, now.tzinfo or UTC)
        when = when if coming is None else When(coming, when.start, when.end, when.rule, zone=when.zone)
    if when is not None and when.past:
        raise context.Misused(f"--due {due!r} has gone by; {TIMES}")
    if when is not None and when.at - now > FURTHEST:
        raise context.Misused(f"--due {due!r} is more than ten years away; {TIMES}")
    return when


def _repeated(repeat: str, when: When | None, now: datetime, habits: Habits) -> When:
    """The time (the first that the rhythm brings when none was given) with the rhythm."""
    if "FREQ=" in repeat.upper():
        if when is None:
            raise context.Misused(f"--repeat {repeat!r} does not say when it begins; give --due with it, too")
        try:
            recurrence.following(repeat, when.at, now, now.tzinfo or UTC)
        except ValueError:
            raise context.Misused(f"--repeat {repeat!r} is no rule that can be kept; {RHYTHMS}") from None
        return When(when.at, 0, 0, repeat, past=when.past, zone=when.zone)
    found = _read(repeat, now, habits, "--repeat", RHYTHMS)
    if found.rule is None:
        raise context.Misused(f"--repeat {repeat!r} names no rhythm; {RHYTHMS}")
    return found if when is None else When(when.at, 0, 0, found.rule, past=when.past, zone=found.zone or when.zone)


def _read(text: str, now: datetime, habits: Habits, option: str, instead: str) -> When:
    found = given(text, now, habits)
    if isinstance(found, When):
        return found
    why = f": {found.asks}" if isinstance(found, Unclear) else " is no time I can read"
    raise context.Misused(f"{option} {text!r}{why}; {instead}")


def _meant(db: sqlite3.Connection, args: argparse.Namespace) -> Task:
    """The open task with that number, or the only one whose title holds the words. Raises NoSuchTask, SeveralTasks."""
    words = " ".join(args.task)
    if words.isdigit():
        return _open(db, int(words))
    names = [name for name in tasks.lists(db) if args.list is None or name == list_id(args.list)]
    every = [task for name in names for task in tasks.in_list(db, name)]
    found = [task for task in every if words.casefold() in task.title.casefold()]
    exact = [task for task in found if words.casefold() == task.title.casefold()]
    if len(exact or found) > 1:
        named = "; ".join(f"{task.id}: {task.title}" for task in exact or found)
        raise SeveralTasks(f"“{words}” fits more than one ({named}): give its number")
    if not found:
        raise NoSuchTask(f"nothing open is called “{words}”; `furoshiki tasks list` shows what is")
    return (exact or found)[0]


def _open(db: sqlite3.Connection, number: int) -> Task:
    task = tasks.get(db, number)
    if task is None or task.state != "open":
        state = "there is no task" if task is None else f"it is {task.state} already: task"
        raise NoSuchTask(f"{state} {number}; `furoshiki tasks list` shows what is open")
    return task


def _told(args: argparse.Namespace, task: Task, zone: tzinfo, words: str) -> None:
    as_json(_plain(task, zone)) if args.json else print(words)


def _when(task: Task, zone: tzinfo, now: datetime) -> str:
    if task.due_at is None:
        return ""
    there = task.due_zone if task.due_zone and task.due_zone != str(zone) else ""
    again = f", {rhythm(task.recurrence, task.due_at.astimezone(zone), there)}" if task.recurrence else ""
    return dated(task.due_at, local(now, zone), there) + again


def _pressing(task: Task) -> str:
    return "" if task.priority == ORDINARY else str(task.priority)


def _plain(task: Task, zone: tzinfo) -> dict[str, Any]:
    """A task for machines."""
    return {
        "id": task.id,
        "list": task.list_id,
        "title": task.title,
        "notes": task.notes,
        "priority": task.priority,
        "due_at": None if task.due_at is None else stamp(task.due_at),
        "due_local": None if task.due_at is None else task.due_at.astimezone(zone).isoformat(),
        "zone": task.due_zone,
        "recurrence": task.recurrence,
        "state": task.state,
        "created_at": stamp(task.created_at),
    }
