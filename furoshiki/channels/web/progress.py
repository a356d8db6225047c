"""Stop an answer for the web page, and what is said without a mind, from another process."""

from pathlib import Path

from furoshiki.channels.local.live_reply import FileBoard
from furoshiki.channels.web import NAME
from furoshiki.core.catalogue import later
from furoshiki.core.database.connection import Database
from furoshiki.messages.store import inbox

MIND_AWAY = later(
    "Nobody is there to answer: neither `furoshiki up` nor `furoshiki chat` is running. Your "
    "message is saved, and will be answered once one of them starts."
)


def stop(database: Database, run: Path) -> bool:
    """Stop the page's answers in progress: the words so far count. False without any."""
    with database.read() as db:
        under_way = inbox.under_way(db, NAME)
    for envelope_id in under_way:
        FileBoard(run).stop(envelope_id)
    return bool(under_way)
