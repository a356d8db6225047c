"""The outbox reaches the chat: once, in order, whatever happens on the way."""

from __future__ import annotations

import base64
import json
import random
from pathlib import Path

import pytest

from furoshiki.channels.telegram.bot import Client
from furoshiki.channels.telegram.database_thread import DatabaseThread
from furoshiki.channels.telegram.listener import read_doctors_messages
from furoshiki.channels.telegram.outcomes import Delivered
from furoshiki.channels.telegram.sender import Sender
from furoshiki.core.database.connection import Database
from furoshiki.messages.events import Message
from furoshiki.messages.store import outbox
from tests.channels.telegram.conftest import HURRIED, OWNER, Alerts, clock, pair, put, rows
from tests.emulators.telegram import TelegramEmulator
from tests.support.telegram import drained, states


async def test_words_arrive_formatted_in_order_without_previews(
    telegram: TelegramEmulator, sender: Sender, database: Database
) -> None:
    put(database, "**one**", "two https://ok.example/x")
    await drained(sender, database)
    first, second = telegram.chat()
    assert [first.text, second.text] == ["one", "two https://ok.example/x"]
    assert first.entities == [{"type": "bold", "offset": 0, "length": 3}]
    assert not first.previews and not second.previews
    assert [row["external_id"] for row in rows(database, "outbox")] == [str(first.id), str(second.id)]


async def test_a_send_whose_answer_was_cut_is_found_and_not_repeated(
    telegram: TelegramEmulator, sender: Sender, database: Database
) -> None:
    put(database, "before", "**hi** there", "second")
    telegram.say("hello")
    telegram.faults.cut_after("sendMessage", after=1)
    await drained(sender, database)
    assert telegram.replies() == ["before", "hi there", "second"]
    found = telegram.chat()[2]
    assert rows(database, "outbox")[1]["external_id"] == str(found.id)
    assert found.edits == []


@pytest.mark.parametrize("fault", ["refuse", "bad_gateway", "server_error", "too_many"])
async def test_a_send_that_did_not_arrive_is_repeated(
    telegram: TelegramEmulator, sender: Sender, database: Database, fault: str
) -> None:
    put(database, "before")
    await drained(sender, database)
    options = {"retry_after": 0} if fault == "too_many" else {}
    getattr(telegram.faults, fault)("sendMessage", n=2, **options)
    put(database, "after", "last")
    await drained(sender, database, 8.0)
    assert telegram.replies() == ["before", "after", "last"]


async def test_gaps_in_the_ids_do_not_hide_a_message(
    telegram: TelegramEmulator, sender: Sender, database: Database
) -> None:
    pair(database)
    put(database, "first")
    await drained(sender, database)
    for _ in range(5):
        telegram.say("a stranger speaks", chat_id=999)
    said = telegram.say("known to us")
    from furoshiki.messages.store import inbox
    from furoshiki.messages.values import NewEnvelope

    with database.write() as db:
        heard = Message(chat_id=OWNER, message_id=said.id)
        inbox.store(db, [NewEnvelope("telegram", "x", str(OWNER), heard)], clock())
    put(database, "second")
    telegram.faults.cut_after("sendMessage")
    await drained(sender, database)
    assert telegram.replies() == ["first", "second"]


async def test_what_the_doctor_has_said_is_not_taken_for_a_lost_message(
    telegram: TelegramEmulator,
    client: Client,
    clerk: DatabaseThread,
    database: Database,
    alerts: Alerts,
    tmp_path: Path,
) -> None:
    """It uses the same bot, past the outbox, and Telegram would let its message be edited into ours."""
    notebook = tmp_path / "doctor.json"
    sender = Sender(
        client,
        clerk,
        clock,
        random.Random(1),
        alerts,
        HURRIED,
        lambda chat_id: read_doctors_messages(notebook, chat_id),
    )
    telegram.say("hello")
    put(database, "first")
    await drained(sender, database)
    said = await client.call("SendMessage", chat_id=OWNER, text="the disk is full")
    assert isinstance(said, Delivered)
    notebook.write_text(json.dumps({"messages": {str(OWNER): ["?", said.result["message_id"]]}}))
    telegram.faults.cut_after("sendMessage")
    put(database, "second")
    await drained(sender, database)
    assert telegram.replies() == ["first", "the disk is full", "second"]


async def test_unprompted_words_are_never_sent_on_a_guess(
    telegram: TelegramEmulator, sender: Sender, database: Database
) -> None:
    telegram.faults.cut_after("sendMessage")
    put(database, "thinking of you", policy="unprompted")
    await drained(sender, database)
    assert telegram.replies() == ["thinking of you"]
    assert states(database) == ["failed"]


async def test_a_row_left_behind_by_a_killed_sender_is_looked_for(
    telegram: TelegramEmulator, sender: Sender, database: Database
) -> None:
    telegram.say("hello")
    put(database, "one")
    await drained(sender, database)
    [lost] = put(database, "two", entities=())
    with database.write() as db:
        assert outbox.claim(db, lost, clock())
    await drained(sender, database)
    assert telegram.replies() == ["one", "two"]


async def test_refused_formatting_goes_out_as_plain_text(
    telegram: TelegramEmulator, sender: Sender, database: Database
) -> None:
    put(database, "short", entities=({"type": "bold", "offset": 0, "length": 500},))
    await drained(sender, database)
    [message] = telegram.chat()
    assert (message.text, message.entities) == ("short", [])


async def test_a_blocked_chat_fails_and_is_remembered(
    telegram: TelegramEmulator, sender: Sender, database: Database, alerts: Alerts
) -> None:
    pair(database)
    telegram.block()
    put(database, "hello?")
    await drained(sender, database)
    assert states(database) == ["failed"]
    assert rows(database, "accounts")[0]["blocked_at"] is not None


async def test_a_refusal_for_good_is_told_once_and_holds_nothing_up(
    telegram: TelegramEmulator, sender: Sender, database: Database, alerts: Alerts
) -> None:
    put(database, "to nobody", chat=12345)
    put(database, "to me")
    await drained(sender, database)
    assert states(database) == ["failed", "sent"]
    assert alerts.kinds == ["telegram.refused"]


async def test_a_long_reply_keeps_its_place(telegram: TelegramEmulator, sender: Sender, database: Database) -> None:
    long = "\n\n".join(f"Paragraph {n}. " + "word " * 200 for n in range(12))
    buttons = [[{"text": "More", "data": "more"}]]
    put(database, long, extra={"buttons": buttons})
    put(database, "afterwards")
    telegram.faults.cut_after("sendMessage", after=1)
    await drained(sender, database)
    replies = telegram.replies()
    assert replies[-1] == "afterwards"
    assert len(replies) == 4 and all(len(reply) <= 4096 for reply in replies)
    assert "".join("".join(replies[:-1]).split()) == "".join(long.split())
    assert [bool(message.buttons) for message in telegram.chat()] == [False, False, True, False]
    assert [row["state"] for row in rows(database, "outbox")] == ["sent"] * 4


async def test_a_very_long_reply_is_a_file_with_its_beginning(
    telegram: TelegramEmulator, sender: Sender, database: Database
) -> None:
    long = "\n\n".join(f"**Part {n}.** " + "word " * 300 for n in range(20))
    put(database, "before", long)
    telegram.faults.cut_after("sendDocument")
    await drained(sender, database)
    _, message = telegram.chat()
    assert message.kind == "document" and message.file_name == "answer.md"
    assert message.data == long.encode()
    assert message.text.startswith("Part 0.") and "file" in message.text


async def test_documents_reactions_and_replies(telegram: TelegramEmulator, sender: Sender, database: Database) -> None:
    said = telegram.say("well done")
    put(database, "", kind="reaction", reply_to=str(said.id), extra={"emoji": "👍"})
    put(
        database,
        "here *it* is",
        kind="document",
        extra={"filename": "a.txt", "data": base64.b64encode(b"abc").decode()},
    )
    put(database, "quoted", reply_to=str(said.id))
    telegram.faults.cut_after("setMessageReaction")
    await drained(sender, database)
    asked, file, quoted = telegram.chat()
    assert list(asked.reactions.values()) == [["👍"]]
    assert (file.data, file.file_name, file.text) == (b"abc", "a.txt", "here it is")
    assert quoted.reply_to == said.id


async def test_a_row_that_says_nonsense_does_not_hold_up_its_chat(
    telegram: TelegramEmulator, sender: Sender, database: Database, alerts: Alerts
) -> None:
    put(database, "   ")
    put(database, "file", kind="document", extra={"data": "not base64!"})
    put(database, "fine")
    await drained(sender, database)
    assert states(database)[:3] == ["failed", "failed", "sent"]
    assert alerts.kinds == ["telegram.unsendable"] * 2
    told = "I could not send you a message starting with “file”: it cannot be made into a message."
    assert telegram.replies() == ["fine", told]


async def test_hours_without_telegram_lose_nothing(
    telegram: TelegramEmulator, sender: Sender, database: Database
) -> None:
    put(database, "one")
    telegram.offline()
    for _ in range(5):
        await sender.drain_once()
    assert states(database) == ["ready"]
    telegram.online()
    await drained(sender, database)
    assert telegram.replies() == ["one"]


async def test_a_button_leads_out_or_opens_a_page_within_telegram(
    telegram: TelegramEmulator, sender: Sender, database: Database
) -> None:
    app, link = "https://furo.example.net/app", "https://furo.example.net/enter/abc"
    buttons = [[{"text": "Here", "web_app": app}], [{"text": "Browser", "url": link}]]
    put(database, "My pages.", extra={"buttons": buttons})
    await drained(sender, database)
    [sent] = telegram.chat()
    assert sent.buttons == [[{"text": "Here", "web_app": {"url": app}}], [{"text": "Browser", "url": link}]]
