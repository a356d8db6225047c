"""Who the companion is talking to: their name and their time zone, as they said it themselves."""

import re
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

_BEHIND_A_NAME = re.compile(r"[,;/(\uff0c\uff1b\u3001\uff08]")

ZONE_KEY = "user.zone"
MOST_SEEN = 120
"""Moments by which is told when they are about: some weeks of somebody who writes now and then."""


def name(db: sqlite3.Connection) -> str | None:
    """What the user wants to be called, None before they said it; without what a mind wrote behind it ("Deniz, at home
    Dendi")."""
    held = memories.about(db, *NAME)
    told = held[-1].object if held else None
    return told and (_BEHIND_A_NAME.split(told)[0].strip() or told)


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
