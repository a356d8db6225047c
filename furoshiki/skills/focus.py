"""The skill `focus`: a stretch of time for one thing, in which nothing is brought up unasked."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Literal

from pydantic import Field

from furoshiki.agenda.rules import focusing
from furoshiki.agenda.store import focus_sessions
from furoshiki.agenda.store.focus_sessions import FocusSession
from furoshiki.language import humanize
from furoshiki.retrieval.client import VectorsAway
from furoshiki.skills.skill import Arguments, Change, Result, Skill, SkillContext
from furoshiki.user_model import user

USUAL, LONGEST = 25, 480
"""Minutes."""

NONE = "No focus session is going on."


class FocusArguments(Arguments):
    """What to do."""

    action: Literal["set", "check", "clear"]
    topic: Annotated[str, Field(max_length=120, description='"the thesis"')] = ""
    minutes: Annotated[int, Field(ge=1, le=LONGEST)] = USUAL


def _change(doing: SkillContext, args: FocusArguments) -> Change | Result | None:
    if args.action == "check":
        return None
    if args.action == "clear":
        return Change(args, "End the focus session", [])
    named = [args.topic or "focus", *([str(args.minutes)] if args.minutes != USUAL else [])]
    about = f" on {args.topic}" if args.topic else ""
    return Change(args, f"A focus session of {args.minutes} minutes{about}", named)


def _run(doing: SkillContext, args: FocusArguments) -> Result:
    world, now = doing.world, doing.world.now
    with world.database.read() as db:
        held, zone = focus_sessions.current(db, now), user.zone(world, db)
    if args.action == "check":
        return Result(True, NONE, {}) if held is None else Result(True, _standing(held, doing), _data(held))
    if args.action == "clear":
        if held is None:
            return Result(False, NONE)
        with doing.write() as db:
            focus_sessions.end(db)
        return Result(True, f"The focus session is over. {_standing(held, doing)}", {"ended": True} | _data(held))
    until = now + timedelta(minutes=args.minutes)
    session = FocusSession(args.topic, now, until, _vector(doing, args.topic))
    with doing.write() as db:
        focus_sessions.keep(db, session, now)
    clock = until.astimezone(zone).strftime("%H:%M")
    about = f" on {args.topic}" if args.topic else ""
    words = f"A focus session{about} until {clock}: nothing is brought up unasked until then, but what is urgent."
    return Result(True, words, _data(session) | {"clock": clock, "minutes": args.minutes})


def _vector(doing: SkillContext, topic: str) -> tuple[float, ...]:
    if not topic:
        return ()
    try:
        return tuple(doing.world.vectors.embed([topic])[0])
    except VectorsAway:
        return ()


def _standing(held: FocusSession, doing: SkillContext) -> str:
    left = focusing.minutes(held.until, doing.world.now)
    strayed = f" {humanize.plural(held.strayed, 'message')} about something else." if held.strayed else ""
    return f"Focused on {held.topic or 'one thing'}, {humanize.plural(left, 'minute')} left.{strayed}"


def _data(held: FocusSession) -> dict[str, object]:
    return {"topic": held.topic, "until": held.until.isoformat(), "strayed": held.strayed}


SKILL = Skill(
    name="focus",
    description="Set, check or end a focus session of so many minutes.",
    arguments=FocusArguments,
    limit_s=0.05,
    run=_run,
    change=_change,
)
