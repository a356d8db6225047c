"""Storage of style preferences: a row for each dimension, and one for each wish."""

import sqlite3
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from furoshiki.core import refs
from furoshiki.core.database.rows import find_value, from_row, has_row, load, marks, moment, put_row, to_row
from furoshiki.core.timestamps import parse, stamp
from furoshiki.language import testimony
from furoshiki.language.testimony import Own
from furoshiki.messages.store.turns import UNSPOKEN
from furoshiki.messages.values import COMPANION, USER
from furoshiki.owner.user_model.rules.style_traits import Trait
from furoshiki.owner.user_model.rules.style_wishes import Wish

_TYPED = "speaker=? AND kind='text' AND +source='live' AND replaced_by IS NULL"


def traits(db: sqlite3.Connection) -> dict[str, Trait]:
    """Return every observed dimension, by name."""
    return {row["name"]: from_row(Trait, row) for row in db.execute("SELECT * FROM style_dimensions ORDER BY name")}


def put(db: sqlite3.Connection, learned: Iterable[Trait], now: datetime) -> None:
    """Store these traits, replacing earlier values."""
    for trait in learned:
        put_row(db, "style_dimensions", to_row(trait, updated_at=trait.updated_at or now), "name")


def put_back(db: sqlite3.Connection, trait: Trait, at: datetime) -> bool:
    """Restore a trait from elsewhere; return False, without a change, if it is known here."""
    if trait.name in traits(db):
        return False
    put(db, [trait], at)
    return True


def put_back_wish(db: sqlite3.Connection, wish: Wish) -> bool:
    """Restore a wish from elsewhere; return False, without a change, if it is known here."""
    if wish.name in wishes(db):
        return False
    put_wishes(db, [*wishes(db).values(), wish])
    return True


def mark_told(db: sqlite3.Connection, name: str, now: datetime) -> None:
    """Record that the model was told of this dimension's shift."""
    db.execute("UPDATE style_dimensions SET told_at=? WHERE name=?", (stamp(now), name))


def mark_fork(db: sqlite3.Connection, name: str, exchange: int) -> None:
    """Record that the model was asked to explore this dimension, in this exchange (number)."""
    db.execute("UPDATE style_dimensions SET forked_at=? WHERE name=?", (exchange, name))


def wishes(db: sqlite3.Connection) -> dict[str, Wish]:
    """Return all wishes by name, faded or not, without cancelled ones."""
    return {
        row["name"]: Wish(row["name"], row["strength"], parse(row["updated_at"]), row["turn_id"])
        for row in db.execute("SELECT * FROM style_preferences ORDER BY name")
    }


def put_wishes(db: sqlite3.Connection, new_wishes: Collection[Wish]) -> None:
    """Replace the wishes by these."""
    db.execute("DELETE FROM style_preferences")
    db.executemany(
        "INSERT INTO style_preferences (name, strength, turn_id, updated_at) VALUES (?, ?, ?, ?)",
        [(wish.name, wish.strength, wish.turn_id, stamp(wish.at)) for wish in new_wishes],
    )


def last_words(db: sqlite3.Connection, channel: str, chat_id: str, session_id: str, turns: int) -> list[Own]:
    """Return the user's own words in a session's latest turns, oldest first, by turn."""
    rows = db.execute(
        f"SELECT text, foreign_words, turn_key, id FROM turns WHERE session_id=? AND channel=? AND chat_id=? "  # noqa: S608
        f"AND {_TYPED} ORDER BY id DESC LIMIT ?",
        (session_id, channel, chat_id, USER, 4 * turns),
    )
    together: dict[str, list[Own]] = {}
    for row in rows:
        words = testimony.own(row["text"], testimony.read(load(row["foreign_words"]), row["text"]))
        if words:
            together.setdefault(row["turn_key"] or refs.name("turn", row["id"]), []).append(words)
    return [testimony.together_own(reversed(texts)) for texts in list(together.values())[:turns]][::-1]


def find_time_before(db: sqlite3.Connection, channel: str, chat_id: str, turn_id: int) -> datetime | None:
    """Return the time of the previous message of either side in this conversation, or None."""
    query = (
        f"SELECT at FROM turns WHERE channel=? AND chat_id=? AND id<? AND kind NOT IN ({marks(list(UNSPOKEN))}) "  # noqa: S608
        "AND +source='live' ORDER BY id DESC LIMIT 1"
    )
    return moment(find_value(db, query, channel, chat_id, turn_id, *sorted(UNSPOKEN)))


def find_reply_before(db: sqlite3.Connection, session_id: str, turn_id: int) -> str | None:
    """Return the companion's last reply before a turn of the same session, or None."""
    query = (
        "SELECT text FROM turns WHERE session_id=? AND id<? AND speaker=? AND kind='text' AND replaced_by IS NULL "
        "ORDER BY id DESC LIMIT 1"
    )
    found: str | None = find_value(db, query, session_id, turn_id, COMPANION)
    return found


def was_on_record(db: sqlite3.Connection, channel: str, chat_id: str, message_id: str, turn_ids: Sequence[int]) -> bool:
    """Whether this message was stored before these turns (an edit before the answer)."""
    query = (
        f"SELECT 1 FROM turns WHERE channel=? AND chat_id=? AND external_id=? AND speaker=? "  # noqa: S608
        f"AND id NOT IN ({marks(turn_ids)}) LIMIT 1"
    )
    return has_row(db, query, channel, chat_id, message_id, USER, *turn_ids)
