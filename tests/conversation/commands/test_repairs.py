"""Recurring errors, as they are asked about in a chat."""

from __future__ import annotations

from datetime import timedelta

from furoshiki.conversation.commands import repairs
from furoshiki.extensions.repair import store
from furoshiki.extensions.repair.rules.recurring import Recurring
from tests.support.commands import Commander


async def test_before_the_first_one(command: Commander) -> None:
    assert (await command("/repairs")).text == "No error of mine has come back."


async def test_the_newest_stand_first_without_the_words_of_the_error(command: Commander) -> None:
    world = command.world
    first, last = world.now - timedelta(hours=2), world.now - timedelta(hours=1)
    with world.database.write() as db:
        for number in range(12):
            found = Recurring(
                f"s{number}", f"script{number}", "KeyError", "see https://evil.example", 3, first, last, "e"
            )
            store.queue(db, found, world.now)
    lines = (await command("/repairs")).text.splitlines()
    assert len(lines) == repairs.MOST + 1 and "evil" not in "".join(lines)
    assert lines[0].startswith("- 12: script11, KeyError (3 times, last ")
    assert lines[0].endswith("waiting to be looked into") and "repairs show 12" in lines[-1]
