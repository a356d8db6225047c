"""A reply that Telegram refuses is sent again with less around its words, and told when that does not help either."""

from __future__ import annotations

import asyncio
import random
from datetime import timedelta

import pytest

from furoshiki.channels.telegram.bot import Client
from furoshiki.channels.telegram.database_thread import DatabaseThread
from furoshiki.channels.telegram.sender import Sender
from furoshiki.core.database.connection import Database
from furoshiki.messages.store import accounts
from furoshiki.owner.agenda.store import backlog
from tests.channels.telegram.conftest import HURRIED, OWNER, Alerts, clock, pair, put
from tests.emulators.telegram import TelegramEmulator
from tests.support.telegram import drained, states

BUTTONS = [[{"text": "Yes", "data": "yes"}]]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("can't parse entities: unsupported start tag", {"reply", "buttons"}),
        ("message to be replied not found", {"bold", "buttons"}),
        ("BUTTON_DATA_INVALID", {"bold", "reply"}),
        ("WEBPAGE_MEDIA_EMPTY", {"bold", "reply", "buttons"}),
        ("something nobody has heard of", {"reply", "buttons"}),
    ],
)
async def test_a_reply_that_is_refused_once_arrives_without_what_was_refused(
    telegram: TelegramEmulator, sender: Sender, database: Database, said: str, kept: set[str]
) -> None:
    asked = telegram.say("are you there?")
    put(database, "**yes**", reply_to=str(asked.id), extra={"buttons": BUTTONS})
    put(database, "afterwards")
    telegram.faults.bad_request(said)
    await drained(sender, database)
    assert telegram.replies() == ["yes", "afterwards"]
    answer = next(one for one in telegram.chat() if one.text == "yes")
    has = {"bold": bool(answer.entities), "reply": answer.reply_to is not None, "buttons": bool(answer.buttons)}
    assert {name for name, there in has.items() if there} == kept
    assert states(database) == ["sent", "sent"]


async def test_the_words_arrive_when_everything_around_them_is_refused(
    telegram: TelegramEmulator, sender: Sender, database: Database, alerts: Alerts
) -> None:
    asked = telegram.say("are you there?")
    put(database, "**yes**", reply_to=str(asked.id), extra={"buttons": BUTTONS})
    telegram.faults.bad_request("no", n=4)
    await drained(sender, database)
    answer = telegram.chat()[-1]
    assert (answer.text, answer.entities, answer.reply_to, answer.buttons) == ("yes", [], None, [])
    assert alerts.kinds == []


async def test_what_is_too_long_for_telegram_is_sent_in_smaller_parts(
    telegram: TelegramEmulator, sender: Sender, database: Database
) -> None:
    text = " ".join(f"word{number}" for number in range(300))
    put(database, text, extra={"buttons": BUTTONS})
    put(database, "afterwards")
    telegram.faults.bad_request("MESSAGE_TOO_LONG", n=2)
    await drained(sender, database)
    *parts, last = telegram.replies()
    assert last == "afterwards"
    assert len(parts) == 4
    assert " ".join(parts).split() == text.split()
    assert [bool(one.buttons) for one in telegram.chat()] == [False, False, False, True, False]


async def test_what_cannot_be_sent_at_all_is_told_once_with_its_first_words(
    telegram: TelegramEmulator, sender: Sender, database: Database, alerts: Alerts
) -> None:
    pair(database)
    put(database, "The heron came back to the pond this morning, and it brought somebody along.", "afterwards")
    telegram.faults.bad_request("TEXT_NOT_LIKED", n=2)
    await drained(sender, database)
    assert telegram.replies() == [
        "afterwards",
        "I could not send you a message starting with “The heron came back to the pond this morning, and it…”: "
        "Telegram refuses it (Bad Request: TEXT_NOT_LIKED).",
    ]
    assert alerts.kinds == ["telegram.refused"]
    with database.read() as db:
        [(words, reason)] = backlog.list_undelivered(db, clock() - timedelta(minutes=5))
    assert words.startswith("The heron") and "TEXT_NOT_LIKED" in reason


async def test_a_notice_that_is_refused_makes_no_other(
    telegram: TelegramEmulator, sender: Sender, database: Database, alerts: Alerts
) -> None:
    put(database, "hello")
    telegram.faults.bad_request("no", n=None)
    await drained(sender, database)
    assert states(database) == ["failed", "failed"]
    assert len(telegram.called("sendMessage")) == 4
    assert telegram.replies() == []


async def test_what_goes_to_nobody_is_told_to_the_owner_without_its_words(
    telegram: TelegramEmulator, sender: Sender, database: Database
) -> None:
    pair(database)
    put(database, "to nobody", chat=12345)
    await drained(sender, database)
    [told] = telegram.replies()
    assert "chat 12345" in told and "chat not found" in told and "to nobody" not in told
    assert len([one for one in telegram.called("sendMessage") if str(one.args["chat_id"]) == "12345"]) == 1


async def test_a_refused_part_does_not_take_the_rest_with_it(
    telegram: TelegramEmulator, sender: Sender, database: Database
) -> None:
    long = "\n\n".join(f"Paragraph {n}. " + "word " * 200 for n in range(12))
    put(database, long, "afterwards")
    telegram.faults.bad_request("no", n=3)  # with bold or without, with the wish for a preview or without
    await drained(sender, database)
    replies = telegram.replies()
    assert replies[-2] == "afterwards"
    assert "Paragraph 0." in replies[-1] and "could not send" in replies[-1]
    assert "Paragraph 11." in replies[-3]


@pytest.mark.parametrize("calls", [1, 2, 3])
async def test_a_sender_that_was_killed_between_two_tries_goes_on_where_it_was(
    telegram: TelegramEmulator, client: Client, sender: Sender, database: Database, alerts: Alerts, calls: int
) -> None:
    put(database, "hello")
    await drained(sender, database)  # a message whose number is known: without one nothing can be looked for
    asked = telegram.say("are you there?")
    put(database, "**yes**", "afterwards", reply_to=str(asked.id))
    telegram.faults.bad_request("no", n=2)
    running = asyncio.create_task(sender.drain_once())
    while len(telegram.called("sendMessage")) < 1 + calls:
        await asyncio.sleep(0)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    clerk = DatabaseThread(database)
    again = Sender(client, clerk, clock, random.Random(3), alerts, HURRIED)
    await drained(again, database, 8.0)
    clerk.close()
    assert telegram.replies() == ["hello", "yes", "afterwards"]


def test_status_names_what_was_not_delivered_to_an_owner_and_nobody_elses(database: Database) -> None:
    pair(database)
    with database.write() as db:
        accounts.pair(db, "telegram", "8", "8", "member", clock())
    put(database, "for me")
    put(database, "for a member", chat=8)
    with database.write() as db:
        db.execute("UPDATE outbox SET state='failed', error='no', sent_at='2999-01-01T00:00:00+00:00'")
        assert backlog.list_undelivered(db, clock()) == [("for me", "no")]
    assert OWNER != 8
