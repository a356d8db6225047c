"""Who the companion is talking to: their name and their time zone, as they said it themselves."""

from __future__ import annotations

import sqlite3
from datetime import tzinfo
from zoneinfo import ZoneInfo

from furoshiki.storage import kv, memories
from furoshiki.world import World

NAME = ("user", "name")
"""Subject and predicate under which the user's name is held."""

ZONE_KEY = "user.zone"


def name(db: sqlite3.Connection) -> str | None:
    """What the user wants to be called, None before they said it."""
    held = memories.about(db, *NAME)
    return held[-1].object if held else None


def zone(world: World, db: sqlite3.Connection) -> tzinfo:
    """The user's time zone: the one they agreed to, else the configured one."""
    chosen = kv.get(db, ZONE_KEY)
    return ZoneInfo(chosen) if chosen else world.zone
