"""Whether it lives, at once and without anybody's words: for monitoring from outside."""

from fnmatch import filter as matching

from furoshiki.core.paths import host_of
from furoshiki.core.process.locks import LOCKS, list_held_for
from furoshiki.messages.store import inbox
from furoshiki.world import World

MEMORYD = "chroma.lock"


def check_processes(world: World) -> dict[str, bool]:
    """Which processes live, by the locks they hold."""
    held = list_held_for(world.settings.data / "run")
    return {name: bool(matching(held, pattern)) for name, pattern in (*LOCKS.items(), ("memoryd", MEMORYD))}


def stands_still(world: World) -> bool:
    """Whether neither the brain nor the listener lives. Never of a home of a host, which has them for all."""
    up = check_processes(world)
    return not (up["brain"] or up["listener"]) and host_of(world.settings.data) is None


def alive(world: World) -> bool:
    """Whether the brain lives, and the listener where there is a bot to listen for. Raises StorageUnavailable where the
    database cannot be read."""
    with world.database.read() as db:
        inbox.waits(db)
    up = check_processes(world)
    return up["brain"] and (up["listener"] or world.settings.telegram_bot_token is None)
