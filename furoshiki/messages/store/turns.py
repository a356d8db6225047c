"""The verbatim record of turns. Rows are never rewritten: an edited message gets a new row."""

import json
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from furoshiki.core import refs
from furoshiki.core.database import kv
from furoshiki.core.database.rows import (
    IDS,
    as_json,
    dump,
    find_value,
    find_values,
    first,
    from_row,
    has_row,
    insert,
    load,
    marks,
    to_row,
)
from furoshiki.core.timestamps import LAST, parse, stamp
from furoshiki.language import testimony
from furoshiki.language.testimony import WOVEN
from furoshiki.messages.channels import SHOWS_EVERYTHING
from furoshiki.messages.values import COMPANION, USER, NewTurn, Turn, session_for

# kinds of turn that are stored and never recalled
UNSPOKEN = frozenset({"command", "reaction", "silence"})

# after this long without a message no expensive questions are asked
SILENT_FOR = timedelta(hours=24)

_CURRENT = "replaced_by IS NULL"
# Said here, not imported. A plus before a column keeps SQLite from using an index that matches
# nearly every row: to find the newest it would read all of them (130 ms at 100,000 turns, several
# times a message).
_LIVE = "+source='live'"
# the same without other conditions: after an import the newest rows may all be imported
SAID_HERE = "turns INDEXED BY turns_live WHERE source='live'"
# for turns since a time: with the newest first, SQLite would otherwise use the ids, and read the
# whole table if there are fewer than the limit (140 ms at 100,000 turns)
_LATELY = "turns INDEXED BY turns_by_time"

_SPOKEN = "kind NOT IN ('silence', 'command')"
_HEARD = "kind NOT IN ('silence', 'command', 'reaction')"
_COLUMNS = "id, session_id, channel, chat_id, speaker, kind, text, at, reply_to, external_id, turn_key, foreign_words"


# A placeholder until a row's vector is computed: a row that grew later would split its page and
# leave half of it empty (1.1 KB a turn). Queries ignore it, because it has no encoder.
ROOM_FOR_VECTOR = bytes(384 * 2)


def add(db: sqlite3.Connection, turn: NewTurn) -> int:
    """Store one turn; return its id."""
    foreign = testimony.dump_passages(turn.foreign) or None
    row = to_row(turn, "foreign", signals=turn.signals or None, foreign_words=foreign, index_state="empty")
    if turn.text.strip() and turn.kind not in UNSPOKEN:
        row |= {"index_state": "pending", "embedding": ROOM_FOR_VECTOR}
    return insert(db, "turns", row)


def add_unasked(
    db: sqlite3.Connection, channel: str, chat_id: str, text: str, now: datetime, turn_key: str, kind: str = "text"
) -> int:
    """Store what the companion says by itself, in the current session; return the turn's id."""
    session_id = current_session(db, now)
    return add(db, NewTurn(session_id, channel, chat_id, COMPANION, text, now, kind, turn_key=turn_key))


def replace(db: sqlite3.Connection, old_id: int, turn: NewTurn) -> int:
    """Store the new text of an edited message; the old one is readable, not found."""
    new_id = add(db, turn)
    db.execute("UPDATE turns SET replaced_by=?, index_state='replaced' WHERE id=?", (new_id, old_id))
    return new_id


def set_aside(db: sqlite3.Connection, turn_key: str, new_id: int) -> None:
    """Exclude both sides of a turn that is answered again from search; they stay readable."""
    query = "UPDATE turns SET replaced_by=?, index_state='replaced' WHERE turn_key=? AND replaced_by IS NULL"
    db.execute(query, (new_id, turn_key))


def read_felt(db: sqlite3.Connection, ids: Collection[int]) -> list[Mapping[str, float]]:
    """Return the signals of those of these turns that have any."""
    rows = db.execute(f"SELECT signals FROM turns WHERE id IN {IDS} AND signals IS NOT NULL", (as_json(sorted(ids)),))  # noqa: S608
    return [load(row["signals"]) for row in rows]


def keep_signals(db: sqlite3.Connection, turn_id: int, signals: Mapping[str, float]) -> None:
    """Store what was felt in a message, where it was read after the answer."""
    db.execute("UPDATE turns SET signals=? WHERE id=?", (dump(signals) if signals else None, turn_id))


def get(db: sqlite3.Connection, turn_id: int | None) -> Turn | None:
    """Return one turn by its id, or None, also for None."""
    return next(iter(_read(db, "turns WHERE id=?", turn_id)), None)


def many(db: sqlite3.Connection, ids: list[int]) -> list[Turn]:
    """Return these turns, oldest first."""
    return _read(db, f"turns WHERE id IN ({marks(ids)}) ORDER BY id", *ids)


def by_external(db: sqlite3.Connection, channel: str, chat_id: str, external_id: str) -> Turn | None:
    """Return the turn of a channel's message id, in its newest version."""
    message = (channel, chat_id, external_id)
    where = f"channel=? AND chat_id=? AND external_id=? AND {_CURRENT} ORDER BY id DESC LIMIT 1"
    # a reply in several messages: each part refers to the same turn
    part = "id=(SELECT turn_id FROM outbox WHERE channel=? AND chat_id=? AND external_id=?)"
    turns = _read(db, f"turns WHERE {where}", *message) or _read(db, f"turns WHERE {part}", *message)
    return next(iter(turns), None)


def recent(db: sqlite3.Connection, channel: str, chat_id: str, limit: int, since: int = 0) -> list[Turn]:
    """Return the newest turns of one conversation, oldest first; none before turn `since` unless
    all later ones are missing."""
    source, where = _build_source(channel, chat_id)
    query = f"{source} AND id>=? AND {_CURRENT} AND {_SPOKEN} ORDER BY id DESC LIMIT ?"
    turns = _read(db, query, *where, since, limit)
    if not turns and since:  # all from there on may have been forgotten
        turns = _read(db, query, *where, 0, limit)
    return turns[::-1]


def before(db: sqlite3.Connection, channel: str, chat_id: str, turn_id: int, limit: int, since: int = 0) -> list[Turn]:
    """Return a conversation's newest turns before a turn, oldest first, none before `since`."""
    source, where = _build_source(channel, chat_id)
    query = f"{source} AND id>=? AND id<? AND {_CURRENT} AND {_SPOKEN} ORDER BY id DESC LIMIT ?"
    return _read(db, query, *where, since, turn_id, limit)[::-1]


def of_session(db: sqlite3.Connection, session_id: str) -> list[Turn]:
    """Return all turns of one session, over all channels, in order."""
    return _read(db, f"turns WHERE session_id=? AND {_CURRENT} AND {_SPOKEN} ORDER BY id", session_id)


def back_through(db: sqlite3.Connection, session_id: str) -> Iterator[Turn]:
    """Iterate over the turns of `of_session`, newest first, reading each on demand."""
    where = f"session_id=? AND {_CURRENT} AND {_SPOKEN} ORDER BY id DESC"
    return map(_turn, db.execute(f"SELECT {_COLUMNS} FROM turns WHERE {where}", (session_id,)))  # noqa: S608


def beside(db: sqlite3.Connection, turn: int) -> tuple[Turn | None, Turn | None]:
    """Return the turns directly before and after a turn in its session."""
    session = "session_id=(SELECT session_id FROM turns WHERE id=?)"
    where = f"turns WHERE {session} AND {_CURRENT} AND {_HEARD} AND text!=''"
    before = _read(db, f"{where} AND id<? ORDER BY id DESC LIMIT 1", turn, turn)
    after = _read(db, f"{where} AND id>? ORDER BY id LIMIT 1", turn, turn)
    return next(iter(before), None), next(iter(after), None)


def of_key(db: sqlite3.Connection, turn_key: str) -> list[Turn]:
    """Return both sides of one turn, in order."""
    return _read(db, "turns WHERE turn_key=? ORDER BY id", turn_key)


def last_session(db: sqlite3.Connection) -> tuple[str, datetime] | None:
    """Return the session of the newest live turn and its time."""
    rows = db.execute(f"SELECT session_id, at FROM {SAID_HERE} ORDER BY id DESC LIMIT 1")  # noqa: S608
    return first(rows, lambda row: (row["session_id"], parse(row["at"])))


def current_session(db: sqlite3.Connection, now: datetime) -> str:
    """Return the session of a turn that is stored now."""
    return session_for(now, last_session(db))


def last_said(db: sqlite3.Connection, speaker: str) -> Turn | None:
    """Return the newest live turn of one speaker, on any channel."""
    query = f"{SAID_HERE} AND speaker=? AND {_CURRENT} ORDER BY id DESC LIMIT 1"
    return next(iter(_read(db, query, speaker)), None)


def newest_texts(db: sqlite3.Connection, speaker: str, limit: int) -> list[str]:
    """Return the texts of one speaker's newest turns, imported ones too, newest first."""
    query = f"SELECT text FROM turns WHERE speaker=? AND {_CURRENT} AND text!='' ORDER BY id DESC LIMIT ?"  # noqa: S608
    return [str(text) for text in find_values(db, query, speaker, limit)]


def newest_heard(db: sqlite3.Connection) -> tuple[int, datetime] | None:
    """Return the id and time of the user's newest message here, without commands and similar."""
    query = (
        f"SELECT id, at FROM {SAID_HERE} AND speaker=? AND {_CURRENT} AND text!='' AND {_HEARD} "  # noqa: S608
        "ORDER BY id DESC LIMIT 1"
    )
    return first(db.execute(query, (USER,)), lambda row: (row["id"], parse(row["at"])))


def first_heard(db: sqlite3.Connection, after: datetime) -> datetime | None:
    """Return the time of the user's first message here after a time (no commands, reactions)."""
    query = (
        f"SELECT at FROM turns WHERE at>? AND speaker=? AND {_LIVE} AND kind NOT IN ('command', 'reaction') "  # noqa: S608
        "ORDER BY at LIMIT 1"
    )
    return first(db.execute(query, (stamp(after), USER)), lambda row: parse(row["at"]))


def read_since(db: sqlite3.Connection, speaker: str, since: datetime, until: datetime | None = None) -> list[Turn]:
    """Return one speaker's turns here from a time on, before `until` if given, oldest first,
    without answers to commands."""
    where = f"at>=? AND at<? AND speaker=? AND {_LIVE} AND {_CURRENT} AND text!='' AND {_HEARD}"
    return _read(db, f"{_LATELY} WHERE {where} ORDER BY id", stamp(since), stamp(until or LAST), speaker)


def read_back(db: sqlite3.Connection, speaker: str, until: datetime, limit: int) -> list[Turn]:
    """Return one speaker's newest turns here before a time, newest first, without commands."""
    where = f"at<? AND speaker=? AND {_LIVE} AND {_CURRENT} AND text!='' AND {_HEARD}"
    query = f"{_LATELY} WHERE {where} ORDER BY at DESC, id DESC LIMIT ?"
    return _read(db, query, stamp(until), speaker, limit)


def lately(db: sqlite3.Connection, limit: int) -> list[Turn]:
    """Return the newest turns here, of all speakers and channels, oldest first, without commands
    and reactions."""
    query = f"{SAID_HERE} AND {_CURRENT} AND text!='' AND {_HEARD} ORDER BY id DESC LIMIT ?"
    return _read(db, query, limit)[::-1]


def of_source(db: sqlite3.Connection, source: str, after: int, limit: int, speaker: str | None = None) -> list[Turn]:
    """Return the turns of an import after a turn, in order; of one speaker, if given."""
    where = f"source=? AND id>? AND coalesce(?, speaker)=speaker AND {_CURRENT}"
    return _read(db, f"turns WHERE {where} ORDER BY id LIMIT ?", source, after, speaker, limit)


def newest_of_source(db: sqlite3.Connection, source: str) -> int:
    """Return the id of an import's last turn, 0 without any."""
    query = f"SELECT coalesce(max(id), 0) FROM turns WHERE source=? AND {_CURRENT}"  # noqa: S608
    return int(find_value(db, query, source))


def count_of_source(db: sqlite3.Connection, source: str, after: int, until: int) -> int:
    """Return the number of turns of an import after a turn, up to another."""
    return int(find_value(db, "SELECT count(*) FROM turns WHERE source=? AND id>? AND id<=?", source, after, until))


def reaction_to(db: sqlite3.Connection, turn_id: int) -> dict[str, float] | None:
    """Return the signals of the newest reaction to a turn; None if there is none."""
    query = f"SELECT signals FROM {SAID_HERE} AND kind='reaction' AND reply_to=? ORDER BY id DESC LIMIT 1"  # noqa: S608
    row = db.execute(query, (turn_id,)).fetchone()
    return None if row is None else (load(row["signals"]) or {})


def silent(db: sqlite3.Connection, now: datetime) -> bool:
    """Whether there was no message for a day; then expensive questions are avoided."""
    newest = newest_heard(db)
    return newest is None or now - newest[1] >= SILENT_FOR


def newest_said(db: sqlite3.Connection, channel: str, chat_id: str, limit: int = 10) -> list[Turn]:
    """Return the newest turns of a conversation, except the companion's, newest first; with
    commands, without reactions."""
    source, where = _build_source(channel, chat_id)
    query = f"{source} AND speaker!=? AND {_CURRENT} AND kind!='reaction' ORDER BY id DESC LIMIT ?"
    return _read(db, query, *where, COMPANION, limit)


def newest_of_words(db: sqlite3.Connection, text: str) -> int | None:
    """Return the id of the user's newest message with exactly this text."""
    query = f"SELECT id FROM turns WHERE speaker=? AND text=? AND {_CURRENT} ORDER BY id DESC LIMIT 1"  # noqa: S608
    turn_id: int | None = find_value(db, query, USER, text)
    return turn_id


def elsewhere(db: sqlite3.Connection, channel: str, chat_id: str, since: datetime) -> list[Turn]:
    """Return the newest turn of each speaker in every other conversation active after `since`;
    empty on a channel that shows everything."""
    if channel in SHOWS_EVERYTHING:
        return []
    newest = (
        f"SELECT max(id) FROM turns WHERE at>? AND {_LIVE} AND kind!='silence' AND text!='' "  # noqa: S608
        "GROUP BY +channel, +chat_id, speaker"
    )
    query = f"turns WHERE id IN ({newest}) AND NOT (channel=? AND chat_id=?) ORDER BY id"
    return _read(db, query, stamp(since), channel, chat_id)


def first_since(db: sqlite3.Connection, channel: str, chat_id: str, moment: datetime, limit: int) -> list[int]:
    """Return the ids of the first turns of a conversation from a time on, commands included."""
    query = "SELECT id FROM turns WHERE at>=? AND +channel=? AND +chat_id=? ORDER BY at, id LIMIT ?"
    return find_values(db, query, stamp(moment), channel, chat_id, limit)


def count(db: sqlite3.Connection) -> int:
    """Return the number of turns, imported ones included."""
    return int(find_value(db, "SELECT count(*) FROM turns"))


def newest_id(db: sqlite3.Connection) -> int:
    """Return the id of the newest turn, 0 without any: a fast estimate of their number."""
    return int(find_value(db, "SELECT coalesce(max(id), 0) FROM turns"))


def read_felt_since(db: sqlite3.Connection, moment: datetime, limit: int = 200) -> list[tuple[Turn, dict[str, float]]]:
    """Return the user's messages and reactions after a time, with signals, oldest first."""
    rows = db.execute(
        f"SELECT {_COLUMNS}, signals FROM {_LATELY} WHERE at>? AND speaker=? AND {_LIVE} AND {_CURRENT} "  # noqa: S608
        "AND kind!='command' ORDER BY id DESC LIMIT ?",
        (stamp(moment), USER, limit),
    ).fetchall()
    return [(_turn(row), load(row["signals"]) or {}) for row in reversed(rows)]


def gaps(db: sqlite3.Connection, limit: int = 40) -> list[float]:
    """Return the seconds between the user's newest consecutive messages, newest first."""
    query = f"SELECT at FROM {SAID_HERE} AND speaker=? ORDER BY id DESC LIMIT ?"  # noqa: S608
    rows = db.execute(query, (USER, limit + 1)).fetchall()
    times = [parse(row["at"]) for row in rows]
    return [(later - earlier).total_seconds() for later, earlier in zip(times, times[1:], strict=False)]


def about(db: sqlite3.Connection, limit: int) -> list[datetime]:
    """Return when the user wrote, or got a requested reminder, newest first."""
    rows = db.execute(
        f"SELECT at FROM {SAID_HERE} AND (speaker=? OR kind='reminder') ORDER BY id DESC LIMIT ?",  # noqa: S608
        (USER, limit),
    )
    return [parse(row["at"]) for row in rows]


def is_first_meeting(db: sqlite3.Connection) -> bool:
    """Whether the companion has never sent a message."""
    here = has_row(db, f"SELECT 1 FROM {SAID_HERE} AND speaker=? LIMIT 1", COMPANION)  # noqa: S608
    return not here and not has_row(db, "SELECT 1 FROM turns WHERE speaker=? LIMIT 1", COMPANION)


def _build_source(channel: str, chat_id: str) -> tuple[str, tuple[str, ...]]:
    """Return table and condition for a conversation's live turns, or all (SHOWS_EVERYTHING)."""
    if channel in SHOWS_EVERYTHING:
        return SAID_HERE, ()
    return f"turns WHERE channel=? AND chat_id=? AND {_LIVE}", (channel, chat_id)


def _read(db: sqlite3.Connection, query: str, *values: object) -> list[Turn]:
    """Return the turns of a query, which begins with its table."""
    rows = db.execute(f"SELECT {_COLUMNS} FROM {query}", values)  # noqa: S608
    return list(map(_turn, rows))


def _turn(row: sqlite3.Row) -> Turn:
    return from_row(Turn, row, foreign=testimony.read(load(row["foreign_words"]), row["text"]))


# -- other people's words: documents, forwards and cards, imports, other speakers --


# latest turns that are checked: a journal, a thought or a summary may be based on them
LATELY = 500

_BROUGHT = "words_of_others.brought"

_KINDS = ", ".join(f"'{kind}'" for kind in sorted(WOVEN))
_OUTSIDE = f"EXISTS (SELECT 1 FROM json_each(foreign_words) WHERE json_extract(value, '$.kind') NOT IN ({_KINDS}))"  # noqa: S608
_PICTURED = "(kind='photo' AND speaker='user')"  # stored before pictures became passages
_OTHERS = (
    f"(source!='live' OR speaker NOT IN ('{USER}', '{COMPANION}') OR {_PICTURED} "
    f"OR (foreign_words IS NOT NULL AND {_OUTSIDE}))"
)
_IDS = "(SELECT value FROM json_each(?))"


def brought(db: sqlite3.Connection, now: datetime) -> None:
    """Record that other people's words came by a plugin or a tool server."""
    kv.put(db, _BROUGHT, find_value(db, "SELECT coalesce(max(id), 0) AS last FROM turns"), now)


def others_lately(db: sqlite3.Connection) -> bool:
    """Whether other people's words are among the latest turns, or came by a tool meanwhile."""
    last = kv.get(db, _BROUGHT)
    if last is not None and find_value(db, "SELECT max(id)-?<? FROM turns", last, LATELY):
        return True
    newest = f"(SELECT source, speaker, kind, foreign_words FROM turns ORDER BY id DESC LIMIT {LATELY})"  # noqa: S608
    return has_row(db, f"SELECT 1 FROM {newest} WHERE {_OTHERS} LIMIT 1")  # noqa: S608


def among(db: sqlite3.Connection, names: Sequence[str]) -> bool:
    """Whether any of these contain other people's words: "turn:12" or its neighbours, "memory:3" by
    its source turns, "session:20260324-150000" by its turns. Other kinds, except the companion's
    own documents, count as containing some."""
    ids: dict[str, list[int | str]] = {"turn": [], "memory": [], "session": []}
    for name in names:
        ref = refs.Ref.parse(name)
        if ref is None or ref.kind not in (*ids, "design"):
            return True
        if ref.kind in ids:
            ids[ref.kind].append(ref.id if ref.row is None else ref.row)
    turns = [one for one in ids["turn"] if isinstance(one, int)]
    near = sorted({other for turn in turns for other in (turn - 1, turn, turn + 1)})
    for query, values in (
        (f"id IN {_IDS}", near),
        (f"id IN (SELECT turn_id FROM memory_sources WHERE memory_id IN {_IDS})", ids["memory"]),  # noqa: S608
        (f"session_id IN (SELECT session_id FROM sessions WHERE id IN {_IDS})", ids["session"]),  # noqa: S608
        (f"session_id IN {_IDS}", ids["session"]),
    ):
        question = f"SELECT 1 FROM turns WHERE {query} AND {_OTHERS} LIMIT 1"  # noqa: S608
        if values and db.execute(question, (json.dumps(values),)).fetchone():
            return True
    return False
