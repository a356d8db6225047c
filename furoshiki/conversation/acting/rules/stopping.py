"""When a plan-and-act loop ends: time, rounds, or repeated actions; and what came of a step."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from furoshiki.core.similarity import cosine
from furoshiki.language.words import RUN

# nothing more planned; time used up; rounds used up; one action three times in a row; circular
# actions; no model available
Stopped = Literal["finished", "time", "rounds", "same", "circles", "nobody"]

# a result, no result, or no model available (undecided)
Outcome = Literal["done", "failed", "away"]

# how a model reports an impossible step, as prompts/acting/step.md.j2 requests
_CANNOT = re.compile(r"[\W_]*CANNOT\b")


@dataclass(frozen=True)
class Bounds:
    """The limits of a loop: total `seconds`, `action_seconds` for one action, `rounds`."""

    seconds: float
    action_seconds: float
    rounds: int


BACKGROUND = Bounds(1800.0, 10.0, 5)  # the limits of background work
TURN = Bounds(60.0, 10.0, 5)  # the limits within an answer: longer work is offered as a long task
SAME = 3  # identical actions in a row that end a loop
REPEATS = 2  # similar rounds in a row that end a loop
LOOKED_BACK = 3  # number of previous rounds that a round is compared with

# cosine (or share of common words, without vectors) above which two actions are similar
ALIKE = 0.92


@dataclass(frozen=True)
class Step:
    """A round in words: each call with its arguments. `vector` is empty if unavailable.

    `changed`: the round had an effect and repeats nothing, however similar it reads (adding milk
    and adding bread have a cosine of 0.94).
    """

    action: str
    vector: tuple[float, ...] = ()
    changed: bool = False


def in_words(calls: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
    """Return the calls of a round as text that ignores the order of arguments."""
    return "; ".join(
        f"{name} {json.dumps(args, sort_keys=True, default=str, ensure_ascii=False)}" for name, args in calls
    )


def verdict(steps: Sequence[Step], elapsed: float, bounds: Bounds) -> Stopped | None:
    """Return why the loop ends after these rounds and seconds; None when it continues."""
    if elapsed >= bounds.seconds:
        return "time"
    if len(steps) >= SAME and len({step.action for step in steps[-SAME:]}) == 1:
        return "same"
    if in_circles(steps):
        return "circles"
    return "rounds" if len(steps) >= bounds.rounds else None


def for_action(bounds: Bounds, elapsed: float, allowed: float) -> float:
    """Return the time limit in seconds of the next action: the default or, within the total, the
    time that the owner grants a plugin or server (`allowed`)."""
    return max(bounds.action_seconds, min(allowed, bounds.seconds - elapsed))


def could_circle(steps: Sequence[Step]) -> bool:
    """Return whether rounds must be compared; otherwise no vectors are needed."""
    recent = steps[-REPEATS:]
    return len(steps) > REPEATS and not any(step.changed for step in recent)


def in_circles(steps: Sequence[Step]) -> bool:
    """Return whether each of the last rounds was similar to an earlier one."""
    if not could_circle(steps):
        return False
    newest = range(len(steps) - REPEATS, len(steps))
    return all(
        any(likeness(before, steps[at]) > ALIKE for before in steps[max(0, at - LOOKED_BACK) : at]) for at in newest
    )


def likeness(step: Step, other: Step) -> float:
    """Return the similarity of two rounds, in [0, 1]."""
    if step.vector and len(step.vector) == len(other.vector):
        return max(0.0, cosine(step.vector, other.vector))
    words, others = _words(step), _words(other)
    return len(words & others) / len(words | others) if words else 0.0


def _words(step: Step) -> frozenset[str]:
    return frozenset(RUN.findall(step.action.casefold()))


def judge_outcome(stopped: Stopped, text: str, *, changed: bool, asks: bool) -> Outcome:
    """Return the outcome from the stop reason, the text, and whether anything changed or waits for
    consent: then the owner decides, and a retry would only ask again."""
    if stopped == "nobody":
        return "away"
    if asks:
        return "done"
    if _CANNOT.match(text) or not text.strip():
        return "failed"
    return "done" if stopped == "finished" or changed else "failed"
