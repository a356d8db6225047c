"""How the companion is just now, as every plugin may know it: figures, a mood, the time; no words of anybody."""

from __future__ import annotations

from datetime import datetime, time, timedelta, tzinfo
from typing import Any

from furoshiki.core.paths import read_toml_file
from furoshiki.core.timestamps import stamp
from furoshiki.extensions.plugins.store import health
from furoshiki.feelings.rules import user_needs
from furoshiki.feelings.store import emotional_weights
from furoshiki.owner.agenda.store import quiet
from furoshiki.owner.user_model import languages, user
from furoshiki.world import World

_A_DAY = timedelta(days=1)


def taken(world: World) -> dict[str, Any]:
    """The state now. Needs and the emotional weight of today are from 0 to 1, as is the health: the share of the
    runs of the last day that did not fail."""
    now, beat, laws = world.now, world.state.heartbeat(), world.laws.user_needs
    with world.database.read() as db:
        zone = user.zone(world, db)
        midnight = datetime.combine(now.astimezone(zone).date(), time(), zone)
        weights = emotional_weights.since(db, midnight)
        asked, hours = quiet.until(db, now), quiet.hours(db)
        well = health.share(db, now - _A_DAY)
        locale = languages.usual(world, db)
    needs = {name: round(user_needs.confidence_at(need, now, laws), 3) for name, need in beat.user_needs.items()}
    return {
        "needs": {name: round(value, 3) for name, value in beat.needs.items()},
        "user_needs": needs,
        "mood": beat.mood.word,
        "is_dnd": asked is not None or _within(now, zone, hours or _usual_hours(world)),
        "emotional_weight_today": round(max((one.intensity for one in weights), default=0.0), 3),
        "health_score": round(well, 3),
        "locale": locale,
        "timezone": str(zone),
        "utc_offset_s": (now.astimezone(zone).utcoffset() or timedelta()).total_seconds(),
        "now": stamp(now),
    }


def _usual_hours(world: World) -> tuple[time, time]:
    found: dict[str, str] = {}
    for path in (world.config / "outreach.toml", world.home / "config" / "outreach.toml"):
        if path.is_file():
            found |= read_toml_file(path).get("quiet_hours", {})
    since, until = world.settings.furoshiki_dnd_start, world.settings.furoshiki_dnd_end
    return time.fromisoformat(since or found["from"]), time.fromisoformat(until or found["to"])


def _within(now: datetime, zone: tzinfo, hours: tuple[time, time]) -> bool:
    since, until = hours
    at = now.astimezone(zone).time()
    return since <= at < until if since <= until else at >= since or at < until
