"""The numbers that help where the user is, by what is known of where that is."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime

from furoshiki.language.testimony import Own
from furoshiki.memory.store import memories
from furoshiki.messages.store import accounts
from furoshiki.messages.values import Turn
from furoshiki.reflex.care.helplines import Help, LineKind, spoken
from furoshiki.reflex.care.noticing import notice
from furoshiki.reflex.care.weighing import weighs
from furoshiki.reflex.values import Utterance
from furoshiki.user_model import user
from furoshiki.world import World

LOOKED_BACK = 12
"""Turns of the conversation in which something grave is still looked for."""

LIVES_IN = ("user", "lives_in")
"""Subject and predicate under which the place where the user lives is held."""


def danger(world: World, db: sqlite3.Connection, own: Own, history: Sequence[Turn], now: datetime) -> list[str] | None:
    """What a mind must have at hand when somebody may be in danger, by their words now or lately: a line for each kind
    of number there is where they are. None when nobody is."""
    heavy = notice(own, world.care, now.year)
    if heavy is None or not heavy.grave:
        said = [Utterance(turn.speaker, turn.text, turn.at, turn.id, turn.foreign) for turn in history[-LOOKED_BACK:]]
        before = weighs(said, world.care, now)
        if before is None or not before.notice.grave:
            return None
    numbers = here(world, db)
    lines = [(title, spoken(numbers.of(kind))) for kind, title in _TITLES]
    return [f"{title}: {numbers}" for title, numbers in lines if numbers]


_TITLES: tuple[tuple[LineKind, str], ...] = (
    ("emergency", "In an emergency"),
    ("crisis", "For somebody who does not want to live, or worries about somebody"),
    ("violence", "For people who are being hurt"),
)


def here(world: World, db: sqlite3.Connection) -> Help:
    """The emergency numbers and help lines of the user's country; of its part of the world when it is not known."""
    told = memories.about(db, *LIVES_IN)
    zone = str(user.zone(world, db))
    country = world.helplines.where(
        lives_in=told[-1].object if told else None, language=accounts.owners_language(db), zone=zone
    )
    return world.helplines.help_in(country, zone)
