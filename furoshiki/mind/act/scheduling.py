"""The skill `schedule`: reminders, once or again and again, in the user's own time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from typing import Annotated, Literal

from pydantic import Field

from furoshiki.domain import recurrence
from furoshiki.mind import user
from furoshiki.mind.act.skill import Arguments, Doing, Result, Skill
from furoshiki.storage import tasks
from furoshiki.storage.tasks import Task

FURTHEST = timedelta(days=366 * 10)


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


def _run(doing: Doing, args: ScheduleArguments) -> Result:
    with doing.world.store.read() as db:
        zone = user.zone(doing.world, db)
        waiting = [task for task in tasks.in_list(db, tasks.REMINDERS) if task.due_at is not None]
    if args.action == "list":
        rows = [_row(task, zone) for task in waiting]
        words = "; ".join(f"{row['id']}: {row['title']}, {row['local']}" for row in rows)
        return Result(True, words or "No reminders are waiting.", {"reminders": rows})
    return _cancel(doing, args, waiting) if args.action == "cancel" else _create(doing, args, zone)


def _create(doing: Doing, args: ScheduleArguments, zone: tzinfo) -> Result:
    if not args.what or not args.when:
        return Result(False, "A reminder needs `what` and `when`. Ask them for what is missing.")
    now = doing.world.now
    due, rule = _when(args.when, now.astimezone(zone))
    rule = args.recurrence or rule
    if due is None:
        return Result(False, f"I do not understand the time {args.when!r}. Give an ISO time such as 2026-11-22T18:00.")
    if due <= now and rule:
        due = recurrence.following(rule, due, now, zone)
    if due is None or due <= now:
        return Result(False, f"{args.when!r} has already passed. Ask which time they mean.")
    if due - now > FURTHEST:
        return Result(False, f"{args.when!r} is more than ten years away.")
    if rule:
        recurrence.following(rule, due, now, zone)  # a rule that is none raises ValueError here, before it is kept
    percept = doing.context.percept
    with doing.world.store.write() as db:
        task_id = tasks.add(
            db,
            tasks.REMINDERS,
            args.what,
            now,
            due_at=due,
            due_zone=str(zone),
            recurrence=rule,
            channel=percept.channel,
            chat_id=percept.chat_id,
            turn_key=percept.key,
        )
        made = tasks.get(db, task_id)
    assert made is not None
    row = _row(made, zone)
    return Result(True, f"Reminder {task_id}: {args.what}, {row['local']}", {"reminder": row})


def _cancel(doing: Doing, args: ScheduleArguments, waiting: list[Task]) -> Result:
    wanted = [
        task
        for task in waiting
        if task.id == args.id or (args.id is None and args.what and args.what.casefold() in task.title.casefold())
    ]
    if len(wanted) != 1:
        names = "; ".join(f"{task.id}: {task.title}" for task in wanted or waiting)
        return Result(False, f"Which one? {names or 'No reminders are waiting.'}")
    with doing.world.store.write() as db:
        tasks.set_state(db, wanted[0].id, "cancelled", doing.world.now)
    return Result(True, f"Cancelled: {wanted[0].title}", {"cancelled": {"id": wanted[0].id, "title": wanted[0].title}})


def _when(text: str, now: datetime) -> tuple[datetime | None, str | None]:
    """The moment (UTC) and the rule that words or an ISO time mean; a naive ISO time is in the user's zone."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        from furoshiki.domain import dates

        read = dates.read(text, now)
        return (None, None) if read is None else (read.at.astimezone(UTC), read.rule)
    return (moment if moment.tzinfo else moment.replace(tzinfo=now.tzinfo)).astimezone(UTC), None


def _row(task: Task, zone: tzinfo) -> dict[str, object]:
    assert task.due_at is not None
    return {
        "id": task.id,
        "title": task.title,
        "at": task.due_at.isoformat(),
        "local": task.due_at.astimezone(zone).strftime("%A, %-d %B %Y, %H:%M"),
        "recurrence": task.recurrence,
    }


SKILL = Skill(
    name="schedule",
    description="Make, list or cancel reminders. Times are in the user's own zone.",
    arguments=ScheduleArguments,
    limit_s=0.1,
    run=_run,
    changes=True,
)
