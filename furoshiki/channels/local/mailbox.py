"""Puts lines into the inbox and finds their answers, by the mind's process, in the outbox."""

import sqlite3
from dataclasses import dataclass, field
from datetime import datetime

from furoshiki.core import refs
from furoshiki.core.database.connection import Database
from furoshiki.messages import withheld
from furoshiki.messages.events import Event, File, Hello, Message, Press
from furoshiki.messages.store import inbox, outbox, turns
from furoshiki.messages.values import NewEnvelope, Outgoing
from furoshiki.messages.withheld import Withheld
from furoshiki.models.llm.store import costs

HELLO = "hello"  # the external id of the envelope that requests the first words; there is only one
OWNER = "owner"  # everybody who can read the data directory is its owner


@dataclass(frozen=True)
class Answer:
    """The answer to one line. No parts means silence; `failure` says why there is no answer."""

    turn_key: str
    parts: tuple[Outgoing, ...]
    model: str | None
    failure: str | None = None

    @property
    def texts(self) -> tuple[str, ...]:
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


@dataclass(frozen=True)
class Mailbox:
    """Inbox and outbox for a channel of this machine, whose one conversation has its name."""

    database: Database
    channel: str
    # holds model keys found in messages, which are never stored
    withheld: Withheld = field(default_factory=Withheld)

    def say(self, text: str, external_id: str, now: datetime, file: tuple[str, File] | None = None) -> int:
        """Store the user's line, or a file (with its message kind) and a line; return the
        envelope's id, also if it was stored before."""
        kind, attachment = file or ("text", None)
        message = Message(
            chat_id=self.channel,
            private=True,
            at=now,
            message_id=external_id,
            text=text,
            kind=kind,
            attachment=attachment,
        )
        return self._store(message, external_id, now)

    def press(self, data: str, external_id: str, now: datetime) -> int:
        """Store the press of a button; return the envelope's id, also if it was stored before."""
        return self._store(Press(chat_id=self.channel, private=True, at=now, data=data), external_id, now)

    def hello(self, now: datetime) -> int | None:
        """Request the first words of a new companion; None if it has spoken or was asked before."""
        with self.database.read() as db:
            if not turns.is_first_meeting(db):
                return None
        with self.database.write() as db:
            there = Hello(chat_id=self.channel, private=True, at=now)
            ids = inbox.store(db, [NewEnvelope(self.channel, HELLO, OWNER, there)], now)
        return ids[0] if ids else None

    def answer(self, inbox_id: int) -> Answer | None:
        """Return the answer to an envelope; None while it waits or is in progress."""
        with self.database.read() as db:
            state, error, message_id = inbox.outcome(db, inbox_id, self.channel)
            if state in ("pending", "processing"):
                return None
            heard = turns.by_external(db, self.channel, self.channel, message_id) if message_id else None
            # a line merged into another is answered under that one's key
            key = heard.turn_key if heard is not None and heard.turn_key else refs.name("inbox", inbox_id)
            if state in ("failed", "dead"):
                return Answer(key, self._parts(db, refs.name("dead", inbox_id)), None, error or state)
            return Answer(key, self._parts(db, key), costs.model_of(db, key))

    def _parts(self, db: sqlite3.Connection, key: str) -> tuple[Outgoing, ...]:
        """Return the parts for this channel, without those for other channels and persons."""
        return tuple(
            message
            for message in outbox.of_turn(db, key)
            if message.channel == self.channel and message.state != "failed"
        )

    def _store(self, event: Event, external_id: str, now: datetime) -> int:
        with self.database.write() as db:
            key = withheld.find_secret(db, event, now)
            if key is not None:
                self.withheld.keep(external_id, key, now)
            inbox.store(db, [NewEnvelope(self.channel, external_id, OWNER, event)], now)
            return inbox.find_row(db, self.channel, external_id)
