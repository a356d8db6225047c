"""`furoshiki tasks long`: shows long tasks and their results; starts, pauses or cancels one."""

import argparse
from typing import Any

from furoshiki.conversation.skills import persistent_task
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.json_values import pick
from furoshiki.faces.cli import context
from furoshiki.faces.terminal.printing import answer, show_list
from furoshiki.owner.agenda.rules import long_tasks
from furoshiki.owner.agenda.rules.long_tasks import LongTask, Step
from furoshiki.owner.agenda.store import persistent_tasks
from furoshiki.world import World


def run(world: World, args: argparse.Namespace) -> int:
    """Show all long tasks or one; with --accept, --pause, --resume or --cancel change it."""
    words = " ".join(args.task)
    if not words:
        if args.change is not None:
            raise context.Misused(f"tasks long --{args.change} needs a task: furoshiki tasks long 3 --{args.change}")
        return _every(world, args)
    with world.database.read() as db:
        tasks = persistent_tasks.find_matches(db, words)
    if not tasks:
        raise FuroshikiError(f"there is no long task “{words}”; `furoshiki tasks long` lists them")
    if len(tasks) > 1:
        named = ", ".join(f"{one.id}: {one.title}" for one in tasks)
        raise FuroshikiError(f"“{words}” fits several long tasks ({named}); give a number")
    [task] = tasks
    if args.change is not None:
        print(_change_task(world, task, args.change))
        return 0
    with world.database.read() as db:
        steps = persistent_tasks.steps(db, task.id)
    return answer(args.json, _plain(task, steps), long_tasks.report(task, steps))


def _every(world: World, args: argparse.Namespace) -> int:
    with world.database.read() as db:
        found = [(task, persistent_tasks.steps(db, task.id)) for task in persistent_tasks.find_matches(db, "")]
    data = [_plain(task, steps) for task, steps in found]
    rows = [
        (task.id, task.title, long_tasks.describe(task), long_tasks.bar(task.coverage), len(steps) or "–")
        for task, steps in found
    ]
    nothing = "There are no long tasks. The chat begins one: “look into … over the next days”."
    return show_list(args.json, data, ("", "long task", "state", "done", "steps"), rows, nothing, right=(0, 4))


def _change_task(world: World, task: LongTask, change: str) -> str:
    """Change a long task and describe its new state. Raises FuroshikiError."""
    now = world.now
    with world.database.write() as db:
        done, words = persistent_task.decide(db, task, change, now)
        left = persistent_tasks.get(db, task.id) or task
    if not done:
        raise FuroshikiError(words)
    return f"“{left.title}”: {long_tasks.describe(left)}."


# the fields of a long task in `--json`
_FIELDS = ("id", "title", "goal", "state", "coverage", "cycles", "reason", "result", "expires_at")


def _plain(task: LongTask, steps: list[Step]) -> dict[str, Any]:
    return pick(task, *_FIELDS) | {"source": task.source_tag, "steps": steps}
