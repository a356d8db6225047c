"""What a healthy mix of ways to answer looks like, over days of varied conversation."""

from collections.abc import Mapping
from typing import Literal

from furoshiki.owner.routing.values import Mode

LEAST_DECISIONS = 10
"""Of fewer nothing is concluded."""

HEALTHY: Mapping[Mode, tuple[float, float]] = {
    "RESPOND": (0.50, 0.75),
    "CLARIFY": (0.08, 0.20),
    "ACT": (0.05, 0.15),
    "ACKNOWLEDGE": (0.03, 0.12),
    "IGNORE": (0.0, 0.02),
}
"""The share of messages in [0, 1] that each mode usually has, from and to. Outside of it nothing is wrong yet: who
mostly asks for things to be done has more of ACT."""

Verdict = Literal["within", "below", "above", "too_few"]


def verdict(mode: Mode, share: float, messages: int) -> Verdict:
    """Whether a mode's share of so many messages lies in its range."""
    if messages < LEAST_DECISIONS:
        return "too_few"
    low, high = HEALTHY[mode]
    if share < low:
        return "below"
    return "above" if share > high else "within"
