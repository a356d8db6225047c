"""Quiet hours by command: understood, kept, ended, and over by themselves."""

from __future__ import annotations

from datetime import timedelta

import pytest

from furoshiki.agenda.store import quiet as quiet_store
from furoshiki.conversation.commands import quiet
from tests.support.commands import Commander
from tests.support.world import START, FrozenClock


@pytest.mark.parametrize(
    ("text", "hours"),
    [("3", 3), ("3h", 3), ("for 2 hours", 2), ("90 min", 1.5), ("2 days", 48), ("1,5 h", 1.5), ("30 days", 720)],
)
def test_spans_are_understood(text: str, hours: float) -> None:
    assert quiet.hours_in(text) == pytest.approx(hours)


@pytest.mark.parametrize("text", ["", "soon", "0", "-3", "31 days", "3 years", "3 h later"])
def test_other_words_are_not(text: str) -> None:
    assert quiet.hours_in(text) is None


async def test_it_is_kept_until_its_end(command: Commander, clock: FrozenClock) -> None:
    words = await command("/quiet 3 hours")
    assert "today at 18:00" in words.text and "reminders still come" in words.text
    with command.world.database.read() as db:
        assert quiet_store.until(db, clock.now()) == START + timedelta(hours=3)
        clock.pass_(hours=3)
        assert quiet_store.until(db, clock.now()) is None


async def test_off_ends_it(command: Commander) -> None:
    await command("/quiet 3")
    assert "may write first again" in (await command("/quiet off")).text
    with command.world.database.read() as db:
        assert quiet_store.until(db, START) is None


async def test_status_only_looks(command: Commander) -> None:
    assert "No quiet" in (await command("/quiet status")).text
    await command("/quiet 3")
    assert "Quiet until today at 18:00" in (await command("/quiet status")).text


async def test_nonsense_asks_back_and_changes_nothing(command: Commander) -> None:
    assert "/quiet off" in (await command("/quiet whenever")).text
    with command.world.database.read() as db:
        assert quiet_store.until(db, START) is None
