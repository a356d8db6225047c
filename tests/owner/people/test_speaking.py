"""Who somebody is, by where a message came from: whatever is not known makes nobody the owner."""

from __future__ import annotations

import pytest

from furoshiki.messages.events import Message
from furoshiki.messages.store import accounts
from furoshiki.messages.values import Envelope
from furoshiki.owner.people import places
from furoshiki.world import World
from tests.support.world import START, Human, Script

PAIRED = (("telegram", "7", "owner"), ("telegram", "31", "member"), ("matrix", "31", "member"))


def envelope(channel: str, sender: str, chat_id: str = "", private: bool | None = None) -> Envelope:
    event = Message(chat_id=chat_id or sender, text="hello", private=private)
    return Envelope(channel, "u1", sender, event, id=1, attempts=0, enqueued_at=START)


@pytest.mark.parametrize(
    ("paired", "sent", "standing"),
    [
        (PAIRED, envelope("telegram", "7"), "owner"),
        (PAIRED, envelope("telegram", "31"), "member"),
        (PAIRED, envelope("telegram", "99"), "stranger"),
        (PAIRED[1:], envelope("telegram", "99"), "stranger"),  # the owner went, a member is still there
        (PAIRED, envelope("telegram", "7", "-100", private=False), "group"),
        (PAIRED, envelope("telegram", "7", "-100"), "group"),  # nobody said that it is private
        (PAIRED, envelope("telegram", "7", "-100", private=True), "owner"),
        ((), envelope("telegram", "7"), "owner"),  # the first to write, before anybody was paired
        (PAIRED, envelope("console", "owner", "console"), "owner"),
        (PAIRED, envelope("web", "owner", "web"), "owner"),
        (PAIRED, envelope("matrix", "7"), "stranger"),
        ((), envelope("matrix", "7"), "stranger"),
        (PAIRED, envelope("matrix", "31"), "member"),
        ((), envelope("", "owner"), "stranger"),
        ((), envelope("Console", "owner"), "stranger"),
        ((), envelope("internal", "owner"), "stranger"),
    ],
)
def test_an_unknown_sender_is_a_stranger(
    world: World, paired: tuple[tuple[str, str, accounts.Role], ...], sent: Envelope, standing: str
) -> None:
    with world.database.write() as db:
        for channel, sender, role in paired:
            accounts.pair(db, channel, sender, sender, role, world.now)
        assert places.whose(db, sent).standing == standing


async def test_a_channel_that_nobody_knows_is_not_answered(human: Human, model: Script) -> None:
    human.channel = "matrix"
    for text in ("hello", "/memory", "/export"):
        assert await human.says(text) == []
    assert model.questions == []
