"""The skill `quiet`: nothing is said unasked until a moment, because they want to be left alone; or it is over."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from pydantic import Field

from furoshiki.agenda.rules.quiet import ends, said
from furoshiki.agenda.rules.quiet.ends import Clock
from furoshiki.agenda.rules.quiet.reading import LONGEST_WHY
from furoshiki.agenda.store import quiet
from furoshiki.dates.given import given
from furoshiki.dates.parsing import When
from furoshiki.language.humanize import shortened
from furoshiki.outreach import being_quiet, laws
from furoshiki.skills.skill import Arguments, Change, Result, Skill, SkillContext
from furoshiki.user_model import user

LONGEST_DAYS = 30
OFF = "off"
NOT_READ = "I cannot tell until when: say a day, a time, or how long, as “sunday” or “2026-11-29T08:00”."


class QuietArguments(Arguments):
    """Until when, in their words; "off" ends it."""

    until: Annotated[str, Field(max_length=80, description='"sunday", "3 days", "off"')] = ""


def _change(doing: SkillContext, args: QuietArguments) -> Change | Result | None:
    if args.until.lower() == OFF:
        return Change(args, "Write first again", [])
    end = _end(doing, args.until)
    if end is None:
        return Result(False, NOT_READ)
    settled = args.model_copy(update={"until": end.isoformat()})
    return Change(settled, f"Write nothing unasked until {end:%A, %-d %B, %H:%M}", [])


def _run(doing: SkillContext, args: QuietArguments) -> Result:
    world, now = doing.world, doing.world.now
    if args.until.lower() == OFF:
        with doing.write() as db:
            was = quiet.current(db, now) is not None
            quiet.end(db)
        return Result(was, said.over() if was else "There was no quiet.", {"ended": was})
    end = _end(doing, args.until)
    if end is None:
        return Result(False, NOT_READ)
    with doing.write() as db:
        zone = user.zone(world, db)
        why = shortened(" ".join(doing.own.split()), LONGEST_WHY)
        holds = being_quiet.keep(db, end.astimezone(UTC), now, why)
    return Result(True, said.kept(holds, zone, now), {"until": holds.isoformat()})


def _end(doing: SkillContext, until: str) -> datetime | None:
    """The moment that is meant, in the user's zone; None where it is not clear, over, or too far away."""
    world = doing.world
    with world.database.read() as db:
        zone, habits = user.zone(world, db), user.habits(world, db)
    clock = Clock(world.now.astimezone(zone), laws.current(world).quiet.until)
    words = " ".join(until.lower().split())
    if not words:
        return clock.open_end()
    exact = given(until, clock.now, habits)
    if isinstance(exact, When) and exact.timed and not exact.past:
        at = exact.at
    else:
        named = next((one for text in (f"until {words}", words) if (one := ends.found(text, "en", clock))), None)
        if named is None:
            return None
        at = named.at
    return at if clock.now < at and (at - clock.now).days < LONGEST_DAYS else None


SKILL = Skill(
    name="quiet",
    description="They want to be left alone: nothing unasked until then.",
    arguments=QuietArguments,
    limit_s=0.05,
    run=_run,
    change=_change,
)
