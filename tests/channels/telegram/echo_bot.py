"""A bot that answers every message with "re: …", as a process of its own: Telegram's parts around a mind of ten lines.

Run by the kill test: python -m tests.channels.telegram.echo_bot URL TOKEN DATABASE RUN_DIRECTORY
"""

from __future__ import annotations

import asyncio
import random
import signal
import sys
from datetime import UTC, datetime
from pathlib import Path

from furoshiki.channels.telegram.access import AccessList
from furoshiki.channels.telegram.bot import Client
from furoshiki.channels.telegram.listener import Telegram, listen
from furoshiki.channels.telegram.timings import Pace
from furoshiki.core.database.connection import Database
from furoshiki.messages.store import inbox, outbox
from furoshiki.messages.values import NewOutgoing

PACE = Pace(poll=2, retry_first=0.05, retry_most=0.2, send_most=0.2, settle=0.1, settle_start=0.1, look=0.2)


def now() -> datetime:
    return datetime.now(UTC)


def answer_one(database: Database) -> bool:
    """Answer one message in one transaction; False when none waits."""
    with database.write() as db:
        envelope = inbox.claim(db, now())
        if envelope is None:
            return False
        reply = NewOutgoing("telegram", envelope.chat_id, f"**re:** {envelope.payload['text']}")
        outbox.put(db, [reply], now(), None, f"inbox:{envelope.id}")
        inbox.finish(db, [envelope.id], now())
    return True


async def main(url: str, token: str, path: str, run: str) -> None:
    database = Database(Path(path))
    with database.write() as db:
        inbox.recover(db, now())
    stored, stop = asyncio.Event(), asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    telegram = Telegram(
        Client(token, url, call_seconds=5.0),
        database,
        now,
        random.Random(),
        allowed=AccessList(owner_id=7),
        on_stored=stored.set,
        alert=lambda kind, words: print(kind, words, file=sys.stderr),
        pace=PACE,
    )

    async def mind() -> None:
        while True:
            while await asyncio.to_thread(answer_one, database):
                telegram.sender.wake()
            await stored.wait()
            stored.clear()

    await listen(telegram, Path(run), mind, stop)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
