"""Messages waiting for a terminal, and marking them as printed."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from furoshiki.channels.console import NAME
from furoshiki.core import refs
from furoshiki.core.database.connection import Database
from furoshiki.messages.store import outbox
from furoshiki.messages.values import UNKEPT, Outgoing

# an unprinted reply this old was for a console that is gone: any waiting console takes it
LEFT_OVER = timedelta(seconds=10)


def list_unprompted(database: Database, now: datetime, mine: Sequence[str] = ()) -> list[Outgoing]:
    """Return messages that wait for a console without a live recipient: reminders, first words,
    leftover replies.

    `mine` are the turns whose late replies this console still wants.
    """
    with database.read() as db:
        waiting = outbox.read_waiting(db, NAME)
    return [
        part
        for part in waiting
        if part.policy != "reply" or part.turn_key in mine or now - part.created_at > LEFT_OVER or not _is_awaited(part)
    ]


def mark_printed(database: Database, parts: Sequence[Outgoing], now: datetime) -> None:
    if parts:
        with database.write() as db:
            for part in parts:
                outbox.mark_sent(db, part.id, None, now)
        if any(part.extra.get(UNKEPT) for part in parts):
            database.checkpoint()


def _is_awaited(part: Outgoing) -> bool:
    """Return whether a console waits for this part, as it answers an envelope."""
    return part.turn_key is not None and refs.is_of(part.turn_key, "inbox")
