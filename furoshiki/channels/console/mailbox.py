"""What waits for a terminal, and that it has been printed."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from furoshiki.channels.console import NAME
from furoshiki.core import refs
from furoshiki.core.database.connection import Database
from furoshiki.messages.store import outbox
from furoshiki.messages.values import UNKEPT, Outgoing

LEFT_OVER = timedelta(seconds=10)
"""A reply this old that nobody printed was meant for a console that is gone: one that waits takes it at once."""


def list_unprompted(database: Database, now: datetime, mine: Sequence[str] = ()) -> list[Outgoing]:
    """What waits for a console and answers nobody who is still there: reminders, first words, replies left over.

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
    """Mark these as printed, so that they are not printed again."""
    if parts:
        with database.write() as db:
            for part in parts:
                outbox.mark_sent(db, part.id, None, now)
        if any(part.extra.get(UNKEPT) for part in parts):
            database.checkpoint()


def _is_awaited(part: Outgoing) -> bool:
    """Whether some console is waiting for this (it belongs to the answer of an envelope)."""
    return part.turn_key is not None and refs.is_of(part.turn_key, "inbox")
