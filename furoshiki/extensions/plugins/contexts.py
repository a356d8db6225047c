"""What plugins have to say for a conversation: what is there when its prompt is made, fetched before by any run."""

import sqlite3

from furoshiki.core.framing import frame
from furoshiki.extensions.plugins.store import contexts
from furoshiki.language.tokens import cut, estimate
from furoshiki.world import World

MOST_TOKENS = 2_000
"""What all plugins may say together before one conversation."""


def list_current(world: World, db: sqlite3.Connection) -> list[tuple[str, str]]:
    """What holds now, with the plugin it is of, fit to stand in a prompt and of a bearable length together."""
    if world.shared is not None:
        return []
    found, room = [], MOST_TOKENS
    for plugin, text in contexts.current(db, world.now):
        if room > 0:
            found.append((plugin, frame(cut(text, room))))
            room -= estimate(text)
    return found
