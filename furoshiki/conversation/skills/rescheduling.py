"""Change existing reminders: move, rename, repeat or cancel. Results have the data for `/undo`."""

from dataclasses import replace
from datetime import date, datetime, tzinfo
from zoneinfo import ZoneInfo

from furoshiki.conversation.skills.skill import Result, SkillContext
from furoshiki.conversation.skills.timing import describe_outcome, row
from furoshiki.core.catalogue import later, say
from furoshiki.language.dates import recurrence, time_changes
from furoshiki.language.humanize import date as say_date
from furoshiki.language.humanize import join_items
from furoshiki.language.reflex.wording import describe_moment
from furoshiki.owner.agenda.store import tasks
from furoshiki.owner.agenda.store.tasks import SAME_TIME, Task


def cancel(doing: SkillContext, meant: list[Task]) -> Result:
    """Cancel these reminders."""
    with doing.write() as db:
        for task in meant:
            tasks.set_state(db, task.id, "cancelled", doing.world.now)
    rows = [{"id": task.id, "title": task.title} for task in meant]
    return Result(True, say("Cancelled: {what}", what=join_items([task.title for task in meant])), {"cancelled": rows})


def tick_off(doing: SkillContext, meant: list[Task], zone: tzinfo) -> Result:
    """Tick these off; of a recurring one only this occurrence."""
    now, rows = doing.world.now, []
    with doing.write() as db:
        for task in meant:
            before = tasks.tick_off(db, task, now, doing.place.key, again(task, max(now, task.due_at or now), zone))
            made = tasks.get(db, task.id)
            assert made is not None
            next_at = made.due_at.isoformat() if made.state == "open" and made.due_at is not None else None
            rows.append({"id": task.id, "title": task.title, "at": next_at, "before": before})
    return Result(True, say("Checked off: {what}", what=join_items([task.title for task in meant])), {"ticked": rows})


def leave_out(doing: SkillContext, task: Task, day: date, zone: tzinfo) -> Result:
    """Leave out a day of a recurring reminder."""
    now, there = doing.world.now, zone_of(task, zone)
    assert task.recurrence and task.due_at is not None
    rule = recurrence.leave_out(task.recurrence, day, now.astimezone(there).date())
    due: datetime | None = task.due_at
    if task.due_at.astimezone(there).date() == day:
        due = again(replace(task, recurrence=rule), task.due_at, zone)
    with doing.write() as db:
        before = tasks.tick_off(db, task, now, doing.place.key, due, rule)
    words = say("Left out on {day}: {what}.", day=say_date(day, with_year=False), what=task.title)
    if due is not None:
        words += " " + say(
            "I'll remind you again {when}.", when=describe_moment(due.astimezone(zone), now.astimezone(zone))
        )
    row = {"id": task.id, "title": task.title, "before": before, "left_out": day.isoformat()}
    if due is not None:
        row["at"] = due.isoformat()
    return Result(True, words, {"ticked": [row]})


def zone_of(task: Task, usual: tzinfo) -> tzinfo:
    """Return the zone of a reminder: its own, or the user's `usual` one."""
    return ZoneInfo(task.due_zone) if task.due_zone else usual


def again(task: Task, after: datetime, zone: tzinfo) -> datetime | None:
    """Return the next due time of a recurring task after a time; None without one."""
    if not task.recurrence or task.first_due is None:
        return None
    return recurrence.find_next(task.recurrence, task.first_due, after, zone_of(task, zone))


def move(doing: SkillContext, task: Task, due: datetime, rule: str | None, zone: tzinfo, title: str | None) -> Result:
    """Move a reminder, with a new `title` if any; a recurring one keeps its rhythm."""
    if task.recurrence and not rule:
        rule = time_changes.fit_rule(task.recurrence, due.astimezone(zone))
        if rule is None:
            return Result(False, f"Its rhythm is {task.recurrence}. Ask them for the whole new one.")
    with doing.write() as db:
        now, key = doing.world.now, doing.place.key
        before = tasks.change(db, task, now, key, due_at=due, recurrence=rule, title=title)
        made = tasks.get(db, task.id)
    assert made is not None
    found = row(made, zone)
    return Result(True, describe_outcome(later("Moved: {what}, {when}"), found), {"moved": found, "before": before})


def rename(doing: SkillContext, task: Task, title: str, zone: tzinfo) -> Result:
    """Rename a reminder, keeping its time."""
    with doing.write() as db:
        before = tasks.change(db, task, doing.world.now, doing.place.key, title=title)
        made = tasks.get(db, task.id)
    assert made is not None
    found = row(made, zone)
    return Result(True, describe_outcome(later("Renamed: {what}, {when}"), found), {"renamed": found, "before": before})


def snooze(doing: SkillContext, task: Task, due: datetime, zone: tzinfo) -> Result:
    """Repeat a reminder that was said; other occurrences of a recurring one stay. Nothing is added
    if it recurs at that time anyway."""
    now, key = doing.world.now, doing.place.key
    if task.recurrence and task.due_at is not None and abs(due - task.due_at) < SAME_TIME:
        comes = row(task, zone)
        return Result(
            True, describe_outcome(later("It will repeat on its own then: {what}, {when}"), comes), {"comes": comes}
        )
    with doing.write() as db:
        if task.recurrence:
            again = tasks.add(
                db,
                tasks.REMINDERS,
                task.title,
                now,
                due_at=due,
                due_zone=str(zone),
                channel=task.channel,
                chat_id=task.chat_id,
                turn_key=key,
            )
            before = None
        else:
            before, again = tasks.change(db, task, now, key, due_at=due), task.id
        made = tasks.get(db, again)
    assert made is not None
    found = row(made, zone)
    data = {"snoozed": found} | ({"before": before} if before is not None else {})
    return Result(True, describe_outcome(later("Again: {what}, {when}"), found), data)
