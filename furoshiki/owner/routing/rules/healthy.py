"""Expected shares of modes over days of varied conversation."""

from collections.abc import Mapping
from typing import Literal

from furoshiki.owner.routing.values import Mode

LEAST_DECISIONS = 10
"""The least number of decisions for a verdict."""

HEALTHY: Mapping[Mode, tuple[float, float]] = {
    "RESPOND": (0.50, 0.75),
    "CLARIFY": (0.08, 0.20),
    "ACT": (0.05, 0.15),
    "ACKNOWLEDGE": (0.03, 0.12),
    "IGNORE": (0.0, 0.02),
}
"""The usual range of each mode's share of messages, in [0, 1]. Values outside are not an error: a
user who mostly requests actions has more of ACT."""

Verdict = Literal["within", "below", "above", "too_few"]


def verdict(mode: Mode, share: float, messages: int) -> Verdict:
    """Compare a mode's share of so many messages with its range."""
    if messages < LEAST_DECISIONS:
        return "too_few"
    low, high = HEALTHY[mode]
    if share < low:
        return "below"
    return "above" if share > high else "within"
