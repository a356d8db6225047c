"""Table `turn_topics`: the topic of each message, and whether it begins there."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from furoshiki.core.database.rows import IDS, as_json, find_values, from_row, insert_if_new, to_row
from furoshiki.language.testimony import Own
from furoshiki.messages.store import turns
from furoshiki.messages.values import Turn
from furoshiki.owner.routing.values import Kind


@dataclass(frozen=True)
class Row:
    """One message: its topic, whether the topic begins there, and the kind of boundary."""

    turn_id: int
    topic_id: int | None
    boundary: bool
    kind: Kind
    at: datetime


def add(db: sqlite3.Connection, row: Row) -> None:
    """Store the topic of a message."""
    insert_if_new(db, "turn_topics", to_row(row))


def move(db: sqlite3.Connection, before: int, after: int) -> None:
    """Move all messages of one topic to another."""
    db.execute("UPDATE turn_topics SET topic_id=? WHERE topic_id=?", (after, before))


def words_of(db: sqlite3.Connection, topic_id: int, limit: int) -> list[Own]:
    """Return the user's own words in a topic's latest turns, oldest first."""
    return [turn.own for turn in list_turns(db, topic_id, limit)]


def list_turns(db: sqlite3.Connection, topic_id: int, limit: int) -> list[Turn]:
    """Return a topic's latest turns, oldest first."""
    query = "SELECT turn_id FROM turn_topics WHERE topic_id=? ORDER BY turn_id DESC LIMIT ?"
    return turns.many(db, sorted(find_values(db, query, topic_id, limit)))


def topics_of(db: sqlite3.Connection, ids: list[int]) -> list[int]:
    question = f"SELECT DISTINCT topic_id FROM turn_topics WHERE turn_id IN {IDS} AND topic_id NOT NULL"  # noqa: S608
    return find_values(db, question, as_json(ids))


def newest(db: sqlite3.Connection, limit: int) -> list[tuple[Row, str, str]]:
    """Return the rows of the latest messages, newest first, with text and topic name."""
    rows = db.execute(
        "SELECT turn_topics.*, turns.text AS text, coalesce(topics.name, '') AS name FROM turn_topics "
        "JOIN turns ON turns.id = turn_topics.turn_id LEFT JOIN topics ON topics.id = topic_id "
        "ORDER BY turn_topics.turn_id DESC LIMIT ?",
        (limit,),
    )
    return [(from_row(Row, row), row["text"], row["name"]) for row in rows]


def of_turn(db: sqlite3.Connection, turn_id: int) -> tuple[Row, str] | None:
    """Return the row of one message with the topic's name, or None."""
    row = db.execute(
        "SELECT turn_topics.*, coalesce(topics.name, '') AS name FROM turn_topics "
        "LEFT JOIN topics ON topics.id = topic_id WHERE turn_id=?",
        (turn_id,),
    ).fetchone()
    return None if row is None else (from_row(Row, row), row["name"])
