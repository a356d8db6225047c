"""A key that comes in a message is stored nowhere, and the message goes out of the chat."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from furoshiki.channels.telegram import access
from furoshiki.channels.telegram.sender import Sender
from furoshiki.channels.telegram.updates import Me
from furoshiki.core.database.connection import Database
from furoshiki.host import deferred_updates
from furoshiki.messages.store import outbox
from furoshiki.messages.values import REMOVAL, NewOutgoing
from furoshiki.messages.withheld import Withheld
from tests.channels.telegram.conftest import OWNER, clock, pair
from tests.emulators.telegram import TelegramEmulator
from tests.support.telegram import drained
from tests.support.world import FrozenClock

KEY = "sk-ant-api03-0123456789abcdefghij"
PERSON = {"id": OWNER, "is_bot": False, "first_name": "Robin", "language_code": "de"}
CHAT = {"id": OWNER, "type": "private"}
BASE: dict[str, Any] = {"message_id": 5, "date": 1774364400, "chat": CHAT, "from": PERSON}
OTHERS = {**BASE, "message_id": 4, "text": f"use {KEY}"}

ALONE: list[dict[str, Any]] = [
    {"message": {**BASE, "text": KEY}},
    {"message": {**BASE, "text": f"my key: {KEY}"}},
    {"message": {**BASE, "text": f"/mind {KEY}", "entities": [{"type": "bot_command", "offset": 0, "length": 5}]}},
    {"edited_message": {**BASE, "text": KEY, "edit_date": 1774364500}},
]
WITHIN: list[dict[str, Any]] = [
    {"message": {**BASE, "text": f"{'a long and winding tale of my day, ' * 3}{KEY}"}},
    {"message": {**BASE, "photo": [{"file_id": "a", "file_unique_id": "b", "width": 1, "height": 1}], "caption": KEY}},
]
QUOTED: dict[str, Any] = {"message": {**BASE, "text": "what was this?", "reply_to_message": OTHERS}}


def taken(database: Database, update: dict[str, Any], held: Withheld, clock: FrozenClock) -> tuple[str, list[Any]]:
    """What is in the database after an update, all of it, and what goes out."""
    pair(database)
    with database.write() as db:
        received = access.take(db, [{"update_id": 9, **update}], Me(1, "b"), access.AccessList(), clock.now(), held)
        assert len(received.ids) == 1
        return "\n".join(db.iterdump()), outbox.ready(db, "telegram", clock.now())


@pytest.mark.parametrize("update", ALONE)
def test_a_message_that_is_a_key_goes(update: dict[str, Any], database: Database, clock: FrozenClock) -> None:
    held = Withheld()
    kept, [out] = taken(database, update, held, clock)
    assert KEY not in kept and (out.kind, out.reply_to) == (REMOVAL, "5")
    with database.read() as db:
        [name] = [row["external_id"] for row in db.execute("SELECT external_id FROM inbox").fetchall()]
    assert held.take(name, clock.now()) == KEY


@pytest.mark.parametrize("update", WITHIN)
def test_a_message_with_more_in_it_stays_without_the_key(
    update: dict[str, Any], database: Database, clock: FrozenClock
) -> None:
    kept, [out] = taken(database, update, Withheld(), clock)
    assert KEY not in kept and out.kind == "text" and "In deiner Nachricht steht ein Schlüssel" in out.text


def test_a_key_in_what_is_replied_to_is_covered(database: Database, clock: FrozenClock) -> None:
    kept, sent = taken(database, QUOTED, Withheld(), clock)
    assert KEY not in kept and "what was this?" in kept and sent == []


@pytest.mark.parametrize(
    ("updates", "expected"),
    [
        ([{"message": {**BASE, "text": "the ferry was late"}}], ["the ferry was late"]),
        ([{"message": {**BASE, "text": "one"}}, {"message": {**BASE, "message_id": 6, "text": "two"}}], []),
        ([{"message": {**BASE, "text": "hello", "from": {**PERSON, "id": 4711}}}], []),
        *(([update], []) for update in (*ALONE, *WITHIN)),
    ],
)
def test_a_single_message_is_expected_to_be_read_while_it_is_stored(
    updates: list[dict[str, Any]], expected: list[str], database: Database, clock: FrozenClock
) -> None:
    pair(database)
    heard: list[str] = []
    batch = [{"update_id": 9 + number, **update} for number, update in enumerate(updates)]
    with database.write() as db:
        access.take(db, batch, Me(1, "b"), access.AccessList(), clock.now(), Withheld(), heard.append)
    assert heard == expected, "neither a key nor a stranger's words"


def test_a_home_that_cannot_keep_it_now_keeps_no_key_beside_it(tmp_path: Path) -> None:
    deferred_updates.keep(tmp_path, "ada", [{"update_id": 9, **ALONE[0]}])
    [path] = tmp_path.rglob("*.json")
    assert KEY not in path.read_text() and deferred_updates.list_waiting(tmp_path, "ada")


@pytest.mark.parametrize(("refusal", "told"), [("message can't be deleted", 1), ("message to delete not found", 0)])
async def test_what_telegram_does_not_delete_is_told(
    telegram: TelegramEmulator, sender: Sender, database: Database, refusal: str, told: int
) -> None:
    said = telegram.say("a key")
    telegram.faults.bad_request(refusal, "deleteMessage")
    with database.write() as db:
        outbox.put(db, [NewOutgoing("telegram", str(OWNER), "", REMOVAL, reply_to=str(said.id))], clock(), None, "a")
    await drained(sender, database)
    assert sum("did not let me delete your message" in one for one in telegram.replies()) == told


async def test_a_removal_is_done_once_and_sent_again_where_nobody_knows(
    telegram: TelegramEmulator, sender: Sender, database: Database
) -> None:
    said = telegram.say("a key")
    telegram.faults.cut_after("deleteMessage")
    with database.write() as db:
        outbox.put(db, [NewOutgoing("telegram", str(OWNER), "", REMOVAL, reply_to=str(said.id))], clock(), None, "a")
    await drained(sender, database)
    assert telegram.chat() == [] and len(telegram.called("deleteMessage")) == 2
