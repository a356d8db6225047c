"""The `schedule` package with zones, catch-up and clocks that jump."""

from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime, tzinfo

import schedule

from furoshiki.app.scheduler.rules import next_run
from furoshiki.app.scheduler.schedule_file import Entry

REMEMBERED_RUNS = 8

_NEVER = datetime.max.replace(tzinfo=UTC)


class Alarm(schedule.Job):  # type: ignore[misc]  # `schedule` has no types
    """An alarm for one entry of schedules.json. `runs` are its last starts."""

    def __init__(self, entry: Entry, table: "Timetable", since: datetime, runs: list[datetime]) -> None:
        super().__init__(1, table)
        self.entry = entry
        self.since = since
        self.runs: deque[datetime] = deque(runs, REMEMBERED_RUNS)
        self.due: datetime | None = None
        self.table = table

    @property
    def should_run(self) -> bool:
        return self.due is not None and self.table.clock() >= self.due

    def reset(self) -> None:
        """Recompute when it is due: after a jump of the clock, or a message."""
        self.since = min(self.since, self.table.clock())
        self._schedule_next_run()

    def _schedule_next_run(self) -> None:
        now = self.table.clock()
        self.due = next_run(
            self.entry.timing,
            now,
            self.table.zone(self.entry),
            self.runs,
            self.since,
            self.table.last_activity,
        )
        self.next_run = (self.due or _NEVER).replace(tzinfo=None)


class Timetable(schedule.Scheduler):  # type: ignore[misc]  # as above
    """All alarms. `clock` returns the time (aware, UTC); `ring` is called with a due alarm."""

    def __init__(self, clock: Callable[[], datetime], user_zone: tzinfo, ring: Callable[[Alarm], None]) -> None:
        super().__init__()
        self.clock = clock
        self.user_zone = user_zone
        self.last_activity: datetime | None = None
        self._ring = ring

    @property
    def alarms(self) -> list[Alarm]:
        return list(self.jobs)

    def zone(self, entry: Entry) -> tzinfo:
        """Return the zone of an entry's times."""
        return self.user_zone if entry.zone == "user" else UTC

    def set(self, entry: Entry, since: datetime, runs: list[datetime]) -> Alarm:
        alarm = Alarm(entry, self, since, runs)
        alarm.do(self._ring, alarm)
        return alarm

    def reset(self) -> None:
        """Recompute when each alarm is due."""
        for alarm in self.alarms:
            alarm.reset()

    def next_due(self) -> datetime | None:
        """Return when the first alarm is due, or None."""
        return min((alarm.due for alarm in self.alarms if alarm.due is not None), default=None)
