"""Where a chat wants voice answers, and where Telegram refuses voice messages."""

import sqlite3
from datetime import datetime, timedelta
from typing import cast

from furoshiki.core.database import kv
from furoshiki.core.timestamps import parse, stamp
from furoshiki.messages.channels import chat_and_topic
from furoshiki.models.speech.values import Mode

# how long a chat that refused voice is not tried again; then it is, in case that changed
REMEMBERED = timedelta(days=7)


def mode(db: sqlite3.Connection, channel: str, chat_id: str) -> Mode | None:
    """Return when a chat's voice notes are answered with voice; None: never."""
    return cast("Mode | None", kv.get(db, _make_wish_key(channel, chat_id)))


def choose(db: sqlite3.Connection, channel: str, chat_id: str, wanted: Mode | None, now: datetime) -> None:
    """Set how a chat's voice notes are answered, and delete an earlier refusal of voice."""
    if wanted is None:
        kv.drop(db, _make_wish_key(channel, chat_id))
    else:
        kv.put(db, _make_wish_key(channel, chat_id), wanted, now)
    kv.drop(db, _make_refusal_key(channel, chat_id))


def refuse(db: sqlite3.Connection, channel: str, chat_id: str, now: datetime) -> None:
    """Record that a chat refuses voice messages."""
    kv.put(db, _make_refusal_key(channel, chat_id), stamp(now), now)


def is_refused(db: sqlite3.Connection, channel: str, chat_id: str, now: datetime) -> bool:
    """Return whether this chat refused a voice message recently."""
    since = kv.get(db, _make_refusal_key(channel, chat_id))
    return since is not None and now - parse(since) < REMEMBERED


def _make_wish_key(channel: str, chat_id: str) -> str:
    return f"speech.answers.{channel}.{chat_and_topic(chat_id)[0]}"


def _make_refusal_key(channel: str, chat_id: str) -> str:
    return f"speech.refused.{channel}.{chat_and_topic(chat_id)[0]}"
