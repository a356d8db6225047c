"""The user's name and time zone, as they stated them."""

import sqlite3
from dataclasses import replace
from datetime import tzinfo
from zoneinfo import ZoneInfo

from furoshiki.core.database import kv
from furoshiki.language.dates import habits as date_habits
from furoshiki.language.dates.habits import Habits
from furoshiki.memory.store import memories
from furoshiki.memory.values import Note
from furoshiki.messages.store import accounts, turns
from furoshiki.world import World

NAME = ("user", "name")  # subject and predicate of the memory with the user's name

ZONE_KEY = "user.zone"
# messages by which the user's active hours are estimated: some weeks for an occasional writer
MOST_SEEN = 120


def name(db: sqlite3.Connection) -> str | None:
    """Return the user's preferred name, or None."""
    facts = memories.about(db, *NAME)
    return facts[-1].object if facts else None


def note_name(name_given: str) -> Note:
    """Return the memory of how they want to be called."""
    subject, predicate = NAME
    return Note(f"They want to be called {name_given}.", "semantic", subject, predicate, name_given, "addressing")


def zone(world: World, db: sqlite3.Connection) -> tzinfo:
    """Return the user's time zone: the confirmed one, else the configured one."""
    chosen = kv.get(db, ZONE_KEY)
    return ZoneInfo(chosen) if chosen else world.zone


def zone_of(world: World) -> tzinfo:
    """Return the user's time zone in a separate read."""
    with world.database.read() as db:
        return zone(world, db)


def habits(world: World, db: sqlite3.Connection) -> Habits:
    """Return how the user writes dates, by account language and zone, and their active hours."""
    language = next(
        (account.language for account in accounts.everyone(db) if account.role == "owner" and account.language), None
    )
    here, hours = zone(world, db), [0] * 24
    for at in turns.about(db, MOST_SEEN):
        hours[at.astimezone(here).hour] += 1
    return replace(date_habits.habits(language, str(here)), hours=tuple(hours))
