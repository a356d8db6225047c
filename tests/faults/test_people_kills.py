"""A member's message crosses from the owner's inbox into a place of its own and back: killed anywhere on that way, the
real program answers it once, and the owner's database learns nothing of it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from furoshiki.core.database.connection import Database
from furoshiki.core.process.crash_points import CRASHED
from furoshiki.messages.store import accounts
from tests.emulators.telegram import TelegramEmulator
from tests.support.extent import NIGHTLY
from tests.support.forked_program import ForkedProgram

pytestmark = [pytest.mark.faults, pytest.mark.slow]

FRIEND = 31
PAIRED = datetime(2026, 1, 1, tzinfo=UTC)

POINTS = [
    "turn.before_commit",
    "people.answered",
    "people.words_out",
    "people.handed_over",
    *(("turn.answered", "turn.journaled", "turn.after_commit") if NIGHTLY else ()),
]
"""Where it dies on that way. At each point of a turn it dies in test_kill.py, no matter who speaks; here at one of
them each time, and at night at all."""


def test_a_members_message_is_answered_once_wherever_the_program_dies(tmp_path: Path) -> None:
    with TelegramEmulator() as telegram, ForkedProgram(tmp_path / "data", telegram) as program:
        program.listening()
        telegram.say("I am the owner")
        telegram.wait_for(lambda: telegram.replies())
        database = Database(program.data / "memory" / "longmemory.sqlite")
        with database.write() as db:
            accounts.pair(db, "telegram", str(FRIEND), str(FRIEND), "member", PAIRED, "Bea")
        database.close()
        program.running[-1].stop()
        for number, point in enumerate(POINTS):
            dying = program.listening(FUROSHIKI_CRASH_AT=point)
            telegram.say(f"I have {number + 2} xylophones", chat_id=FRIEND)
            assert dying.wait() == CRASHED, point
            after = program.listening()
            _answered(telegram, number + 1)
            program.wait_quiet()
            assert len(telegram.replies(FRIEND)) == number + 1, point
            after.stop()
        place = Database(program.data / "memory" / "people" / f"telegram-{FRIEND}" / "memory" / "longmemory.sqlite")
        with place.read() as db:
            said = [row["text"] for row in db.execute("SELECT text FROM turns WHERE speaker='user' ORDER BY id")]
        place.close()
        assert said == [f"I have {number + 2} xylophones" for number in range(len(POINTS))]
        assert program.value("SELECT count(*) FROM turns WHERE text LIKE '%xylophone%'") == 0


def _answered(telegram: TelegramEmulator, count: int) -> None:
    telegram.wait_for(lambda: len(telegram.replies(FRIEND)) >= count)
