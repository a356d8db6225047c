"""Commands, asked directly: what is typed goes in, the words come out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import pytest

from furoshiki.conversation.commands import registry
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.events import Message
from furoshiki.messages.store import turns
from furoshiki.messages.values import USER, Envelope, NewTurn, Words
from furoshiki.world import World


def envelope(channel: str = "telegram") -> Envelope:
    """The envelope a command came in."""
    at = datetime.fromisoformat("2026-03-24T15:00+00:00")
    return Envelope(channel, "u1", "7", Message(chat_id="7"), id=1, attempts=0, enqueued_at=at)


@dataclass
class Commander:
    """Types commands and presses buttons."""

    world: World

    async def __call__(self, line: str, channel: str = "telegram") -> Words:
        name, _, args = line.removeprefix("/").partition(" ")
        words = await registry.run(self.world, name, args, envelope(channel))
        assert words is not None
        return words

    async def press(self, data: str) -> Words | None:
        return await registry.press(self.world, data, envelope())


@pytest.fixture
def command(world: World) -> Commander:
    return Commander(world)


def said(world: World, text: str, speaker: str = USER, key: str | None = None, at: datetime | None = None) -> int:
    """A turn on record; returns its id."""
    with world.database.write() as db:
        return turns.add(db, NewTurn("s1", "telegram", "7", speaker, text, at or world.now, turn_key=key))


def learned(world: World, text: str, *turn_ids: int) -> int:
    """A fact on record; returns its id."""
    with world.database.write() as db:
        return memories.add(db, NewMemory("semantic", text, turn_ids), world.now)
