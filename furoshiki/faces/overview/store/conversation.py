"""The conversation in order, with messages that are no turns: command answers, buttons."""

import base64
import sqlite3
from collections.abc import Sequence
from datetime import datetime

from furoshiki.core.database.rows import find_values, from_row, load, marks
from furoshiki.core.logins.rules import without_keys
from furoshiki.core.timestamps import parse, stamp
from furoshiki.faces.overview.rules.conversation import Button, Sent, Unanswered
from furoshiki.messages.channels import HERE, TELEGRAM, WEB
from furoshiki.messages.store import accounts, turns
from furoshiki.messages.store.turns import SAID_HERE
from furoshiki.messages.values import Turn

MOST_BESIDE = 60  # messages without a turn shown on one page of the conversation

PRESSES_KNOWN = 200


_SENT = "id, turn_id, turn_key, channel, kind, text, entities, extra, state, error, created_at"


def newest(db: sqlite3.Connection, before: int | None, limit: int) -> list[Turn]:
    """Return the last turns before a turn, of all channels, oldest first."""
    below = "" if before is None else "AND id<:before "
    query = f"SELECT id FROM {SAID_HERE} {below}AND replaced_by IS NULL ORDER BY id DESC LIMIT :limit"  # noqa: S608
    return turns.many(db, find_values(db, query, {"before": before, "limit": limit}))


def read_sent_with(db: sqlite3.Connection, said: Sequence[Turn]) -> list[Sent]:
    """Return the messages sent to the owner for these turns, in order."""
    keys = sorted({one.turn_key for one in said if one.turn_key})
    rows = db.execute(f"SELECT {_SENT}, chat_id FROM outbox WHERE turn_key IN ({marks(keys)}) ORDER BY id", keys)  # noqa: S608
    return _owners(db, rows)


def read_sent_between(db: sqlite3.Connection, since: datetime | None, until: datetime | None) -> list[Sent]:
    """Return the newest messages to the owner that are no turns, in order."""
    rows = db.execute(
        f"SELECT {_SENT}, chat_id FROM outbox WHERE turn_id IS NULL AND created_at>=? AND created_at<? "  # noqa: S608
        "ORDER BY id DESC LIMIT ?",
        (stamp(since) if since else "", stamp(until) if until else "9", MOST_BESIDE),
    ).fetchall()
    return _owners(db, rows[::-1])


def file(db: sqlite3.Connection, outbox_id: int) -> tuple[str, bytes] | None:
    """Return the name and content of a file sent to the page; None without one."""
    row = db.execute("SELECT extra FROM outbox WHERE id=? AND channel=?", (outbox_id, WEB)).fetchone()
    extra = load(row["extra"]) or {} if row is not None else {}
    return (str(extra["filename"]), base64.b64decode(extra["data"])) if "data" in extra else None


def read_unanswered(db: sqlite3.Connection) -> list[Unanswered]:
    """Return messages from the page that wait, are in progress, or were set aside, in order."""
    rows = db.execute(
        "SELECT id, state, enqueued_at, json_extract(payload, '$.text') AS text, "
        "json_extract(payload, '$.attachment.name') AS file FROM inbox "
        "WHERE state IN ('pending', 'processing', 'dead') AND channel=? AND kind NOT IN ('callback', 'hello') "
        "ORDER BY id",
        (WEB,),
    )
    return [
        Unanswered(row["id"], row["text"] or "", row["state"], parse(row["enqueued_at"]), row["file"]) for row in rows
    ]


def read_pressed(db: sqlite3.Connection) -> frozenset[str]:
    """Return the data of the page's recently pressed buttons."""
    rows = db.execute(
        "SELECT json_extract(payload, '$.data') AS data FROM inbox WHERE channel=? AND kind='callback' "
        "ORDER BY id DESC LIMIT ?",
        (WEB, PRESSES_KNOWN),
    )
    return frozenset(str(row["data"]) for row in rows)


def _owners(db: sqlite3.Connection, rows: Sequence[sqlite3.Row] | sqlite3.Cursor) -> list[Sent]:
    """Leave out messages to other people."""
    chats = {(name, name) for name in HERE}
    if (owner := accounts.owner_chat(db, TELEGRAM)) is not None:
        chats.add((TELEGRAM, owner))
    return [_parse_sent(row) for row in rows if (row["channel"], row["chat_id"]) in chats]


def _parse_sent(row: sqlite3.Row) -> Sent:
    extra = load(row["extra"]) or {}
    buttons = (button for line in extra.get("buttons", ()) for button in line)
    return from_row(
        Sent,
        row,
        text=without_keys(row["text"]),
        formatted=row["entities"] is not None,
        buttons=tuple(Button(str(one["text"]), str(one["data"])) for one in buttons if "data" in one),
        file=extra.get("filename"),
        held="data" in extra and row["channel"] == WEB,
        error=row["error"] if row["state"] == "failed" else None,
        at=parse(row["created_at"]),
    )
