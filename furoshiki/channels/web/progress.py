"""How far the answer to a message from the page is, and an end to it. The mind is always somewhere else."""

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
    "Nobody is there to answer: neither `furoshiki up` nor `furoshiki chat` runs. What you write is kept, "
    "and answered when one of them is started."
)


@dataclass(frozen=True)
class Progress:
    """`text` grows while the answer is being written: None before anybody has begun, "" while it is thought about.
    `answer` is what came of it."""

    text: str | None
    answer: Answer | None


def look(database: Database, run: Path, envelope_id: int) -> Progress:
    """How far it is now. `run` is the folder for what passes between processes."""
    text = FileBoard(run).text(envelope_id)  # before the answer: what has been said by then is not seen growing again
    return Progress(text, Mailbox(database, NAME).answer(envelope_id))


def read_partial_answer(run: Path, envelope_id: int) -> str | None:
    """What can be seen of an answer that is being written, at the price of a look at a small file."""
    return FileBoard(run).text(envelope_id)


def stop(database: Database, run: Path) -> bool:
    """End the answer that is being written to the page: what was said so far is the answer. False when none is."""
    with database.read() as db:
        under_way = inbox.under_way(db, NAME)
    for envelope_id in under_way:
        FileBoard(run).stop(envelope_id)
    return bool(under_way)


def mind_is_there(run: Path) -> bool:
    """Whether some process answers at the moment."""
    return LOCKS["mind"] in list_held_for(run)
