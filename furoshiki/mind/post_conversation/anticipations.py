"""What became of what was expected: judged by what they said in a session, once, and a miss is looked in the eye."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime

from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.values import Turn
from furoshiki.mind.post_conversation.reading_form import ReadOutcome
from furoshiki.owner.user_model.store import anticipations
from furoshiki.owner.user_model.store.anticipations import Anticipation


def judge(
    db: sqlite3.Connection,
    pending: Sequence[Anticipation],
    outcomes: Sequence[ReadOutcome],
    own: Mapping[int, Turn],
    session_id: str,
    now: datetime,
) -> dict[str, int]:
    """Settle what was expected, in the caller's transaction, by outcomes that were judged. Returns how many were hit
    and missed."""
    counts = {"hit": 0, "miss": 0}
    by_id = {one.id: one for one in pending}
    for outcome in outcomes:
        expected = by_id.pop(outcome.id, None)
        if outcome.outcome == "open" or expected is None:
            continue
        if anticipations.judge(db, expected.id, outcome.outcome, session_id, now):
            counts[outcome.outcome] += 1
            if outcome.outcome == "miss":
                _observe(db, expected, [own[turn_id] for turn_id in outcome.messages if turn_id in own], now)
    return counts


def _observe(db: sqlite3.Connection, expected: Anticipation, cited: Sequence[Turn], now: datetime) -> None:
    """An expectation that failed says something about the one who had it."""
    text = f"I expected this, and it was not so: {expected.text}"
    ids = tuple(sorted({*expected.cited, *(turn.id for turn in cited)}))
    memories.add(db, NewMemory("reflection", text, ids, source_tag="internal_consolidation", category="self"), now)
