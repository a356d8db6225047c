"""The health of the processes, for monitoring: fast, and without private words."""

from fnmatch import filter as matching

from furoshiki.core.paths import host_of
from furoshiki.core.process.locks import LOCKS, list_held_for
from furoshiki.messages.store import inbox
from furoshiki.world import World

MEMORYD = "chroma.lock"


def check_processes(world: World) -> dict[str, bool]:
    """Return which processes run, by the locks they hold."""
    held = list_held_for(world.settings.data / "run")
    return {name: bool(matching(held, pattern)) for name, pattern in (*LOCKS.items(), ("memoryd", MEMORYD))}


def stands_still(world: World) -> bool:
    """Return whether neither brain nor listener runs; always False for a home of a host."""
    up = check_processes(world)
    return not (up["brain"] or up["listener"]) and host_of(world.settings.data) is None


def alive(world: World) -> bool:
    """Return whether the brain runs, and the listener if there is a bot. Raises StorageUnavailable
    if the database cannot be read."""
    with world.database.read() as db:
        inbox.waits(db)
    up = check_processes(world)
    return up["brain"] and (up["listener"] or world.settings.telegram_bot_token is None)
