"""A button that was pressed goes, with those that asked the same: what is settled cannot be pressed again."""

import sqlite3
from collections.abc import Mapping
from typing import Any

from furoshiki.messages.channels import TELEGRAM
from furoshiki.messages.events import Press
from furoshiki.messages.store import outbox
from furoshiki.messages.values import Envelope, NewOutgoing

Row = list[Mapping[str, Any]]


def struck(db: sqlite3.Connection, envelope: Envelope, part: int) -> list[NewOutgoing]:
    """The message under which a button was pressed, with the buttons that are left, as the `part`-th of what goes
    out; nothing where that is not known."""
    press = envelope.event
    if envelope.channel != TELEGRAM or not isinstance(press, Press) or press.pressed_on is None:
        return []
    message = str(press.pressed_on)
    row, shown = outbox.buttons_under(db, envelope.channel, envelope.chat_id, message)
    if not shown:
        return []
    rows = list_remaining(shown, press.data)
    outbox.leave_buttons(db, row, rows)
    found = {"buttons": rows}
    return [NewOutgoing(envelope.channel, envelope.chat_id, "", "buttons", part, reply_to=message, extra=found)]


def list_remaining(shown: list[Row], pressed: str) -> list[Row]:
    """The rows of buttons without the row that was pressed, and without what gives another answer to its question."""
    return [
        row
        for row in shown
        if all(one.get("data") != pressed for one in row)
        and not any(_answers_same(str(one.get("data", "")), pressed) for one in row)
    ]


def _answers_same(data: str, pressed: str) -> bool:
    """Whether two buttons are choices of one question ("quiet.for:3h"), and not of two rows ("doubt.yes:12")."""
    asked, _, value = data.partition(":")
    other, _, chosen = pressed.partition(":")
    return asked == other and not (value.isdigit() and chosen.isdigit())
