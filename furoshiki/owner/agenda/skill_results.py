"""Queue the result of a skill that finished after the conversation, with a neutral line.

The raw result is background for composing the message and is never sent as it is.
"""

import sqlite3
from datetime import datetime

from furoshiki.core import refs
from furoshiki.feelings.rules.laws import QueueLaws
from furoshiki.owner.agenda.store import mind_queue

KIND = "skill_result"


def queue_result(
    db: sqlite3.Connection, about: str, raw: str, source: refs.Ref, now: datetime, laws: QueueLaws
) -> int | None:
    """Queue a result: `about` describes the request in a few words; `raw` is the result.

    Returns the queue's row, None if it was queued before. In the caller's transaction.
    """
    return mind_queue.add(
        db,
        KIND,
        f"{about}: done",
        f"{mind_queue.SKILL_RESULT}{source}",
        now,
        priority=laws.priority[KIND],
        detail=raw,
        source=str(source),
        by_key_alone=True,
    )
