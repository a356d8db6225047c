"""Long tasks: limits, when to report progress, and descriptions.

Users see "long tasks"; tables, jobs and skills call them `persistent_task`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from furoshiki.core.catalogue import later, say, words
from furoshiki.language.grounding.words import content_of, stems_of
from furoshiki.language.humanize import plural, shorten

State = Literal["proposed", "accepted", "in_progress", "paused", "completed", "failed", "cancelled", "expired"]

StepState = Literal["waiting", "running", "done", "failed"]

# verbs and nouns of work in titles, which say nothing about the subject
_ERRANDS = stems_of(
    "find out about look into look up search research compare collect gather list make write "
    "read learn check plan put together work prepare summarise summary overview table notes "
    "draft report"
)

SAME = 0.6  # the share of common words (Jaccard) above which two tasks are the same

# states of accepted tasks that are not over
ACTIVE: tuple[State, ...] = ("accepted", "in_progress", "paused")

OPEN: tuple[State, ...] = ("proposed", *ACTIVE)

OVER: tuple[State, ...] = ("completed", "failed", "cancelled", "expired")

MOST_ACTIVE = 5
CYCLES_AN_HOUR = 3  # cycles an hour of all long tasks together: each may ask a model a dozen times
LIVES = timedelta(days=14)  # the lifetime from the proposal, and again from its acceptance

STEPS_A_CYCLE = 3
MOST_ATTEMPTS = 3  # attempts of a step, two of them retries

# consecutive interruptions of a step (killed, timeout) before they count as a failed attempt
MOST_BREAKS = 10

TOLD_FROM_CYCLE = 2  # progress is reported from this cycle on …
TOLD_EACH = 0.15  # … each time this share more of the task is done

LONGEST_TITLE = 80
LONGEST_GOAL = 600
LONGEST_RESULT = 20_000  # characters of a result that are stored
BAR = 10  # blocks of a progress bar


@dataclass(frozen=True)
class LongTask:
    """A long task. `source_tag` says who wanted it ("user", "drift", …), `source_confidence` in [0,
    1] how certain that is; `confidence` is its plan's; `coverage` is the share of steps done,
    `surfaced_coverage` the share last reported; `reason` explains its state."""

    id: int
    title: str
    goal: str
    source_tag: str
    source_confidence: float
    source_turn_key: str | None
    state: State
    confidence: float | None
    coverage: float
    cycles: int
    surfaced_coverage: float
    surfaced_at: datetime | None
    result: str | None
    reason: str | None
    expires_at: datetime


@dataclass(frozen=True)
class Step:
    """A step of its plan: the numbers of steps it needs, its attempts, and its result."""

    number: int
    text: str
    after: tuple[int, ...]
    state: StepState
    attempts: int
    result: str | None


def jaccard(one: str, other: str) -> float:
    """Return the Jaccard index of two texts' content words (or of all words), in [0, 1]."""
    first, second = (content_of(text) or stems_of(text) for text in (one, other))
    return len(first & second) / len(first | second) if first | second else 1.0


def same(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Whether two tasks (title, goal) are the same: similar words and overlapping titles."""
    first, second = (content_of(title, _ERRANDS) for title, _ in (one, other))
    apart = bool(first and second) and first.isdisjoint(second)
    return not apart and jaccard(" ".join(one), " ".join(other)) > SAME


def is_mentioned(title: str, text: str) -> bool:
    """Whether a text contains a title's whole subject."""
    wanted = content_of(title, _ERRANDS)
    return bool(wanted) and wanted <= stems_of(text)


def tells(task: LongTask) -> bool:
    """Whether to report progress: from the second cycle on, and not when it is finished."""
    grown = task.coverage - task.surfaced_coverage
    first = task.surfaced_at is None and task.coverage > 0
    return (
        task.state == "in_progress"
        and task.cycles >= TOLD_FROM_CYCLE
        and task.coverage < 1
        and (first or grown >= TOLD_EACH - 1e-9)
    )


_IN_WORDS = words("long_tasks")


def describe(task: LongTask) -> str:
    """Return the state in words for the owner."""
    return say(_IN_WORDS[task.state])


def bar(share: float) -> str:
    """Return a progress bar of ten blocks, with its percentage."""
    full = int(share * BAR + 0.5)
    return f"{'▰' * full}{'▱' * (BAR - full)} {share:.0%}"


def in_view(task: LongTask, steps: int) -> str:
    """Return one line about the task for a prompt."""
    title = shorten(task.title, LONGEST_TITLE)
    if task.state == "completed":
        return f"“{title}” is done: the skill persistent_task (follow) has what came of it"
    if task.state == "failed":
        return f"“{title}” did not work out{f': {shorten(task.reason, 120)}' if task.reason else ''}"
    if task.state == "expired":
        return f"“{title}” ran out of time: the skill persistent_task (follow) has what was found"
    steps_done = round(task.coverage * steps)
    words = {"proposed": "waits for their yes", "accepted": "is about to be begun", "paused": "is paused"}
    state = words.get(task.state, "is under way")
    far = f", {steps_done} of {plural(steps, 'step')} done" if steps else ""
    return f"“{title}” {state}{far}"


_MARKS: Mapping[StepState, str] = later({"waiting": "open", "running": "at work", "done": "done", "failed": "failed"})


def report(task: LongTask, steps: list[Step]) -> str:
    """Return the full report: goal, state, steps, and the whole result."""
    lines = [f"**{task.title}** ({task.id}): {describe(task)}, {bar(task.coverage)}", task.goal]
    if task.reason:
        lines.append(task.reason)
    lines += [f"{step.number}. {step.text} ({say(_MARKS[step.state])})" for step in steps]
    if task.result:
        lines.append(f"{say('The outcome:')}\n\n{task.result}")
    return "\n".join(lines)


def offer(task: LongTask) -> str:
    """Describe what accepting it starts, for its owner."""
    return say(
        "A long task: {title}. {goal}. I plan it in a few steps and work on them in the "
        "background, a little every half hour, for up to two weeks. When it comes across other "
        "people's words, it changes nothing without asking you.",
        title=task.title,
        goal=task.goal.rstrip("."),
    )


def laid_out(task: LongTask, steps: list[Step]) -> str:
    """Return the same for a task with a plan: the goal and the steps."""
    return "\n".join([task.goal, *(f"{step.number}. {step.text}" for step in steps)])


def together(steps: list[Step]) -> str:
    """Combine the results of the done steps that no other done step uses, in order."""
    used = {number for step in steps if step.state == "done" for number in step.after}
    ends = [step for step in steps if step.state == "done" and step.number not in used and step.result]
    if len(ends) == 1:
        return (ends[0].result or "")[:LONGEST_RESULT]
    return "\n\n".join(f"{step.text}\n{step.result}" for step in ends)[:LONGEST_RESULT]


def stuck(steps: list[Step]) -> str:
    """Explain why no more work is possible."""
    failed = [step for step in steps if step.state == "failed"]
    left = sum(step.state == "waiting" for step in steps)
    why = "; ".join(f"step {one.number} ({shorten(one.text, 80)}) failed: {_why(one)}" for one in failed)
    rest = f" {plural(left, 'step')} that would come after it could not be begun." if left else ""
    return f"{why}.{rest}"


def ran_out(task: LongTask) -> str:
    """Explain that the time ran out before it was finished."""
    return f"{LIVES.days} days were not enough: {task.coverage:.0%} of it was done."


def _why(step: Step) -> str:
    return shorten(step.result or "nothing came of it", 200).rstrip(".")
