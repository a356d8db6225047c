"""Rows that tests of the storage put into the database, in as few words as they can."""

from __future__ import annotations

import sqlite3
from datetime import datetime, timedelta
from typing import Any

from furoshiki.memory.store import memories, retrievals
from furoshiki.memory.store.retrievals import Retrieval
from furoshiki.memory.values import Memory
from furoshiki.messages import events
from furoshiki.messages.values import COMPANION, USER, NewEnvelope, NewOutgoing, NewTurn
from furoshiki.owner.agenda.store import mind_queue
from tests.support.laws import NOON


def user_said(text: str, at: datetime = NOON, **more: Any) -> NewTurn:
    return NewTurn(
        **({"session_id": "s1", "channel": "telegram", "chat_id": "7", "speaker": USER} | more), text=text, at=at
    )


def companion_said(text: str, at: datetime = NOON, **more: Any) -> NewTurn:
    return user_said(text, at, **({"speaker": COMPANION} | more))


def arrived(external_id: str, chat_id: str = "7", kind: str = "text", **more: Any) -> NewEnvelope:
    event = events.read(kind, {"chat_id": chat_id, "message_id": external_id, "text": "hello"})
    return NewEnvelope(
        **({"channel": "telegram", "sender": chat_id, "event": event} | more),
        external_id=external_id,
    )


def words(text: str, chat_id: str = "7", **more: Any) -> NewOutgoing:
    return NewOutgoing(**({"channel": "telegram"} | more), chat_id=chat_id, text=text)


def once_true(db: sqlite3.Connection, subject: str, predicate: str) -> list[Memory]:
    """What was held of a subject and has ended, oldest first."""
    return [one for one in memories.of_facts(db, subject, [predicate])[predicate] if one.status == "superseded"]


def never_true(db: sqlite3.Connection, subject: str, predicate: str) -> list[Memory]:
    """What was held of a subject and was taken back, oldest first."""
    return [one for one in memories.of_facts(db, subject, [predicate])[predicate] if one.status == "archived"]


def was_of_use(db: sqlite3.Connection, memory_id: int, now: datetime) -> None:
    """A memory of twenty days of which answers were made on five, the last of them today; others were only shown."""
    db.execute("UPDATE memories SET created_at=? WHERE id=?", ((now - timedelta(days=20)).isoformat(), memory_id))
    for number in range(5):
        used = [Retrieval(f"memory:{memory_id}", 1, True, True)]
        retrievals.record(db, f"used:{memory_id}:{number}", used, now - timedelta(days=number))
    for number in range(20):
        retrievals.record(db, f"shown:{memory_id}:{number}", [Retrieval("memory:100000", 1, True)], now)


def waits(db: sqlite3.Connection, now: datetime) -> list[str]:
    """Summaries of the thoughts that wait and may be said by now, most pressing first."""
    return [one.summary for one in mind_queue.list_due(db, now)]
