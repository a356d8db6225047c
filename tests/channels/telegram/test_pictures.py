"""A picture arrives once, with its words; where no photo gets in it is a file, and where none does, the words alone."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from furoshiki.channels.telegram.sender import Sender
from furoshiki.core.database.connection import Database
from tests.channels.telegram.conftest import Alerts, put, rows
from tests.emulators.telegram import TelegramEmulator
from tests.support.telegram import drained, states

PNG = b"\x89PNG a picture"
FILE = {"data": base64.b64encode(PNG).decode(), "filename": "mood-week.png"}
FORBIDDEN = "Bad Request: not enough rights to send photos to the chat"


def picture(database: Database, text: str, **more: Any) -> None:
    put(database, text, kind="photo", extra=FILE, **more)


async def test_it_is_a_photo_with_its_words(telegram: TelegramEmulator, sender: Sender, database: Database) -> None:
    picture(database, "**My week.** Mostly content.")
    await drained(sender, database)
    [sent] = telegram.chat()
    assert (sent.kind, sent.data, sent.text) == ("photo", PNG, "My week. Mostly content.")
    assert [one["type"] for one in sent.entities] == ["bold"]
    assert all(FILE["data"] not in (row["extra"] or "") for row in rows(database, "outbox"))


@pytest.mark.parametrize("died", ["before", "after"])
async def test_one_whose_sending_was_cut_arrives_once(
    telegram: TelegramEmulator, sender: Sender, database: Database, died: str
) -> None:
    put(database, "before")
    picture(database, "My week.")
    (telegram.faults.refuse if died == "before" else telegram.faults.cut_after)("sendPhoto")
    await drained(sender, database)
    assert [(one.kind, one.text) for one in telegram.chat()] == [("text", "before"), ("photo", "My week.")]
    assert states(database) == ["sent", "sent"]


async def test_where_no_photos_get_in_it_is_a_document(
    telegram: TelegramEmulator, sender: Sender, database: Database, alerts: Alerts
) -> None:
    telegram.faults.bad_request(FORBIDDEN, "sendPhoto", n=None)
    picture(database, "My week.")
    await drained(sender, database)
    [sent] = telegram.chat()
    assert (sent.kind, sent.data, sent.file_name, sent.text) == ("document", PNG, "mood-week.png", "My week.")
    assert states(database) == ["sent"] and alerts.said == []


async def test_where_no_files_get_in_its_words_go_alone(
    telegram: TelegramEmulator, sender: Sender, database: Database, alerts: Alerts
) -> None:
    telegram.faults.bad_request(FORBIDDEN, "sendPhoto", n=None)
    telegram.faults.bad_request("Bad Request: not enough rights to send documents", "sendDocument", n=None)
    picture(database, "My week.")
    await drained(sender, database)
    assert [(one.kind, one.text) for one in telegram.chat()] == [("text", "My week.")]
    assert states(database) == ["sent"] and alerts.said == []
    assert all(FILE["data"] not in (row["extra"] or "") for row in rows(database, "outbox"))


async def test_words_that_are_too_long_follow_it(
    telegram: TelegramEmulator, sender: Sender, database: Database
) -> None:
    picture(database, "Mostly content. " * 80)
    await drained(sender, database)
    assert [one.kind for one in telegram.chat()] == ["photo", "text"]
