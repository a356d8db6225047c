"""Whatever sequence of faults and deaths the sender meets: every message arrives once, and in order."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from furoshiki.channels.telegram.database_thread import DatabaseThread
from furoshiki.channels.telegram.outcomes import Delivered, NotDelivered, Outcome, Refused, RetryAfter, Uncertain
from furoshiki.channels.telegram.sender import Sender
from furoshiki.channels.telegram.timings import Pace
from furoshiki.core.database.connection import Database
from furoshiki.messages.events import Message
from furoshiki.messages.store import inbox
from furoshiki.messages.values import NewEnvelope
from tests.channels.telegram.conftest import clock, put, rows

pytestmark = pytest.mark.slow

AT_ONCE = Pace(retry_first=0.0, send_most=0.0, settle=0.0, settle_start=0.0)
FAULTS = ["ok", "cut", "lost", "refused", "busy", "die before", "die after"]
EXAMPLES = int(os.environ.get("SEQUENCES", "12"))


class Died(BaseException):
    """The process is gone."""


@dataclass
class Chat:
    """A chat and the way to it: `faults` strike one call after the other, then everything works."""

    faults: list[str]
    database: Database
    rng: random.Random
    messages: dict[int, tuple[str, str]] = field(default_factory=dict)
    last: int = 100
    id: int = 70
    call_seconds: float = 1.0

    async def call(self, method: str, **params: Any) -> Outcome:
        fault = self.faults.pop(0) if self.faults else "ok"
        if fault == "die before":
            raise Died
        if fault in ("lost", "refused", "busy"):
            return {"lost": Uncertain("cut"), "refused": NotDelivered("no"), "busy": RetryAfter(0.0)}[fault]
        outcome = self.sent(params) if method == "SendMessage" else self.edited(params)
        if fault == "die after":
            raise Died
        return Uncertain("cut") if fault == "cut" else outcome

    def sent(self, params: dict[str, Any]) -> Outcome:
        for _ in range(self.rng.randint(0, 2)):
            self.heard()
        self.last += 1
        self.messages[self.last] = ("bot", params["text"])
        return Delivered({"message_id": self.last})

    def edited(self, params: dict[str, Any]) -> Outcome:
        author, text = self.messages.get(params["message_id"], ("nobody", ""))
        if author == "nobody":
            return Refused("Bad Request: message to edit not found", 400)
        if author == "user":
            return Refused("Bad Request: message can't be edited", 400)
        if text == params["text"]:
            return Refused("Bad Request: message is not modified", 400)
        self.messages[params["message_id"]] = ("bot", f"OVERWRITTEN {text}")
        return Delivered({"message_id": params["message_id"]})

    def heard(self) -> None:
        """The person writes; most of it has been stored, some is still on its way."""
        self.last += 1
        self.messages[self.last] = ("user", "")
        if self.rng.random() < 0.7:
            envelope = NewEnvelope("telegram", f"u{self.last}", "7", Message(chat_id=7, message_id=self.last))
            with self.database.write() as db:
                inbox.store(db, [envelope], clock())


async def delivered(chat: Chat, database: Database) -> None:
    """Run senders, one after the other as they die, until nothing waits."""
    for _ in range(200):
        clerk = DatabaseThread(database)
        sender = Sender(chat, clerk, clock, random.Random(1), lambda *_: None, AT_ONCE)  # type: ignore[arg-type]
        try:
            while {row["state"] for row in rows(database, "outbox")} & {"ready", "sending"}:
                await sender.drain_once()
        except Died:
            continue
        finally:
            clerk.close()
        return
    raise AssertionError("the outbox was never empty")


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(FAULTS), max_size=25), st.integers(1, 6), st.integers(0, 9))
def test_everything_arrives_once_and_in_order(empty_database: Path, faults: list[str], count: int, seed: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "longmemory.sqlite"
        shutil.copy(empty_database, path)
        database = Database(path)
        chat = Chat([], database, random.Random(seed))
        chat.heard()
        put(database, "before")
        asyncio.run(delivered(chat, database))
        chat.faults = faults
        wanted = [f"reply {number}" for number in range(count)]
        put(database, *wanted)
        asyncio.run(delivered(chat, database))
        assert [text for author, text in chat.messages.values() if author == "bot"] == ["before", *wanted]
        database.close()
