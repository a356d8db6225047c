"""The skill `schedule`: reminders, single or recurring, in the user's time zone.

Creating and listing is here; changing is in `rescheduling`.
"""

from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator
from pydantic.json_schema import SkipJsonSchema

from furoshiki.conversation.skills import rescheduling
from furoshiki.conversation.skills.skill import JUST_BEFORE, Arguments, Change, Result, Skill, SkillContext
from furoshiki.conversation.skills.timing import Either, describe_outcome, find_zone, parse_timing, read_day, row
from furoshiki.core.catalogue import later, say
from furoshiki.language.dates import recurrence
from furoshiki.language.dates.recurrence_words import often
from furoshiki.language.facts import conflicts
from furoshiki.language.grounding.words import content_of
from furoshiki.language.humanize import date as say_date
from furoshiki.language.humanize import describe_moment, join_items
from furoshiki.language.reflex.reminders import urgency
from furoshiki.language.requests.correction_words import may_correct
from furoshiki.language.testimony import Own
from furoshiki.owner.agenda.rules.cadence import ORDINARY
from furoshiki.owner.agenda.store import proposals, tasks
from furoshiki.owner.agenda.store.tasks import Task
from furoshiki.owner.user_model import user


class ScheduleArguments(Arguments):
    """A reminder to create, list, change or cancel.

    Rules supply a named zone and the priority; a model writes them into `when` and `what`. Rules
    offer a reminder of an appointment that is noted: it is made once its owner says yes. `instead`
    is the title that `what` replaces, of such an offer or of a reminder that is moved.
    """

    action: Literal["create", "list", "cancel", "move", "rename", "snooze", "done", "skip"]
    what: Annotated[str | None, Field(max_length=300, description='"call Anika"')] = None
    when: Annotated[
        str | None,
        Field(max_length=120, description='"2026-11-22T18:00", "sunday at six"'),
    ] = None
    recurrence: Annotated[str | None, Field(max_length=240, description='RRULE: "FREQ=WEEKLY;BYDAY=MO"')] = None
    zone: Annotated[SkipJsonSchema[str | None], Field(max_length=60)] = None
    priority: Annotated[SkipJsonSchema[int | None], Field(ge=1, le=5)] = None
    either: Either = None
    offered: Annotated[SkipJsonSchema[bool], Field()] = False
    instead: Annotated[SkipJsonSchema[str | None], Field(max_length=300)] = None
    ids: Annotated[tuple[int, ...], Field(max_length=99, description="Which to change")] = ()

    @model_validator(mode="before")
    @classmethod
    def _one(cls, given: Any) -> Any:
        """Accept `id` for a single reminder, as before several could be named."""
        if not isinstance(given, dict) or "id" not in given:
            return given
        rest = {name: value for name, value in given.items() if name != "id"}
        return rest if given["id"] is None else {**rest, "ids": (given["id"],)}


@dataclass(frozen=True)
class _Planned:
    what: str
    due: datetime
    rule: str | None
    zone: str  # the named zone, else the user's

    priority: int


def _run(doing: SkillContext, args: ScheduleArguments) -> Result:
    zone, waiting = _read_waiting(doing)
    if args.action == "list":
        rows = [row(task, zone) for task in waiting]
        words = "; ".join(f"{one['id']}: {one['title']}, {one['local']}" for one in rows)
        return Result(True, words or "No reminders are waiting.", {"reminders": rows})
    if args.action != "create":
        meant = _find_reminders(doing, args, waiting)
        return meant if isinstance(meant, Result) else _apply_change(doing, args, meant, zone)
    planned = _plan(doing, args, zone)
    return planned if isinstance(planned, Result) else _create(doing, planned, zone)


def _change(doing: SkillContext, args: ScheduleArguments) -> Change | Result | None:
    """Describe the change; its time is fixed now, whenever consent comes."""
    if args.action == "list":
        return None
    zone, waiting = _read_waiting(doing)
    if args.action != "create":
        meant = _find_reminders(doing, args, waiting)
        return meant if isinstance(meant, Result) else _plan_change(doing, args, meant, zone)
    planned = _plan(doing, args, zone)
    if isinstance(planned, Result):
        return planned
    settled = ScheduleArguments(
        action="create",
        what=planned.what,
        when=planned.due.isoformat(),
        recurrence=planned.rule,
        zone=planned.zone,
        priority=planned.priority,
        offered=args.offered,
        instead=args.instead,
    )
    when = describe_moment(planned.due, zone)
    if planned.rule:
        words = later("Remind you {when}, and then {often}: “{what}”")
        then = often(planned.rule, planned.due.astimezone(zone))
        return Change(settled, say(words, when=when, often=then, what=planned.what), [planned.what])
    return Change(settled, say("Remind you {when}: “{what}”", when=when, what=planned.what), [planned.what])


def _read_waiting(doing: SkillContext) -> tuple[tzinfo, list[Task]]:
    with doing.world.database.read() as db:
        zone = user.zone(doing.world, db)
        return zone, [task for task in tasks.in_list(db, tasks.REMINDERS) if task.due_at is not None]


def _plan(doing: SkillContext, args: ScheduleArguments, zone: tzinfo) -> _Planned | Result:
    if not args.what or not args.when:
        return Result(False, "A reminder needs `what` and `when`. Ask them for what is missing.")
    there = find_zone(args.zone) if args.zone else zone
    if there is None:
        return Result(False, f"{args.zone!r} is no time zone: give a name such as America/New_York, or leave it out.")
    found = parse_timing(doing, SKILL.name, args, there)
    if isinstance(found, Result):
        return found
    what, pressing = urgency.split_priority(args.what)
    return _Planned(what, found.due, found.rule, found.zone or str(there), args.priority or pressing or ORDINARY)


def _create(doing: SkillContext, planned: _Planned, zone: tzinfo) -> Result:
    place = doing.place
    with doing.write() as db:
        waiting = tasks.in_list(db, tasks.REMINDERS)
        held = [task for task in waiting if conflicts.same(task.title, planned.what)]
        same = next((task.id for task in held if (task.due_at, task.recurrence) == (planned.due, planned.rule)), None)
        task_id = same or tasks.add(
            db,
            tasks.REMINDERS,
            planned.what,
            doing.world.now,
            due_at=planned.due,
            due_zone=planned.zone,
            recurrence=planned.rule,
            priority=planned.priority,
            channel=place.channel,
            chat_id=place.chat_id,
            turn_key=place.key,
        )
        proposals.settle(db, place.channel, place.chat_id, planned.what)
        made = tasks.get(db, task_id)
        of_this_turn = {task.id for task in tasks.of_turn(db, place.key)}
    assert made is not None
    found = row(made, zone)
    told = describe_outcome(later("Reminder {id}: {what}, {when}"), found)
    since = doing.world.now - JUST_BEFORE
    beside = [
        task
        for task in waiting
        if task.created_at >= since and task.id not in of_this_turn and _may_be_meant(task, made, doing.own)
    ]
    if beside:
        others = "; ".join(
            f"{task['id']}: {task['title']}, {task['local']}" for task in (row(task, zone) for task in beside)
        )
        told = f"{told}. Still waiting from a moment ago: {others}. If this is instead of it, cancel that one."
    return Result(True, told, {"reminder": found})


def _may_be_meant(earlier: Task, made: Task, own: Own) -> bool:
    """Return whether a reminder made a moment ago may be one that is now wanted at another time, or
    is put right ("no, the other one, grandma")."""
    mine, other = content_of(made.title), content_of(earlier.title)
    if made.recurrence is not None or earlier.recurrence is not None or earlier.due_at is None:
        return False
    if earlier.due_at == made.due_at:
        return mine != other and may_correct(own)
    return 2 * len(mine & other) >= min(len(mine), len(other)) > 0


def _find_reminders(doing: SkillContext, args: ScheduleArguments, waiting: list[Task]) -> list[Task] | Result:
    """Return the reminders to change: one, or several to cancel; past ones by id."""
    if args.ids:
        with doing.world.database.read() as db:
            found = [tasks.get(db, number) for number in args.ids]
        wanted = [task for task in found if task is not None and task.list_id == tasks.REMINDERS and task.due_at]
        if args.action != "snooze":
            wanted = [task for task in wanted if task.state == "open"]
        if args.action in ("cancel", "done"):
            return wanted or Result(False, "None of these is waiting any more.")
    else:
        wanted = [task for task in waiting if args.what and args.what.casefold() in task.title.casefold()]
    if len(wanted) != 1:
        names = "; ".join(f"{task.id}: {task.title}" for task in wanted or waiting)
        return Result(False, f"Which one? {names or 'No reminders are waiting.'}")
    return wanted


_ENDS = later({"cancel": "Cancel: {what}", "done": "Check off: {what}"})


def _plan_change(doing: SkillContext, args: ScheduleArguments, meant: list[Task], zone: tzinfo) -> Change | Result:
    """Describe a change, with an unambiguous call for it."""
    names, first = [task.title for task in meant], meant[0]
    quoted = join_items([f"“{name}”" for name in names])
    if args.action in _ENDS:
        settled = ScheduleArguments(action=args.action, ids=tuple(task.id for task in meant))
        return Change(settled, say(_ENDS[args.action], what=quoted), names)
    if args.action == "rename":
        if not args.what or not args.ids:
            return Result(False, "To rename one, give its `ids` and the new words in `what`.")
        settled = ScheduleArguments(action="rename", ids=(first.id,), what=args.what)
        return Change(settled, say("Rename “{what}” to “{new}”", what=first.title, new=args.what), [args.what])
    if args.action == "skip":
        return _plan_skip(doing, args, first, zone)
    if not args.when:
        return Result(False, "The new time belongs into `when`. Ask them for it.")
    found = parse_timing(doing, SKILL.name, args, zone, first.due_at if args.action == "move" else None)
    if isinstance(found, Result):
        return found
    title = args.what if args.instead else None
    settled = ScheduleArguments(
        action=args.action, ids=(first.id,), when=found.due.isoformat(), recurrence=found.rule, what=title
    )
    moved = say("Move “{what}” to {when}", what=first.title, when=describe_moment(found.due, zone))
    return Change(settled, moved, [first.title])


def _plan_skip(doing: SkillContext, args: ScheduleArguments, task: Task, zone: tzinfo) -> Change | Result:
    """Plan to leave out one day of a recurring reminder: the next one, or that of `when`."""
    assert task.due_at is not None
    if not task.recurrence:
        return Result(False, "It comes only once: move or cancel it.")
    there = rescheduling.zone_of(task, zone)
    day: date | None = task.due_at.astimezone(there).date()
    if args.when:
        day = read_day(doing, args.when, there)
    if day is None:
        return Result(False, f"I do not understand the day {args.when!r}. Give an ISO date such as 2026-11-24.")
    if not recurrence.comes_on(task.recurrence, task.first_due or task.due_at, task.due_at, day, there):
        return Result(False, f"It does not come on {day:%A}, {day.isoformat()}.")
    settled = ScheduleArguments(action="skip", ids=(task.id,), when=day.isoformat())
    left = say("Leave out “{what}” on {day}", what=task.title, day=say_date(day, with_year=False))
    return Change(settled, left, [task.title])


def _apply_change(doing: SkillContext, args: ScheduleArguments, meant: list[Task], zone: tzinfo) -> Result:
    change = _plan_change(doing, args, meant, zone)
    if isinstance(change, Result):
        return change
    settled = change.args
    assert isinstance(settled, ScheduleArguments)
    match args.action:
        case "cancel":
            return rescheduling.cancel(doing, meant)
        case "done":
            return rescheduling.tick_off(doing, meant, zone)
        case "rename":
            return rescheduling.rename(doing, meant[0], str(settled.what), zone)
        case "snooze":
            return rescheduling.snooze(doing, meant[0], datetime.fromisoformat(str(settled.when)), zone)
        case "skip":
            return rescheduling.leave_out(doing, meant[0], date.fromisoformat(str(settled.when)), zone)
        case _:
            due = datetime.fromisoformat(str(settled.when))
            return rescheduling.move(doing, meant[0], due, settled.recurrence, zone, settled.what)


SKILL = Skill(
    name="schedule",
    description="Reminders: make, move, skip one day, cancel.",
    arguments=ScheduleArguments,
    limit_s=0.1,
    run=_run,
    who="paired",
    change=_change,
    asks_first=lambda _doing, args: isinstance(args, ScheduleArguments) and args.offered,
)
