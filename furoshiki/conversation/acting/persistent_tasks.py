"""Every 30 minutes, work on one long task: plan it, do up to three steps, report progress.

A step's result is stored with the task's coverage and cycle in one transaction. After a crash the
next run continues the step under the same key, and its loop repeats no action.
"""

import sqlite3
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated

from pydantic import BaseModel, Field

from furoshiki.conversation.acting import loop
from furoshiki.conversation.acting.rules import stopping
from furoshiki.conversation.acting.rules.stopping import Outcome
from furoshiki.conversation.skills import registry
from furoshiki.core import refs
from furoshiki.core.process.crash_points import point
from furoshiki.core.timestamps import day_start
from furoshiki.language.tokens import cut
from furoshiki.messages.store import act_iterations, skill_runs
from furoshiki.mind.outreach.rules import thoughts
from furoshiki.models.llm.background import Unanswered, ask_mind
from furoshiki.models.llm.rules import budget
from furoshiki.models.llm.rules.budget import BudgetLimits
from furoshiki.models.llm.store import costs
from furoshiki.models.llm.values import Question
from furoshiki.owner.agenda.rules import long_tasks, plans
from furoshiki.owner.agenda.rules.long_tasks import LongTask, State, Step, StepState
from furoshiki.owner.agenda.rules.mind_queue import Thought
from furoshiki.owner.agenda.rules.plans import Plan, PlannedStep
from furoshiki.owner.agenda.store import mind_queue, persistent_tasks, proposals
from furoshiki.owner.agenda.store import persistent_task_work as work_store
from furoshiki.owner.user_model import user
from furoshiki.world import Report, World

WAITS = timedelta(hours=1)  # minimum time before a task is retried when no model was available
STEP_USD = 0.005  # estimated cost of a step in US dollars before any was done
EARLIER_TOKENS = 800  # maximum tokens of the result of each step that a step depends on

NOBODY = "It waits: no model was there to think about it."
CUT_OFF = "It was cut off each time before it came to anything."


async def work(world: World) -> Report:
    """Expire overdue tasks, plan one that needs a plan, and work on the next one."""
    counts = Counter(expired=_expire(world))
    if _spent(world):
        return Report(bool(counts["expired"]), "today's budget is spent: long tasks wait", dict(counts))
    with world.database.read() as db:
        proposed = work_store.find_unplanned(db, world.now)
    if proposed is not None:
        counts["planned"] += await _plan(world, proposed)
    with world.database.read() as db:
        task = work_store.next_task(db, world.now)
    if task is not None and task.confidence is None:
        counts["planned"] += await _plan(world, task)
        with world.database.read() as db:
            task = work_store.next_task(db, world.now)
    if task is not None and task.confidence is not None:
        counts += await _cycle(world, task)
    words = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    return Report(bool(words), words or "no long task could be worked on", dict(counts))


# -- its plan --


async def _plan(world: World, task: LongTask) -> bool:
    """Plan a task; an impossible plan fails it with a reason. Returns whether it has a plan now."""
    made = await plan(world, task)
    point("long_task.planned")
    now = world.now
    with world.database.write() as db:
        if made is None:
            work_store.put_off(db, None, task.id, now + WAITS, NOBODY, now)
        elif isinstance(made, Refused):
            _finish(world, db, task, "failed", "", made.reason)
        elif work_store.keep_plan(db, task.id, made.steps, made.confidence, now):
            each = work_store.cost_of_a_step(db)
            cost = len(made.steps) * (STEP_USD if each is None else each)
            itself = plans.accepts_itself(task.source_tag, task.source_confidence, made.confidence, cost)
            if task.state == "proposed" and itself:
                persistent_tasks.accept(db, task.id, now)
            return True
    return False


# -- a cycle of work --


async def _cycle(world: World, task: LongTask) -> Counter[str]:
    """Do up to three ready steps of a task; return the number done and failed."""
    counts: Counter[str] = Counter()
    with world.database.write() as db:
        cycle = work_store.begin_cycle(db, task, world.now)
        if cycle is not None and work_store.breaks(db, task.id) >= long_tasks.MOST_BREAKS:
            _give_up(world, db, cycle, task)
    point("long_task.claimed")
    if cycle is None:
        return counts
    tried: set[int] = set()
    while len(tried) < long_tasks.STEPS_A_CYCLE:
        with world.database.write() as db:
            step = _claim(db, task, tried, world.now)
        point("long_task.begun")
        if step is None:
            break
        tried.add(step.number)
        outcome = await _step(world, cycle, task, step)
        if outcome == "away":
            break
        counts[outcome] += 1
    with world.database.write() as db:
        left = persistent_tasks.get(db, task.id)
        if left is not None:
            _tell(world, db, left)
    return counts


async def _step(world: World, cycle: int, task: LongTask, step: Step) -> Outcome:
    acted = await loop.act(
        world,
        goal=_goal(world, task, step),
        key=work_store.loop_key(task.id, step),
        source_tag=task.source_tag,
        source_confidence=task.source_confidence,
        said_by_owner=f"{task.title}. {task.goal}" if task.source_tag == "user" else "",
        foreign_in_view=_foreign(world, task),
    )
    point("long_task.acted")
    asks = _asks(world, work_store.loop_key(task.id, step), acted.asks)
    outcome = stopping.judge_outcome(
        acted.stopped, acted.text, changed=any(action.changed for action in acted.results), asks=bool(asks)
    )
    with world.database.write() as db:
        if outcome == "away":
            work_store.put_off(db, cycle, task.id, world.now + WAITS, NOBODY, world.now)
        else:
            result = _append_requests(db, acted.text, asks, world.now)
            _end(world, db, cycle, task, step, outcome == "done", result, acted.cost_usd)
    point("long_task.ended")
    return outcome


def _give_up(world: World, db: sqlite3.Connection, cycle: int, task: LongTask) -> None:
    """Count a step that repeatedly ended the process as a failed attempt."""
    for step in persistent_tasks.steps(db, task.id):
        if step.state == "running":
            _end(world, db, cycle, task, step, False, CUT_OFF, 0.0)


def _claim(db: sqlite3.Connection, task: LongTask, tried: Collection[int], now: datetime) -> Step | None:
    """Claim the next ready step, once a cycle; None without one or when the task stopped."""
    steps = {step.number: step for step in persistent_tasks.steps(db, task.id)}
    ready = plans.ready([(step.number, step.after, step.state) for step in steps.values()])
    first = next((number for number in ready if number not in tried), None)
    return None if first is None else work_store.begin_step(db, task.id, steps[first], now)


def _goal(world: World, task: LongTask, step: Step) -> str:
    """Render the step as the loop's goal."""
    with world.database.read() as db:
        steps = persistent_tasks.steps(db, task.id)
        keys = [work_store.loop_key(task.id, step, attempt) for attempt in range(1, step.attempts)]
        tried = [
            action for key in keys for iteration in act_iterations.of_loop(db, key) for action in iteration.actions
        ]
        held = [proposal.shown for proposal in proposals.every_open(db, world.now) if proposal.turn_key in keys]
        today = day_and_name(world, db)
    done = [f"{action.name}: {cut(' '.join(action.text.split()), 60)}" for action in tried if action.changed]
    done += [f"they are asked, and it waits for their yes: {one}" for one in held]
    needs = _all_before(step, {one.number: one for one in steps})
    return world.prompts.render(
        "acting/step",
        **today,
        number=step.number,
        count=len(steps),
        title=task.title,
        goal=task.goal,
        step=step.text,
        earlier=[
            f"{one.number}. {one.text}: {cut(' '.join((one.result or '').split()), EARLIER_TOKENS)}"
            for one in steps
            if one.number in needs and one.result
        ],
        failed=cut(step.result or "", 100) if step.attempts > 1 else "",
        done=done,
        last=not any(step.number in one.after for one in steps),
    )


def _all_before(step: Step, steps: dict[int, Step]) -> set[int]:
    """Return all direct and indirect dependencies of a step."""
    found: set[int] = set()
    left = list(step.after)
    while left:
        number = left.pop()
        if number not in found and number in steps:
            found.add(number)
            left += steps[number].after
    return found


def _foreign(world: World, task: LongTask) -> bool:
    """Return whether text of others entered the task: changes then need a button press."""
    with world.database.read() as db:
        return skill_runs.any_foreign(db, refs.name("persistent_task", f"{task.id}/"))


def _asks(world: World, key: str, asks: tuple[str, ...]) -> tuple[str, ...]:
    """Return the tokens of a loop's proposals, including those before a crash."""
    with world.database.read() as db:
        return tuple(dict.fromkeys([*asks, *proposals.of_turn(db, key)]))


def _append_requests(db: sqlite3.Connection, text: str, asks: tuple[str, ...], now: datetime) -> str:
    held = [proposal for token in asks if (proposal := proposals.get(db, token, now)) is not None]
    return "\n".join([text, *(f"This waits for a yes: {one.shown}" for one in held)])


def _end(
    world: World, db: sqlite3.Connection, cycle: int, task: LongTask, step: Step, ok: bool, result: str, cost: float
) -> None:
    again = step.attempts < long_tasks.MOST_ATTEMPTS
    state: StepState = "waiting" if again else "failed"
    if ok:
        state = "done"
    now = world.now
    ended = work_store.end_step(db, cycle, task.id, step, state, result, cost, now)
    if ended is None or ended.state not in ("in_progress", "paused"):
        return
    steps = persistent_tasks.steps(db, task.id)
    if ended.coverage >= 1:
        _finish(world, db, ended, "completed", long_tasks.together(steps), None)
    elif not plans.ready([(one.number, one.after, one.state) for one in steps]):
        _finish(world, db, ended, "failed", long_tasks.together(steps), long_tasks.stuck(steps))


# -- what its owner hears --


def _finish(
    world: World, db: sqlite3.Connection, task: LongTask, state: State, result: str, reason: str | None
) -> None:
    """End the task and queue the news for its owner."""
    if work_store.finish(db, task.id, state, result, reason, world.now):
        over = persistent_tasks.get(db, task.id)
        assert over is not None
        _say(world, db, thoughts.of_long_task(over), over)


def _tell(world: World, db: sqlite3.Connection, task: LongTask) -> None:
    """Queue a progress report if it is worthwhile."""
    if not long_tasks.tells(task):
        return
    steps = persistent_tasks.steps(db, task.id)
    _say(world, db, thoughts.of_progress(task, steps), task)
    work_store.mark_surfaced(db, task, world.now)


def _say(world: World, db: sqlite3.Connection, thought: Thought, task: LongTask) -> None:
    """Queue a thought, replacing older news of the same task."""
    for item in mind_queue.unsaid(db, world.now):
        if item.source == thought.source:
            mind_queue.let_go(db, item.id, "dropped")
    mind_queue.add_thought(db, thought, world.laws.queue.priority[thought.kind], world.now, thoughts.behind(task))


def _expire(world: World) -> int:
    """Expire overdue tasks, keep their findings, report started ones. Returns the number."""
    with world.database.write() as db:
        tasks = work_store.overdue(db, world.now)
        for task in tasks:
            result = long_tasks.together(persistent_tasks.steps(db, task.id))
            if work_store.expire(db, task.id, result or None, long_tasks.ran_out(task), world.now):
                over = persistent_tasks.get(db, task.id)
                if over is not None and task.state != "proposed":
                    _say(world, db, thoughts.of_long_task(over), over)
    return len(tasks)


def _spent(world: World) -> bool:
    """Return whether the daily budget is spent, which pauses long tasks until the next day."""
    settings = world.settings
    limits = BudgetLimits(settings.furoshiki_soft_budget_usd, settings.furoshiki_hard_budget_usd)
    with world.database.read() as db:
        return budget.judge_spending(costs.spent_since(db, day_start(world.now)), limits) == "hard"


PURPOSE = "persistent_task.plan"

ROUNDS = 2  # maximum attempts at a plan

MOST_TOKENS = 1200
TIMEOUT_S = 90.0


@dataclass(frozen=True)
class Refused:
    """No workable plan: the reason, in words for the owner."""

    reason: str


async def plan(world: World, task: LongTask) -> Plan | Refused | None:
    """Return a workable plan, or why there is none; None while no model is available."""
    wrong: Sequence[str] = ()
    for _ in range(ROUNDS):
        found = await ask_mind(
            world, _question(world, task, wrong), world.now, "long_task_unplanned", {"task": task.id}
        )
        if isinstance(found, Unanswered):
            return None if found.nobody else Refused(f"I found no plan for it: {found.reason}")
        form: PlanForm = found.parsed
        made = Plan(
            tuple(PlannedStep(" ".join(step.text.split()), tuple(dict.fromkeys(step.after))) for step in form.steps),
            form.confidence,
        )
        wrong = plans.faults(made)
        if not wrong:
            return made
    return Refused(f"I found no plan for it that holds. {' '.join(wrong)}")


def day_and_name(world: World, db: sqlite3.Connection) -> dict[str, str | None]:
    """Return today's date where the person is, and their name, for a prompt."""
    here = world.now.astimezone(user.zone(world, db))
    return {"day": here.strftime("%A, %-d %B %Y"), "name": user.name(db)}


def _question(world: World, task: LongTask, wrong: Sequence[str]) -> Question:
    with world.database.read() as db:
        today = day_and_name(world, db)
        outside = registry.outside_tools(world, db)
    tools = [*registry.tools(), *(tool.tool for tool in outside)]
    material = world.prompts.render(
        "acting/task",
        **today,
        title=task.title,
        goal=task.goal,
        skills=[f"{tool.name}: {tool.description}" for tool in tools if tool.name != "persistent_task"],
        wrong=wrong,
    )
    system = world.prompts.render("acting/planning", companion=world.settings.furoshiki_companion_name)
    key = refs.name("persistent_task", task.id)
    return Question.of(
        "chat", PURPOSE, system, material, PlanForm, max_tokens=MOST_TOKENS, timeout_s=TIMEOUT_S, turn_key=key
    )


class StepForm(BaseModel):
    """One step of a plan."""

    text: Annotated[str, Field(max_length=400, description="what is to be done, in 4 to 30 words")]
    after: Annotated[
        list[int], Field(max_length=60, description="numbers of the steps whose results it needs, counted from 1")
    ] = []


class PlanForm(BaseModel):
    """A plan, and how sure it leads to the goal."""

    steps: Annotated[list[StepForm], Field(max_length=60)]
    confidence: Annotated[float, Field(ge=0, le=1, description="how sure you are that these steps lead to the goal")]
