"""The progress of an answer for the web page, and stopping it. The mind is in another process."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from furoshiki.channels.local.live_reply import FileBoard
from furoshiki.channels.local.mailbox import Answer, Mailbox
from furoshiki.channels.web import NAME
from furoshiki.core.catalogue import later
from furoshiki.core.database.connection import Database
from furoshiki.core.process.locks import LOCKS, list_held_for
from furoshiki.messages.store import inbox

MIND_AWAY = later(
    "Nobody is there to answer: neither `furoshiki up` nor `furoshiki chat` is running. Your message is "
    "saved, and will be answered once one of them starts."
)


@dataclass(frozen=True)
class Progress:
    """`text` grows while the answer is written: None before that, "" while the mind thinks.
    `answer` is the result."""

    text: str | None
    answer: Answer | None


def look(database: Database, run: Path, envelope_id: int) -> Progress:
    """Return the present progress. `run` is the folder for files between processes."""
    text = FileBoard(run).text(envelope_id)  # before the answer: else finished words would seem to grow
    return Progress(text, Mailbox(database, NAME).answer(envelope_id))


def read_partial_answer(run: Path, envelope_id: int) -> str | None:
    """Return the visible part of an answer in progress, by reading a small file."""
    return FileBoard(run).text(envelope_id)


def stop(database: Database, run: Path) -> bool:
    """Stop the page's answers in progress: the words so far count. False without any."""
    with database.read() as db:
        under_way = inbox.under_way(db, NAME)
    for envelope_id in under_way:
        FileBoard(run).stop(envelope_id)
    return bool(under_way)


def mind_is_there(run: Path) -> bool:
    """Return whether a process answers at present."""
    return LOCKS["mind"] in list_held_for(run)
