"""What tests of the Telegram channel share."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

from hypothesis import strategies as st

from furoshiki.channels.telegram.sender import Sender
from furoshiki.core.database.connection import Database
from furoshiki.messages.events import Message
from furoshiki.messages.values import Envelope
from tests.channels.telegram.conftest import rows


def envelope(chat: int = 7, private: bool = True, number: int = 5) -> Envelope:
    said = Message(chat_id=chat, private=private, text="hi")
    return Envelope("telegram", "x", "7", said, id=number, attempts=0, enqueued_at=datetime(2026, 1, 1, tzinfo=UTC))


MARKDOWN = st.lists(
    st.sampled_from(
        [
            "**", "*", "_", "__", "`", "```", "```py\n", "~~", "||", "# ", "- ", "1. ", "> ",
            "| a | b |\n|--|--|\n", "\n", "\n\n",
            "[x](http://y.z)", "](", "http://a.b/c", "<b>", "$x$", "\\", "\\(", "word",
            "слово", "字", "👨‍👩‍👧", "é", "🇩🇪", " ", "\t", "!", ".",
        ]
    ),
    max_size=30,
).map("".join)  # fmt: skip


def states(database: Database) -> list[str]:
    return [row["state"] for row in rows(database, "outbox")]


async def drained(sender: Sender, database: Database, seconds: float = 3.0) -> None:
    """Drain until nothing waits."""

    async with asyncio.timeout(seconds):
        while True:
            wait = await sender.drain_once()
            if not set(states(database)) & {"ready", "sending"}:
                return
            await asyncio.sleep(min(wait, 0.05))
