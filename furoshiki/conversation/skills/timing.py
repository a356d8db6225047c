"""Read the time and recurrence of a reminder from a call, or explain why they are invalid."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
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
from furoshiki.language.dates.recurrence_words import add_rhythm
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
    "Not done yet: the hour may be either half of the day. Ask them which it is; below your "
    "answer stands a button for each: {shown}"
)

# minimum interval of a recurring reminder: from a model, and from the user's own words
USUAL_SHORTEST, SHORTEST = timedelta(hours=1), timedelta(minutes=5)


@dataclass(frozen=True)
class Timed:
    """A future time in UTC, and its recurrence."""

    due: datetime
    rule: str | None
    zone: str | None = None  # the name of the zone mentioned


# the other one of two possible times, supplied by rules
Either = Annotated[SkipJsonSchema[str | None], Field(max_length=60)]


class TimedArguments(Protocol):
    """The arguments of a call with a time."""

    when: str | None
    recurrence: str | None
    either: str | None

    def model_dump(self, *, mode: str, exclude_defaults: bool, exclude: set[str]) -> dict[str, Any]: ...


def parse_timing(
    doing: SkillContext, name: str, args: TimedArguments, zone: tzinfo, since: datetime | None = None
) -> Timed | Result:
    """Read `when` and `recurrence` of a call. `since` is the previous due time: "6pm" then means
    that day. If both halves of the day are possible, ask with two buttons."""
    now, when, rule = doing.world.now, args.when or "", args.recurrence
    with doing.world.database.read() as db:
        habits = user.habits(doing.world, db)
    before = None if since is None else since.astimezone(zone)
    deed = str(getattr(args, "what", None) or "")
    found = parse_time(when, now.astimezone(zone), habits, before, deed)
    if found is not None and _is_half_read(when, found):
        found = None
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
    if rule:  # an invalid or ended rule raises ValueError before it is stored
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


def _is_half_read(when: str, found: When | Unclear) -> bool:
    """Whether a reading leaves out what may be the hour or the day ("завтра о 7", "tomorrow before
    work"): figures, letters beside a day without an hour, and words in another script."""
    if isinstance(found, Unclear) and not found.halves:
        return False
    left = parsing.without(when, found.spans)
    letters = "".join(filter(str.isalpha, left))
    timed = isinstance(found, Unclear) or found.timed
    return any(map(str.isnumeric, left)) or bool(letters) and not (timed and letters.isascii())


def _as_they_said(
    doing: SkillContext, time: When, now: datetime, habits: Habits, since: datetime | None
) -> When | Unclear:
    """Return the time by the user's own words if the call differs by half a day."""
    if doing.percept is None or not time.timed:
        return time
    own = doing.own.replace("\n", " ")
    said = parsing.parse_when(own, now, habits) if since is None else time_changes.move_time(own, since, now, habits)
    ways: tuple[When, ...] = ()
    if isinstance(said, When):
        ways = (said,)
    elif said is not None:
        ways = said.halves
    if not any(abs(one.at - time.at) == HALF_A_DAY and one.timed for one in ways):
        return time
    if isinstance(said, Unclear):  # the earlier time is never late
        return time if time.at == min(one.at for one in ways) else said
    return time if said is None or said.past else replace(time, at=said.at, past=False)


def _ask_which(doing: SkillContext, name: str, args: TimedArguments, halves: Sequence[When]) -> Result:
    """Store the call until the user chooses one of two times."""
    settled = args.model_dump(mode="json", exclude_defaults=True, exclude={"either"})
    rule, zone = args.recurrence or halves[0].rule, halves[0].zone
    settled |= ({"recurrence": rule} if rule else {}) | ({"zone": zone} if zone else {})
    ways = [time.at.isoformat(timespec="seconds") for time in halves]
    proposal = choices.choice(doing.place, name, settled, ways, doing.world.now)
    with doing.write() as db:
        proposals.propose(db, proposal, doing.world.now)
    return Result(
        False, WHICH.format(shown=proposal.shown), {"halves": ways, "asked": proposal.token}, asked=proposal.token
    )


def read_day(doing: SkillContext, words: str, zone: tzinfo) -> date | None:
    """Return the day that words name ("2026-11-24", "next tuesday"), or None."""
    with doing.world.database.read() as db:
        time = parse_time(words, doing.world.now.astimezone(zone), user.habits(doing.world, db))
    if not isinstance(time, When):
        return None
    return time.at.date()


def find_zone(name: str) -> ZoneInfo | None:
    """Return the time zone with this name, or None."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def describe_outcome(words: str, reminder: Mapping[str, object]) -> str:
    """Describe a change: `words` with the reminder's id, title and time."""
    return say(words, id=reminder["id"], what=reminder["title"], when=reminder["local"])


def row(task: Task, zone: tzinfo) -> dict[str, object]:
    """Return a reminder as data, with its time in words."""
    assert task.due_at is not None
    found: dict[str, object] = {
        "id": task.id,
        "title": task.title,
        "at": task.due_at.isoformat(),
        "local": add_rhythm(describe_moment(task.due_at, zone), task.recurrence, task.due_at, zone),
        "recurrence": task.recurrence,
    }
    if task.due_zone and task.due_zone != str(zone):
        found["zone"] = task.due_zone
    return found if task.priority == ORDINARY else found | {"priority": task.priority}


def _least(doing: SkillContext, rule: str, now: datetime, habits: Habits) -> timedelta:
    """Return the minimum interval: below an hour only if the user said or confirmed that rhythm."""
    if doing.percept is None:
        return SHORTEST
    time = parsing.read(doing.own, now, habits)
    return SHORTEST if time is not None and time.rule == rule else USUAL_SHORTEST
