"""A picture of its feelings, asked for in Telegram; its sender dies right after it was sent."""

from __future__ import annotations

import io
from datetime import UTC, datetime, timedelta

import pytest
from PIL import Image

from furoshiki.core.database.connection import Database
from furoshiki.feelings.rules.emotions import NAMES
from furoshiki.feelings.store import history
from tests.e2e.program import Program
from tests.emulators.telegram import TelegramEmulator

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


def test_a_week_arrives_once_as_a_photo_with_words(program: Program, telegram: TelegramEmulator) -> None:
    listener = program.listening(FUROSHIKI_CRASH_AT="outbox.sent")
    with Database(program.data / "memory" / "longmemory.sqlite").write() as db:
        for hours in range(60, 0, -1):
            at = datetime.now(UTC) - timedelta(hours=hours)
            history.record(db, at, dict.fromkeys(NAMES, hours / 100), {}, "curious", "tick")
    telegram.say("/mood week")
    program.wait_for(lambda: not listener.alive(), what="the death of the sender")
    program.listening()
    program.wait_quiet()
    [picture] = [one for one in telegram.chat() if one.author == "bot"]
    assert picture.kind == "photo" and picture.text.startswith("My week. Mostly curious.")
    assert picture.data is not None and Image.open(io.BytesIO(picture.data)).format == "PNG"
