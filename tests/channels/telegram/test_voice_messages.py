"""An answer with a voice arrives once, with its words; where no voice gets in, the words arrive alone."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from furoshiki.channels.telegram.sender import Sender
from furoshiki.core.database.connection import Database
from furoshiki.models.speech import store
from tests.channels.telegram.conftest import OWNER, Alerts, clock, put, rows
from tests.emulators.telegram import TelegramEmulator
from tests.support.telegram import drained, states

SOUND = {"data": base64.b64encode(b"OggS a voice").decode(), "filename": "voice.ogg", "seconds": 3}
BUTTONS = [[{"text": "Undo", "data": "undo:1"}]]
FORBIDDEN = "Bad Request: VOICE_MESSAGES_FORBIDDEN"


def voice(database: Database, text: str, **more: Any) -> None:
    put(database, text, kind="voice", entities=(), extra={**SOUND, **more})


async def test_it_is_a_voice_message_with_its_words_and_buttons(
    telegram: TelegramEmulator, sender: Sender, database: Database
) -> None:
    voice(database, "Good morning!", buttons=BUTTONS)
    voice(database, "")
    put(database, "*raw*", kind="voice", extra=SOUND)
    await drained(sender, database)
    spoken, alone, raw = telegram.chat()
    assert (spoken.kind, spoken.data, spoken.text) == ("voice", b"OggS a voice", "Good morning!")
    assert spoken.buttons[0][0]["text"] == "Undo"
    assert [call.args["duration"] for call in telegram.called("sendVoice")] == ["3"] * 3
    assert (alone.kind, alone.text, raw.kind, raw.text) == ("voice", "", "voice", "raw")
    assert all(SOUND["data"] not in (row["extra"] or "") for row in rows(database, "outbox"))


@pytest.mark.parametrize("text", ["Good morning!", ""])
async def test_one_whose_answer_was_cut_is_found_and_not_repeated(
    telegram: TelegramEmulator, sender: Sender, database: Database, text: str
) -> None:
    put(database, "before")
    voice(database, text)
    telegram.faults.cut_after("sendVoice")
    await drained(sender, database)
    assert [(one.kind, one.text) for one in telegram.chat()] == [("text", "before"), ("voice", text)]
    assert states(database) == ["sent", "sent"]


async def test_one_that_did_not_arrive_is_repeated(
    telegram: TelegramEmulator, sender: Sender, database: Database
) -> None:
    put(database, "before")
    voice(database, "Good morning!")
    telegram.faults.refuse("sendVoice")
    await drained(sender, database)
    assert [one.data for one in telegram.chat()] == [None, b"OggS a voice"]


async def test_where_none_gets_in_the_words_go_alone_and_that_is_remembered(
    telegram: TelegramEmulator, sender: Sender, database: Database, alerts: Alerts
) -> None:
    telegram.faults.bad_request(FORBIDDEN, "sendVoice", n=None)
    voice(database, "Good morning!", buttons=BUTTONS)
    await drained(sender, database)
    words, told = telegram.chat()
    assert (words.kind, words.text) == ("text", "Good morning!")
    assert words.buttons[0][0]["text"] == "Undo"
    assert told.text.startswith("Telegram doesn't let me send voice messages in this chat")
    voice(database, "And again.")
    voice(database, "")
    await drained(sender, database)
    assert telegram.replies()[2:] == ["And again."]
    assert len(telegram.called("sendVoice")) == 1
    assert states(database) == ["sent", "sent", "sent", "failed"] and alerts.said == []
    with database.read() as db:
        assert store.is_refused(db, "telegram", str(OWNER), clock())


async def test_one_that_is_refused_for_another_reason_is_no_reason_to_stop(
    telegram: TelegramEmulator, sender: Sender, database: Database, alerts: Alerts
) -> None:
    telegram.faults.bad_request("Bad Request: failed to decode", "sendVoice", n=2)
    voice(database, "one")
    voice(database, "")
    voice(database, "three")
    await drained(sender, database)
    assert [(one.kind, one.text) for one in telegram.chat()] == [("text", "one"), ("voice", "three")]
    assert states(database) == ["sent", "failed", "sent"] and alerts.said == []


async def test_a_chat_that_is_gone_is_told_as_for_any_message(
    telegram: TelegramEmulator, sender: Sender, database: Database
) -> None:
    telegram.faults.bad_request("Bad Request: chat not found", "sendVoice")
    voice(database, "Good morning!")
    await drained(sender, database)
    assert states(database) == ["failed"]
