"""The outbox: outgoing messages until their delivery is known."""

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from furoshiki.core.database.rows import (
    Table,
    change_rows,
    dump,
    find_value,
    find_values,
    from_row,
    has_row,
    insert,
    load,
    moment,
    to_row,
)
from furoshiki.core.framing import clean
from furoshiki.core.timestamps import stamp
from furoshiki.messages.channels import CONSOLE, SHOWS_EVERYTHING, topics_of
from furoshiki.messages.values import UNKEPT, NewOutgoing, Outgoing

_WITHOUT_FILE = (
    "text=CASE WHEN json_extract(extra, '$.unkept') THEN '' ELSE text END, "
    "entities=CASE WHEN json_extract(extra, '$.unkept') THEN NULL ELSE entities END, "
    "extra=json_remove(extra, '$.data')"
)


def _read(row: sqlite3.Row) -> Outgoing:
    entities = load(row["entities"])
    return from_row(Outgoing, row, entities=None if entities is None else tuple(entities))


_TABLE = Table("outbox", _read)


def put(
    db: sqlite3.Connection, items: Sequence[NewOutgoing], now: datetime, turn_id: int | None, turn_key: str | None
) -> list[int]:
    """Queue messages in this order; return the ids of the rows.

    On a channel that shows messages from the database they count as sent, and files stay in the
    row.
    """
    ids = []
    for item in items:
        row = to_row(item, extra=item.extra or None, turn_id=turn_id, turn_key=turn_key, created_at=now)
        outbox_id = insert(db, "outbox", row)
        ids.append(outbox_id)
        if item.channel in SHOWS_EVERYTHING:
            db.execute("UPDATE outbox SET state='sent', sent_at=? WHERE id=?", (stamp(now), outbox_id))
    return ids


def ready(db: sqlite3.Connection, channel: str, now: datetime) -> list[Outgoing]:
    """Return what may be sent now: the oldest unsent row of each chat, if it is due.

    One row per chat, so that the order of a conversation is kept while its first part is being
    retried.
    """
    where = (
        "id IN (SELECT min(id) FROM outbox WHERE channel=? "
        "AND state IN ('ready', 'sending') GROUP BY +chat_id) AND state='ready' "  # the plus: by state, not by chat
        "AND (not_before IS NULL OR not_before<=?) ORDER BY id"
    )
    return _TABLE.select(db, where, channel, stamp(now))


def next_due(db: sqlite3.Connection, channel: str) -> datetime | None:
    """Return when the earliest waiting row may be retried, or None."""
    query = "SELECT min(not_before) FROM outbox WHERE channel=? AND state='ready' AND not_before IS NOT NULL"
    return moment(find_value(db, query, channel))


def claim(db: sqlite3.Connection, outbox_id: int, now: datetime) -> bool:
    """Mark a ready row as being sent; return False if another process was first."""
    query = "UPDATE outbox SET state='sending', attempts=attempts+1, claimed_at=? WHERE id=? AND state='ready'"
    return change_rows(db, query, stamp(now), outbox_id) == 1


def mark_sent(db: sqlite3.Connection, outbox_id: int, external_id: str | None, now: datetime) -> None:
    """Mark as delivered with the channel's message id; the turn gets the id of its first part.

    Of a file only the name is kept, as contents would be the largest part of the database.
    """
    db.execute(
        "UPDATE outbox SET state='sent', external_id=?, sent_at=?, not_before=NULL, error=NULL, "  # noqa: S608
        f"{_WITHOUT_FILE} WHERE id=?",
        (external_id, stamp(now), outbox_id),
    )
    if external_id is not None:
        db.execute(
            "UPDATE turns SET external_id=? WHERE external_id IS NULL AND id=(SELECT turn_id FROM outbox WHERE id=?)",
            (external_id, outbox_id),
        )


def retry(db: sqlite3.Connection, outbox_id: int, not_before: datetime, error: str) -> None:
    """Schedule another try at `not_before`, since it certainly was not delivered."""
    query = "UPDATE outbox SET state='ready', not_before=?, error=? WHERE id=?"
    db.execute(query, (stamp(not_before), clean(error)[:500], outbox_id))


def mark_failed(db: sqlite3.Connection, outbox_id: int, error: str, now: datetime) -> None:
    """Mark as undeliverable (blocked, chat deleted), with the reason."""
    query = f"UPDATE outbox SET state='failed', error=?, sent_at=?, {_WITHOUT_FILE} WHERE id=?"  # noqa: S608
    db.execute(query, (clean(error)[:500], stamp(now), outbox_id))


def reshape(
    db: sqlite3.Connection,
    outbox_id: int,
    kind: str,
    text: str,
    entities: Sequence[Mapping[str, Any]],
    extra: Mapping[str, Any],
) -> None:
    """Set the final form of an unsent row. `extra["rest"]` holds later parts, see `part_sent`."""
    db.execute(
        "UPDATE outbox SET kind=?, text=?, entities=?, extra=? WHERE id=? AND state IN ('ready', 'sending')",
        (kind, clean(text), dump(list(entities)), dump(dict(extra)) if extra else None, outbox_id),
    )


def simplify(db: sqlite3.Connection, row: Outgoing, error: str, now: datetime) -> None:
    """Queue a refused row again at once in a simpler form."""
    reshape(db, row.id, row.kind, row.text, row.entities or (), row.extra)
    db.execute("UPDATE outbox SET reply_to=? WHERE id=?", (row.reply_to, row.id))
    retry(db, row.id, now, error)


def mark_part_refused(db: sqlite3.Connection, outbox_id: int, error: str, now: datetime) -> None:
    """Mark a part as undeliverable; the next one in `extra["rest"]` takes its place."""
    mark_failed(db, _split_row(db, outbox_id), error, now)


def part_sent(db: sqlite3.Connection, outbox_id: int, external_id: str | None, now: datetime) -> None:
    """Mark a part as delivered; the row becomes the next part of `extra["rest"]`, if any.

    The row keeps its id and so its place in the conversation; the delivered part gets its own row.
    """
    mark_sent(db, _split_row(db, outbox_id), external_id, now)


def _split_row(db: sqlite3.Connection, outbox_id: int) -> int:
    """Copy the attempted part to a row, whose id is returned; the original is the next."""
    row = db.execute("SELECT * FROM outbox WHERE id=?", (outbox_id,)).fetchone()
    extra = load(row["extra"]) or {}
    unkept = {UNKEPT: True} if extra.get(UNKEPT) else {}
    rest = extra.get("rest") or []
    if not rest:
        return outbox_id
    columns = "turn_id, turn_key, channel, chat_id, part, kind, text, entities, reply_to, policy, created_at"
    copied = db.execute(
        f"INSERT INTO outbox ({columns}, state, attempts) SELECT {columns}, 'sending', attempts "  # noqa: S608
        "FROM outbox WHERE id=?",
        (outbox_id,),
    ).lastrowid
    if unkept:
        db.execute("UPDATE outbox SET extra=? WHERE id=?", (dump(unkept), copied))
    following, *later = rest
    db.execute(
        "UPDATE outbox SET part=part+1, kind='text', text=?, entities=?, extra=?, reply_to=NULL, state='ready', "
        "attempts=0, not_before=NULL, claimed_at=NULL, error=NULL WHERE id=?",
        (
            following["text"],
            dump(following["entities"]),
            dump({**following.get("extra", {}), **unkept, **({"rest": later} if later else {})}),
            outbox_id,
        ),
    )
    return cast(int, copied)


def uncertain(db: sqlite3.Connection, channel: str) -> list[Outgoing]:
    """Return rows whose sending began and whose result is unknown, oldest first."""
    return _TABLE.select(db, "channel=? AND state='sending' ORDER BY id", channel)


def has_unprompted(db: sqlite3.Connection) -> bool:
    """Whether any unprompted message is unsent, except on the console."""
    query = "SELECT 1 FROM outbox WHERE state='ready' AND policy='unprompted' AND channel!=? LIMIT 1"
    return has_row(db, query, CONSOLE)


def read_unprompted(db: sqlite3.Connection) -> list[Outgoing]:
    """Return unsent unprompted messages, in order."""
    return _TABLE.select(db, "state='ready' AND policy='unprompted' ORDER BY id")


def overdue(db: sqlite3.Connection, channel: str, chat_id: str, before: datetime) -> list[Outgoing]:
    """Return unsent messages of a chat queued before a time, in order."""
    where = "channel=? AND chat_id=? AND state='ready' AND created_at<=? ORDER BY id"
    return _TABLE.select(db, where, channel, chat_id, stamp(before))


def withdraw(db: sqlite3.Connection, turn_key: str, now: datetime, why: str = "the message was edited") -> bool:
    """Withdraw a turn's messages if none has begun to be sent; return True if so."""
    rows = db.execute("SELECT state FROM outbox WHERE turn_key=?", (turn_key,)).fetchall()
    if not rows or any(row["state"] != "ready" for row in rows):
        return False
    db.execute(
        f"UPDATE outbox SET state='failed', error=?, sent_at=?, {_WITHOUT_FILE} WHERE turn_key=?",  # noqa: S608
        (f"withdrawn: {why}", stamp(now), turn_key),
    )
    return True


def find_delivery_time(db: sqlite3.Connection, turn_key: str, otherwise: datetime) -> datetime | None:
    """Return when the last message of a turn was delivered; None while any is not. `otherwise` if
    unknown: old rows are deleted, and console messages count as read at once."""
    rows = db.execute("SELECT state, sent_at, channel FROM outbox WHERE turn_key=?", (turn_key,)).fetchall()
    if not rows or rows[-1]["channel"] == CONSOLE:
        return otherwise
    if any(row["state"] != "sent" for row in rows):
        return None
    return max((moment(row["sent_at"]) or otherwise for row in rows), default=otherwise)


def of_turn(db: sqlite3.Connection, turn_key: str) -> list[Outgoing]:
    """Return all messages of one turn, in order."""
    return _TABLE.select(db, "turn_key=? ORDER BY id", turn_key)


def with_buttons(db: sqlite3.Connection, channel: str, chat_id: str) -> list[Outgoing]:
    """Return the ten newest messages of a chat with buttons, newest first."""
    has_buttons = "kind!='buttons' AND json_extract(extra, '$.buttons') IS NOT NULL"
    return _TABLE.select(db, f"channel=? AND chat_id=? AND {has_buttons} ORDER BY id DESC LIMIT 10", channel, chat_id)


def buttons_under(db: sqlite3.Connection, channel: str, chat_id: str, message_id: str) -> tuple[int, list[Any]]:
    """Return a delivered message's row id and its rows of buttons; (0, []) without any."""
    row = db.execute(
        "SELECT id, extra FROM outbox WHERE channel=? AND chat_id=? AND external_id=? AND kind!='buttons' "
        "AND json_extract(extra, '$.buttons') IS NOT NULL",
        (channel, chat_id, message_id),
    ).fetchone()
    return (0, []) if row is None else (row["id"], load(row["extra"])["buttons"])


def leave_buttons(db: sqlite3.Connection, outbox_id: int, left: list[Any]) -> None:
    """Set the remaining rows of buttons of a message."""
    if left:
        dumped = dump(left)
        db.execute("UPDATE outbox SET extra=json_set(extra, '$.buttons', json(?)) WHERE id=?", (dumped, outbox_id))
    else:
        db.execute("UPDATE outbox SET extra=json_remove(extra, '$.buttons') WHERE id=?", (outbox_id,))


def read_waiting(db: sqlite3.Connection, channel: str) -> list[Outgoing]:
    """Return all unsent messages of a channel, in order."""
    return _TABLE.select(db, "channel=? AND state='ready' ORDER BY id", channel)


def in_state(db: sqlite3.Connection, state: str) -> list[Outgoing]:
    """Return all messages in a state, on any channel, in order."""
    return _TABLE.select(db, "state=? ORDER BY id", state)


def empty(db: sqlite3.Connection, turn_key: str) -> None:
    """Clear the text of a turn's delivered or failed messages."""
    query = "UPDATE outbox SET text='', entities=NULL, extra=NULL WHERE turn_key=? AND state IN ('sent', 'failed')"
    db.execute(query, (turn_key,))


_NEWEST_IN_CHAT = (
    "SELECT max(id) FROM ("
    "SELECT CAST(external_id AS INTEGER) AS id, chat_id FROM outbox WHERE channel=:channel "
    "UNION ALL SELECT CAST(external_id AS INTEGER), chat_id FROM turns "
    "WHERE channel=:channel AND speaker='companion') WHERE chat_id=:chat OR chat_id GLOB :topics"
)
_KNOWN_IN_CHAT = (
    "SELECT DISTINCT id FROM ("
    "SELECT CAST(json_extract(payload, '$.message_id') AS INTEGER) AS id, "
    "CAST(json_extract(payload, '$.chat_id') AS TEXT) AS chat_id FROM inbox WHERE channel=:channel "
    "UNION ALL SELECT CAST(external_id AS INTEGER), chat_id FROM outbox WHERE channel=:channel) "
    "WHERE id>:above AND (chat_id=:chat OR chat_id GLOB :topics)"
)


def last_message_id(db: sqlite3.Connection, channel: str, chat_id: str) -> int:
    """Return the highest known message id in a chat and its topics, from either side; 0 if none."""
    return int(
        find_value(db, _NEWEST_IN_CHAT, {"channel": channel, "chat": chat_id, "topics": topics_of(chat_id)}) or 0
    )


def read_message_ids(db: sqlite3.Connection, channel: str, chat_id: str, above: int) -> set[int]:
    """Return known message ids above `above` in this chat or its topics."""
    where = {"channel": channel, "chat": chat_id, "topics": topics_of(chat_id), "above": above}
    return set(find_values(db, _KNOWN_IN_CHAT, where))


def count_pending(db: sqlite3.Connection) -> int:
    """Return the number of undelivered messages."""
    return int(find_value(db, "SELECT count(*) FROM outbox WHERE state IN ('ready', 'sending')"))
