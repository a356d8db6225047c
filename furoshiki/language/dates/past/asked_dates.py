"""The days a question about the past means: "in March", "two weeks ago", "last summer".

Unlike a reminder (`dates.parsing`), a question names a stretch of time, vaguely: each window has
slack on both sides, more for "a year ago" than for "yesterday".
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from furoshiki.language.dates.past import past_stretches
from furoshiki.language.dates.past.past_stretches import How, Stretch, Unit

FALL = 3.0  # outside a window closeness falls to 0 over this multiple of its slack

# days on both sides that may also be meant, by how a stretch is named
_SLACKS: Mapping[How, Mapping[Unit, float]] = {
    "dated": {"day": 3.0, "month": 4.0, "season": 10.0, "year": 0.0},
    "counted": {"day": 1.0, "week": 3.0, "month": 10.0, "year": 45.0},
    "last": {"week": 3.0, "month": 4.0, "year": 0.0},
    "near": {"day": 1.0, "week": 1.0, "month": 1.0, "year": 1.0},
}
_SLACK_TO_TODAY = 2.0
_UNIT_DAYS = {"week": 7.0, "month": 30.4, "year": 365.25}


@dataclass(frozen=True)
class DateWindow:
    """A stretch of time that a question means, with `slack_days` on both sides."""

    start: datetime
    end: datetime
    slack_days: float

    def closeness(self, at: datetime) -> float:
        """Return 1 inside, falling to 0 at three times the slack (at least a day)."""
        gap = max((self.start - at).total_seconds(), (at - self.end).total_seconds(), 0.0) / 86400
        return max(0.0, 1.0 - gap / max(FALL * self.slack_days, 1.0))


def windows(question: str, now: datetime) -> tuple[DateWindow, ...]:
    """Return the windows a question names, seen from `now` (aware, in the asker's zone)."""
    stretches = past_stretches.read(question, now.date(), asked=True).stretches
    return tuple(window for stretch in stretches for window in _widen(stretch, now))


def closeness(named_windows: tuple[DateWindow, ...], at: datetime) -> float:
    """Return how well a moment fits the best window, in [0, 1]."""
    return max((window.closeness(at) for window in named_windows), default=0.0)


def _widen(stretch: Stretch, now: datetime) -> Iterator[DateWindow]:
    """Yield the window of a stretch; of "last month" also the last two, counted from today."""
    tomorrow = now.date() + timedelta(days=1)
    end = tomorrow if stretch.lead == "since" else stretch.end
    yield _window(stretch.start, end, _SLACKS[stretch.how][stretch.unit], now)
    if stretch.how == "last":
        start = now.date() - timedelta(days=round(2 * _UNIT_DAYS[stretch.unit]))
        yield _window(start, tomorrow, _SLACK_TO_TODAY, now)


def _window(start: date, end: date, slack: float, now: datetime) -> DateWindow:
    def midnight(day: date) -> datetime:
        return datetime.combine(day, time(), now.tzinfo)

    return DateWindow(midnight(start), midnight(end), slack)
