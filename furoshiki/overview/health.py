"""Whether it lives, in a moment and without a word: for whoever watches from outside."""

from __future__ import annotations

from furoshiki.conversation.commands.status import LOCKS, lock_held
from furoshiki.messages.store import inbox
from furoshiki.world import World

MEMORYD = "chroma.lock"


def running(world: World) -> dict[str, bool]:
    """Which processes live, by the locks they hold."""
    run = world.settings.data / "run"
    return {name: any(map(lock_held, run.glob(pattern))) for name, pattern in (*LOCKS.items(), ("memoryd", MEMORYD))}


def alive(world: World) -> bool:
    """Whether the brain lives, and the listener where there is a bot to listen for. Raises StorageUnavailable where the
    database cannot be read."""
    with world.database.read() as db:
        inbox.waits(db)
    up = running(world)
    return up["brain"] and (up["listener"] or world.settings.telegram_bot_token is None)
