"""Choose the visible part of a conversation so that most of the prompt stays equal between turns.

A window that moved with every turn would invalidate the provider's cache. Its start is fixed while
the conversation grows, and jumps when the budget is nearly full; earlier turns go into a running
summary. The budget depends on the conversation's intensity.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from furoshiki.language.tokens import estimate
from furoshiki.messages.values import Turn

AFTER_JUMP = 0.5
"""The share of the budget that remains filled after a jump."""

COMPACTED_AT = 0.85
"""The share of the budget at which the oldest part is folded into the summary."""

KEPT_OF_OLD = 6
"""Turns of the old topic that stay visible when a new one starts, in case of a false boundary."""

LEAST_FOLDED = 8
"""Minimum turns folded at a new topic: fewer are not worth a summary and an uncached prompt."""

LIVELY, QUIET = 0.7, 0.3
LIVELY_SHARE, USUAL_SHARE, QUIET_SHARE = 0.9, 0.65, 0.35
"""The conversation's share of the room above, between and below the two intensities."""

FRESH = 0.5
"""The weight of this message in the intensity."""

UNKNOWN = 0.5
"""The neutral value for unknown inputs."""

PER_MESSAGE_TOKENS = 4
"""Token overhead of a message."""

LONGEST_MESSAGE_TOKENS = 1500
"""Maximum tokens of an old message."""


@dataclass(frozen=True)
class IntensityInputs:
    """The inputs of a conversation's intensity, each in [0, 1].

    `gate`: relevance of recent messages by the exit gate; `effort`: share of answers with skills;
    `goals`: similarity to a goal; `emotion`: the strongest feeling.
    """

    gate: float = UNKNOWN
    effort: float = 0.0
    goals: float = UNKNOWN
    emotion: float = 0.0

    @property
    def intensity(self) -> float:
        """Return the weighted sum, in [0, 1]: plain talk has about a third, "ok" far less."""
        return 0.45 * self.gate + 0.1 * self.effort + 0.2 * self.goals + 0.25 * self.emotion


def compute_intensity(before: float | None, now: float) -> float:
    return now if before is None else (1.0 - FRESH) * before + FRESH * now


def share(intensity: float) -> float:
    """Return the conversation's share of the room for it and memories."""
    if intensity > LIVELY:
        return LIVELY_SHARE
    return QUIET_SHARE if intensity < QUIET else USUAL_SHARE


def choose_start(turns: Sequence[Turn], first_id: int, budget: int) -> int:
    """Return the window's next start: `first_id` below 85 % of the budget, else later."""
    shown = [turn for turn in turns if turn.id >= first_id] or list(turns)
    if not shown or sum(map(cost, shown)) <= budget * COMPACTED_AT:
        return shown[0].id if shown else 0
    return _after_jump(shown, budget)


def choose_topic_start(turns: Sequence[Turn], first_id: int, turn_id: int) -> int:
    """Return the window's start when a new topic begins with `turn_id`: a few turns before, or
    `first_id` if too little would be folded. 0 without turns."""
    shown = [turn for turn in turns if turn.id >= first_id] or list(turns)
    before = [turn for turn in shown if turn.id < turn_id]
    if len(before) < KEPT_OF_OLD + LEAST_FOLDED:
        return shown[0].id if shown else 0
    return before[-KEPT_OF_OLD].id


def start(turns: Sequence[Turn], first_id: int, budget: int) -> int:
    """Return the id of the first visible turn: `first_id` while all fits, else a later one.

    `turns` are oldest first; 0 without turns. The newest turn is always visible.
    """
    shown = [turn for turn in turns if turn.id >= first_id] or turns  # all later ones may be forgotten
    if not shown:
        return 0
    if sum(map(cost, shown)) <= budget:
        return shown[0].id
    return _after_jump(shown, budget)


def cost(turn: Turn) -> int:
    """Return the tokens of a turn in the window."""
    return min(estimate(turn.text), LONGEST_MESSAGE_TOKENS) + PER_MESSAGE_TOKENS


def _after_jump(shown: Sequence[Turn], budget: int) -> int:
    """Return the first of the newest turns that fill half of the budget; at least the newest."""
    totals = accumulate(map(cost, reversed(shown)))
    fitting = sum(total <= budget * AFTER_JUMP for total in totals)
    return shown[-max(1, fitting)].id
