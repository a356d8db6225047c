"""The numbers that help where the user is, by what is known of where that is."""

from __future__ import annotations

import sqlite3

from furoshiki.domain.reflex.care.helplines import Help
from furoshiki.mind import user
from furoshiki.storage import accounts, memories
from furoshiki.world import World

LIVES_IN = ("user", "lives_in")
"""Subject and predicate under which the place where the user lives is held."""


def here(world: World, db: sqlite3.Connection) -> Help:
    """The emergency numbers and help lines of the user's country; of its part of the world when it is not known."""
    told = memories.about(db, *LIVES_IN)
    zone = str(user.zone(world, db))
    country = world.helplines.where(
        lives_in=told[-1].object if told else None, language=accounts.owners_language(db), zone=zone
    )
    return world.helplines.help_in(country, zone)
