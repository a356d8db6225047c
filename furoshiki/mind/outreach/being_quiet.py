"""Quiet that the owner asked for: until its end nothing goes out that they did not ask for, reminders of theirs apart.

`find_wish` reads it out of their own words, `keep_quiet` keeps it and takes back what was on its way,
`describe_quiet` says so.
"""

import sqlite3
from datetime import datetime

from furoshiki.core.catalogue import speaking
from furoshiki.core.process.crash_points import point
from furoshiki.language.dates.habits import Habits
from furoshiki.language.testimony import Own
from furoshiki.messages.store import outbox, turns
from furoshiki.mind.outreach import laws, undelivered
from furoshiki.mind.outreach.store import decisions
from furoshiki.owner.agenda.rules.quiet import said
from furoshiki.owner.agenda.rules.quiet.daily import DailyWish, read_daily
from furoshiki.owner.agenda.rules.quiet.reading import QuietWish, may_wish, read_only_end, read_quiet
from furoshiki.owner.agenda.store import mind_queue, quiet
from furoshiki.owner.user_model import user
from furoshiki.world import World

REASON = "they asked for quiet before it was delivered"

LONGEST_END = 80
"""Characters of a message that says nothing but until when."""


def find_wish(world: World, own: Own) -> QuietWish | None:
    """The quiet, or its end, that the owner's own words ask for; None for anybody else, and for its end where there is
    none."""
    if world.who.place is not None or not may_wish(own):
        return None
    with world.database.read() as db:
        zone, habits = user.zone(world, db), user.habits(world, db)
        held = quiet.current(db, world.now) is not None or quiet.is_daily(db)
    wish = read_quiet(own, world.now.astimezone(zone), habits, laws.current(world).quiet.until)
    return wish if wish is not None and (held or wish.until is not None) else None


def find_hours(world: World, own: Own) -> DailyWish | None:
    """The quiet hours of every day that the owner's own words ask for and nothing else; None for anybody else."""
    if world.who.place is not None or read_daily(own, Habits()) is None:
        return None
    with world.database.read() as db:
        habits = user.habits(world, db)
    return read_daily(own, habits)


def find_other_end(world: World, own: Own, before: Own) -> QuietWish | None:
    """The quiet that the owner's words mean which name nothing but an end ("only tonight"), where those `before` asked
    for quiet."""
    asked = find_hours(world, before) is not None or find_wish(world, before) is not None
    if len(own) > LONGEST_END or not (asked or before.startswith("/quiet")):
        return None
    with world.database.read() as db:
        zone, habits = user.zone(world, db), user.habits(world, db)
    return read_only_end(own, world.now.astimezone(zone), habits, laws.current(world).quiet.until)


def keep_quiet(world: World, until: datetime, why: str = "", *, shorten: bool = False) -> datetime:
    """Be quiet until then (aware), for their words `why`; returns the end that holds: an end that was named earlier and
    is later stays, unless it is to `shorten`. Doing it twice is doing it once."""
    with world.database.write() as db:
        end = keep(db, until, world.now, why, shorten=shorten)
        point("quiet.before_commit")
    return end


def keep(
    db: sqlite3.Connection, until: datetime, now: datetime, why: str = "", *, shorten: bool = False, own: bool = False
) -> datetime:
    """The same in a transaction of the caller's; `own` where it is what the companion promised."""
    held = quiet.current(db, now)
    if held is not None and held.until >= until and not shorten:
        return held.until
    quiet.keep(db, until, now, why or ("" if held is None else held.why), own=own)
    _take_back(db, until, now)
    return until


def end_quiet(world: World) -> bool:
    """Be quiet no longer; False when there was no quiet."""
    with world.database.write() as db:
        was = quiet.current(db, world.now) is not None
        quiet.end(db)
    return was


def end_wished(world: World) -> None:
    """What "you may write again" ends: the quiet that was asked for, or where there is none their own hours."""
    if not end_quiet(world):
        with world.database.write() as db:
            quiet.end_hours(db)


def apply_message(world: World, own: Own) -> str:
    """Keep what a message asks for besides all else, and say what holds now; nothing where it asks for none."""
    wish = find_wish(world, own)
    if wish is None:
        return ""
    if wish.until is None:
        end_wished(world)
        return describe_quiet(world, wish, None)
    return describe_quiet(world, wish, keep_quiet(world, wish.until, wish.why))


def describe_quiet(world: World, wish: QuietWish, end: datetime | None) -> str:
    """What holds now, in the language of the wish: quiet until `end`, or none any more."""
    with speaking(wish.tongue):
        if end is None:
            return said.over()
        zone = user.zone_of(world)
        return said.describe_quiet(end, zone, world.now, wish.guessed and end == wish.until)


def _take_back(db: sqlite3.Connection, until: datetime, now: datetime) -> None:
    """What was said unasked and has not gone out waits until then, with its words."""
    for one in outbox.read_unprompted(db):
        if one.turn_key is None or one.turn_id is None or not outbox.withdraw(db, one.turn_key, now, REASON):
            continue
        decision = decisions.of_turn(db, one.turn_id)
        turns.set_aside(db, one.turn_key, one.turn_id)
        if decision is not None:
            decisions.undone(db, decision.id, REASON, now)
            if decision.item_id is not None:
                draft = undelivered.draft_of(db, decision, one)
                mind_queue.retry_later(db, decision.item_id, until, draft, counts=False)
