"""How much of a conversation is put before the mind, so that most of the prompt stays the same from turn to turn.

A window that slid by one message each turn would change the prompt's beginning each time and spoil the provider's
cache. So its start stands still while the conversation grows, and jumps when the budget is nearly full; what falls out
then goes into a running summary. How large the budget is follows from how much is going on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from furoshiki.language.tokens import estimate
from furoshiki.messages.values import Turn

AFTER_JUMP = 0.5
"""The share of the budget that the conversation keeps when its start has to move."""

COMPACTED_AT = 0.85
"""The share of the budget at which the oldest part of a conversation is folded into its summary."""

KEPT_OF_OLD = 6
"""Turns of the old subject that stay in view when another begins: then a boundary that is none costs little …"""

LEAST_FOLDED = 8
"""… and fewer than so many are not worth a summary, nor sending the whole prompt uncached."""

LIVELY, QUIET = 0.7, 0.3
LIVELY_SHARE, USUAL_SHARE, QUIET_SHARE = 0.9, 0.65, 0.35
"""What a conversation may have of the room: above, between and below the two intensities."""

FRESH = 0.5
"""How much this message counts in the intensity beside all those before it."""

UNKNOWN = 0.5
"""What is not known yet neither stirs nor calms."""

PER_MESSAGE_TOKENS = 4
"""What a message costs beyond its words."""

LONGEST_MESSAGE_TOKENS = 1500
"""A single old message is cut to this."""


@dataclass(frozen=True)
class IntensityInputs:
    """What makes a conversation intense, each in [0, 1].

    `gate` is how relevant the exit gate found what was said recently, `effort` how often the
    answers took more than a glance (skills), `goals` how near the words are to a goal, `emotion`
    the strongest feeling in them.
    """

    gate: float = UNKNOWN
    effort: float = 0.0
    goals: float = UNKNOWN
    emotion: float = 0.0

    @property
    def intensity(self) -> float:
        """All of it together, in [0, 1]: plain talk is at about a third, "ok, thanks" far below."""
        return 0.45 * self.gate + 0.1 * self.effort + 0.2 * self.goals + 0.25 * self.emotion


def compute_intensity(before: float | None, now: float) -> float:
    """The intensity of a conversation, which follows what is said without jumping with every message."""
    return now if before is None else (1.0 - FRESH) * before + FRESH * now


def share(intensity: float) -> float:
    """What the conversation may have of the room for it and for memories."""
    if intensity > LIVELY:
        return LIVELY_SHARE
    return QUIET_SHARE if intensity < QUIET else USUAL_SHARE


def choose_start(turns: Sequence[Turn], first_id: int, budget: int) -> int:
    """Where the window should begin from now on: at `first_id` again below 85 % of the budget, else further on."""
    shown = [turn for turn in turns if turn.id >= first_id] or list(turns)
    if not shown or sum(map(cost, shown)) <= budget * COMPACTED_AT:
        return shown[0].id if shown else 0
    return _after_jump(shown, budget)


def choose_topic_start(turns: Sequence[Turn], first_id: int, turn_id: int) -> int:
    """Where the window should begin when another subject began with `turn_id`: a few turns before it; at `first_id`
    again while that would fold too little away. 0 when there are no turns."""
    shown = [turn for turn in turns if turn.id >= first_id] or list(turns)
    before = [turn for turn in shown if turn.id < turn_id]
    if len(before) < KEPT_OF_OLD + LEAST_FOLDED:
        return shown[0].id if shown else 0
    return before[-KEPT_OF_OLD].id


def start(turns: Sequence[Turn], first_id: int, budget: int) -> int:
    """The id of the first turn to show: `first_id` again while everything from there fits, else a later one.

    `turns` are oldest first; the answer is 0 when there are none. The newest turn is always shown.
    """
    shown = [turn for turn in turns if turn.id >= first_id] or turns  # all from there on may have been forgotten
    if not shown:
        return 0
    if sum(map(cost, shown)) <= budget:
        return shown[0].id
    return _after_jump(shown, budget)


def cost(turn: Turn) -> int:
    """Tokens one turn takes in the window."""
    return min(estimate(turn.text), LONGEST_MESSAGE_TOKENS) + PER_MESSAGE_TOKENS


def _after_jump(shown: Sequence[Turn], budget: int) -> int:
    """The first of the newest turns that take half of the budget; the newest one at least."""
    totals = accumulate(map(cost, reversed(shown)))
    fitting = sum(total <= budget * AFTER_JUMP for total in totals)
    return shown[-max(1, fitting)].id
