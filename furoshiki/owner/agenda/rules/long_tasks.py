"""Long tasks: how many there may be, when they are told of, and how they stand in words.

To the person they are long tasks; rows, jobs and skills call them `persistent_task`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from furoshiki.core.catalogue import later, say
from furoshiki.language.grounding.words import content_of, stems_of
from furoshiki.language.humanize import plural, shorten

State = Literal["proposed", "accepted", "in_progress", "paused", "completed", "failed", "cancelled", "expired"]

StepState = Literal["waiting", "running", "done", "failed"]

_ERRANDS = stems_of(
    "find out about look into look up search research compare collect gather list make write read learn check plan put "
    "together work prepare summarise summary overview table notes draft report"
)
"""What is to be done with something, in titles: it does not say with what."""

SAME = 0.6
"""Two tasks that share more than this part of their words (Jaccard) are one."""

ACTIVE: tuple[State, ...] = ("accepted", "in_progress", "paused")
"""What its owner said yes to and is not over."""

OPEN: tuple[State, ...] = ("proposed", *ACTIVE)

OVER: tuple[State, ...] = ("completed", "failed", "cancelled", "expired")

MOST_ACTIVE = 5
CYCLES_AN_HOUR = 3
"""Of all long tasks together: each may ask a model a dozen times."""

LIVES = timedelta(days=14)
"""From the proposal, and again from the yes."""

STEPS_A_CYCLE = 3
MOST_ATTEMPTS = 3
"""A step is tried again twice."""

MOST_BREAKS = 10
"""So often in a row a step may be cut off (killed, out of time) before that counts as a failed attempt."""

TOLD_FROM_CYCLE = 2
"""A task is told of from its second cycle on …"""

TOLD_EACH = 0.15
"""… each time so much more of it is done, …"""

LONGEST_TITLE = 80
LONGEST_GOAL = 600
LONGEST_RESULT = 20_000
"""Characters. A result is kept whole up to there."""

BAR = 10
"""Blocks of a progress bar."""


@dataclass(frozen=True)
class LongTask:
    """One long task. `source_tag` says who wanted it ("user", "drift", …), `source_confidence` in [0, 1] how sure that
    is; `confidence` is its plan's; `coverage` the share of steps that are done, `surfaced_coverage` what its owner was
    told last; `reason` says in words why it stands as it does; `next_at` is when it may be worked on again."""

    id: int
    title: str
    goal: str
    source_tag: str
    source_confidence: float
    source_turn_key: str | None
    channel: str | None
    chat_id: str | None
    state: State
    priority: int
    confidence: float | None
    coverage: float
    cycles: int
    surfaced_coverage: float
    surfaced_at: datetime | None
    result: str | None
    reason: str | None
    next_at: datetime | None
    expires_at: datetime
    created_at: datetime
    changed_at: datetime


@dataclass(frozen=True)
class Step:
    """A step of its plan: what it rests on by number, how often it was begun, and what came of it."""

    number: int
    text: str
    after: tuple[int, ...]
    state: StepState
    attempts: int
    result: str | None


def jaccard(one: str, other: str) -> float:
    """The share of words that two texts have in common, in [0, 1]; of words that say something, where there are any."""
    first, second = (content_of(text) or stems_of(text) for text in (one, other))
    return len(first & second) / len(first | second) if first | second else 1.0


def same(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Whether two tasks, each a title and a goal, are one: most of their words are the same, and the titles name one
    thing, whatever is to be done with it."""
    first, second = (content_of(title, _ERRANDS) for title, _ in (one, other))
    apart = bool(first and second) and first.isdisjoint(second)
    return not apart and jaccard(" ".join(one), " ".join(other)) > SAME


def is_mentioned(title: str, said: str) -> bool:
    """Whether somebody's words hold all that a title names, whatever is to be done with it."""
    wanted = content_of(title, _ERRANDS)
    return bool(wanted) and wanted <= stems_of(said)


def tells(task: LongTask) -> bool:
    """Whether there is progress its owner should hear of: never before the second cycle, and not at the end, which is
    told in any case."""
    grown = task.coverage - task.surfaced_coverage
    first = task.surfaced_at is None and task.coverage > 0
    return (
        task.state == "in_progress"
        and task.cycles >= TOLD_FROM_CYCLE
        and task.coverage < 1
        and (first or grown >= TOLD_EACH - 1e-9)
    )


_IN_WORDS: Mapping[State, str] = later(
    {
        "proposed": "waits for your yes",
        "accepted": "not begun yet",
        "in_progress": "under way",
        "paused": "paused",
        "completed": "done",
        "failed": "came to nothing",
        "cancelled": "called off",
        "expired": "ran out of time",
    }
)


def describe(task: LongTask) -> str:
    """Describe for its owner how it stands."""
    return say(_IN_WORDS[task.state])


def bar(share: float) -> str:
    """A progress bar of ten blocks, with its figure."""
    full = int(share * BAR + 0.5)
    return f"{'▰' * full}{'▱' * (BAR - full)} {share:.0%}"


def in_view(task: LongTask, steps: int) -> str:
    """One line for a mind that talks to its owner."""
    title = shorten(task.title, LONGEST_TITLE)
    if task.state == "completed":
        return f"“{title}” is done: the skill persistent_task (follow) has what came of it"
    if task.state == "failed":
        return f"“{title}” came to nothing{f': {shorten(task.reason, 120)}' if task.reason else ''}"
    if task.state == "expired":
        return f"“{title}” ran out of time: the skill persistent_task (follow) has what was found"
    done = round(task.coverage * steps)
    words = {"proposed": "waits for their yes", "accepted": "is about to be begun", "paused": "is paused"}
    state = words.get(task.state, "is under way")
    far = f", {done} of {plural(steps, 'step')} done" if steps else ""
    return f"“{title}” {state}{far}"


_MARKS: Mapping[StepState, str] = later({"waiting": "open", "running": "at work", "done": "done", "failed": "failed"})


def report(task: LongTask, steps: list[Step]) -> str:
    """All there is to say of one: what it is for, how far it is, and what came of it, whole."""
    lines = [f"**{task.title}** ({task.id}): {describe(task)}, {bar(task.coverage)}", task.goal]
    if task.reason:
        lines.append(task.reason)
    lines += [f"{step.number}. {step.text} ({say(_MARKS[step.state])})" for step in steps]
    if task.result:
        lines.append(f"{say('What came of it:')}\n\n{task.result}")
    return "\n".join(lines)


def offer(task: LongTask) -> str:
    """What a yes begins, as its owner reads it."""
    return say(
        "A long task: {title}. {goal}. I plan it in a few steps and work on them in the background, a little every "
        "half an hour, for two weeks at most. Where it meets words of others, it changes nothing without asking you.",
        title=task.title,
        goal=task.goal.rstrip("."),
    )


def laid_out(task: LongTask, steps: list[Step]) -> str:
    """The same where there is a plan: what is to be there in the end, and the steps."""
    return "\n".join([task.goal, *(f"{step.number}. {step.text}" for step in steps)])


def together(steps: list[Step]) -> str:
    """What came of a task: the results of the steps that no other step made more of, in their order."""
    used = {number for step in steps if step.state == "done" for number in step.after}
    ends = [step for step in steps if step.state == "done" and step.number not in used and step.result]
    if len(ends) == 1:
        return (ends[0].result or "")[:LONGEST_RESULT]
    return "\n\n".join(f"{step.text}\n{step.result}" for step in ends)[:LONGEST_RESULT]


def stuck(steps: list[Step]) -> str:
    """Why nothing more of it can be done, in words."""
    failed = [step for step in steps if step.state == "failed"]
    left = sum(step.state == "waiting" for step in steps)
    why = "; ".join(f"step {one.number} ({shorten(one.text, 80)}) failed: {_why(one)}" for one in failed)
    rest = f" {plural(left, 'step')} that would come after it could not be begun." if left else ""
    return f"{why}.{rest}"


def ran_out(task: LongTask) -> str:
    """Why it is over though it was not finished."""
    return f"{LIVES.days} days were not enough: {task.coverage:.0%} of it was done."


def _why(step: Step) -> str:
    return shorten(step.result or "nothing came of it", 200).rstrip(".")
