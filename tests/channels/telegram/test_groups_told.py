"""A group says once to its owner how it works there: in their own chat, and never in the group."""

from __future__ import annotations

from typing import Any

import pytest

from furoshiki.channels.telegram import access
from furoshiki.channels.telegram.updates import Me
from furoshiki.core.database.connection import Database
from furoshiki.messages.store import accounts
from furoshiki.messages.withheld import Withheld
from tests.channels.telegram.conftest import rows
from tests.support.world import FrozenClock

ME = Me(1, "furoshiki_bot")
OWNER = {"id": 7, "is_bot": False, "first_name": "Noor", "language_code": "en"}
STRANGER = {"id": 9, "is_bot": False, "first_name": "Ada"}
AT = 1774364400


def group(number: int) -> dict[str, Any]:
    return {"id": number, "type": "supergroup", "title": "Friends"}


def joined(number: int, by: dict[str, Any], chat: int = -40) -> dict[str, Any]:
    """The bot is put into a group."""
    change = {"chat": group(chat), "from": by, "date": AT}
    old, new = ({"status": status, "user": {"id": 1}} for status in ("left", "member"))
    return {"update_id": number, "my_chat_member": {**change, "old_chat_member": old, "new_chat_member": new}}


def said(number: int, by: dict[str, Any], text: str, chat: int = -40) -> dict[str, Any]:
    message = {"message_id": number, "date": AT, "chat": group(chat), "from": by, "text": text}
    mention = {"type": "mention", "offset": 0, "length": len("@furoshiki_bot")}
    return {"update_id": number, "message": {**message, "entities": [mention] if text.startswith("@") else []}}


@pytest.fixture
def paired(database: Database, clock: FrozenClock) -> Database:
    with database.write() as db:
        accounts.pair(db, "telegram", "7", "7", "owner", clock.now(), "Noor", "en")
    return database


def told(database: Database, clock: FrozenClock, *updates: dict[str, Any], groups: bool) -> list[tuple[str, str]]:
    """What was put out after these updates, one batch each: chat and words."""
    for update in updates:
        with database.write() as db:
            access.take(db, [update], ME, access.AccessList(groups=groups), clock.now(), Withheld())
    return [(row["chat_id"], row["text"]) for row in rows(database, "outbox")]


@pytest.mark.parametrize(("groups", "says"), [(True, "@furoshiki_bot before it"), (False, "I stay silent there")])
def test_the_owner_hears_once_how_a_group_works(groups: bool, says: str, paired: Database, clock: FrozenClock) -> None:
    updates = joined(1, OWNER), said(2, OWNER, "@furoshiki_bot hello"), joined(1, OWNER), joined(3, OWNER)
    [(chat, words)] = told(paired, clock, *updates, groups=groups)
    assert chat == "7"
    assert "“Friends”" in words and says in words


def test_a_group_it_was_in_before_is_told_of_when_the_owner_is_not_heard_there(
    paired: Database, clock: FrozenClock
) -> None:
    assert told(paired, clock, said(1, OWNER, "nice weather"), groups=False) == []
    [(chat, words)] = told(paired, clock, said(2, OWNER, "@furoshiki_bot hello"), groups=False)
    assert chat == "7" and "I stay silent there" in words


def test_a_stranger_brings_one_such_message_a_day(paired: Database, clock: FrozenClock) -> None:
    many = [joined(number, STRANGER, chat=-number) for number in range(10, 20)]
    assert len(told(paired, clock, *many, said(30, STRANGER, "@furoshiki_bot hi", chat=-30), groups=False)) == 1


def test_nobody_is_told_while_it_belongs_to_nobody(database: Database, clock: FrozenClock) -> None:
    assert told(database, clock, joined(1, STRANGER), groups=True) == []
