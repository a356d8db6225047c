"""Find the owner's chat for unprompted messages: Telegram if linked, else the terminal."""

import sqlite3
from dataclasses import dataclass

from furoshiki.messages.store import accounts
from furoshiki.owner.agenda import channel_modes
from furoshiki.world import World


@dataclass(frozen=True)
class Address:
    """A chat on a channel."""

    channel: str
    chat_id: str


def of_owner(world: World, db: sqlite3.Connection) -> Address | None:
    """Return the owner's chat; None when no channel is live or the owner has blocked the bot."""
    live = channel_modes.live(world)
    telegram = accounts.owner(db, "telegram")
    if telegram is not None and "telegram" in live:
        return None if telegram.blocked else Address("telegram", telegram.chat_id)
    return Address("console", "console") if "console" in live and telegram is None else None
