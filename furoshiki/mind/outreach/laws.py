"""The current settings of unprompted messages, read again when their file changes."""

from dataclasses import replace
from datetime import time
from functools import lru_cache
from pathlib import Path

from furoshiki.core.errors import BadSetting
from furoshiki.core.paths import read_toml_file
from furoshiki.mind.outreach.rules.laws import OutreachLaws, QuietHours
from furoshiki.mind.outreach.store import continuity
from furoshiki.owner.agenda.store import quiet
from furoshiki.world import World

FILE = "outreach.toml"


def current(world: World) -> OutreachLaws:
    """Return the shipped settings overlaid by the owner's file, then environment settings, then
    what the owner set in chat (quiet hours, continuity).

    Raises BadSetting for an invalid file.
    """
    own = world.home / "config" / FILE
    laws = _with_settings(_read(world.config / FILE, own, own.stat().st_mtime_ns if own.is_file() else 0), world)
    with world.database.aside() as db:
        hours, nap, goes_on = quiet.hours(db), quiet.nap(db), continuity.is_enabled(db)
    if nap is not None:
        laws = replace(laws, nap=QuietHours(*nap))
    if hours is not None:
        laws = replace(laws, quiet=QuietHours(*hours))
    return laws if goes_on is None else replace(laws, continuity=replace(laws.continuity, enabled=goes_on))


def _with_settings(laws: OutreachLaws, world: World) -> OutreachLaws:
    settings = world.settings
    since, until = settings.furoshiki_dnd_start, settings.furoshiki_dnd_end
    hours = QuietHours(
        time.fromisoformat(since) if since else laws.quiet.since,
        time.fromisoformat(until) if until else laws.quiet.until,
    )
    per_day, goes_on = settings.furoshiki_outreach_per_day, settings.furoshiki_continuity
    return replace(
        laws,
        quiet=hours,
        per_day=laws.per_day if per_day is None else per_day,
        continuity=laws.continuity if goes_on is None else replace(laws.continuity, enabled=goes_on),
    )


@lru_cache(maxsize=8)
def _read(shipped: Path, own: Path, changed_at: int) -> OutreachLaws:
    try:
        return OutreachLaws.from_mapping(read_toml_file(shipped), read_toml_file(own) if changed_at else None, [])
    except ValueError as error:
        raise BadSetting(f"{own if changed_at else shipped}: {error}") from error
