"""Who the companion is talking to: their name and their time zone, as they said it themselves."""

import sqlite3
from dataclasses import replace
from datetime import tzinfo
from zoneinfo import ZoneInfo

from furoshiki.core.database import kv
from furoshiki.language.dates import habits as date_habits
from furoshiki.language.dates.habits import Habits
from furoshiki.memory.store import memories
from furoshiki.messages.store import accounts, turns
from furoshiki.world import World

NAME = ("user", "name")
"""Subject and predicate under which the user's name is held."""

ZONE_KEY = "user.zone"
MOST_SEEN = 120
"""Moments by which is told when they are about: some weeks of somebody who writes now and then."""


def name(db: sqlite3.Connection) -> str | None:
    """What the user wants to be called, None before they said it."""
    held = memories.about(db, *NAME)
    return held[-1].object if held else None


def zone(world: World, db: sqlite3.Connection) -> tzinfo:
    """The user's time zone: the one they agreed to, else the configured one."""
    chosen = kv.get(db, ZONE_KEY)
    return ZoneInfo(chosen) if chosen else world.zone


def zone_of(world: World) -> tzinfo:
    """The user's time zone, read by itself."""
    with world.database.read() as db:
        return zone(world, db)


def habits(world: World, db: sqlite3.Connection) -> Habits:
    """How the user writes dates, by the language of the owner's account and their zone; and when they are about."""
    language = next((one.language for one in accounts.everyone(db) if one.role == "owner" and one.language), None)
    here, hours = zone(world, db), [0] * 24
    for at in turns.about(db, MOST_SEEN):
        hours[at.astimezone(here).hour] += 1
    return replace(date_habits.habits(language, str(here)), hours=tuple(hours))
