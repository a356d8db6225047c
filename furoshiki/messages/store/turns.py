"""What was said, verbatim. Nothing here is rewritten: an edited message gets a new row that replaces the old one."""

import sqlite3
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import cast

from furoshiki.core.database.rows import first, from_row, insert, load, marks, to_row
from furoshiki.core.timestamps import parse, stamp
from furoshiki.language import testimony
from furoshiki.messages.channels import SHOWS_EVERYTHING
from furoshiki.messages.values import COMPANION, USER, NewTurn, Turn

UNSPOKEN = frozenset({"command", "reaction", "silence"})
"""Kinds of turn that are kept and never recalled."""

SILENT_FOR = timedelta(hours=24)
"""After so long without a word nothing dear is asked."""

_CURRENT = "replaced_by IS NULL"
_LIVE = "+source='live'"
"""Said here, not imported. A plus before a column keeps SQLite from going by an index that holds nearly every row: it
would read all of them to find the newest one (130 ms at 100,000 turns, several times a message)."""
SAID_HERE = "turns INDEXED BY turns_live WHERE source='live'"
"""The same where nothing else narrows it down: after an import the newest rows may all be others."""
_LATELY = "turns INDEXED BY turns_by_time"
"""Where only what was said since a moment counts: asked for the newest first, SQLite would go by the ids, and read the
whole table when there are fewer than it may find (140 ms at 100,000 turns)."""

_COLUMNS = "id, session_id, channel, chat_id, speaker, kind, text, at, reply_to, external_id, turn_key, foreign_words"


ROOM_FOR_VECTOR = bytes(384 * 2)
"""What stands in a row until its vector comes: a row that grew later would split its page and leave half of it empty
(1.1 KB a turn). No query takes it for a vector, because no encoder made it."""


def add(db: sqlite3.Connection, turn: NewTurn) -> int:
    """Keep one thing said; returns its id."""
    foreign = testimony.dump_passages(turn.foreign) or None
    row = to_row(turn, "foreign", signals=turn.signals or None, foreign_words=foreign, index_state="empty")
    if turn.text.strip() and turn.kind not in UNSPOKEN:
        row |= {"index_state": "pending", "embedding": ROOM_FOR_VECTOR}
    return cast(int, insert(db, "turns", row))


def replace(db: sqlite3.Connection, old_id: int, turn: NewTurn) -> int:
    """An edited message: the new words take the place of the old ones, which stay readable but are found no more."""
    new_id = add(db, turn)
    db.execute("UPDATE turns SET replaced_by=?, index_state='replaced' WHERE id=?", (new_id, old_id))
    return new_id


def set_aside(db: sqlite3.Connection, turn_key: str, new_id: int) -> None:
    """Exclude both sides of a turn that is answered again from search; they stay readable."""
    db.execute(
        "UPDATE turns SET replaced_by=?, index_state='replaced' WHERE turn_key=? AND replaced_by IS NULL",
        (new_id, turn_key),
    )


def get(db: sqlite3.Connection, turn_id: int) -> Turn | None:
    """One turn by its id."""
    return first(db.execute(f"SELECT {_COLUMNS} FROM turns WHERE id=?", (turn_id,)), _turn)  # noqa: S608


def many(db: sqlite3.Connection, ids: list[int]) -> list[Turn]:
    """Return these turns, oldest first."""
    rows = db.execute(f"SELECT {_COLUMNS} FROM turns WHERE id IN ({marks(ids)}) ORDER BY id", ids)  # noqa: S608
    return list(map(_turn, rows))


def by_external(db: sqlite3.Connection, channel: str, chat_id: str, external_id: str) -> Turn | None:
    """The turn behind a channel's message id (in its newest wording)."""
    row = db.execute(
        f"SELECT {_COLUMNS} FROM turns WHERE channel=? AND chat_id=? AND external_id=? AND {_CURRENT} "  # noqa: S608
        "ORDER BY id DESC LIMIT 1",
        (channel, chat_id, external_id),
    ).fetchone()
    if row is None:  # a reply sent in several messages: each part points at the same turn
        row = db.execute(
            f"SELECT {_COLUMNS} FROM turns WHERE id=(SELECT turn_id FROM outbox WHERE channel=? AND chat_id=? "  # noqa: S608
            "AND external_id=?)",
            (channel, chat_id, external_id),
        ).fetchone()
    return None if row is None else _turn(row)


def recent(db: sqlite3.Connection, channel: str, chat_id: str, limit: int, since: int = 0) -> list[Turn]:
    """The newest turns of one conversation, oldest of them first; none before turn `since` unless there is no other."""
    said, where = _build_source(channel, chat_id)
    question = (
        f"SELECT {_COLUMNS} FROM {said} AND id>=? AND {_CURRENT} "  # noqa: S608 - our own words
        "AND kind NOT IN ('silence', 'command') ORDER BY id DESC LIMIT ?"
    )
    rows = db.execute(question, (*where, since, limit)).fetchall()
    if not rows and since:  # all from there on may have been forgotten
        rows = db.execute(question, (*where, 0, limit)).fetchall()
    return list(map(_turn, reversed(rows)))


def before(db: sqlite3.Connection, channel: str, chat_id: str, turn_id: int, limit: int, since: int = 0) -> list[Turn]:
    """The newest turns of one conversation from before a turn, oldest of them first; none before turn `since`."""
    said, where = _build_source(channel, chat_id)
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM {said} AND id>=? AND id<? AND {_CURRENT} "  # noqa: S608
        "AND kind NOT IN ('silence', 'command') ORDER BY id DESC LIMIT ?",
        (*where, since, turn_id, limit),
    ).fetchall()
    return list(map(_turn, reversed(rows)))


def of_session(db: sqlite3.Connection, session_id: str) -> list[Turn]:
    """Everything said in one session, over all channels, in order."""
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM turns WHERE session_id=? AND {_CURRENT} "  # noqa: S608
        "AND kind NOT IN ('silence', 'command') ORDER BY id",
        (session_id,),
    ).fetchall()
    return list(map(_turn, rows))


def back_through(db: sqlite3.Connection, session_id: str) -> Iterator[Turn]:
    """What `of_session` finds, the newest first, each read only when it is asked for."""
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM turns WHERE session_id=? AND {_CURRENT} "  # noqa: S608
        "AND kind NOT IN ('silence', 'command') ORDER BY id DESC",
        (session_id,),
    )
    return map(_turn, rows)


def beside(db: sqlite3.Connection, turn: int) -> tuple[Turn | None, Turn | None]:
    """What was said right before and right after a turn in its session."""
    found: list[Turn | None] = []
    for sign, order in (("<", "DESC"), (">", "ASC")):
        row = db.execute(
            f"SELECT {_COLUMNS} FROM turns WHERE session_id=(SELECT session_id FROM turns WHERE id=?) "  # noqa: S608
            f"AND id{sign}? AND {_CURRENT} AND kind NOT IN ('silence', 'command', 'reaction') AND text!='' "
            f"ORDER BY id {order} LIMIT 1",
            (turn, turn),
        ).fetchone()
        found.append(None if row is None else _turn(row))
    return found[0], found[1]


def of_key(db: sqlite3.Connection, turn_key: str) -> list[Turn]:
    """Return both sides of one turn, in order."""
    rows = db.execute(f"SELECT {_COLUMNS} FROM turns WHERE turn_key=? ORDER BY id", (turn_key,)).fetchall()  # noqa: S608
    return list(map(_turn, rows))


def last_session(db: sqlite3.Connection) -> tuple[str, datetime] | None:
    """The session of the newest live turn and when that was."""
    row = db.execute(f"SELECT session_id, at FROM {SAID_HERE} ORDER BY id DESC LIMIT 1").fetchone()  # noqa: S608
    return None if row is None else (row["session_id"], parse(row["at"]))


def last_said(db: sqlite3.Connection, speaker: str) -> Turn | None:
    """The newest live turn of one speaker, anywhere."""
    return first(
        db.execute(
            f"SELECT {_COLUMNS} FROM {SAID_HERE} AND speaker=? AND {_CURRENT} ORDER BY id DESC LIMIT 1",  # noqa: S608
            (speaker,),
        ),
        _turn,
    )


def newest_heard(db: sqlite3.Connection) -> tuple[int, datetime] | None:
    """The user's newest message here, by id, and when that was; commands and similar left out."""
    row = db.execute(
        f"SELECT id, at FROM {SAID_HERE} AND speaker=? AND {_CURRENT} AND text!='' "  # noqa: S608
        "AND kind NOT IN ('silence', 'command', 'reaction') ORDER BY id DESC LIMIT 1",
        (USER,),
    ).fetchone()
    return None if row is None else (row["id"], parse(row["at"]))


def first_heard(db: sqlite3.Connection, after: datetime) -> datetime | None:
    """When the user first said something here after a moment; commands and reactions are nothing said."""
    row = db.execute(
        f"SELECT at FROM turns WHERE at>? AND speaker=? AND {_LIVE} AND kind NOT IN ('command', 'reaction') "  # noqa: S608
        "ORDER BY at LIMIT 1",
        (stamp(after), USER),
    ).fetchone()
    return None if row is None else parse(row["at"])


def read_since(db: sqlite3.Connection, speaker: str, since: datetime) -> list[Turn]:
    """What one speaker said here since a moment, oldest first; answers to commands left out."""
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM {_LATELY} WHERE at>=? AND speaker=? AND {_LIVE} AND {_CURRENT} AND text!='' "  # noqa: S608
        "AND kind NOT IN ('silence', 'command', 'reaction') ORDER BY id",
        (stamp(since), speaker),
    ).fetchall()
    return list(map(_turn, rows))


def lately(db: sqlite3.Connection, limit: int) -> list[Turn]:
    """The newest that was said here, by anybody and anywhere, oldest first; commands and reactions left out."""
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM {SAID_HERE} AND {_CURRENT} AND text!='' "  # noqa: S608 - our own words
        "AND kind NOT IN ('silence', 'command', 'reaction') ORDER BY id DESC LIMIT ?",
        (limit,),
    ).fetchall()
    return list(map(_turn, reversed(rows)))


def of_source(db: sqlite3.Connection, source: str, after: int, limit: int, speaker: str | None = None) -> list[Turn]:
    """What was taken in by an import after a turn, in order; of one speaker, where one is named."""
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM turns WHERE source=? AND id>? AND coalesce(?, speaker)=speaker AND {_CURRENT} "  # noqa: S608
        "ORDER BY id LIMIT ?",
        (source, after, speaker, limit),
    ).fetchall()
    return list(map(_turn, rows))


def newest_of_source(db: sqlite3.Connection, source: str) -> int:
    """The id of the last thing that an import brought, 0 without any."""
    row = db.execute(f"SELECT coalesce(max(id), 0) FROM turns WHERE source=? AND {_CURRENT}", (source,)).fetchone()  # noqa: S608
    return int(row[0])


def count_of_source(db: sqlite3.Connection, source: str, after: int, until: int) -> int:
    """How much was taken in by an import after a turn, up to another."""
    row = db.execute("SELECT count(*) FROM turns WHERE source=? AND id>? AND id<=?", (source, after, until)).fetchone()
    return int(row[0])


def reaction_to(db: sqlite3.Connection, turn_id: int) -> dict[str, float] | None:
    """What the newest reaction to a turn says, as strengths of signals; None when there is none."""
    row = db.execute(
        f"SELECT signals FROM {SAID_HERE} AND kind='reaction' AND reply_to=? ORDER BY id DESC LIMIT 1",  # noqa: S608
        (turn_id,),
    ).fetchone()
    return None if row is None else (load(row["signals"]) or {})


def silent(db: sqlite3.Connection, now: datetime) -> bool:
    """Whether nothing was said for a day: then nothing dear is asked, and little."""
    newest = newest_heard(db)
    return newest is None or now - newest[1] >= SILENT_FOR


def newest_said(db: sqlite3.Connection, channel: str, chat_id: str, limit: int = 10) -> list[Turn]:
    """The newest that anybody but the companion said in a conversation, newest first; commands too, reactions not."""
    said, where = _build_source(channel, chat_id)
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM {said} AND speaker!=? AND {_CURRENT} "  # noqa: S608
        "AND kind!='reaction' ORDER BY id DESC LIMIT ?",
        (*where, COMPANION, limit),
    ).fetchall()
    return list(map(_turn, rows))


def newest_of_words(db: sqlite3.Connection, text: str) -> int | None:
    """The id of the newest message of the user's that is these words."""
    row = db.execute(
        f"SELECT id FROM turns WHERE speaker=? AND text=? AND {_CURRENT} ORDER BY id DESC LIMIT 1",  # noqa: S608
        (USER, text),
    ).fetchone()
    return None if row is None else int(row[0])


def elsewhere(db: sqlite3.Connection, channel: str, chat_id: str, since: datetime) -> list[Turn]:
    """The newest words of each side of every other conversation that was active after `since`; none where all of it is
    in view."""
    if channel in SHOWS_EVERYTHING:
        return []
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM turns WHERE id IN (SELECT max(id) FROM turns WHERE at>? AND {_LIVE} "  # noqa: S608
        "AND kind!='silence' AND text!='' GROUP BY +channel, +chat_id, speaker) AND NOT (channel=? AND chat_id=?) "
        "ORDER BY id",
        (stamp(since), channel, chat_id),
    ).fetchall()
    return list(map(_turn, rows))


def first_since(db: sqlite3.Connection, channel: str, chat_id: str, moment: datetime, limit: int) -> list[int]:
    """The ids of the first turns of a conversation from a moment on, commands included."""
    rows = db.execute(
        "SELECT id FROM turns WHERE at>=? AND +channel=? AND +chat_id=? ORDER BY at, id LIMIT ?",
        (stamp(moment), channel, chat_id, limit),
    )
    return [row["id"] for row in rows]


def count(db: sqlite3.Connection) -> int:
    """How many turns there are, imported ones included."""
    return int(db.execute("SELECT count(*) FROM turns").fetchone()[0])


def newest_id(db: sqlite3.Connection) -> int:
    """The id of the newest turn, 0 without any: about how many there are, at no cost."""
    return int(db.execute("SELECT coalesce(max(id), 0) FROM turns").fetchone()[0])


def read_felt_since(db: sqlite3.Connection, moment: datetime, limit: int = 200) -> list[tuple[Turn, dict[str, float]]]:
    """What the user said or showed here after a moment, with its signals, oldest first; the newest `limit` of it."""
    rows = db.execute(
        f"SELECT {_COLUMNS}, signals FROM {_LATELY} WHERE at>? AND speaker=? AND {_LIVE} AND {_CURRENT} "  # noqa: S608
        "AND kind!='command' ORDER BY id DESC LIMIT ?",
        (stamp(moment), USER, limit),
    ).fetchall()
    return [(_turn(row), load(row["signals"]) or {}) for row in reversed(rows)]


def gaps(db: sqlite3.Connection, limit: int = 40) -> list[float]:
    """Seconds between the newest consecutive messages of the user, newest first."""
    rows = db.execute(
        f"SELECT at FROM {SAID_HERE} AND speaker=? ORDER BY id DESC LIMIT ?",  # noqa: S608
        (USER, limit + 1),
    ).fetchall()
    times = [parse(row["at"]) for row in rows]
    return [(later - earlier).total_seconds() for later, earlier in zip(times, times[1:], strict=False)]


def about(db: sqlite3.Connection, limit: int) -> list[datetime]:
    """When the user wrote, or was reminded of something they had asked for, newest first."""
    rows = db.execute(
        f"SELECT at FROM {SAID_HERE} AND (speaker=? OR kind='reminder') ORDER BY id DESC LIMIT ?",  # noqa: S608
        (USER, limit),
    )
    return [parse(row["at"]) for row in rows]


def is_first_meeting(db: sqlite3.Connection) -> bool:
    """Whether the companion has never said a word yet."""
    here = db.execute(f"SELECT 1 FROM {SAID_HERE} AND speaker=? LIMIT 1", (COMPANION,)).fetchone()  # noqa: S608
    return here is None and db.execute("SELECT 1 FROM turns WHERE speaker=? LIMIT 1", (COMPANION,)).fetchone() is None


def _build_source(channel: str, chat_id: str) -> tuple[str, tuple[str, ...]]:
    """What was said here in a conversation, as a table with its condition; everything, where everything is shown."""
    if channel in SHOWS_EVERYTHING:
        return SAID_HERE, ()
    return f"turns WHERE channel=? AND chat_id=? AND {_LIVE}", (channel, chat_id)


def _turn(row: sqlite3.Row) -> Turn:
    return from_row(Turn, row, foreign=testimony.read(load(row["foreign_words"]), row["text"]))
