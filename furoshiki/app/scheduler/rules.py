"""Pure rules for the next start of a job, from its timing, its past runs and the present time.

Jobs in a time zone count local days: whatever happens to the clock or the offset, a daily job runs
once on each local day. All moments are aware; results are in UTC.
"""

import difflib
import random
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import islice
from typing import Literal

from cronsim import CronSim, CronSimError

from furoshiki.language.tables.calendar_names import WEEKDAYS

# a slot missed by less is late, not missed: the brain was busy, or the machine slept briefly
GRACE = timedelta(minutes=5)

# a run recorded further in the future is ignored: the clock was wrong
FORGET_AFTER = timedelta(hours=36)

_UNITS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
_EXAMPLES = "every 5 minutes", "daily 06:00", "wednesday 10:00", "cron: */10 * * * *", "idle 600 s"
# cron expressions are expanded from this much earlier, so that no offset hides a slot
_FOLD = timedelta(hours=26)


@dataclass(frozen=True)
class Interval:
    """Every so many seconds, with an offset per job so that jobs do not start at once."""

    seconds: float


@dataclass(frozen=True)
class DailyAt:
    """At a local time each day, or on one weekday (Monday is 0)."""

    at: time
    weekday: int | None = None


@dataclass(frozen=True)
class Cron:
    """A cron expression of five fields."""

    expression: str


@dataclass(frozen=True)
class Idle:
    """Once, after nothing has been said for so many seconds."""

    seconds: float


When = Interval | DailyAt | Cron | Idle


@dataclass(frozen=True)
class Timing:
    """When a job runs. `jitter_s` moves a slot by up to that many seconds, later for a time of day,
    either way for an interval; `catch_up`: one missed slot is made up. ValueError for too much
    jitter."""

    name: str
    when: When
    jitter_s: float = 0.0
    catch_up: Literal["none", "once"] = "none"

    def __post_init__(self) -> None:
        match self.when:
            case Interval(seconds) if self.jitter_s > seconds / 2:
                raise ValueError("jitter must be at most half the interval")
            case DailyAt(at) if at.hour * 3600 + at.minute * 60 + self.jitter_s >= 86400:
                raise ValueError("jitter must not reach into the next day")
        if self.jitter_s < 0:
            raise ValueError("jitter is a number of seconds, not below 0")


def parse_when(text: str) -> When:
    """Parse `when` of schedules.json. Raises ValueError, saying what was expected."""
    words = text.strip().lower()
    if words.startswith("cron:"):
        return _cron(text.strip()[len("cron:") :].strip())
    if match := re.fullmatch(r"every (?:(\d+(?:\.\d+)?) )?(second|minute|hour|day)s?", words):
        return Interval(_positive(float(match[1] or 1) * _UNITS[match[2]]))
    if match := re.fullmatch(r"idle (\d+(?:\.\d+)?) ?s(?:econds)?", words):
        return Idle(_positive(float(match[1])))
    if match := re.fullmatch(r"([a-z]+) (\d\d?):(\d\d)", words):
        return DailyAt(_time(match[2], match[3]), _weekday(match[1]))
    raise ValueError(f"{text!r} is not a time; write it like {', '.join(repr(example) for example in _EXAMPLES)}")


def next_run(
    timing: Timing,
    now: datetime,
    zone: tzinfo,
    runs: Sequence[datetime],
    since: datetime,
    last_activity: datetime | None = None,
) -> datetime | None:
    """Return the next start: `now` or earlier means at once, None means no time is known.

    `runs` are the starts of past runs in any order; slots before `since` do not count as missed;
    `last_activity` is the time of the last message.
    """
    sane = sorted(run for run in runs if run <= now + FORGET_AFTER)
    if isinstance(timing.when, Idle):
        if last_activity is None or (sane and sane[-1] > last_activity):
            return None
        return last_activity + timedelta(seconds=timing.when.seconds)
    before = [run for run in sane if run <= now]
    reference = max([min(since, now), *before])
    taken = {run.astimezone(zone).date() for run in sane} if isinstance(timing.when, DailyAt) else set()
    slot = _first(timing, reference, zone, taken)
    if slot is None or slot >= now - GRACE:
        return slot
    return now if timing.catch_up == "once" else _first(timing, now, zone, taken)


def slots(timing: Timing, after: datetime, zone: tzinfo) -> Iterator[datetime]:
    """Yield the slots after `after`, in order; none for Idle."""
    match timing.when:
        case Interval(seconds):
            found = _grid(timing, seconds, after)
        case DailyAt(at, weekday):
            found = _daily(at, weekday, after, zone)
        case Cron(expression):
            found = _expand_cron(expression, after, zone)
        case _:  # Idle has no slots
            return
    moved = (slot + timedelta(seconds=_jitter(timing, slot)) for slot in found)
    yield from (slot for slot in moved if slot > after)


def _first(timing: Timing, after: datetime, zone: tzinfo, taken: set[date]) -> datetime | None:
    """Return the first slot on a local day that has no run yet."""
    candidates = islice(slots(timing, after, zone), len(taken) + 1)
    return next((slot for slot in candidates if slot.astimezone(zone).date() not in taken), None)


def _grid(timing: Timing, seconds: float, after: datetime) -> Iterator[datetime]:
    """Yield multiples of the interval since 1970 plus the job's offset, without drift."""
    offset = zlib.crc32(timing.name.encode()) % max(int(seconds), 1)
    number = int((after.timestamp() - offset) // seconds)  # one early: jitter may move a slot past `after`
    while True:
        yield datetime.fromtimestamp(offset + number * seconds, UTC)
        number += 1


def _daily(at: time, weekday: int | None, after: datetime, zone: tzinfo) -> Iterator[datetime]:
    day = after.astimezone(zone).date() - timedelta(days=1)
    while True:
        if weekday is None or day.weekday() == weekday:
            moment = _on(day, at, zone)
            if moment is not None:
                yield moment
        day += timedelta(days=1)


def _on(day: date, at: time, zone: tzinfo) -> datetime | None:
    """Return the moment of a local time on a day. In a clock's gap it is shifted by the gap's
    length, in an overlap the first one counts; None on a day that a zone skipped."""
    for fold in (0, 1):
        moment = datetime.combine(day, at, zone).replace(fold=fold).astimezone(UTC)
        if moment.astimezone(zone).date() == day:
            return moment
    return None


def _expand_cron(expression: str, after: datetime, zone: tzinfo) -> Iterator[datetime]:
    local = CronSim(expression, (after - _FOLD).astimezone(zone))
    found = (moment.astimezone(UTC) for moment in local)  # before any arithmetic, which would lose the fold
    yield from (moment for moment in found if moment > after - timedelta(hours=1))


def _jitter(timing: Timing, slot: datetime) -> float:
    """Return the jitter in seconds, the same for a slot each time, also after a restart."""
    if not timing.jitter_s:
        return 0.0
    dice = random.Random(zlib.crc32(f"{timing.name} {slot.isoformat()}".encode()))
    return dice.uniform(-timing.jitter_s if isinstance(timing.when, Interval) else 0.0, timing.jitter_s)


def _cron(expression: str) -> Cron:
    if len(expression.split()) != 5:
        raise ValueError(f"cron: {expression!r} must have five fields: minute, hour, day, month, weekday")
    try:
        next(CronSim(expression, datetime(2026, 1, 1, tzinfo=UTC)))
    except (CronSimError, StopIteration) as error:
        raise ValueError(f"cron: {expression!r}: {error or 'this never happens'}") from error
    return Cron(expression)


def _time(hour: str, minute: str) -> time:
    try:
        return time(int(hour), int(minute))
    except ValueError:
        raise ValueError(f"{hour}:{minute} is not a time of day") from None


def _weekday(word: str) -> int | None:
    if word == "daily":
        return None
    if word in WEEKDAYS:
        return WEEKDAYS.index(word)
    near = difflib.get_close_matches(word, ("daily", *WEEKDAYS), 1, 0.5)
    raise ValueError(f"{word!r} is neither 'daily' nor a weekday{f'; did you mean {near[0]!r}?' if near else ''}")


def _positive(seconds: float) -> float:
    if seconds < 1:
        raise ValueError("an interval is at least one second")
    return seconds
