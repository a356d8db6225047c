"""`furoshiki tasks list|add|done|rm|long`: the owner's tasks, the same as `/tasks` in the chat."""

import argparse
import sqlite3

from furoshiki.core import numbers
from furoshiki.core.catalogue import Sentence, later, say, say_each
from furoshiki.core.errors import FuroshikiError
from furoshiki.faces.cli import context
from furoshiki.faces.cli.talk import long_tasks
from furoshiki.faces.overview import owner_tasks
from furoshiki.faces.overview.owner_tasks import CannotPlan, NoSuchTask, open_task, plain, when_said
from furoshiki.faces.terminal.printing import answer, show_list
from furoshiki.language.list_names import list_id, list_said
from furoshiki.owner.agenda.rules.cadence import ORDINARY
from furoshiki.owner.agenda.store import tasks
from furoshiki.owner.agenda.store.tasks import Task
from furoshiki.owner.user_model import user
from furoshiki.world import World


def run(args: argparse.Namespace) -> int:
    """List open tasks, add, complete, or remove one."""
    verbs = {"list": _list, "add": _add, "done": _tick_off, "rm": _remove, "long": long_tasks.run}
    return verbs[args.verb](context.world(), args)


def _list(world: World, args: argparse.Namespace) -> int:
    wanted = None if args.list is None else list_id(args.list)
    with world.database.read() as db:
        zone, open_now = user.zone(world, db), tasks.lists(db)
        names = [name for name in open_now if wanted in (None, name)]
        found = [task for name in names for task in tasks.in_list(db, name)]
    rows = []
    for task in found:
        priority = "" if task.priority == ORDINARY else task.priority
        when = when_said(task, zone, world.now)
        rows.append((task.id, list_said(task.list_id), task.title, when, priority))
    nothing = say("Nothing is open. `furoshiki tasks add TITLE --due WHEN` adds something.")
    if wanted is not None and open_now:
        there = ", ".join(list_said(name) for name in open_now)
        nothing = say("Nothing is open on a list “{list}”. Your lists: {there}.", list=args.list, there=there)
    headers = ("", *say_each("list", "to do", "when", "priority"))
    return show_list(args.json, [plain(task, zone) for task in found], headers, rows, nothing, right=(0,))


def _add(world: World, args: argparse.Namespace) -> int:
    title = " ".join(args.title).strip()
    if not title:
        raise context.Misused(say("tasks add needs a title: furoshiki tasks add call the bank --due 'tomorrow at 9'"))
    try:
        task = owner_tasks.add(world, title, args.due, args.repeat, args.list, args.priority)
    except CannotPlan as error:
        wrong = Sentence(
            "{words} {problem}; {instead}",
            words=f"--{error.field} “{error.words}”",
            problem=error.problem,
            instead=Sentence(error.instead, due="--due"),
        )
        raise context.Misused(wrong) from error
    zone = user.zone_of(world)
    said = when_said(task, zone, world.now)
    what = f"{task.title}, {said}" if said else task.title
    words = say("On the {list} list: {what} ({number}).", list=list_said(task.list_id), what=what, number=task.id)
    return answer(args.json, plain(task, zone), words)


def _tick_off(world: World, args: argparse.Namespace) -> int:
    with world.database.write() as db:
        task, zone = _choose_task(db, args), user.zone(world, db)
        made = owner_tasks.tick_off(world, db, task)
    words = say("Done: {task}.", task=task.title)
    if made.state == "open":
        words = say("Done: {task}. It comes again: {when}.", task=task.title, when=when_said(made, zone, world.now))
    return answer(args.json, plain(made, zone), words)


def _remove(world: World, args: argparse.Namespace) -> int:
    with world.database.write() as db:
        task, zone = _choose_task(db, args), user.zone(world, db)
        made = owner_tasks.remove(world, db, task)
    taken_off = later("Taken off the {list} list: {what}.")
    words = say(taken_off, list=list_said(task.list_id), what=task.title)
    return answer(args.json, plain(made, zone), words)


def _choose_task(db: sqlite3.Connection, args: argparse.Namespace) -> Task:
    """Return the task with this number or these words. Raises NoSuchTask, FuroshikiError."""
    words = " ".join(args.task)
    if (number := numbers.row(words)) is not None:
        return open_task(db, number)
    names = [name for name in tasks.lists(db) if args.list is None or name == list_id(args.list)]
    every = [task for name in names for task in tasks.in_list(db, name)]
    found = [task for task in every if words.casefold() in task.title.casefold()]
    exact = [task for task in found if words.casefold() == task.title.casefold()]
    if len(exact or found) > 1:
        named = "; ".join(f"{task.id}: {task.title}" for task in exact or found)
        raise FuroshikiError(
            say("“{words}” matches more than one ({named}): give its number", words=words, named=named)
        )
    if not found:
        nothing = later("no open task is called “{words}”; `furoshiki tasks list` shows what there is")
        raise NoSuchTask(say(nothing, words=words))
    return (exact or found)[0]
