"""Detect plugins' texts among the thoughts and tasks."""

import sqlite3
from datetime import datetime, timedelta

from furoshiki.core.timestamps import stamp
from furoshiki.owner.agenda.store.mind_queue import LIVES_DAYS


def in_view(db: sqlite3.Connection, now: datetime) -> bool:
    """Whether a plugin's text is queued, was sent recently, or is among the open tasks: prompts,
    and thoughts derived from them, may contain it."""
    row = db.execute(
        "SELECT EXISTS (SELECT 1 FROM mind_queue WHERE kind='plugin' AND (state IN ('pending', 'drafted') "
        "OR (state='sent' AND coalesce(sent_at, created_at)>?))) "
        "OR EXISTS (SELECT 1 FROM tasks WHERE state='open' AND source_turn_key GLOB 'plugins:*')",
        (stamp(now - timedelta(days=LIVES_DAYS)),),
    ).fetchone()
    return bool(row[0])
