"""`/quiet`: for some hours the companion writes only when written to. Reminders still come: they were asked for."""

from __future__ import annotations

import re
from datetime import timedelta

from furoshiki.agenda.store import quiet
from furoshiki.language.humanize import clock
from furoshiki.messages.values import Envelope, Words
from furoshiki.user_model import user
from furoshiki.world import World

DEFAULT_HOURS = 8.0
LONGEST_HOURS = 24.0 * 30

_SPAN = re.compile(
    r"(?P<count>\d+(?:[.,]\d+)?)\s*(?P<unit>m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?|d(?:ays?)?)?", re.IGNORECASE
)
_OFF = ("off", "end", "stop", "no")


async def run(world: World, args: str, _envelope: Envelope) -> Words:
    """Begin, end or show the quiet."""
    now = world.now
    with world.database.read() as db:
        zone = user.zone(world, db)
        until = quiet.until(db, now)
    if args.lower() in _OFF:
        with world.database.write() as db:
            quiet.end(db)
        return Words("I may write first again." if until else "I was not being quiet; I may write first.")
    if args.lower() == "status":
        return Words(f"Quiet until {clock(until, zone, now)}." if until else "No quiet is set.")
    hours = hours_in(args) if args else DEFAULT_HOURS
    if hours is None:
        return Words("For how long? For example /quiet 3 hours, /quiet 2 days, or /quiet off.")
    until = now + timedelta(hours=hours)
    with world.database.write() as db:
        quiet.keep(db, until, now)
    return Words(
        f"I will not write first until {clock(until, zone, now)}. I still answer you, and reminders still come. "
        "/quiet off ends it."
    )


def hours_in(text: str) -> float | None:
    """The hours meant by "3", "3h", "90 min", "2 days"; None when it is not understood or over 30 days."""
    found = _SPAN.fullmatch(text.strip().removeprefix("for ").strip())
    if found is None:
        return None
    factor = {"m": 1 / 60, "h": 1.0, "d": 24.0}[(found["unit"] or "h")[0].lower()]
    hours = float(found["count"].replace(",", ".")) * factor
    return hours if 0 < hours <= LONGEST_HOURS else None
