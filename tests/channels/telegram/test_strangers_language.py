"""A stranger is turned away in the language their Telegram is set to."""

from __future__ import annotations

from typing import Any

import pytest

from furoshiki.channels.telegram import access
from furoshiki.channels.telegram.updates import Me
from furoshiki.core.database.connection import Database
from furoshiki.messages.withheld import Withheld
from tests.support.world import FrozenClock


def update(language: str) -> dict[str, Any]:
    """A first message of somebody nobody knows."""
    who = {"id": 9, "is_bot": False, "first_name": "Ada", "language_code": language}
    message = {"message_id": 1, "date": 1774364400, "chat": {"id": 9, "type": "private"}, "from": who, "text": "…"}
    return {"update_id": 1, "message": message}


@pytest.mark.parametrize(
    ("language", "line"), [("en", "Hello!"), ("pt-br", "Olá!"), ("ru", "Привет!"), ("fi", "Hello!")]
)
def test_a_stranger_is_greeted_in_their_language(
    language: str, line: str, database: Database, clock: FrozenClock
) -> None:
    me = Me(1, "furoshiki_bot")
    with database.write() as db:
        taken = access.take(db, [update(language)], me, access.AccessList(), clock.now(), Withheld())
    [(chat, words)] = taken.say
    assert chat == 9 and words.startswith(line)
