"""The inbox: durable storage of all incoming events before they are processed."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from furoshiki.core.database.rows import (
    change_rows,
    dump,
    find_value,
    find_values,
    from_row,
    has_row,
    insert_if_new,
    load,
    marks,
    moment,
    to_row,
)
from furoshiki.core.framing import clean
from furoshiki.core.network import keys
from furoshiki.core.timestamps import stamp
from furoshiki.messages import events, withheld
from furoshiki.messages.values import Envelope, NewEnvelope

# crashes while processing an envelope, after which it is given up and its sender is informed
MAX_ATTEMPTS = 3

_IN_ORDER = "ORDER BY CASE priority WHEN 'urgent' THEN 0 WHEN 'normal' THEN 1 ELSE 2 END, id"


def store(db: sqlite3.Connection, envelopes: Sequence[NewEnvelope], now: datetime) -> list[int]:
    """Store new envelopes, with API keys masked, ignoring known ones; return the new rows' ids."""
    ids = []
    for envelope in envelopes:
        key = withheld.find_secret(db, envelope.event, now)
        payload = keys.cover(events.dump(envelope.event), key)
        row = to_row(envelope, "event", kind=envelope.kind, payload=payload, enqueued_at=now)
        new = insert_if_new(db, "inbox", row)
        if new is not None:
            ids.append(new)
    return ids


def find_row(db: sqlite3.Connection, channel: str, external_id: str) -> int:
    """Return the row id of an envelope by the channel's own id."""
    return int(find_value(db, "SELECT id FROM inbox WHERE channel=? AND external_id=?", channel, external_id))


def under_way(db: sqlite3.Connection, channel: str) -> list[int]:
    """Return the ids of a channel's envelopes that are being answered."""
    return find_values(db, "SELECT id FROM inbox WHERE state='processing' AND channel=? ORDER BY id", channel)


def waits(db: sqlite3.Connection) -> bool:
    """Whether any envelope waits."""
    return has_row(db, "SELECT 1 FROM inbox WHERE state='pending' LIMIT 1")


def has_unfinished(db: sqlite3.Connection) -> bool:
    """Whether any envelope is being processed, perhaps by a process that died."""
    return has_row(db, "SELECT 1 FROM inbox WHERE state='processing' LIMIT 1")


def claim(db: sqlite3.Connection, now: datetime) -> Envelope | None:
    """Claim the next waiting envelope; None if there is none."""
    row = db.execute(f"SELECT * FROM inbox WHERE state='pending' {_IN_ORDER} LIMIT 1").fetchone()  # noqa: S608
    return _claim(db, row, now)


def claim_id(db: sqlite3.Connection, inbox_id: int, now: datetime) -> Envelope | None:
    """Claim this envelope; None if it is claimed or finished."""
    row = db.execute("SELECT * FROM inbox WHERE id=? AND state='pending'", (inbox_id,)).fetchone()
    return _claim(db, row, now)


def read_waiting(db: sqlite3.Connection, channel: str, chat_id: str, after: int) -> list[Envelope]:
    """Return later waiting envelopes of the same conversation, oldest first."""
    query = "SELECT * FROM inbox WHERE state='pending' AND channel=? AND id>? ORDER BY id"
    rows = db.execute(query, (channel, after)).fetchall()
    return [envelope for envelope in map(_envelope, rows) if envelope.chat_id == chat_id]


def finish(db: sqlite3.Connection, ids: Sequence[int], now: datetime) -> None:
    """Mark claimed envelopes as answered. Raises RuntimeError unless all are claimed.

    Embedded file contents are deleted: the turn has the text.
    """
    query = (
        "UPDATE inbox SET state='done', finished_at=?, error=NULL, payload=json_remove(payload, '$.attachment.data') "  # noqa: S608
        f"WHERE state='processing' AND id IN ({marks(ids)})"
    )
    changed = change_rows(db, query, stamp(now), *ids)
    if changed != len(ids):
        raise RuntimeError(f"envelopes {list(ids)} were not all being processed by this turn")


def has_arrivals(db: sqlite3.Connection, since: datetime, until: datetime) -> bool:
    """Whether any envelope arrived between two times, as far back as they are stored."""
    question = "SELECT 1 FROM inbox WHERE enqueued_at BETWEEN ? AND ? LIMIT 1"
    return has_row(db, question, stamp(since), stamp(until))


def find_last_press(db: sqlite3.Connection, channel: str, chat_id: str) -> datetime | None:
    """Return when a button was last pressed in a chat, as far back as envelopes are stored."""
    query = (
        "SELECT max(enqueued_at) FROM inbox WHERE kind='callback' AND channel=? "
        "AND CAST(json_extract(payload, '$.chat_id') AS TEXT)=?"
    )
    return moment(find_value(db, query, channel, chat_id))


def become(db: sqlite3.Connection, inbox_id: int, kind: str) -> None:
    """Change the kind of an envelope permanently."""
    db.execute("UPDATE inbox SET kind=? WHERE id=?", (kind, inbox_id))


def reword(db: sqlite3.Connection, inbox_id: int, text: str) -> None:
    """Replace a message by this text, deleting attachments and quotations."""
    row = db.execute("SELECT kind, payload FROM inbox WHERE id=?", (inbox_id,)).fetchone()
    event = events.without_words(events.read(row["kind"], load(row["payload"])), text)
    db.execute("UPDATE inbox SET payload=? WHERE id=?", (dump(events.dump(event)), inbox_id))


def release(db: sqlite3.Connection, ids: Sequence[int]) -> None:
    """Release claimed envelopes without counting an attempt (an orderly stop)."""
    query = f"UPDATE inbox SET state='pending', claimed_at=NULL WHERE state='processing' AND id IN ({marks(ids)})"  # noqa: S608
    db.execute(query, tuple(ids))


def again(db: sqlite3.Connection, ids: Sequence[int]) -> None:
    """Requeue finished envelopes that were put aside."""
    db.execute(
        "UPDATE inbox SET state='pending', claimed_at=NULL, finished_at=NULL, attempts=0 "  # noqa: S608
        f"WHERE state='done' AND id IN ({marks(ids)})",
        tuple(ids),
    )


def adopt(db: sqlite3.Connection, envelope: Envelope, state: Literal["pending", "processing"], now: datetime) -> bool:
    """Store another inbox's envelope under its own id; return False if answered here before."""
    payload, claimed_at = events.dump(envelope.event), now if state == "processing" else None
    known = {"kind": envelope.kind, "payload": payload, "state": state, "enqueued_at": now, "claimed_at": claimed_at}
    row = to_row(envelope, "event", "attempts", **known)
    if insert_if_new(db, "inbox", row) is not None:
        return True
    query = "UPDATE inbox SET state=? WHERE id=? AND state IN ('pending', 'processing')"
    changed = change_rows(db, query, state, envelope.id)
    return changed == 1


def release_all(db: sqlite3.Connection) -> None:
    """Requeue after a crash what was being answered, if another inbox counts attempts."""
    db.execute("UPDATE inbox SET state='pending', claimed_at=NULL WHERE state='processing'")


def recover(db: sqlite3.Connection, now: datetime) -> list[Envelope]:
    """Requeue after a crash what was being processed; return the dead (three crashes)."""
    db.execute("UPDATE inbox SET state='pending', claimed_at=NULL, attempts=attempts+1 WHERE state='processing'")
    return _bury(db, "the process died each time while answering this", now)


def record_failure(db: sqlite3.Connection, ids: Sequence[int], error: str, now: datetime) -> list[Envelope]:
    """Requeue the envelopes of a failed turn; return those given up (third failure)."""
    for inbox_id in ids:
        db.execute(
            "UPDATE inbox SET state='pending', claimed_at=NULL, attempts=attempts+1, error=? "
            "WHERE state='processing' AND id=?",
            (clean(error)[:500], inbox_id),
        )
    return _bury(db, error, now)


def _bury(db: sqlite3.Connection, error: str, now: datetime) -> list[Envelope]:
    query = "SELECT * FROM inbox WHERE state='pending' AND attempts>=? ORDER BY id"
    dead = db.execute(query, (MAX_ATTEMPTS,)).fetchall()
    for row in dead:
        statement = "UPDATE inbox SET state='dead', finished_at=?, error=? WHERE id=?"
        db.execute(statement, (stamp(now), clean(error)[:500], row["id"]))
    return list(map(_envelope, dead))


def count_pending(db: sqlite3.Connection) -> int:
    """Return the number of envelopes that wait or are being processed."""
    query = "SELECT count(*) FROM inbox WHERE state IN ('pending', 'processing')"
    return int(find_value(db, query))


def count_waiting(db: sqlite3.Connection) -> int:
    """Return the number of waiting envelopes, without those being answered."""
    return int(find_value(db, "SELECT count(*) FROM inbox WHERE state='pending'"))


def outcome(db: sqlite3.Connection, inbox_id: int, channel: str | None = None) -> tuple[str, str | None, str | None]:
    """Return the state of an envelope, the error, and the channel's message id; "dead" if it is
    deleted or not of `channel` (if given)."""
    row = db.execute(
        "SELECT state, error, json_extract(payload, '$.message_id') AS message_id FROM inbox "
        "WHERE id=:id AND channel=coalesce(:channel, channel)",
        {"id": inbox_id, "channel": channel},
    ).fetchone()
    if row is None:
        return ("dead", "it is not there any more", None)
    return (row["state"], row["error"], row["message_id"])


def prune(db: sqlite3.Connection, before: datetime) -> int:
    """Delete finished envelopes older than `before` (`turns` has their text). Return the number."""
    return change_rows(db, "DELETE FROM inbox WHERE state='done' AND finished_at<?", stamp(before))


def _claim(db: sqlite3.Connection, row: sqlite3.Row | None, now: datetime) -> Envelope | None:
    if row is None:
        return None
    query = "UPDATE inbox SET state='processing', claimed_at=? WHERE id=? AND state='pending'"
    changed = change_rows(db, query, stamp(now), row["id"])
    return _envelope(row) if changed == 1 else None


def _envelope(row: sqlite3.Row) -> Envelope:
    return from_row(Envelope, row, event=events.read(row["kind"], load(row["payload"])))
