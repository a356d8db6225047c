"""What a skill found when the conversation was over: it waits to be said, in a neutral line of its own.

What it found stands behind that line as it is, for the voice to make words of; nobody is ever sent it.
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
    """Queue what was found: `about` is what was asked for, in a few words of the owner's; `raw` what came of it.

    Returns the row in the queue, None when it was there already. In the caller's transaction.
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
