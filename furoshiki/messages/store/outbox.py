"""The outbox: what was decided to be said, until it is known to have arrived."""

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from furoshiki.core.database.rows import clean, dump, from_row, insert, load, moment, to_row
from furoshiki.core.timestamps import stamp
from furoshiki.messages.channels import CONSOLE, SHOWS_EVERYTHING, topics_of
from furoshiki.messages.values import UNKEPT, NewOutgoing, Outgoing

_WITHOUT_FILE = (
    "text=CASE WHEN json_extract(extra, '$.unkept') THEN '' ELSE text END, "
    "entities=CASE WHEN json_extract(extra, '$.unkept') THEN NULL ELSE entities END, "
    "extra=json_remove(extra, '$.data')"
)


def put(
    db: sqlite3.Connection, items: Sequence[NewOutgoing], now: datetime, turn_id: int | None, turn_key: str | None
) -> list[int]:
    """Queue what is to be sent, in this order. Returns the ids of the rows.

    Where everything is shown from the database, what is stored has arrived: nobody has to come for it, and a file
    stays with its row.
    """
    ids = []
    for item in items:
        row = to_row(item, extra=item.extra or None, turn_id=turn_id, turn_key=turn_key, created_at=now)
        outbox_id = cast(int, insert(db, "outbox", row))
        ids.append(outbox_id)
        if item.channel in SHOWS_EVERYTHING:
            db.execute("UPDATE outbox SET state='sent', sent_at=? WHERE id=?", (stamp(now), outbox_id))
    return ids


def ready(db: sqlite3.Connection, channel: str, now: datetime) -> list[Outgoing]:
    """What may be sent now: the oldest unsent row of each chat of this channel, unless it has to wait.

    One row per chat, so that the order of a conversation is kept even when its first part is being retried.
    """
    rows = db.execute(
        "SELECT * FROM outbox WHERE id IN (SELECT min(id) FROM outbox WHERE channel=? "
        "AND state IN ('ready', 'sending') GROUP BY +chat_id) AND state='ready' "  # the plus: by state, not by chat
        "AND (not_before IS NULL OR not_before<=?) ORDER BY id",
        (channel, stamp(now)),
    ).fetchall()
    return list(map(_build_outgoing, rows))


def next_due(db: sqlite3.Connection, channel: str) -> datetime | None:
    """When the earliest waiting row may be tried again; None when nothing waits for a time."""
    row = db.execute(
        "SELECT min(not_before) FROM outbox WHERE channel=? AND state='ready' AND not_before IS NOT NULL", (channel,)
    ).fetchone()
    return moment(row[0])


def claim(db: sqlite3.Connection, outbox_id: int, now: datetime) -> bool:
    """Mark a ready row as being sent; False when somebody else was quicker."""
    return (
        db.execute(
            "UPDATE outbox SET state='sending', attempts=attempts+1, claimed_at=? WHERE id=? AND state='ready'",
            (stamp(now), outbox_id),
        ).rowcount
        == 1
    )


def mark_sent(db: sqlite3.Connection, outbox_id: int, external_id: str | None, now: datetime) -> None:
    """Mark as delivered under this id of the channel; the turn gets the id of its first part.

    Of a file only its name stays: the content lies elsewhere, and would be the largest part of the
    database."""
    db.execute(
        "UPDATE outbox SET state='sent', external_id=?, sent_at=?, not_before=NULL, error=NULL, "  # noqa: S608 - our own words
        f"{_WITHOUT_FILE} WHERE id=?",
        (external_id, stamp(now), outbox_id),
    )
    if external_id is not None:
        db.execute(
            "UPDATE turns SET external_id=? WHERE external_id IS NULL AND id=(SELECT turn_id FROM outbox WHERE id=?)",
            (external_id, outbox_id),
        )


def retry(db: sqlite3.Connection, outbox_id: int, not_before: datetime, error: str) -> None:
    """Schedule another try at `not_before`, since it provably did not arrive."""
    db.execute(
        "UPDATE outbox SET state='ready', not_before=?, error=? WHERE id=?",
        (stamp(not_before), clean(error)[:500], outbox_id),
    )


def mark_failed(db: sqlite3.Connection, outbox_id: int, error: str, now: datetime) -> None:
    """Mark as undeliverable (blocked, chat gone), with the reason."""
    db.execute(
        f"UPDATE outbox SET state='failed', error=?, sent_at=?, {_WITHOUT_FILE} WHERE id=?",  # noqa: S608
        (clean(error)[:500], stamp(now), outbox_id),
    )


def reshape(
    db: sqlite3.Connection,
    outbox_id: int,
    kind: str,
    text: str,
    entities: Sequence[Mapping[str, Any]],
    extra: Mapping[str, Any],
) -> None:
    """Give an unsent row its final form. `extra["rest"]` holds the messages that follow it, see `part_sent`."""
    db.execute(
        "UPDATE outbox SET kind=?, text=?, entities=?, extra=? WHERE id=? AND state IN ('ready', 'sending')",
        (kind, clean(text), dump(list(entities)), dump(dict(extra)) if extra else None, outbox_id),
    )


def simplify(db: sqlite3.Connection, row: Outgoing, error: str, now: datetime) -> None:
    """Let a refused row be sent again at once as it is now: its words, and less around them."""
    reshape(db, row.id, row.kind, row.text, row.entities or (), row.extra)
    db.execute("UPDATE outbox SET reply_to=? WHERE id=?", (row.reply_to, row.id))
    retry(db, row.id, now, error)


def mark_part_refused(db: sqlite3.Connection, outbox_id: int, error: str, now: datetime) -> None:
    """Drop an undeliverable part; the next one in `extra["rest"]` takes its place."""
    mark_failed(db, _split_row(db, outbox_id), error, now)


def part_sent(db: sqlite3.Connection, outbox_id: int, external_id: str | None, now: datetime) -> None:
    """Mark a part as delivered; when more follow in `extra["rest"]`, the row becomes the next of
    them.

    The row keeps its id and so its place in the conversation; what arrived is kept as a row of its
    own."""
    mark_sent(db, _split_row(db, outbox_id), external_id, now)


def _split_row(db: sqlite3.Connection, outbox_id: int) -> int:
    """The row of the message that was tried just now, by itself; the row it was becomes the message that follows."""
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
    """Rows whose sending began and whose end nobody knows, oldest first."""
    rows = db.execute("SELECT * FROM outbox WHERE channel=? AND state='sending' ORDER BY id", (channel,)).fetchall()
    return list(map(_build_outgoing, rows))


def has_unprompted(db: sqlite3.Connection) -> bool:
    """Whether something that nobody asked for has not gone out yet; what waits for a terminal left out."""
    row = db.execute(
        "SELECT 1 FROM outbox WHERE state='ready' AND policy='unprompted' AND channel!=? LIMIT 1", (CONSOLE,)
    ).fetchone()
    return row is not None


def read_unprompted(db: sqlite3.Connection) -> list[Outgoing]:
    """What nobody asked for and has not gone out yet, in order."""
    rows = db.execute("SELECT * FROM outbox WHERE state='ready' AND policy='unprompted' ORDER BY id").fetchall()
    return list(map(_build_outgoing, rows))


def overdue(db: sqlite3.Connection, channel: str, chat_id: str, before: datetime) -> list[Outgoing]:
    """What has waited to be sent in a chat since before a moment, in order."""
    rows = db.execute(
        "SELECT * FROM outbox WHERE channel=? AND chat_id=? AND state='ready' AND created_at<=? ORDER BY id",
        (channel, chat_id, stamp(before)),
    ).fetchall()
    return list(map(_build_outgoing, rows))


def withdraw(db: sqlite3.Connection, turn_key: str, now: datetime, why: str = "the message was edited") -> bool:
    """Take back what a turn wanted sent, if nothing of it has begun to be sent; True when that was so."""
    rows = db.execute("SELECT state FROM outbox WHERE turn_key=?", (turn_key,)).fetchall()
    if not rows or any(row["state"] != "ready" for row in rows):
        return False
    db.execute(
        f"UPDATE outbox SET state='failed', error=?, sent_at=?, {_WITHOUT_FILE} WHERE turn_key=?",  # noqa: S608
        (f"withdrawn: {why}", stamp(now), turn_key),
    )
    return True


def find_delivery_time(db: sqlite3.Connection, turn_key: str, otherwise: datetime) -> datetime | None:
    """When the last of what a turn wanted sent arrived; None while any of it has not. `otherwise` where nobody knows:
    rows of long ago are not kept, and at a terminal it was read where it was said."""
    rows = db.execute("SELECT state, sent_at, channel FROM outbox WHERE turn_key=?", (turn_key,)).fetchall()
    if not rows or rows[-1]["channel"] == CONSOLE:
        return otherwise
    if any(row["state"] != "sent" for row in rows):
        return None
    return max((moment(row["sent_at"]) or otherwise for row in rows), default=otherwise)


def of_turn(db: sqlite3.Connection, turn_key: str) -> list[Outgoing]:
    """Everything one turn wanted sent, in order."""
    rows = db.execute("SELECT * FROM outbox WHERE turn_key=? ORDER BY id", (turn_key,)).fetchall()
    return list(map(_build_outgoing, rows))


def with_buttons(db: sqlite3.Connection, channel: str, chat_id: str, limit: int = 10) -> list[Outgoing]:
    """The newest messages of a chat that came with buttons, newest first."""
    rows = db.execute(
        "SELECT * FROM outbox WHERE channel=? AND chat_id=? AND kind!='buttons' "
        "AND json_extract(extra, '$.buttons') IS NOT NULL ORDER BY id DESC LIMIT ?",
        (channel, chat_id, limit),
    ).fetchall()
    return list(map(_build_outgoing, rows))


def buttons_under(db: sqlite3.Connection, channel: str, chat_id: str, message_id: str) -> tuple[int, list[Any]]:
    """The row of a message that arrived, and the rows of its buttons; 0 and none where it has none."""
    row = db.execute(
        "SELECT id, extra FROM outbox WHERE channel=? AND chat_id=? AND external_id=? AND kind!='buttons' "
        "AND json_extract(extra, '$.buttons') IS NOT NULL",
        (channel, chat_id, message_id),
    ).fetchone()
    return (0, []) if row is None else (row["id"], load(row["extra"])["buttons"])


def leave_buttons(db: sqlite3.Connection, outbox_id: int, left: list[Any]) -> None:
    """Keep these rows of buttons of a message, and no others."""
    if left:
        kept = dump(left)
        db.execute("UPDATE outbox SET extra=json_set(extra, '$.buttons', json(?)) WHERE id=?", (kept, outbox_id))
    else:
        db.execute("UPDATE outbox SET extra=json_remove(extra, '$.buttons') WHERE id=?", (outbox_id,))


def read_waiting(db: sqlite3.Connection, channel: str) -> list[Outgoing]:
    """Everything on a channel that has not been sent yet, in order."""
    rows = db.execute("SELECT * FROM outbox WHERE channel=? AND state='ready' ORDER BY id", (channel,)).fetchall()
    return list(map(_build_outgoing, rows))


def in_state(db: sqlite3.Connection, state: str) -> list[Outgoing]:
    """Everything in one state, on whatever channel, in order."""
    rows = db.execute("SELECT * FROM outbox WHERE state=? ORDER BY id", (state,)).fetchall()
    return list(map(_build_outgoing, rows))


def empty(db: sqlite3.Connection, turn_key: str) -> None:
    """Keep of delivered words only that they were delivered."""
    db.execute(
        "UPDATE outbox SET text='', entities=NULL, extra=NULL WHERE turn_key=? AND state IN ('sent', 'failed')",
        (turn_key,),
    )


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
    """The highest message id known in a chat and its topics, ours or theirs; 0 when none is."""
    found = db.execute(_NEWEST_IN_CHAT, {"channel": channel, "chat": chat_id, "topics": topics_of(chat_id)})
    return int(found.fetchone()[0] or 0)


def read_message_ids(db: sqlite3.Connection, channel: str, chat_id: str, above: int) -> set[int]:
    """Message ids above `above` that are known to be somebody's in this chat or its topics (from inbox and outbox)."""
    where = {"channel": channel, "chat": chat_id, "topics": topics_of(chat_id), "above": above}
    return {int(row["id"]) for row in db.execute(_KNOWN_IN_CHAT, where)}


def count_pending(db: sqlite3.Connection) -> int:
    """How many rows have not arrived yet."""
    row = db.execute("SELECT count(*) FROM outbox WHERE state IN ('ready', 'sending')").fetchone()
    return int(row[0])


def _build_outgoing(row: sqlite3.Row) -> Outgoing:
    entities = load(row["entities"])
    return from_row(Outgoing, row, entities=None if entities is None else tuple(entities))
