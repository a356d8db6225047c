"""What the Telegram tests share: a real database, the emulator, and the parts of a bot at a hurried pace."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from furoshiki.channels.telegram.access import AccessList
from furoshiki.channels.telegram.bot import Client
from furoshiki.channels.telegram.database_thread import DatabaseThread
from furoshiki.channels.telegram.lazy_aiogram import load
from furoshiki.channels.telegram.listener import Telegram
from furoshiki.channels.telegram.live_reply import Show
from furoshiki.channels.telegram.sender import Sender
from furoshiki.channels.telegram.timings import Pace
from furoshiki.core.database.connection import Database
from furoshiki.messages.store import accounts, outbox
from furoshiki.messages.values import NewOutgoing
from tests.emulators.telegram import TelegramEmulator

load()  # before a test module imports aiogram as it is, which takes every worker four seconds

HURRIED = Pace(
    poll=2,
    retry_first=0.02,
    retry_most=0.05,
    refused_most=0.05,
    send_most=0.05,
    conflict=0.1,
    settle=0.02,
    settle_start=0.0,
    look=0.05,
    farewell=1.0,
)
BRISK = Show(typing_every=0.2, stream_after=0.1, stream_every=0.05, refresh=0.3, farewell=0.5)
OWNER = 7


def clock() -> datetime:
    return datetime.now(UTC)


@pytest.fixture
def database(migrated: Callable[[Path], Path], tmp_path: Path) -> Iterator[Database]:
    database = Database(migrated(tmp_path / "longmemory.sqlite"), busy_seconds=0.2)
    yield database
    database.close()


@pytest.fixture
def telegram() -> Iterator[TelegramEmulator]:
    with TelegramEmulator() as emulator:
        emulator.open()
        yield emulator


@pytest.fixture
async def client(telegram: TelegramEmulator) -> AsyncIterator[Client]:
    client = Client(telegram.token, telegram.url, call_seconds=1.0)
    yield client
    await client.close()


@pytest.fixture
async def clerk(database: Database) -> AsyncIterator[DatabaseThread]:
    clerk = DatabaseThread(database)
    yield clerk
    clerk.close()


@dataclass
class Alerts:
    """What the operator was told."""

    said: list[tuple[str, str]] = field(default_factory=list)
    over: list[str] = field(default_factory=list)

    def __call__(self, kind: str, words: str | None) -> None:
        if words is None:
            self.over.append(kind)
        else:
            self.said.append((kind, words))

    @property
    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.said]


@pytest.fixture
def alerts() -> Alerts:
    return Alerts()


@pytest.fixture
def sender(client: Client, clerk: DatabaseThread, alerts: Alerts) -> Sender:
    return Sender(client, clerk, clock, random.Random(1), alerts, HURRIED)


@pytest.fixture
async def line(client: Client, database: Database, alerts: Alerts) -> AsyncIterator[Callable[..., Telegram]]:
    """Makes the whole bot, to be run by the test."""
    made: list[Telegram] = []

    def make(**given: Any) -> Telegram:
        options = {"allowed": AccessList(owner_id=OWNER), "on_stored": lambda: None, "alert": alerts, **given}
        telegram = Telegram(client, database, clock, random.Random(2), pace=HURRIED, show=BRISK, **options)
        made.append(telegram)
        return telegram

    yield make


def pair(database: Database, who: int = OWNER) -> None:
    with database.write() as db:
        accounts.pair(db, "telegram", str(who), str(who), "owner", clock(), "Robin", "en")


def put(database: Database, *texts: str, chat: int = OWNER, **more: Any) -> list[int]:
    with database.write() as db:
        items = [NewOutgoing("telegram", str(chat), text, **more) for text in texts]
        return outbox.put(db, items, clock(), None, None)


def rows(database: Database, table: str) -> list[sqlite3.Row]:
    with database.read() as db:
        return db.execute(f"SELECT * FROM {table} ORDER BY id").fetchall()
