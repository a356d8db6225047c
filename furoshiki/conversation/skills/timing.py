"""When a reminder is to be said: what a call names as a moment and a rhythm that can be kept, or why not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Annotated, Any, Protocol
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from furoshiki.conversation.skills import choices
from furoshiki.conversation.skills.skill import Result, SkillContext
from furoshiki.core.catalogue import say
from furoshiki.core.timestamps import parse
from furoshiki.language.dates import parsing, recurrence, time_changes
from furoshiki.language.dates.habits import Habits
from furoshiki.language.dates.parsing import Unclear, When
from furoshiki.language.dates.time_changes import parse_time
from furoshiki.language.humanize import describe_moment
from furoshiki.language.reflex.wording import add_full_stop
from furoshiki.owner.agenda.rules.cadence import ORDINARY
from furoshiki.owner.agenda.store import proposals
from furoshiki.owner.agenda.store.tasks import Task
from furoshiki.owner.user_model import user

FURTHEST = timedelta(days=366 * 10)

HALF_A_DAY = timedelta(hours=12)

WHICH = (
    "Not done yet: the hour may be either half of the day. Ask them which it is; below your answer stands a button for "
    "each: {shown}"
)

USUAL_SHORTEST, SHORTEST = timedelta(hours=1), timedelta(minutes=5)
"""Between two times of a reminder that recurs: as a model may have it, and as the user may in their own words."""


@dataclass(frozen=True)
class Timed:
    """A time that lies ahead, in UTC, and the rhythm it begins."""

    due: datetime
    rule: str | None
    zone: str | None = None
    """The name of the zone whose clocks the words named."""


Either = Annotated[SkipJsonSchema[str | None], Field(max_length=60)]
"""The other of two times between which the person is to choose, given by the rules."""


class TimedArguments(Protocol):
    """The arguments of a call that names a time."""

    when: str | None
    recurrence: str | None
    either: str | None

    def model_dump(self, *, mode: str, exclude_defaults: bool, exclude: set[str]) -> dict[str, Any]: ...


def parse_timing(
    doing: SkillContext, name: str, args: TimedArguments, zone: tzinfo, since: datetime | None = None
) -> Timed | Result:
    """What `when` and `recurrence` of a call of that skill mean. `since` is when it was due so far: "6pm" is that day's
    then. Where it may be either half of the day the person is asked, with a button for each."""
    now, when, rule = doing.world.now, args.when or "", args.recurrence
    with doing.world.database.read() as db:
        habits = user.habits(doing.world, db)
    before = None if since is None else since.astimezone(zone)
    deed = str(getattr(args, "what", None) or "")
    found = parse_time(when, now.astimezone(zone), habits, before, deed)
    if isinstance(found, When):
        found = _as_they_said(doing, found, now.astimezone(zone), habits, before)
    if doing.percept is not None and isinstance(found, Unclear) and found.halves:
        return _ask_which(doing, name, args, found.halves)
    if doing.percept is not None and args.either and isinstance(found, When):
        other = replace(found, at=parse(args.either, zone).astimezone(zone))
        return _ask_which(doing, name, args, (found, other))
    if isinstance(found, Unclear):
        return Result(False, f"{add_full_stop(found.asks)} Ask them when exactly.")
    if found is None:
        return Result(False, f"I do not understand the time {when!r}. Give an ISO time such as 2026-11-22T18:00.")
    named, due = found.zone, found.at.astimezone(UTC)
    rule, zone = rule or found.rule, ZoneInfo(named) if named else zone
    if rule:  # one that is none, or that never comes, raises ValueError here, before it is kept
        coming = recurrence.find_next(rule, due, now, zone)
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


def _as_they_said(
    doing: SkillContext, found: When, now: datetime, habits: Habits, since: datetime | None
) -> When | Unclear:
    """The time as the person's own words have it, where a call means the same hour of the other half of the day."""
    if doing.percept is None or not found.timed:
        return found
    own = doing.own.replace("\n", " ")
    said = parsing.parse_when(own, now, habits) if since is None else time_changes.move_time(own, since, now, habits)
    ways = (said,) if isinstance(said, When) else said.halves if said is not None else ()
    if not any(abs(one.at - found.at) == HALF_A_DAY and one.timed for one in ways):
        return found
    if isinstance(said, Unclear):  # the earlier one makes nothing late
        return found if found.at == min(one.at for one in ways) else said
    return found if said is None or said.past else replace(found, at=said.at, past=False)


def _ask_which(doing: SkillContext, name: str, args: TimedArguments, halves: Sequence[When]) -> Result:
    """Keep the call until the person has chosen one of two times."""
    settled = args.model_dump(mode="json", exclude_defaults=True, exclude={"either"})
    rule, zone = args.recurrence or halves[0].rule, halves[0].zone
    settled |= ({"recurrence": rule} if rule else {}) | ({"zone": zone} if zone else {})
    ways = [one.at.isoformat(timespec="seconds") for one in halves]
    kept = choices.choice(doing.place, name, settled, ways, doing.world.now)
    with doing.write() as db:
        proposals.propose(db, kept, doing.world.now)
    return Result(False, WHICH.format(shown=kept.shown), {"halves": ways, "asked": kept.token}, asked=kept.token)


def find_zone(name: str) -> ZoneInfo | None:
    """The time zone of that name; None when there is none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def describe_outcome(words: str, reminder: Mapping[str, object]) -> str:
    """What came of a reminder: `words` with its number, what it is of, and when."""
    return say(words, id=reminder["id"], what=reminder["title"], when=reminder["local"])


def row(task: Task, zone: tzinfo) -> dict[str, object]:
    """A reminder as data, and with its time in words."""
    assert task.due_at is not None
    found: dict[str, object] = {
        "id": task.id,
        "title": task.title,
        "at": task.due_at.isoformat(),
        "local": describe_moment(task.due_at, zone),
        "recurrence": task.recurrence,
    }
    if task.due_zone and task.due_zone != str(zone):
        found["zone"] = task.due_zone
    return found if task.priority == ORDINARY else found | {"priority": task.priority}


def _least(doing: SkillContext, rule: str, now: datetime, habits: Habits) -> timedelta:
    """How close two reminders may be: oftener than once an hour only when the user said that rhythm, or yes to it."""
    if doing.percept is None:
        return SHORTEST
    said = parsing.read(doing.own, now, habits)
    return SHORTEST if said is not None and said.rule == rule else USUAL_SHORTEST
