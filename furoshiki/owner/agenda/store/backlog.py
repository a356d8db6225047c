"""How much waits, and what has gone wrong for good: the questions of the person who looks after the machine."""

import sqlite3
from datetime import datetime

from furoshiki.core.timestamps import stamp
from furoshiki.messages.store import inbox, outbox
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.recall.retrieval.store import vectors


def count_waiting(db: sqlite3.Connection) -> dict[str, int]:
    """How many rows wait in the inbox, the outbox and the mind queue, and how many have no vector yet."""
    return {
        "inbox": inbox.count_waiting(db),
        "outbox": outbox.count_pending(db),
        "mind_queue": mind_queue.count_pending(db),
        "index": vectors.without_vector(db),
    }


def count_failures(db: sqlite3.Connection, since: datetime) -> dict[str, int]:
    """How many messages were given up (inbox), and how many words could not be delivered (outbox), since a moment."""
    dead = db.execute(
        "SELECT count(*) FROM inbox WHERE state IN ('dead', 'failed') AND finished_at>=?", (stamp(since),)
    ).fetchone()
    undelivered = db.execute(
        "SELECT count(*) FROM outbox WHERE state='failed' AND sent_at>=? AND error NOT LIKE 'withdrawn:%'",
        (stamp(since),),
    ).fetchone()
    return {"inbox": int(dead[0]), "outbox": int(undelivered[0])}


def list_undelivered(db: sqlite3.Connection, since: datetime, limit: int = 3) -> list[tuple[str, str]]:
    """What could not be delivered to an owner since a moment: its words and the reason, newest first."""
    rows = db.execute(
        "SELECT text, error FROM outbox WHERE state='failed' AND sent_at>=? AND kind!='reaction' "
        "AND error NOT LIKE 'withdrawn:%' AND chat_id NOT IN (SELECT chat_id FROM accounts WHERE role!='owner') "
        "ORDER BY id DESC LIMIT ?",
        (stamp(since), limit),
    ).fetchall()
    return [(row["text"], row["error"] or "") for row in rows]
