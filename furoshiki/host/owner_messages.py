"""Messages of the host to the owner of a home, on each of their channels."""

import sqlite3
from datetime import datetime

from furoshiki.messages.store import accounts, outbox
from furoshiki.messages.values import NewOutgoing


def tell_owner(db: sqlite3.Connection, words: str, key: str, now: datetime) -> None:
    """Put a message into the outbox of a home, once for each `key`."""
    if outbox.of_turn(db, key):
        return
    messages = []
    for channel in ("telegram", "console"):
        chat = accounts.owner_chat(db, channel)
        if chat is not None:
            messages.append(NewOutgoing(channel, chat, words, policy="unprompted"))
    outbox.put(db, messages, now, None, key)
