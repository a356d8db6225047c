"""The alarms of the jobs: each knows when it is due, by its zone, catch-up and clocks that jump."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime, tzinfo

from furoshiki.app.scheduler.rules import next_run
from furoshiki.app.scheduler.schedule_file import Entry

REMEMBERED_RUNS = 8


class Alarm:
    """One entry of schedules.json that rings when it is due. `runs` are its last starts."""

    def __init__(self, entry: Entry, table: Timetable, since: datetime, runs: list[datetime]) -> None:
        self.entry = entry
        self.since = since
        self.runs: deque[datetime] = deque(runs, REMEMBERED_RUNS)
        self.due: datetime | None = None
        self._table = table
        self.schedule()

    def reset(self) -> None:
        """Work out anew when it is due: after a jump of the clock, or when somebody spoke."""
        self.since = min(self.since, self._table.clock())
        self.schedule()

    def schedule(self) -> None:
        """Work out when it is due next."""
        table = self._table
        zone = table.user_zone if self.entry.zone == "user" else UTC
        self.due = next_run(self.entry.timing, table.clock(), zone, self.runs, self.since, table.last_activity)


class Timetable:
    """All alarms. `clock` tells the time (aware, UTC); `user_zone` is the user's; `ring` is called with a due alarm."""

    def __init__(self, clock: Callable[[], datetime], user_zone: tzinfo, ring: Callable[[Alarm], None]) -> None:
        self.clock = clock
        self.user_zone = user_zone
        self.last_activity: datetime | None = None
        self.alarms: list[Alarm] = []
        self._ring = ring

    def set(self, entry: Entry, since: datetime, runs: list[datetime]) -> Alarm:
        """Add an alarm for an entry."""
        alarm = Alarm(entry, self, since, runs)
        self.alarms.append(alarm)
        return alarm

    def ring_due(self) -> None:
        """Ring every alarm whose time has come, the longest due first."""
        now = self.clock()
        due = [(alarm.due, at, alarm) for at, alarm in enumerate(self.alarms) if alarm.due is not None]
        for moment, _, alarm in sorted(due):
            if moment <= now:
                self._ring(alarm)
                alarm.schedule()

    def reset(self) -> None:
        """Work out anew when everything is due."""
        for alarm in self.alarms:
            alarm.reset()

    def next_due(self) -> datetime | None:
        """When the first alarm will ring."""
        return min((alarm.due for alarm in self.alarms if alarm.due is not None), default=None)
