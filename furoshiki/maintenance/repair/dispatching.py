"""Every hour: errors that came back become jobs, and what has stopped by itself is closed."""

from __future__ import annotations

from furoshiki.maintenance.repair import noticing, store
from furoshiki.maintenance.repair.rules.recurring import QUIET
from furoshiki.world import Report, World


def dispatch(world: World) -> Report:
    """Make jobs of errors that came back, and close those whose error is over."""
    now = world.now
    with world.database.read() as db:
        found = noticing.fresh(db, world.settings.data, now)
    with world.database.write() as db:
        made = sum(store.queue(db, one, now) is not None for one in found)
        over = [job for job in store.stopped(db, now - QUIET) if store.decide(db, job, "closed", now, result=STOPPED)]
    words = [f"{made} new" if made else "", f"{len(over)} over" if over else ""]
    return Report(bool(found or over), ", ".join(filter(None, words)) or "seen again", {"new": made, "over": len(over)})


STOPPED = f"not met again for {QUIET.days} days"
"""Why a job is closed by itself."""
