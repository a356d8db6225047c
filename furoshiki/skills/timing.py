"""When a reminder is to be said: what a call names as a moment and a rhythm that can be kept, or why not."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from furoshiki.agenda.rules.cadence import ORDINARY
from furoshiki.agenda.store.tasks import Task
from furoshiki.dates import recurrence
from furoshiki.dates.given import given
from furoshiki.dates.habits import Habits
from furoshiki.dates.parsing import Unclear
from furoshiki.reflex.wording import stopped
from furoshiki.skills.skill import Result, SkillContext
from furoshiki.user_model import user

FURTHEST = timedelta(days=366 * 10)

USUAL_SHORTEST, SHORTEST = timedelta(hours=1), timedelta(minutes=5)
"""Between two times of a reminder that recurs: as a model may have it, and as the user may in their own words."""


@dataclass(frozen=True)
class Timed:
    """A time that lies ahead, in UTC, and the rhythm it begins."""

    due: datetime
    rule: str | None
    zone: str | None = None
    """The name of the zone whose clocks the words named."""


def timed(
    doing: SkillContext, when: str, rule: str | None, zone: tzinfo, since: datetime | None = None
) -> Timed | Result:
    """What a call's `when` and `recurrence` mean. `since` is when it was due so far: "6pm" is that day's then."""
    now = doing.world.now
    with doing.world.database.read() as db:
        habits = user.habits(doing.world, db)
    found = given(when, now.astimezone(zone), habits, None if since is None else since.astimezone(zone))
    if isinstance(found, Unclear):
        return Result(False, f"{stopped(found.asks)} Ask them when exactly.")
    if found is None:
        return Result(False, f"I do not understand the time {when!r}. Give an ISO time such as 2026-11-22T18:00.")
    named, due = found.zone, found.at.astimezone(UTC)
    rule, zone = rule or found.rule, ZoneInfo(named) if named else zone
    if rule:  # one that is none, or that never comes, raises ValueError here, before it is kept
        coming = recurrence.following(rule, due, now, zone)
        due = coming if due <= now and coming is not None else due
    if due <= now:
        return Result(False, f"{when!r} has already passed. Ask which time they mean.")
    if due - now > FURTHEST:
        return Result(False, f"{when!r} is more than ten years away.")
    if rule and recurrence.closest(rule, due, zone) < _least(doing, rule, now.astimezone(zone), habits):
        return Result(
            False, f"{rule!r} comes too often: a reminder may come once an hour, oftener only in their words."
        )
    return Timed(due, rule, named)


def zone_named(name: str) -> ZoneInfo | None:
    """The time zone of that name; None when there is none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def local(moment: datetime, zone: tzinfo) -> str:
    """A moment in the user's zone, with its weekday and year."""
    return moment.astimezone(zone).strftime("%A, %-d %B %Y, %H:%M")


def row(task: Task, zone: tzinfo) -> dict[str, object]:
    """A reminder for machines and for whoever speaks of it."""
    assert task.due_at is not None
    found: dict[str, object] = {
        "id": task.id,
        "title": task.title,
        "at": task.due_at.isoformat(),
        "local": local(task.due_at, zone),
        "recurrence": task.recurrence,
    }
    if task.due_zone and task.due_zone != str(zone):
        found["zone"] = task.due_zone
    return found if task.priority == ORDINARY else found | {"priority": task.priority}


def _least(doing: SkillContext, rule: str, now: datetime, habits: Habits) -> timedelta:
    """How close two reminders may be: oftener than once an hour only when the user said that rhythm, or yes to it."""
    from furoshiki.dates import parsing as dates

    if doing.percept is None:
        return SHORTEST
    said = dates.read(doing.own, now, habits)
    return SHORTEST if said is not None and said.rule == rule else USUAL_SHORTEST
