"""What becomes of a thought: each thing that could be done has a score, the highest is done, ties go by priority."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from furoshiki.conversation.wandering.values import Action

PRIORITY: Mapping[Action, int] = {
    "COMMUNICATE": 10,
    "PLAN": 7,
    "SEED_THREAD": 6,
    "REFLECT": 5,
    "RECONCILE": 4,
    "AMBIENT_TOOL": 3,
    "NOTHING": 0,
}

NOTHING = 0.2
"""What doing nothing is worth."""

MUCH_OPEN = 8
"""With so many questions of its own open, another is worth less."""

WELL_KNOWN = 6
"""In so many memories a thing is, and it is worth looking into them."""


@dataclass(frozen=True)
class Situation:
    """A thought and how things stand.

    `about_them`: it rests on their words; `for_them`: they would want to hear it. `need` is how much the companion
    wants to talk, in [0, 1]; `days` since they last said something; `waits`: a thought of this kind waits to be said or
    was said within a day. `open` questions of its own; `known`: memories about the thing; `pair`: two that may
    contradict each other. `itself`: the thought looks at what the companion did. `goal` is how sure it is of work worth
    doing, in [0, 1], None for none; `room`: there is room for a task. `silent`: nothing was said for a day, and then
    nothing is begun that costs more.
    """

    kind: Literal["reflection", "question", "hypothesis"]
    about_them: bool
    for_them: bool
    need: float
    days: float
    waits: bool
    open: int
    known: int
    pair: bool
    itself: bool = False
    goal: float | None = None
    room: bool = False
    silent: bool = False


def scores(now: Situation) -> dict[Action, float]:
    """What each thing is worth, in [0, 1]; 0 for what cannot be done now."""
    asks = now.kind == "question"
    found: dict[Action, float] = {
        "COMMUNICATE": _rate_saying(now),
        "PLAN": 0.0 if now.goal is None or not now.room or now.silent else 0.5 + 0.35 * now.goal,
        "SEED_THREAD": {"question": 0.7, "hypothesis": 0.55, "reflection": 0.0}[now.kind]
        - (0.3 if now.open >= MUCH_OPEN and now.kind != "reflection" else 0.0),
        "REFLECT": {"question": 0.25, "hypothesis": 0.5, "reflection": 0.6}[now.kind] + (0.2 if now.itself else 0.0),
        "RECONCILE": 0.9 if now.pair and not now.silent else 0.0,
        "AMBIENT_TOOL": 0.3 + 0.45 * min(1.0, now.known / WELL_KNOWN) if asks else 0.0,
        "NOTHING": NOTHING,
    }
    return {action: round(score, 3) for action, score in found.items()}


def rank(worth: Mapping[Action, float]) -> list[Action]:
    """What to try first, and what next where that cannot be done after all; NOTHING is the last."""
    order = sorted(worth, key=lambda action: (-worth[action], -PRIORITY[action]))
    return order[: order.index("NOTHING") + 1]


def _rate_saying(now: Situation) -> float:
    if not now.about_them or now.waits or now.silent or not (now.for_them or now.kind == "question"):
        return 0.0
    return 0.3 + 0.3 * now.need + (0.25 if now.for_them else 0.0) + 0.1 * min(1.0, now.days)
