"""The skill `schedule`: reminders, once or again and again, in the user's own time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Annotated, Literal

from pydantic import Field

from furoshiki.domain import recurrence
from furoshiki.domain.date_habits import Habits
from furoshiki.domain.reflex.wording import stopped
from furoshiki.domain.when import parse
from furoshiki.mind import user
from furoshiki.mind.act.skill import Arguments, Change, Doing, Result, Skill
from furoshiki.storage import tasks
from furoshiki.storage.tasks import Task

FURTHEST = timedelta(days=366 * 10)

USUAL_SHORTEST, SHORTEST = timedelta(hours=1), timedelta(minutes=5)
"""Between two times of a reminder that recurs: as a model may have it, and as the user may in their own words."""


class ScheduleArguments(Arguments):
    """A reminder to make, to look at, or to take back."""

    action: Literal["create", "list", "cancel"]
    what: Annotated[str | None, Field(max_length=300, description='What to be reminded of: "call Anika"')] = None
    when: Annotated[
        str | None,
        Field(max_length=120, description='ISO time in their zone, or words: "2026-11-22T18:00", "sunday at six"'),
    ] = None
    recurrence: Annotated[str | None, Field(max_length=120, description='RRULE: "FREQ=WEEKLY;BYDAY=MO"')] = None
    id: Annotated[int | None, Field(description="Which reminder to cancel")] = None


@dataclass(frozen=True)
class _Planned:
    """A reminder that can be made."""

    what: str
    due: datetime
    rule: str | None


def _run(doing: Doing, args: ScheduleArguments) -> Result:
    zone, waiting = _waiting(doing)
    if args.action == "list":
        rows = [_row(task, zone) for task in waiting]
        words = "; ".join(f"{row['id']}: {row['title']}, {row['local']}" for row in rows)
        return Result(True, words or "No reminders are waiting.", {"reminders": rows})
    if args.action == "cancel":
        task = _meant(args, waiting)
        return task if isinstance(task, Result) else _cancel(doing, task)
    planned = _planned(doing, args, zone)
    return planned if isinstance(planned, Result) else _create(doing, planned, zone)


def _change(doing: Doing, args: ScheduleArguments) -> Change | Result | None:
    """What would be made or cancelled; the time is settled now, whenever the yes comes."""
    if args.action == "list":
        return None
    zone, waiting = _waiting(doing)
    if args.action == "cancel":
        task = _meant(args, waiting)
        if isinstance(task, Result):
            return task
        settled = ScheduleArguments(action="cancel", id=task.id)
        return Change(settled, f"Cancel the reminder “{task.title}”", [task.title])
    planned = _planned(doing, args, zone)
    if isinstance(planned, Result):
        return planned
    settled = ScheduleArguments(
        action="create", what=planned.what, when=planned.due.isoformat(), recurrence=planned.rule
    )
    again = f", and again by the rule {planned.rule}" if planned.rule else ""
    return Change(settled, f"Remind you {_local(planned.due, zone)}{again}: “{planned.what}”", [planned.what])


def _waiting(doing: Doing) -> tuple[tzinfo, list[Task]]:
    with doing.world.store.read() as db:
        zone = user.zone(doing.world, db)
        return zone, [task for task in tasks.in_list(db, tasks.REMINDERS) if task.due_at is not None]


def _planned(doing: Doing, args: ScheduleArguments, zone: tzinfo) -> _Planned | Result:
    if not args.what or not args.when:
        return Result(False, "A reminder needs `what` and `when`. Ask them for what is missing.")
    now = doing.world.now
    with doing.world.store.read() as db:
        habits = user.habits(doing.world, db)
    due, rule = _when(args.when, now.astimezone(zone), habits)
    if isinstance(due, str):
        return Result(False, f"{stopped(due)} Ask them when exactly.")
    rule = args.recurrence or rule
    if due is None:
        return Result(False, f"I do not understand the time {args.when!r}. Give an ISO time such as 2026-11-22T18:00.")
    if rule:  # one that is none, or that never comes, raises ValueError here, before it is kept
        coming = recurrence.following(rule, due, now, zone)
        if due <= now:
            due = coming
    if due is None or due <= now:
        return Result(False, f"{args.when!r} has already passed. Ask which time they mean.")
    if due - now > FURTHEST:
        return Result(False, f"{args.when!r} is more than ten years away.")
    if rule and recurrence.closest(rule, due, zone) < _least(doing, rule, now.astimezone(zone), habits):
        return Result(
            False, f"{rule!r} comes too often: a reminder may come once an hour, oftener only in their words."
        )
    return _Planned(args.what, due, rule)


def _least(doing: Doing, rule: str, now: datetime, habits: Habits) -> timedelta:
    """How close two reminders may be: oftener than once an hour only when the user said that rhythm, or yes to it."""
    from furoshiki.domain import dates

    if doing.context is None:
        return SHORTEST
    said = dates.read(doing.own, now, habits)
    return SHORTEST if said is not None and said.rule == rule else USUAL_SHORTEST


def _create(doing: Doing, planned: _Planned, zone: tzinfo) -> Result:
    place = doing.place
    with doing.write() as db:
        task_id = tasks.add(
            db,
            tasks.REMINDERS,
            planned.what,
            doing.world.now,
            due_at=planned.due,
            due_zone=str(zone),
            recurrence=planned.rule,
            channel=place.channel,
            chat_id=place.chat_id,
            turn_key=place.key,
        )
        made = tasks.get(db, task_id)
    assert made is not None
    row = _row(made, zone)
    return Result(True, f"Reminder {task_id}: {planned.what}, {row['local']}", {"reminder": row})


def _meant(args: ScheduleArguments, waiting: list[Task]) -> Task | Result:
    """The reminder to cancel."""
    wanted = [
        task
        for task in waiting
        if task.id == args.id or (args.id is None and args.what and args.what.casefold() in task.title.casefold())
    ]
    if len(wanted) != 1:
        names = "; ".join(f"{task.id}: {task.title}" for task in wanted or waiting)
        return Result(False, f"Which one? {names or 'No reminders are waiting.'}")
    return wanted[0]


def _cancel(doing: Doing, task: Task) -> Result:
    with doing.write() as db:
        tasks.set_state(db, task.id, "cancelled", doing.world.now)
    return Result(True, f"Cancelled: {task.title}", {"cancelled": {"id": task.id, "title": task.title}})


def _when(text: str, now: datetime, habits: Habits) -> tuple[datetime | str | None, str | None]:
    """The moment (UTC) and the rule that words or an ISO time (naive: in the user's zone) mean, or what to ask."""
    try:
        return parse(text, now.tzinfo or UTC), None
    except ValueError:
        from furoshiki.domain import dates

        found = dates.reading(text, now, habits)
    if isinstance(found, dates.When):
        return found.at.astimezone(UTC), found.rule
    return None if found is None else found.asks, None


def _local(moment: datetime, zone: tzinfo) -> str:
    return moment.astimezone(zone).strftime("%A, %-d %B %Y, %H:%M")


def _row(task: Task, zone: tzinfo) -> dict[str, object]:
    assert task.due_at is not None
    return {
        "id": task.id,
        "title": task.title,
        "at": task.due_at.isoformat(),
        "local": _local(task.due_at, zone),
        "recurrence": task.recurrence,
    }


SKILL = Skill(
    name="schedule",
    description="Make, list or cancel reminders. Times are in the user's own zone.",
    arguments=ScheduleArguments,
    limit_s=0.1,
    run=_run,
    change=_change,
)
