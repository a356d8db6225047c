"""Checks that every requested reminder comes once, on time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from bench.simulator.checks.values import Finding, View

IN_TIME = timedelta(seconds=30)


def in_time(view: View) -> Iterator[Finding]:
    """Each comes within 30 seconds of its time; none is missing, none unrequested.

    A kept promise is removed from the story; a daily one is replaced by tomorrow's.
    """
    promises = view.story.promises
    for one in view.new:
        if one.policy != "reminder":
            continue
        kept = next(
            (
                promise
                for promise in promises
                if promise.about.casefold() in one.text.casefold() and abs(one.at - promise.at) <= IN_TIME
            ),
            None,
        )
        if kept is None:
            yield one.at, f"“{one.text}” came, and nobody had asked for it at this time"
            continue
        promises.remove(kept)
        if (following := kept.following()) is not None:
            promises.append(following)
    for promise in [one for one in promises if one.at + IN_TIME < view.now]:
        promises.remove(promise)
        if (following := promise.following()) is not None:
            promises.append(following)
        yield promise.at, f"the reminder about “{promise.about}” did not come"
