"""Checks that the mind wanders as rarely as promised, and not in circles."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from bench.simulator.checks.values import Finding, View
from furoshiki.conversation.wandering.store import wanderings
from furoshiki.messages.store import turns

JOB = "wander"
A_DAY = timedelta(hours=24)
MOST_A_DAY = 6
MOST_IN_SILENCE = 1
MOST_OF_ONE = 3
LEAST_QUIET = timedelta(seconds=420)
"""Ten minutes, minus the 30 % by which a gap may be shorter."""


def seldom(view: View) -> Iterator[Finding]:
    """At most six thoughts a day, one in silence, none in talk; no topic four times a day."""
    if view.what != JOB:
        return
    lately = wanderings.since(view.db, view.now - A_DAY)
    if not lately or lately[-1].at < view.now:
        return
    asked = sum(one.outcome is not None for one in lately)
    silent = turns.silent(view.db, view.now)
    if asked > (MOST_IN_SILENCE if silent else MOST_A_DAY):
        yield view.now, f"{asked} thoughts came within a day{' of silence' if silent else ''}"
    heard = turns.newest_heard(view.db)
    if heard is not None and view.now - heard[1] < LEAST_QUIET:
        yield view.now, f"its mind wandered {view.now - heard[1]} after a message"
    begun = [one.concept for one in lately if one.concept is not None]
    if begun and begun.count(begun[-1]) > MOST_OF_ONE:
        yield view.now, f"it began with concept {begun[-1]} {begun.count(begun[-1])} times within a day"
