"""The owner and other people, each in a chat of their own, before the same companion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from furoshiki.conversation.worker import Worker
from furoshiki.core.paths import PEOPLE
from furoshiki.messages import events
from furoshiki.messages.store import accounts, inbox, outbox
from furoshiki.messages.store.accounts import Role
from furoshiki.messages.values import NewEnvelope, Outgoing
from furoshiki.world import World
from tests.support.files import contents
from tests.support.world import Human

SECRET = "cancer"


@dataclass
class Somebody(Human):
    """A human of whom is read what arrives in their chat, whichever way it came."""

    sender: str = "7"
    private: bool = True

    def writes(self, text: str, kind: str = "text", **payload: Any) -> int:
        self.sent += 1
        number = 1000 * int(self.sender) + self.sent
        found = {
            "chat_id": self.chat_id,
            "message_id": str(number),
            "text": text,
            "private": self.private,
            "at": self.world.now.isoformat(),
            **payload,
        }
        new = NewEnvelope(self.channel, f"update-{number}", self.sender, events.read(kind, found))
        with self.world.database.write() as db:
            return inbox.store(db, [new], self.world.now)[0]

    async def says(self, text: str, kind: str = "text", **payload: Any) -> list[str]:
        before = {one.id for one in self.received()}
        self.writes(text, kind, **payload)
        await self.waits()
        return [one.text for one in self.received() if one.id not in before]

    def received(self) -> list[Outgoing]:
        """Everything on its way to this chat."""
        with self.world.database.read() as db:
            rows = db.execute(
                "SELECT id FROM outbox WHERE channel=? AND chat_id=? ORDER BY id", (self.channel, self.chat_id)
            ).fetchall()
            held = {one.id: one for one in outbox.in_state(db, "ready")}
        return [held[row["id"]] for row in rows if row["id"] in held]

    @property
    def place(self) -> World:
        """Their world."""
        [found] = [one for one in self.worker.people.everybody(self.worker.world) if one.who.id == self.sender]
        return found


def paired(world: World, worker: Worker, number: str, role: Role, name: str) -> Somebody:
    """Somebody new who may talk to it."""
    with world.database.write() as db:
        accounts.pair(db, "telegram", number, number, role, world.now, name)
    return Somebody(world, worker, chat_id=number, sender=number)


@pytest.fixture
def worker(world: World) -> Worker:
    return Worker(world)


@pytest.fixture
def owner(world: World, worker: Worker) -> Somebody:
    return paired(world, worker, "7", "owner", "Ada")


@pytest.fixture
def member(world: World, worker: Worker, owner: Somebody) -> Somebody:
    return paired(world, worker, "31", "member", "Bea")


@pytest.fixture
def console(world: World, worker: Worker) -> Somebody:
    return Somebody(world, worker, channel="console", chat_id="console", sender="7")


@pytest.fixture
def in_group(member: Somebody) -> Somebody:
    """The member, where others read along."""
    return Somebody(member.world, member.worker, chat_id="-100", sender="31", private=False, sent=500)


@pytest.fixture
def owner_in_group(owner: Somebody) -> Somebody:
    return Somebody(owner.world, owner.worker, chat_id="-100", sender="7", private=False, sent=500)


def held(world: World) -> str:
    """Everything in the database and the files of a world, as one text; the places of others left out."""
    texts = []
    with world.database.read() as db:
        tables = "SELECT name FROM sqlite_master WHERE type='table' AND name NOT LIKE '%\\_fts%' ESCAPE '\\'"
        for row in db.execute(tables).fetchall():
            texts += [str(tuple(one)) for one in db.execute(f"SELECT * FROM {row['name']}")]
    for path, content in contents(world.settings.data):
        aside = (world.settings.data / PEOPLE) in path.parents
        if not aside and path.suffix in (".json", ".md", ".jsonl", ".txt"):
            texts.append(content.decode("utf-8", "replace"))
    return "\n".join(texts)
