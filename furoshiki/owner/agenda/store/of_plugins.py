"""What plugins have put among the thoughts and the things to do: words that are nobody's here."""

import sqlite3
from datetime import datetime, timedelta

from furoshiki.core.timestamps import stamp
from furoshiki.owner.agenda.store.mind_queue import LIVES_DAYS


def in_view(db: sqlite3.Connection, now: datetime) -> bool:
    """Whether words of a plugin wait to be said, were said lately, or stand among what is to be done: a prompt, or a
    thought made since, may hold them."""
    row = db.execute(
        "SELECT EXISTS (SELECT 1 FROM mind_queue WHERE kind='plugin' AND (state IN ('pending', 'drafted') "
        "OR (state='sent' AND coalesce(sent_at, created_at)>?))) "
        "OR EXISTS (SELECT 1 FROM tasks WHERE state='open' AND source_turn_key GLOB 'plugins:*')",
        (stamp(now - timedelta(days=LIVES_DAYS)),),
    ).fetchone()
    return bool(row[0])
