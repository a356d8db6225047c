"""`/remind`: create a reminder from a line of text, with undo; "later" repeats one that came."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from furoshiki.conversation.commands.registry import Button, Command
from furoshiki.conversation.skills import choices, schedule
from furoshiki.conversation.skills.schedule import ScheduleArguments
from furoshiki.conversation.skills.skill import Place
from furoshiki.core import refs
from furoshiki.core.catalogue import later, say
from furoshiki.core.errors import AnswerUnusable, NoMindAnswered
from furoshiki.core.timestamps import parse
from furoshiki.language.dates import parsing, recurrence
from furoshiki.language.dates.habits import Habits
from furoshiki.language.dates.parsing import FURTHEST, Unclear, When
from furoshiki.language.dates.recurrence_words import add_rhythm, often
from furoshiki.language.dates.time_changes import parse_time
from furoshiki.language.humanize import clock
from furoshiki.language.reflex.reminders import reminding, urgency
from furoshiki.language.reflex.wording import add_full_stop
from furoshiki.language.requests.values import Remind, list_each
from furoshiki.language.self_corrections import blank_retractions
from furoshiki.language.words import RUN, count_words, fold
from furoshiki.messages.store import skill_runs
from furoshiki.messages.values import Envelope, Words
from furoshiki.models.llm.values import Question
from furoshiki.owner.agenda.rules.cadence import ORDINARY
from furoshiki.owner.agenda.store import proposals, tasks
from furoshiki.owner.agenda.store.tasks import Task
from furoshiki.owner.user_model import user
from furoshiki.world import World

LATER = timedelta(hours=1)
_EXAMPLE = later("For example: /remind tomorrow at 9 call Anika, or /remind every monday at 18:00 take out the bins.")


@Command("remind", "remind you: /remind tomorrow at 9 call Anika", place=90, who="paired", shows=True)
async def run(world: World, args: str, envelope: Envelope) -> Words:
    """Create the reminder, or ask for missing details."""
    now = world.now
    with world.database.read() as db:
        zone = user.zone(world, db)
        habits = user.habits(world, db)
        waiting = tasks.in_list(db, tasks.REMINDERS)
    if not args:
        lines = [f"- {_render_task(task, zone, now)}" for task in waiting if task.due_at]
        return Words("\n".join([*(lines or [say("No reminders are waiting.")]), "", say(_EXAMPLE)]))
    plain, priority = urgency.split_priority(blank_retractions(args))
    wanted = reminding.parse_rest(plain, now.astimezone(zone), habits)
    wanted = wanted if priority is None else urgency.put_on(wanted, priority) or wanted
    found = [one for one in list_each(wanted) if isinstance(one, Remind)]
    if len(found) == 1 and found[0].halves and found[0].what:
        return _which_half(world, found[0], zone, envelope)
    missing = next((said for one in found if (said := _find_missing(one)) is not None), None)
    if missing is not None and len(found) == 1:
        key, local_now = refs.name("inbox", envelope.id), now.astimezone(zone)
        request = await read(world, plain, local_now, habits, key)
        if request is not None:
            return _make_reminders(world, [replace(request, priority=priority)], zone, envelope)
    if missing is not None:
        return Words(f"{missing} {say(_EXAMPLE)}")
    return _make_reminders(world, found, zone, envelope)


def _which_half(world: World, request: Remind, zone: tzinfo, envelope: Envelope) -> Words:
    """Ask which half of the day is meant, with two buttons; a typed answer works too."""
    first = request.halves[0]
    settled = ScheduleArguments(
        action="create",
        what=request.what,
        recurrence=first.rule,
        zone=first.zone or str(zone),
        priority=request.priority,
    )
    place = Place(refs.name("inbox", envelope.id), envelope.channel, envelope.chat_id, envelope.sender)
    ways = [half.at.isoformat(timespec="seconds") for half in request.halves]
    args = settled.model_dump(mode="json", exclude_defaults=True)
    proposal = choices.choice(place, schedule.SKILL.name, args, ways, world.now)
    with world.database.write() as db:
        proposals.propose(db, proposal, world.now)
    return Words(
        f"{add_full_stop(request.asks or '')} {say('Press a button, or say which one.')}",
        {"buttons": choices.buttons(proposal)},
    )


def _find_missing(request: Remind) -> str | None:
    if request.when is None:
        if request.asks:
            return f"{add_full_stop(request.asks)} {say('When exactly shall I remind you?')}"
        return say("When shall I remind you?")
    if request.when.past:
        return say("That time has passed.")
    return None if request.what else say("What should I remind you of?")


def _render_task(task: Task, zone: tzinfo, now: datetime) -> str:
    assert task.due_at is not None
    return add_rhythm(f"{clock(task.due_at, zone, now)}: {task.title}", task.recurrence, task.due_at, zone)


@Button("remind", ("undo", "later"), of_row=True, who="paired")
async def press(world: World, verb: str, number: int, envelope: Envelope) -> Words | None:
    """Handle `undo`, which cancels a reminder, and `later`, which repeats it in an hour."""
    now = world.now
    with world.database.write() as db:
        zone = user.zone(world, db)
        task = tasks.get(db, number)
        if task is None:
            return Words(say("That reminder no longer exists."))
        if verb == "undo":
            tasks.set_state(db, task.id, "cancelled", now)
            return Words(say("Taken back: {what}.", what=task.title))
        again = now + LATER
        by_itself = task.due_at is not None and abs(again - task.due_at) < tasks.SAME_TIME
        if task.recurrence and not by_itself:  # moving it would move all later occurrences
            tasks.add(db, tasks.REMINDERS, task.title, now, due_at=again, channel=task.channel, chat_id=task.chat_id)
        elif not task.recurrence:
            tasks.set_due(db, task.id, again, now)
    return Words(say("{what}: again {when}.", what=task.title, when=clock(again, zone, now)))


def _make_reminders(world: World, wanted: list[Remind], zone: tzinfo, envelope: Envelope) -> Words:
    now, key = world.now, refs.name("inbox", envelope.id)
    lines, buttons = [], []
    with world.database.write() as db:
        for request in wanted:
            assert request.when is not None
            task_id = tasks.add(
                db,
                tasks.REMINDERS,
                request.what,
                now,
                due_at=request.when.at.astimezone(UTC),
                due_zone=request.when.zone or str(zone),
                recurrence=request.when.rule,
                priority=request.priority or ORDINARY,
                channel=envelope.channel,
                chat_id=envelope.chat_id,
                turn_key=key,
            )
            # recorded like a skill run, for /undo
            data = {"reminder": {"id": task_id, "title": request.what}}
            result = {"ok": True, "text": request.what, "data": data, "notes": []}
            skill_runs.add(db, key, f"command-{task_id}", "schedule", {"action": "create"}, result, True, 0.0, now)
            lines.append(_describe(request.what, request.when.at, request.when.rule, zone, now))
            buttons.append([{"text": say("Take it back"), "data": f"remind.undo:{task_id}"}])
    return Words("\n".join(lines), {"buttons": buttons})


def describe_made(world: World, reminder: Mapping[str, Any]) -> str:
    """Say that a reminder was made; it is the row in the result of the skill."""
    with world.database.read() as db:
        zone = user.zone(world, db)
    return _describe(reminder["title"], parse(reminder["at"]).astimezone(zone), reminder["recurrence"], zone, world.now)


def _describe(what: str, at: datetime, rule: str | None, zone: tzinfo, now: datetime) -> str:
    when = clock(at, zone, now)
    if rule:
        words = later("I will remind you {when}, and then {often}: {what}.")
        return say(words, when=when, often=often(rule, at), what=what)
    return say("I will remind you {when}: {what}.", when=when, what=what)


TIMEOUT_S = 20.0

LEAST_WORDS = 4  # minimum words of a request without a readable time; shorter ones name no time


class ReadReminder(BaseModel):
    """What somebody wants to be reminded of, and when."""

    verdict: Annotated[Literal["clear", "unclear"], Field(description="unclear: no time, or more than one reading")]
    title: Annotated[str, Field(max_length=300, description="In their words, without the time")] = ""
    when: Annotated[str, Field(max_length=40, description="By their clock: 2026-11-22T18:00")] = ""
    recurrence: Annotated[str, Field(max_length=120, description="FREQ=WEEKLY;BYDAY=MO, or empty")] = ""


async def read(world: World, said: str, now: datetime, habits: Habits, turn_key: str) -> Remind | None:
    """Return the requested reminder; None when no model read it, or its answer is rejected. `now`
    is aware, in the user's zone. Ambiguous times are not given to a model: only the user knows."""
    found = parsing.parse_when(said, now, habits)
    if not (isinstance(found, Unclear) and found.unread or found is None and count_words(said) >= LEAST_WORDS):
        return None
    system = world.prompts.render("remind/instructions")
    matter = _material(world, said, now)
    question = Question.of(
        "fast", "reminder", system, matter, ReadReminder, max_tokens=300, timeout_s=TIMEOUT_S, turn_key=turn_key
    )
    try:
        answer = await world.ask(question)
    except (AnswerUnusable, NoMindAnswered):
        return None
    found_it = answer.parsed
    if not isinstance(found_it, ReadReminder) or found_it.verdict != "clear":
        return None
    return build_reminder(found_it.title, found_it.when, found_it.recurrence, said, now, habits)


def _material(world: World, said: str, now: datetime) -> str:
    shown = now.strftime("%A, %-d %B %Y, %H:%M")
    return world.prompts.render("remind/material", now=shown, zone=str(now.tzinfo), said=said)


# -- what a model read --
#
# A model may misread, and the result would ring. The time must be in the future, the title's words
# must occur in the request, and a recurrence must be valid; otherwise the user is asked.


SHORTEST = timedelta(hours=1)  # minimum interval of a recurrence read by a model


def build_reminder(title: str, when: str, rhythm: str, said: str, now: datetime, habits: Habits) -> Remind | None:
    """Return the reminder in `said`; None when rejected. `now` is in the user's zone."""
    title = " ".join(title.split())
    if not title or not _words(title) <= _words(said):
        return None
    found = parse_time(when, now, habits)
    if not isinstance(found, When) or not now < found.at <= now + FURTHEST:
        return None
    rule = rhythm.strip() or None
    if rule is not None and not _can_be_kept(rule, found.at, now):
        return None
    return Remind(title, When(found.at, 0, 0, rule))


def _words(text: str) -> frozenset[str]:
    return frozenset(fold(word) for word in RUN.findall(text))


def _can_be_kept(rule: str, first: datetime, now: datetime) -> bool:
    assert now.tzinfo is not None
    try:
        recurrence.find_next(rule, first, now, now.tzinfo)
        return recurrence.closest(rule, first, now.tzinfo) >= SHORTEST
    except ValueError:
        return False
