"""Runs all checks after every event. A new check is a function of a View, and a line in CHECKS."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from bench.simulator.checks import basics, outreach, reminders, wandering
from bench.simulator.checks.values import Check, Embed, View
from bench.simulator.story import Story, Violation
from furoshiki.core.database.connection import Database

CHECKS: Mapping[str, Check] = {
    "every message is answered once": basics.answered_once,
    "nothing is said twice": basics.said_once,
    "feelings stay between 0 and 1": basics.feelings_in_range,
    "jobs end well": basics.jobs_end_well,
    "the mind wanders seldom": wandering.seldom,
    "reminders come once, in time": reminders.in_time,
    "every message is explained": outreach.explained,
    "quiet hours": outreach.quiet_hours,
    "quiet that was asked for": outreach.asked_quiet,
    "recent conversation": outreach.recent_conversation,
    "cooldown": outreach.cooldown,
    "daily cap": outreach.daily_cap,
    "mood": outreach.mood,
    "room": outreach.room,
    "repetition": outreach.repetition,
    "nudges": outreach.nudges,
    "still open": outreach.still_open,
}
"""The checks by the name of the promise."""


class Watch:
    """Checks a story after each event."""

    def __init__(self, database: Database, story: Story, now: Callable[[], datetime], embed: Embed) -> None:
        self._database = database
        self._story = story
        self._now = now
        self._embed = embed
        self._seen = 0

    def __call__(self, what: str) -> Sequence[Violation]:
        """Return the violations since the last call."""
        new = self._story.said[self._seen :]
        self._seen = len(self._story.said)
        with self._database.read() as db:
            view = View(db, self._now(), self._story, what, new, self._embed)
            return [Violation(rule, at, words) for rule, check in CHECKS.items() for at, words in check(view)]
