"""The skills `focus` (time for one subject) and `quiet` (nothing unprompted)."""

from datetime import UTC, timedelta
from typing import Annotated, Literal

from pydantic import Field

from furoshiki.conversation.skills.skill import Arguments, Change, Result, Skill, SkillContext
from furoshiki.core.catalogue import ENGLISH, get_language, later, say, say_number
from furoshiki.language import humanize
from furoshiki.language.dates.habits import Habits
from furoshiki.language.dates.parsing import When
from furoshiki.language.dates.time_changes import parse_time
from furoshiki.language.humanize import shorten
from furoshiki.language.testimony import Own
from furoshiki.mind.outreach import being_quiet, laws
from furoshiki.owner.agenda.rules import focusing
from furoshiki.owner.agenda.rules.quiet import ends
from furoshiki.owner.agenda.rules.quiet.asked import Hours, Planned, describe_planned, describe_quiet, over, say_period
from furoshiki.owner.agenda.rules.quiet.daily import read_daily
from furoshiki.owner.agenda.rules.quiet.ends import Clock
from furoshiki.owner.agenda.rules.quiet.reading import LONGEST_WHY
from furoshiki.owner.agenda.store import focus_sessions, quiet
from furoshiki.owner.agenda.store.focus_sessions import FocusSession
from furoshiki.owner.user_model import user
from furoshiki.recall.retrieval.client import VectorsAway

USUAL, LONGEST = 25, 480  # the default and maximum length of a session, in minutes

NONE = later("No focus session is running.")


class FocusArguments(Arguments):
    """The action and its details."""

    action: Literal["set", "check", "clear"]
    topic: Annotated[str, Field(max_length=120)] = ""
    minutes: Annotated[int, Field(ge=1, le=LONGEST)] = USUAL


def _change(doing: SkillContext, args: FocusArguments) -> Change | Result | None:
    if args.action == "check":
        return None
    if args.action == "clear":
        return Change(args, say("End the focus session"), [])
    named = [args.topic or "focus", *([str(args.minutes)] if args.minutes != USUAL else [])]
    on, alone = later("A focus session of {minutes} minutes on {topic}"), later("A focus session of {minutes} minutes")
    return Change(args, say(on if args.topic else alone, minutes=args.minutes, topic=args.topic), named)


def _run(doing: SkillContext, args: FocusArguments) -> Result:
    world, now = doing.world, doing.world.now
    with world.database.read() as db:
        held, zone = focus_sessions.current(db, now), user.zone(world, db)
    if args.action == "check":
        if held is None:
            return Result(True, say(NONE))
        return Result(True, _describe_session(held, doing), {"until": held.until.isoformat()})
    if args.action == "clear":
        if held is None:
            return Result(False, say(NONE))
        with doing.write() as db:
            focus_sessions.end(db)
        return Result(True, f"{say('The focus session is over.')} {_describe_session(held, doing)}")
    until = now + timedelta(minutes=args.minutes)
    session = FocusSession(args.topic, now, until, _vector(doing, args.topic))
    with doing.write() as db:
        focus_sessions.keep(db, session, now)
    clock = until.astimezone(zone).strftime("%H:%M")
    words = later("Focus until {clock}: until then I'll only bring up what is urgent on my own.")
    return Result(True, say(words, clock=clock), {"topic": session.topic, "clock": clock})


def _vector(doing: SkillContext, topic: str) -> tuple[float, ...]:
    if not topic:
        return ()
    try:
        return tuple(doing.world.vectors.embed([topic])[0])
    except VectorsAway:
        return ()


def _describe_session(session: FocusSession, doing: SkillContext) -> str:
    left = focusing.minutes(session.until, doing.world.now)
    minutes = say_number("{number} minute left.", "{number} minutes left.", left)
    standing = f"{say('Focused on {topic}.', topic=session.topic)} {minutes}" if session.topic else minutes
    if not session.strayed:
        return standing
    strayed = say_number(
        "{number} message about something else.", "{number} messages about something else.", session.strayed
    )
    return f"{standing} {strayed}"


SKILL = Skill(
    name="focus",
    description="Set, check or end a focus session of so many minutes.",
    arguments=FocusArguments,
    limit_s=0.05,
    run=_run,
    change=_change,
)


# -- quiet: they want to be left alone --

LONGEST_DAYS = 30
OFF = "off"
NOT_READ = later("I can't tell until when: give a day, a time, or how long, like “sunday” or “2026-11-29T08:00”.")


class QuietArguments(Arguments):
    """The end, or when each day or week, in the user's words; "off" ends the quiet."""

    until: Annotated[str, Field(max_length=80, description='"3 days", "sunday mornings", "after 21:00", "off"')] = ""


def _change_quiet(doing: SkillContext, args: QuietArguments) -> Change | Result | None:
    if args.until.lower() == OFF:
        return Change(args, say("Write first again"), [])
    if hours := _read_hours(args.until):
        ends = ["…" if one is None else f"{one:%H:%M}" for one in (hours.since, hours.until)]
        return Change(args, say("Write nothing unasked {period}", period="–".join(ends)), [])
    asked = _read_period(doing, args.until)
    if asked is None:
        return Result(False, say(NOT_READ))
    zone = asked.until.tzinfo or UTC
    if asked.begins > doing.world.now:
        period = say_period(asked, zone, doing.world.now)
        return Change(args, say("Write nothing unasked {period}", period=period), [])
    settled = args.model_copy(update={"until": asked.until.isoformat()})
    when = humanize.describe_moment(asked.until, zone)
    return Change(settled, say("Write nothing unasked until {when}", when=when), [])


def was_quiet_asked(doing: SkillContext, args: QuietArguments, own: Own) -> bool:
    """Return whether the owner's own words ask for this quiet or a longer one, or for its end."""
    if hours := _read_hours(args.until):
        daily = being_quiet.find_hours(doing.world, own)
        return daily is not None and not daily.days and hours in daily.ways
    wish = being_quiet.find_wish(doing.world, own)
    if wish is None or wish.until is None or args.until.lower() == OFF:
        return wish is not None and wish.until is None and args.until.lower() == OFF
    asked = _read_period(doing, args.until)
    begins = wish.begins or doing.world.now
    return asked is not None and asked.begins >= begins and asked.until <= wish.until and asked.weekly == wish.weekly


def _be_quiet(doing: SkillContext, args: QuietArguments) -> Result:
    world, now = doing.world, doing.world.now
    if args.until.lower() == OFF:
        with doing.write() as db:
            was = quiet.current(db, now) is not None
            quiet.end(db)
        return Result(was, over() if was else say("I wasn't being quiet."))
    if (hours := _read_hours(args.until)) and world.who.place is None:
        return Result(True, being_quiet.keep_said_hours(world, hours))
    asked = _read_period(doing, args.until)
    if asked is None:
        return Result(False, say(NOT_READ))
    with doing.write() as db:
        zone = user.zone(world, db)
        if asked.begins > now:
            quiet.plan(db, asked, zone, now)
            return Result(True, describe_planned(say_period(asked, zone, now)))
        why = shorten(" ".join(doing.own.split()), LONGEST_WHY)
        holds = being_quiet.keep(db, asked.until.astimezone(UTC), now, why)
    return Result(True, describe_quiet(holds, zone, now))


def _read_hours(when: str) -> Hours | None:
    """Return the hours of each day that words name ("after 21:00"), or None."""
    wish = read_daily(f"don't write {when.lower()}", Habits())
    return wish.ways[0] if wish is not None and len(wish.ways) == 1 and not wish.days else None


def _read_period(doing: SkillContext, until: str) -> Planned | None:
    """Return the meant time in the user's zone, from now on or as its words say ("sunday mornings");
    None when unclear, past or too far ahead."""
    world = doing.world
    with world.database.read() as db:
        zone, habits = user.zone(world, db), user.habits(world, db)
    clock = Clock(world.now.astimezone(zone), laws.current(world).quiet.until)
    words = " ".join(until.lower().split())
    if not words:
        return Planned(clock.now, clock.open_end(), weekly=False)
    weekly = read = None
    for tongue in dict.fromkeys((ENGLISH, get_language())):
        found = ends.find_end(words, tongue, clock)
        if found is not None and found.weekly:
            weekly = found
        read = read or ends.find_end(f"until {words}", tongue, clock) or found
    exact = parse_time(until, clock.now, habits)
    if weekly is None and isinstance(exact, When) and exact.timed and not exact.past:
        asked = Planned(clock.now, exact.at, weekly=False)
    elif named := weekly or read:
        asked = Planned(named.begins or clock.now, named.at, named.weekly)
    else:
        return None
    return asked if clock.now < asked.until and (asked.until - clock.now).days < LONGEST_DAYS else None


QUIET = Skill(
    name="quiet",
    description="They want to be left alone: nothing unasked until then.",
    arguments=QuietArguments,
    limit_s=0.05,
    run=_be_quiet,
    change=_change_quiet,
)
