"""The skill `persistent_task`: propose long work, report on it, pause it, cancel it.

A proposal is stored at once and starts with the owner's consent: by the button under the answer, in
`/tasks`, or automatically if requested in the owner's own words with a safe, cheap plan.
"""

import sqlite3
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from furoshiki.conversation.skills import proposing
from furoshiki.conversation.skills.rules import USER
from furoshiki.conversation.skills.skill import Arguments, Change, Result, Skill, SkillContext
from furoshiki.core import refs
from furoshiki.core.catalogue import later, say
from furoshiki.language import nlp
from furoshiki.messages.store import skill_runs
from furoshiki.owner.agenda.rules import long_tasks
from furoshiki.owner.agenda.rules.long_tasks import LONGEST_GOAL, LONGEST_TITLE, MOST_ACTIVE, LongTask
from furoshiki.owner.agenda.store import persistent_tasks

MOST_LISTED = 10

CALLED_OFF = later("All right, “{title}” is cancelled. Ask me if you want it after all.")
ASKED = (
    "Proposed as long task {id}. Below your answer stands a button that begins it; say so, and "
    "that they will hear of it. Do not say that it is under way."
)
MERGED = "That is long task {id} already (“{title}”, {standing}): nothing new was begun. It is noted there."
FULL = f"There are {MOST_ACTIVE} long tasks already, which is the most: one has to end or be called off first."
UNASKED = 0.8  # the confidence that a task which the owner did not explicitly request is wanted

OVER = "That cannot be done as it stands: {standing}."
WITHIN = "A long task does not begin another. Do what belongs to this step, and no more."


class PersistentTaskArguments(Arguments):
    """The action and the task. `accept` only comes from a pressed button."""

    action: Literal["propose", "follow", "pause", "resume", "cancel"] | SkipJsonSchema[Literal["accept"]]
    title: Annotated[str, Field(max_length=LONGEST_TITLE, description='"Compare tents for June"')] = ""
    goal: Annotated[str, Field(max_length=LONGEST_GOAL)] = ""
    task: Annotated[str, Field(max_length=LONGEST_TITLE, description="number, or words of its title")] = ""


def accept(db: sqlite3.Connection, task: LongTask, now: datetime) -> tuple[bool, str]:
    """Record the owner's consent; return whether the task starts, and what to tell them."""
    became = persistent_tasks.accept(db, task.id, now)
    if became == "accepted":
        return True, say("I'm starting on it: “{title}”. /tasks shows how far along it is.", title=task.title)
    if became == "full":
        return False, FULL
    return False, OVER.format(standing=long_tasks.describe(task))


def decide(db: sqlite3.Connection, task: LongTask, verb: str, now: datetime) -> tuple[bool, str]:
    """Carry out a button's action: "accept", "pause", "resume", "cancel" or "decline"; return
    whether anything changed, and why not."""
    if verb == "accept":
        return accept(db, task, now)
    does = {"pause": persistent_tasks.pause, "resume": persistent_tasks.resume}
    done = does.get(verb, persistent_tasks.cancel)(db, task.id, now)
    return done, "" if done else OVER.format(standing=long_tasks.describe(task))


def _change(doing: SkillContext, args: PersistentTaskArguments) -> Change | Result | None:
    if args.action == "follow":
        return None
    if args.action == "propose":
        if not args.title or not args.goal:
            return Result(False, "A new long task needs a `title` and a `goal`.")
        return Change(
            args, say("A long task: {title}. {goal}", title=args.title, goal=args.goal), [args.title, args.goal]
        )
    found = _find_task(doing, args.task)
    if isinstance(found, Result):
        return found
    settled = args.model_copy(update={"task": str(found.id), "title": "", "goal": ""})
    if args.action == "accept":
        return _ask_consent(doing, found)
    return Change(settled, say(_WOULD[args.action], title=found.title), [found.title])


_WOULD = later(
    {
        "pause": "Pause the long task “{title}”",
        "resume": "Continue the long task “{title}”",
        "cancel": "Cancel the long task “{title}”",
    }
)


_DONE = later(
    {
        "pause": "Paused: the current step finishes, nothing new starts.",
        "resume": "It resumes where it was.",
        "cancel": "Cancelled.",
    }
)


def _run(doing: SkillContext, args: PersistentTaskArguments) -> Result:
    if args.action == "propose":
        return _propose(doing, args)
    if args.action == "follow" and not args.task:
        return _every(doing)
    found = _find_task(doing, args.task)
    if isinstance(found, Result):
        return found
    if args.action == "follow":
        with doing.world.database.read() as db:
            steps = persistent_tasks.steps(db, found.id)
            foreign = skill_runs.any_foreign(db, refs.name("persistent_task", f"{found.id}/"))
        return Result(True, long_tasks.report(found, steps), foreign=foreign)
    with doing.write() as db:
        ok, words = decide(db, found, args.action, doing.world.now)
    return Result(ok, words or say(_DONE[args.action]))


def _propose(doing: SkillContext, args: PersistentTaskArguments) -> Result:
    place, now = doing.place, doing.world.now
    if refs.is_of(place.key, "persistent_task"):
        return Result(False, WITHIN)
    own = doing.source_tag == USER
    with doing.write() as db:
        made = persistent_tasks.propose(
            db,
            args.title,
            args.goal,
            doing.source_tag,
            now,
            source_confidence=_sure(doing, args.title),
            turn_key=place.key,
            channel=place.channel,
            chat_id=place.chat_id,
        )
        task = made.task
        if own and doing.percept is None and task.state == "proposed":  # this exact task was confirmed
            ok, words = accept(db, task, now)
            return Result(ok, words)
    if made.merged and (task.state != "proposed" or task.source_turn_key != place.key):
        return Result(True, MERGED.format(id=task.id, title=task.title, standing=long_tasks.describe(task)))
    if own:
        return _ask_consent(doing, task)
    return Result(True, f"Proposed as long task {task.id}.")


def _sure(doing: SkillContext, title: str) -> float:
    """Return the confidence that the owner wants it; a low one needs consent."""
    if doing.source_tag != USER or doing.percept is None:
        return doing.source_confidence
    ordered = nlp.read(doing.own, doing.world.lexicon).action_intent
    return 1.0 if ordered and not doing.foreign and long_tasks.is_mentioned(title, doing.own) else UNASKED


def _ask_consent(doing: SkillContext, task: LongTask) -> Result:
    if task.state != "proposed":
        return Result(False, OVER.format(standing=long_tasks.describe(task)))
    result = proposing.propose(doing, SKILL.name, {"action": "accept", "task": str(task.id)}, long_tasks.offer(task))
    if result.asked is None:
        return Result(True, f"Proposed as long task {task.id}: /tasks begins it.")
    return replace(result, ok=True, text=ASKED.format(id=task.id))


def _decline(db: sqlite3.Connection, args: PersistentTaskArguments, now: datetime) -> str | None:
    """Handle a refusal: the task is neither planned nor proposed again."""
    if args.action == "accept" and (task := persistent_tasks.get(db, int(args.task))) and task.state == "proposed":
        persistent_tasks.cancel(db, task.id, now)
        return say(CALLED_OFF, title=task.title)
    return None


def _find_task(doing: SkillContext, words: str) -> LongTask | Result:
    """Return the one matching task; without words the only open one."""
    with doing.world.database.read() as db:
        tasks = persistent_tasks.find_matches(db, words)
    if not words.strip():
        tasks = [task for task in tasks if task.state in long_tasks.OPEN]
    if len(tasks) == 1:
        return tasks[0]
    if not tasks:
        return Result(False, "There is no such long task." if words.strip() else "There are no long tasks.")
    named = "; ".join(f"{one.id}: {one.title}" for one in tasks[:MOST_LISTED])
    return Result(False, f"Which one? {named}. Give its number in `task`.")


def _every(doing: SkillContext) -> Result:
    with doing.world.database.read() as db:
        tasks = persistent_tasks.find_matches(db, "")[:MOST_LISTED]
    lines = [f"{one.id}: {one.title} ({long_tasks.describe(one)}, {one.coverage:.0%} done)" for one in tasks]
    return Result(True, "\n".join(lines) or "There are no long tasks.")


SKILL = Skill(
    name="persistent_task",
    description="Long work that takes hours or days (compare, look into).",
    arguments=PersistentTaskArguments,
    limit_s=0.1,
    run=_run,
    change=_change,
    declined=_decline,
)
