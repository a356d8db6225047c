"""Next occurrences by RRULE (RFC 5545) in the user's zone, across clock changes."""

import calendar
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import islice, pairwise

_PARTS = frozenset(
    "FREQ INTERVAL COUNT UNTIL EXDATE WKST BYMONTH BYMONTHDAY BYDAY BYHOUR BYMINUTE BYSECOND BYSETPOS".split()  # noqa: SIM905 - reads better
)
_SHORT = {"SECONDLY": timedelta(seconds=1), "MINUTELY": timedelta(minutes=1), "HOURLY": timedelta(hours=1)}
_EXCEPTIONS = re.compile(r";?\bEXDATE=(?P<days>[^;]*)", re.IGNORECASE)
_HORIZON = timedelta(days=366 * 10)
# how far ahead occurrences within the day are searched: longer would mean millions of steps
_HORIZONS = {"SECONDLY": timedelta(days=1), "MINUTELY": timedelta(days=40), "HOURLY": timedelta(days=400)}

_LOOKED_AT = 100

_BYDAY = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def find_next(rule: str, first: datetime, now: datetime, zone: tzinfo) -> datetime | None:
    """Return the first occurrence after `now` of an item first due at `first` (both aware); None
    after the end. The wall-clock hour stays the same across clock changes. Always count from the
    first due time: later, COUNT would never end, and a shifted hour would stay shifted. Raises
    ValueError for an invalid rule, and for one that never occurs in the coming years."""
    after = max(now, first)
    parts = _parts(rule, zone)
    wall = _wall(after, zone)
    ended = "COUNT" in parts or parts.get("UNTIL", "9") <= (wall + _horizon(parts)).strftime("%Y%m%dT%H%M%S")
    for occurrence in _occurrences(parts, _near(parts, _wall(first, zone), wall), wall):
        if occurrence <= wall:
            continue
        moment: datetime = occurrence.replace(tzinfo=zone).astimezone(UTC)
        if moment > after:  # an hour repeated by a clock change was already due the first time
            return moment
    if ended:
        return None
    raise ValueError(f"{rule!r} never falls on a day in the coming years")


def comes_on(rule: str, first: datetime, due: datetime, day: date, zone: tzinfo) -> bool:
    """Return whether an item that was `first` due then, and is `due` next, comes on a day of the user's
    calendar."""
    if due.astimezone(zone).date() == day:
        return True
    before = max(due, datetime.combine(day, time(0), zone) - timedelta(microseconds=1))
    coming = find_next(rule, first, before, zone)
    return coming is not None and coming.astimezone(zone).date() == day


def leave_out(rule: str, day: date, today: date) -> str:
    """Return a rule without its occurrences on a day of the user's calendar (EXDATE); earlier
    exceptions are dropped once they are over."""
    days = sorted({day, *filter(today.__le__, list_left_out(rule))})
    return f"{_EXCEPTIONS.sub('', rule)};EXDATE={','.join(map('{:%Y%m%d}'.format, days))}"


def move_days(rule: str, days: int) -> str | None:
    """Return a plain daily or weekly rule so many days on or (negative) before; None for another."""
    weekly = re.fullmatch(r"FREQ=WEEKLY;BYDAY=(?P<days>[A-Z,]+)", rule)
    if weekly is None:
        stays = rule == "FREQ=DAILY" or (days == 0 and rule.startswith("FREQ=WEEKLY"))
        return rule if stays else None
    moved = sorted((_BYDAY.index(day) + days) % 7 for day in weekly["days"].split(","))
    return f"FREQ=WEEKLY;BYDAY={','.join(map(_BYDAY.__getitem__, moved))}"


def list_left_out(rule: str) -> list[date]:
    """Return the days on which a rule's occurrences are left out. Raises ValueError for no days."""
    exceptions = _EXCEPTIONS.search(rule)
    if exceptions is None:
        return []
    days = re.findall(r"\b\d{8}", exceptions["days"])
    if not days:
        raise ValueError(f"EXDATE must be days, as 20261224, not {exceptions['days']!r}")
    return list(map(date.fromisoformat, days))


def closest(rule: str, first: datetime, zone: tzinfo) -> timedelta:
    """Return the smallest gap between the first occurrences; timedelta.max if there is only one."""
    parts = _parts(rule, zone)
    start = _wall(first, zone)
    near = list(islice(_occurrences(parts, start, start), _LOOKED_AT))
    return min((after - before for before, after in pairwise(near)), default=timedelta.max)


def _occurrences(parts: dict[str, str], start: datetime, after: datetime) -> Iterator[datetime]:
    """Return a rule's occurrences on the wall clock, up to the horizon after `after`."""
    from dateutil.rrule import rrulestr

    _comes_true(parts, start)
    last = (after + _horizon(parts)).strftime("%Y%m%dT%H%M%S")
    bounded = {name: value for name, value in parts.items() if name not in ("COUNT", "EXDATE")}
    bounded["UNTIL"] = min(parts.get("UNTIL", last), last)
    rule = rrulestr(";".join(f"{name}={value}" for name, value in bounded.items()), dtstart=start)
    every = islice(rule, int(parts["COUNT"])) if "COUNT" in parts else iter(rule)
    without = list_left_out(f"EXDATE={parts.get('EXDATE')}") if "EXDATE" in parts else ()
    return filter(lambda one: one.date() not in without, every)


def _horizon(parts: dict[str, str]) -> timedelta:
    return _HORIZONS.get(parts["FREQ"], _HORIZON)


def _parts(rule: str, zone: tzinfo) -> dict[str, str]:
    """Parse a rule into its parts, UNTIL on the user's wall clock. Raises ValueError if invalid."""
    parts: dict[str, str] = {}
    for part in rule.strip().upper().removeprefix("RRULE:").strip(";").split(";"):
        name, _, value = part.partition("=")
        if name not in _PARTS or not re.fullmatch(r"[A-Z0-9,+-]+", value):
            raise ValueError(f"{part!r} is not part of a recurrence rule")
        parts[name] = value
    if "FREQ" not in parts:
        raise ValueError("a recurrence rule needs a FREQ")
    if int(parts.get("INTERVAL", "1")) < 1:
        raise ValueError("INTERVAL must be 1 or more")
    if "BYMONTH" in parts and "BYMONTHDAY" in parts:
        longest = max(_DAYS[(int(month) - 1) % 12] for month in parts["BYMONTH"].split(","))
        if all(abs(int(day)) > longest for day in parts["BYMONTHDAY"].split(",")):
            raise ValueError(f"no month of {parts['BYMONTH']} has a day {parts['BYMONTHDAY']}")
    if "UNTIL" in parts:
        parts["UNTIL"] = _until(parts["UNTIL"], zone)
    return parts


def _until(value: str, zone: tzinfo) -> str:
    """Convert UNTIL from UTC to the user's clock; a date lasts until its end."""
    if value.endswith("Z"):
        last = datetime.strptime(value, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
        return _wall(last, zone).strftime("%Y%m%dT%H%M%S")
    if not re.fullmatch(r"\d{8}(?:T\d{6})?", value):
        raise ValueError(f"UNTIL must be a day or a moment, not {value!r}")
    return value if "T" in value else f"{value}T235959"


def _comes_true(parts: dict[str, str], start: datetime) -> None:
    """Raise ValueError for a rule without a day in ten years: dateutil would search until 9999.

    Checks the days (or steps, if longer) on which the rule can fall.
    """
    if "BYSETPOS" in parts and max(abs(int(part)) for part in parts["BYSETPOS"].split(",")) > _most_in(parts):
        raise ValueError(f"BYSETPOS={parts['BYSETPOS']} never falls on a day in the coming years")
    steps = {"SECONDLY": 1, "MINUTELY": 60, "HOURLY": 3600, "DAILY": 86400}
    count = int(parts.get("INTERVAL", "1"))
    seconds = steps.get(parts["FREQ"], 86400) * (count if parts["FREQ"] in steps else 1)
    if seconds > _HORIZON.total_seconds() or (parts["FREQ"] not in steps and count > 100):
        raise ValueError("that never falls on a day in the coming years")
    step = timedelta(seconds=max(seconds, 3600 if seconds % 86400 else 86400))
    at = start
    while at - start <= _HORIZON:
        if _fits(parts, at, hourly=step < timedelta(days=1) or seconds > 86400):
            return
        at += step
    raise ValueError("that never falls on a day in the coming years")


def _fits(parts: dict[str, str], at: datetime, hourly: bool) -> bool:
    """Return whether a moment is on a day (with `hourly`: in an hour) that the rule names."""
    if "BYMONTH" in parts and at.month not in {int(part) for part in parts["BYMONTH"].split(",")}:
        return False
    if "BYDAY" in parts and _BYDAY[at.weekday()] not in {part[-2:] for part in parts["BYDAY"].split(",")}:
        return False
    if "BYMONTHDAY" in parts:
        last = calendar.monthrange(at.year, at.month)[1]
        days = {int(part) for part in parts["BYMONTHDAY"].split(",")}
        if at.day not in days and at.day - last - 1 not in days:
            return False
    return not (hourly and "BYHOUR" in parts and parts["FREQ"] == "HOURLY") or at.hour in {
        int(part) for part in parts["BYHOUR"].split(",")
    }


def _most_in(parts: dict[str, str]) -> int:
    """Return the largest number of occurrences in one step of a rule, not counting times of day."""
    times = 1
    for name in ("BYHOUR", "BYMINUTE", "BYSECOND"):
        times *= len(parts[name].split(",")) if name in parts else 1
    days = len(parts.get("BYDAY", "").split(","))
    months = len(parts["BYMONTH"].split(",")) if "BYMONTH" in parts else 12
    per_month = min(31, 5 * days) if "BYDAY" in parts else len(parts.get("BYMONTHDAY", "1").split(","))
    return times * {"YEARLY": per_month * months, "MONTHLY": per_month, "WEEKLY": days}.get(parts["FREQ"], 1)


def _near(parts: dict[str, str], first: datetime, after: datetime) -> datetime:
    """Return where to count from: with COUNT the beginning, within a day just before `after`."""
    unit = _SHORT.get(parts["FREQ"])
    if unit is None or "COUNT" in parts:
        return first
    step = unit * int(parts.get("INTERVAL", "1"))
    return first + (after - first) // step * step


def _wall(moment: datetime, zone: tzinfo) -> datetime:
    return moment.astimezone(zone).replace(tzinfo=None)
