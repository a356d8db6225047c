"""Table `topics`: the topics of each chat, one row each."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime

from furoshiki.core.database.rows import first, from_row, insert
from furoshiki.core.similarity import halves, of_halves
from furoshiki.core.timestamps import stamp
from furoshiki.owner.routing.rules.topics import Topic


def add(
    db: sqlite3.Connection,
    channel: str,
    chat_id: str,
    name: str,
    centroid: Sequence[float],
    model: str,
    turn: int,
    now: datetime,
) -> int:
    """Store a new topic, without a message yet; return its id."""
    row = {
        "channel": channel,
        "chat_id": chat_id,
        "name": name,
        "centroid": _pack(centroid),
        "embed_model": model or None,
        "first_turn": turn,
        "created_at": now,
        "last_at": now,
    }
    return insert(db, "topics", row)


def record_mention(
    db: sqlite3.Connection,
    topic_id: int,
    name: str | None,
    centroid: Sequence[float],
    model: str,
    salience: float,
    turns: Sequence[int],
    now: datetime,
) -> None:
    """Record another mention; `name` and `centroid` replace the old values unless None or empty."""
    db.execute(
        "UPDATE topics SET name=coalesce(?, name), centroid=coalesce(?, centroid), "
        "embed_model=CASE WHEN ? IS NULL THEN embed_model ELSE ? END, messages=messages+?, salience=?, last_turn=?, "
        "last_at=? WHERE id=?",
        (
            name,
            packed := _pack(centroid),
            packed,
            model,
            len(turns),
            round(salience, 4),
            turns[-1],
            stamp(now),
            topic_id,
        ),
    )


def get(db: sqlite3.Connection, topic_id: int, model: str) -> Topic | None:
    """Return a topic; its centroid only if this encoder made it."""
    return first(db.execute("SELECT * FROM topics WHERE id=?", (topic_id,)), lambda row: _topic(row, model))


def latest(db: sqlite3.Connection, channel: str, chat_id: str, model: str, limit: int) -> list[Topic]:
    """Return a chat's latest topics, newest first."""
    rows = db.execute(
        "SELECT * FROM topics WHERE channel=? AND chat_id=? ORDER BY last_at DESC, id DESC LIMIT ?",
        (channel, chat_id, limit),
    )
    return [_topic(row, model) for row in rows]


def everywhere(db: sqlite3.Connection, limit: int) -> list[tuple[str, Topic]]:
    """Return the latest topics of all chats, newest first, with their channels."""
    rows = db.execute("SELECT * FROM topics ORDER BY last_at DESC, id DESC LIMIT ?", (limit,))
    return [(row["channel"], _topic(row, "")) for row in rows]


def rename(db: sqlite3.Connection, topic_id: int, name: str) -> None:
    """Set a topic's name from a summary."""
    db.execute("UPDATE topics SET name=?, named_by='summary' WHERE id=?", (name, topic_id))


def drop(db: sqlite3.Connection, topic_id: int) -> None:
    """Delete a topic that was merged into another."""
    db.execute("DELETE FROM topics WHERE id=?", (topic_id,))


def _topic(row: sqlite3.Row, model: str) -> Topic:
    blob = row["centroid"] if model and row["embed_model"] == model else None
    return from_row(Topic, row, centroid=() if blob is None else of_halves(blob))


def _pack(vector: Sequence[float]) -> bytes | None:
    return halves(vector) if vector else None
