"""Choose the action for a thought: the highest score wins, ties go by priority."""

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

NOTHING = 0.2  # the score of doing nothing
MUCH_OPEN = 8  # number of open questions above which another one scores less
WELL_KNOWN = 6  # number of memories of a subject at which a memory search scores fully


@dataclass(frozen=True)
class Situation:
    """A thought and the situation.

    `about_them`: it cites the user; `for_them`: they may like to hear it. `need`: the need to talk,
    in [0, 1]; `days` since their last message; `waits`: such a thought is queued or was said within
    a day. `open`: open questions; `known`: memories of the subject; `pair`: two may contradict.
    `itself`: it is about the companion's conduct. `goal`: confidence of a goal in [0, 1], or None;
    `room`: a task may be proposed. `silent`: a day without messages, so nothing costly starts.
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
    """Return the score of each action, in [0, 1]; 0 if impossible."""
    found: dict[Action, float] = {
        "COMMUNICATE": _rate_saying(now),
        "PLAN": 0.0,
        "SEED_THREAD": {"question": 0.7, "hypothesis": 0.55, "reflection": 0.0}[now.kind],
        "REFLECT": {"question": 0.25, "hypothesis": 0.5, "reflection": 0.6}[now.kind],
        "RECONCILE": 0.0,
        "AMBIENT_TOOL": 0.0,
        "NOTHING": NOTHING,
    }
    if now.goal is not None and now.room and not now.silent:
        found["PLAN"] = 0.5 + 0.35 * now.goal
    if now.open >= MUCH_OPEN and now.kind != "reflection":
        found["SEED_THREAD"] -= 0.3
    if now.itself:
        found["REFLECT"] += 0.2
    if now.pair and not now.silent:
        found["RECONCILE"] = 0.9
    if now.kind == "question":
        found["AMBIENT_TOOL"] = 0.3 + 0.45 * min(1.0, now.known / WELL_KNOWN)
    return {action: round(score, 3) for action, score in found.items()}


def rank(worth: Mapping[Action, float]) -> list[Action]:
    """Return the actions to try, best first, ending with NOTHING."""
    order = sorted(worth, key=lambda action: (-worth[action], -PRIORITY[action]))
    return order[: order.index("NOTHING") + 1]


def _rate_saying(now: Situation) -> float:
    if not now.about_them or now.waits or now.silent or not (now.for_them or now.kind == "question"):
        return 0.0
    return 0.3 + 0.3 * now.need + (0.25 if now.for_them else 0.0) + 0.1 * min(1.0, now.days)
