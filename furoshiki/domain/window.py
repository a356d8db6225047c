"""How much of a conversation is put before the mind, so that most of the prompt stays the same from turn to turn.

A window that slid by one message each turn would change the prompt's beginning each time and spoil the provider's
cache. So its start stands still while the conversation grows, and jumps when the budget is full.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from furoshiki.domain.conversation import Turn
from furoshiki.domain.tokens import estimate

AFTER_JUMP = 0.5
"""The share of the budget that the conversation keeps when its start has to move."""

PER_MESSAGE_TOKENS = 4
"""What a message costs beyond its words."""

LONGEST_MESSAGE_TOKENS = 1500
"""A single old message is cut to this."""


def start(turns: Sequence[Turn], first_id: int, budget: int) -> int:
    """The id of the first turn to show: `first_id` again while everything from there fits, else a later one.

    `turns` are oldest first; the answer is 0 when there are none. The newest turn is always shown.
    """
    shown = [turn for turn in turns if turn.id >= first_id] or turns  # all from there on may have been forgotten
    if not shown:
        return 0
    if sum(map(cost, shown)) <= budget:
        return shown[0].id
    totals = accumulate(map(cost, reversed(shown)))
    fitting = sum(total <= budget * AFTER_JUMP for total in totals)
    return shown[-max(1, fitting)].id


def cost(turn: Turn) -> int:
    """Tokens one turn takes in the window."""
    return min(estimate(turn.text), LONGEST_MESSAGE_TOKENS) + PER_MESSAGE_TOKENS
