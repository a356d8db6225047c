"""Whether what it learns of how to answer moves as little, and as seldom, as it was promised."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from furoshiki.routing.store import changes
from furoshiki.simulator.checks.values import Finding, View

REVIEW = "routing_review"
MOST_AT_ONCE = 0.02
LEFT_ALONE = timedelta(hours=48)
ROUNDING = 1e-9


def router_moves_little(view: View) -> Iterator[Finding]:
    """A number of the router moves by at most 0.02, and not again within 48 hours; nothing is moved twice at once."""
    if view.what != REVIEW:
        return
    made = changes.every(view.db)
    if not made or made[-1].at < view.now:
        return
    last = made[-1]
    if abs(last.value_after - last.value_before) > MOST_AT_ONCE + ROUNDING:
        yield last.at, f"{last.parameter} was moved from {last.value_before:g} to {last.value_after:g} at once"
    for one in made[:-1]:
        if one.parameter == last.parameter and last.at - one.at < LEFT_ALONE:
            yield last.at, f"{last.parameter} was moved again after {last.at - one.at}"
        if one.at == last.at:
            yield last.at, f"{one.parameter} and {last.parameter} were moved at once"
