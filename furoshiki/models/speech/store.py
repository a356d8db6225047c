"""Where somebody wants to be answered with voice, and where Telegram lets none through."""

import sqlite3
from datetime import datetime, timedelta
from typing import cast

from furoshiki.core.database import kv
from furoshiki.core.timestamps import parse, stamp
from furoshiki.messages.channels import chat_and_topic
from furoshiki.models.speech.values import Mode

REMEMBERED = timedelta(days=7)
"""How long a chat that takes no voice is not tried again; when its owner allows voice, it is found out by itself."""


def mode(db: sqlite3.Connection, channel: str, chat_id: str) -> Mode | None:
    """When voice notes of a chat are answered with voice; None for never."""
    return cast("Mode | None", kv.get(db, _make_wish_key(channel, chat_id)))


def choose(db: sqlite3.Connection, channel: str, chat_id: str, wanted: Mode | None, now: datetime) -> None:
    """Set how voice notes of a chat are answered from now on. Whether it takes voice is tried again."""
    if wanted is None:
        kv.drop(db, _make_wish_key(channel, chat_id))
    else:
        kv.put(db, _make_wish_key(channel, chat_id), wanted, now)
    kv.drop(db, _make_refusal_key(channel, chat_id))


def refuse(db: sqlite3.Connection, channel: str, chat_id: str, now: datetime) -> None:
    """Record that a chat takes no voice messages."""
    kv.put(db, _make_refusal_key(channel, chat_id), stamp(now), now)


def is_refused(db: sqlite3.Connection, channel: str, chat_id: str, now: datetime) -> bool:
    """Whether no voice message got into this chat lately."""
    since = kv.get(db, _make_refusal_key(channel, chat_id))
    return since is not None and now - parse(since) < REMEMBERED


def _make_wish_key(channel: str, chat_id: str) -> str:
    return f"speech.answers.{channel}.{chat_and_topic(chat_id)[0]}"


def _make_refusal_key(channel: str, chat_id: str) -> str:
    return f"speech.refused.{channel}.{chat_and_topic(chat_id)[0]}"
