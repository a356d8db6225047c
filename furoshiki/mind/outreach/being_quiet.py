"""Quiet that the owner asked for: until it ends, nothing unprompted goes out except reminders.

`find_wish` reads the wish from the owner's words, `keep_quiet` stores it and withdraws undelivered
messages, `describe_quiet` reports it.
"""

import sqlite3
from collections.abc import Sequence
from datetime import datetime, time, timedelta

from furoshiki.core.catalogue import say, speaking
from furoshiki.core.process.crash_points import point
from furoshiki.language.dates.booked import moment
from furoshiki.language.dates.habits import Habits
from furoshiki.language.testimony import Own
from furoshiki.messages.store import outbox, turns
from furoshiki.mind.outreach import laws, undelivered
from furoshiki.mind.outreach.store import decisions
from furoshiki.owner.agenda.rules.quiet import asked as asked_quiet
from furoshiki.owner.agenda.rules.quiet.asked import Hours, Planned
from furoshiki.owner.agenda.rules.quiet.daily import DailyWish, read_daily
from furoshiki.owner.agenda.rules.quiet.reading import QuietWish, may_wish, read_only_end, read_quiet
from furoshiki.owner.agenda.store import mind_queue, quiet
from furoshiki.owner.user_model import user
from furoshiki.world import World

REASON = "they asked for quiet before it was delivered"

LONGEST_END = 80  # maximum length, in characters, of a message that names only an end


def find_wish(world: World, own: Own) -> QuietWish | None:
    """Return the quiet, or its end, that the owner's own words ask for. None for other people, and
    for an end when no quiet is active."""
    if world.who.place is not None or not may_wish(own):
        return None
    with world.database.read() as db:
        zone, habits = user.zone(world, db), user.habits(world, db)
        held = quiet.is_any(db, world.now)
    wish = read_quiet(own, world.now.astimezone(zone), habits, laws.current(world).quiet.until)
    return wish if wish is not None and (held or wish.until is not None) else None


def find_hours(world: World, own: Own) -> DailyWish | None:
    """Return the daily quiet hours if the owner's words ask for nothing else; else None."""
    if world.who.place is not None or read_daily(own, Habits()) is None:
        return None
    with world.database.read() as db:
        habits = user.habits(world, db)
    return read_daily(own, habits)


def keep_hours(world: World, since: time | None, until: time | None) -> str:
    """Store daily quiet hours (None: the end as it was), and say so."""
    hours = laws.current(world).quiet
    since, until = since or hours.since, until or hours.until
    with world.database.write() as db:
        quiet.keep_hours(db, since, until, world.now)
    if since == until:
        return say("Then there are no quiet hours: I may write first at any time. /quiet 23:00-08:00 sets some again.")
    return _say_kept(since, until)


def _say_kept(since: time, until: time) -> str:
    return say(
        "I will not write first between {since} and {until}. Reminders still come at their time. "
        "/quiet hours off ends it.",
        since=f"{since:%H:%M}",
        until=f"{until:%H:%M}",
    )


def keep_said_hours(world: World, hours: Hours, days: Sequence[int] = ()) -> str:
    """Store hours from a message, and say so: a daytime span is added to the night's hours. On `days` (0 is
    Monday) they return every week."""
    if days:
        return _plan_hours(world, hours, days)
    if hours.since is None or hours.until is None or hours.since >= hours.until:
        return keep_hours(world, hours.since, hours.until)
    with world.database.write() as db:
        quiet.keep_nap(db, hours.since, hours.until, world.now)
    return _say_kept(hours.since, hours.until)


def _plan_hours(world: World, hours: Hours, days: Sequence[int]) -> str:
    """Plan quiet hours on some days of every week, and say so; an open end is that of the usual quiet."""
    with world.database.write() as db:
        zone = user.zone(world, db)
        now = world.now.astimezone(zone)
        periods = [_next_period(hours, day, now, laws.current(world).quiet.until) for day in days]
        for period in periods:
            quiet.plan(db, period, zone, world.now)
    named = asked_quiet.say_period(periods[0], zone, world.now, several=len(days) > 1)
    return asked_quiet.describe_planned(named)


def _next_period(hours: Hours, day: int, now: datetime, wakes: time) -> Planned:
    """Return the quiet of a weekday that runs or begins next; `now` is in the user's zone."""
    since, until = hours.since or time(), hours.until or wakes
    on = now.date() + timedelta(days=(day - now.weekday()) % 7)
    ends = on + timedelta(days=until <= since)
    if moment(ends, until, now) <= now:
        on, ends = on + timedelta(days=7), ends + timedelta(days=7)
    return Planned(moment(on, since, now), moment(ends, until, now), weekly=True)


def find_other_end(world: World, own: Own, before: Own) -> QuietWish | None:
    """Return the quiet meant by a message that names only an end ("only tonight"), if the message
    `before` asked for quiet."""
    asked = find_hours(world, before) is not None or find_wish(world, before) is not None
    if len(own) > LONGEST_END or not (asked or before.startswith("/quiet")):
        return None
    with world.database.read() as db:
        zone, habits = user.zone(world, db), user.habits(world, db)
    return read_only_end(own, world.now.astimezone(zone), habits, laws.current(world).quiet.until)


def keep_quiet(world: World, until: datetime, why: str = "", *, shorten: bool = False) -> datetime:
    """Be quiet until `until` (aware); `why` quotes the owner. Returns the end in force: an earlier
    wish with a later end stays, unless `shorten`. Idempotent."""
    with world.database.write() as db:
        end = keep(db, until, world.now, why, shorten=shorten)
        point("quiet.before_commit")
    return end


def keep(
    db: sqlite3.Connection, until: datetime, now: datetime, why: str = "", *, shorten: bool = False, own: bool = False
) -> datetime:
    """Start quiet as `keep_quiet`, inside the caller's transaction; `own`: promised by it."""
    held = quiet.current(db, now)
    if held is not None and held.until >= until and not shorten:
        return held.until
    quiet.keep(db, until, now, why or ("" if held is None else held.why), own=own)
    _take_back(db, until, now)
    return until


def end_quiet(world: World) -> bool:
    """End the quiet; return False when there was none."""
    with world.database.write() as db:
        was = quiet.is_any(db, world.now, daily=False)
        quiet.end(db)
    return was


def end_wished(world: World) -> None:
    """Carry out "you may write again": end the quiet, or else clear the owner's quiet hours."""
    if not end_quiet(world):
        with world.database.write() as db:
            quiet.end_hours(db)


def apply_message(world: World, own: Own) -> str:
    """Store the quiet that a message asks for and describe the result; "" when it asks for none."""
    wish = find_wish(world, own)
    return "" if wish is None else carry_out(world, wish)


def carry_out(world: World, wish: QuietWish) -> str:
    """Store what a wish for quiet, or for its end, asks for, and describe the result."""
    if wish.until is None:
        end_wished(world)
        return describe_quiet(world, wish, None)
    if wish.begins is None:
        return describe_quiet(world, wish, keep_quiet(world, wish.until, wish.why))
    asked = Planned(wish.begins, wish.until, wish.weekly)
    with world.database.write() as db:
        zone = user.zone(world, db)
        quiet.plan(db, asked, zone, world.now)
        point("quiet.before_commit")
    with speaking(wish.tongue):
        return asked_quiet.describe_planned(asked_quiet.say_period(asked, zone, world.now))


def describe_quiet(world: World, wish: QuietWish, end: datetime | None) -> str:
    """Say, in the language of the wish, that it is quiet until `end`, or no longer quiet (None)."""
    with speaking(wish.tongue):
        if end is None:
            return asked_quiet.over()
        zone = user.zone_of(world)
        return asked_quiet.describe_quiet(end, zone, world.now, wish.guessed and end == wish.until)


def _take_back(db: sqlite3.Connection, until: datetime, now: datetime) -> None:
    """Withdraw undelivered unprompted messages until `until`, keeping their wording as drafts."""
    for message in outbox.read_unprompted(db):
        if (
            message.turn_key is None
            or message.turn_id is None
            or not outbox.withdraw(db, message.turn_key, now, REASON)
        ):
            continue
        decision = decisions.of_turn(db, message.turn_id)
        turns.set_aside(db, message.turn_key, message.turn_id)
        if decision is not None:
            decisions.undone(db, decision.id, REASON, now)
            if decision.item_id is not None:
                draft = undelivered.draft_of(db, decision, message)
                mind_queue.retry_later(db, decision.item_id, until, draft, counts=False)
