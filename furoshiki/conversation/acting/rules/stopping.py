"""When a loop of plan and action ends: time, rounds, and an action that only comes again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from furoshiki.core.similarity import cosine
from furoshiki.language.words import RUN

Stopped = Literal["finished", "time", "rounds", "same", "circles", "nobody"]
"""Nothing more was planned; the time was over; so were the rounds; one action came three times running; actions went
in circles; or no mind was there to plan."""


@dataclass(frozen=True)
class Bounds:
    """How long a loop may go on: `seconds` in all, `action_seconds` for one action, so many `rounds`."""

    seconds: float
    action_seconds: float
    rounds: int


AT_ONCE = Bounds(60.0, 10.0, 30)
"""Somebody waits for it."""

BACKGROUND = Bounds(1800.0, 10.0, 5)
"""Nobody does."""

TURN = Bounds(60.0, 10.0, 5)
"""Within the answer to a message: what takes longer is offered as a long task."""

SAME = 3
"""So many times running the same action ends a loop."""

REPEATS = 2
"""So many rounds in a row that repeat one before them end it as well."""

LOOKED_BACK = 3
"""A round repeats another when it is like one of so many before it."""

ALIKE = 0.92
"""Above this cosine (of words that are shared, where nobody can make vectors) two actions are alike."""


@dataclass(frozen=True)
class Step:
    """What one round did, in words: every call with its arguments. `vector` is empty where nobody could make one.

    `changed` says that it brought something about: then it repeated nothing, however alike it reads (milk and bread put
    on a list have a cosine of 0.94).
    """

    action: str
    vector: tuple[float, ...] = ()
    changed: bool = False


def in_words(calls: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
    """The calls of a round as one text: equal when they are the same calls, whatever the order of their arguments."""
    return "; ".join(
        f"{name} {json.dumps(args, sort_keys=True, default=str, ensure_ascii=False)}" for name, args in calls
    )


def verdict(steps: Sequence[Step], elapsed: float, bounds: Bounds) -> Stopped | None:
    """Why the loop ends after these rounds and so many seconds; None when it goes on."""
    if elapsed >= bounds.seconds:
        return "time"
    if len(steps) >= SAME and len({one.action for one in steps[-SAME:]}) == 1:
        return "same"
    if in_circles(steps):
        return "circles"
    return "rounds" if len(steps) >= bounds.rounds else None


def for_action(bounds: Bounds, elapsed: float, allowed: float) -> float:
    """Seconds for the next action. What its owner allows a plugin or a server in so many words (`allowed`) is more than
    the common limit, within the time of the whole."""
    return max(bounds.action_seconds, min(allowed, bounds.seconds - elapsed))


def could_circle(steps: Sequence[Step]) -> bool:
    """Whether there is anything to compare: before that no vector has to be made."""
    recent = steps[-REPEATS:]
    return len(steps) > REPEATS and not any(one.changed for one in recent)


def in_circles(steps: Sequence[Step]) -> bool:
    """Whether each of the last rounds was like one of those before it."""
    if not could_circle(steps):
        return False
    newest = range(len(steps) - REPEATS, len(steps))
    return all(
        any(likeness(before, steps[at]) > ALIKE for before in steps[max(0, at - LOOKED_BACK) : at]) for at in newest
    )


def likeness(one: Step, other: Step) -> float:
    """How alike two rounds are, in [0, 1]."""
    if one.vector and len(one.vector) == len(other.vector):
        return max(0.0, cosine(one.vector, other.vector))
    words, others = _words(one), _words(other)
    return len(words & others) / len(words | others) if words else 0.0


def _words(step: Step) -> frozenset[str]:
    return frozenset(RUN.findall(step.action.casefold()))
