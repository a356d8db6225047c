"""Put a line into the inbox, and find what came of it in the outbox. Whoever is the mind answers in between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from furoshiki.channels.console import NAME
from furoshiki.core import refs
from furoshiki.core.database.connection import Database
from furoshiki.llm.store import costs
from furoshiki.messages.events import Event, Hello, Message, Press
from furoshiki.messages.store import inbox, outbox, turns
from furoshiki.messages.values import NewEnvelope, Outgoing

HELLO = "hello"
"""The external id of the envelope that asks for first words: there is one in a life."""

OWNER = "owner"
"""Whoever can read the data directory is its owner."""

LEFT_OVER = timedelta(seconds=10)
"""A reply this old that nobody printed was meant for a console that is gone: one that waits takes it at once."""


@dataclass(frozen=True)
class Answer:
    """What came of one line. No parts means silence; `failure` says why there is no answer at all."""

    turn_key: str
    parts: tuple[Outgoing, ...]
    model: str | None
    failure: str | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """What was said, part by part."""
        return tuple(part.text for part in self.parts)

    @property
    def buttons(self) -> tuple[tuple[str, str], ...]:
        """Label and data of every button, in order."""
        return tuple(
            (str(button["text"]), str(button["data"]))
            for part in self.parts
            for row in part.extra.get("buttons", ())
            for button in row
        )


def say(database: Database, text: str, external_id: str, now: datetime) -> int:
    """Store a line of the user's; returns the id of its envelope."""
    said = Message(chat_id=NAME, private=True, at=now, message_id=external_id, text=text)
    return _store(database, said, external_id, now)


def press(database: Database, data: str, external_id: str, now: datetime) -> int:
    """Store the press of a button."""
    return _store(database, Press(chat_id=NAME, private=True, at=now, data=data), external_id, now)


def hello(database: Database, now: datetime) -> int | None:
    """Ask for the first words of a companion nobody has met yet; None when it has spoken or been asked before."""
    with database.read() as db:
        if not turns.first_meeting(db):
            return None
    with database.write() as db:
        there = Hello(chat_id=NAME, private=True, at=now)
        ids = inbox.store(db, [NewEnvelope(NAME, HELLO, OWNER, there)], now)
    return ids[0] if ids else None


def answer(database: Database, inbox_id: int) -> Answer | None:
    """What came of an envelope; None while it waits or is being thought about."""
    with database.read() as db:
        state, error, message_id = inbox.outcome(db, inbox_id)
        if state in ("pending", "processing"):
            return None
        heard = turns.by_external(db, NAME, NAME, message_id) if message_id else None
        # a line that joined another one is answered under the other one's key
        key = heard.turn_key if heard is not None and heard.turn_key else refs.name("inbox", inbox_id)
        if state in ("failed", "dead"):
            return Answer(key, tuple(outbox.of_turn(db, refs.name("dead", inbox_id))), None, error or state)
        parts = tuple(part for part in outbox.of_turn(db, key) if part.channel == NAME and part.state != "failed")
        return Answer(key, parts, costs.model_of(db, key))


def unprompted(database: Database, now: datetime, mine: Sequence[str] = ()) -> list[Outgoing]:
    """What waits for a console and answers nobody who is still there: reminders, first words, replies left over.

    `mine` are the turns whose late replies this console still wants.
    """
    with database.read() as db:
        waiting = outbox.waiting(db, NAME)
    return [
        part
        for part in waiting
        if part.policy != "reply" or part.turn_key in mine or now - part.created_at > LEFT_OVER or not _asked(part)
    ]


def taken(database: Database, parts: Sequence[Outgoing], now: datetime) -> None:
    """These have been printed: they will not be printed again."""
    if parts:
        with database.write() as db:
            for part in parts:
                outbox.sent(db, part.id, None, now)


def _asked(part: Outgoing) -> bool:
    """Whether some console is waiting for this (it belongs to the answer of an envelope)."""
    return part.turn_key is not None and refs.is_of(part.turn_key, "inbox")


def _store(database: Database, event: Event, external_id: str, now: datetime) -> int:
    with database.write() as db:
        [inbox_id] = inbox.store(db, [NewEnvelope(NAME, external_id, OWNER, event)], now)
    return inbox_id
