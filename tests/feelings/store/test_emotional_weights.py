"""What a conversation weighed is kept once, and read back as it was."""

from __future__ import annotations

from datetime import timedelta

from furoshiki.core.database.connection import Database
from furoshiki.feelings.store import emotional_weights
from furoshiki.feelings.store.emotional_weights import EmotionalWeight
from tests.support.laws import NOON

SAD = EmotionalWeight("s1", NOON, {"sadness": 0.8}, -0.8, 0.8, 0.6, 0.4, "Their cat died.", (1, 3))


def test_a_session_weighs_once_and_the_newest_can_be_asked_for(database: Database) -> None:
    later = EmotionalWeight("s2", NOON + timedelta(hours=5), {"relief": 0.4}, 0.6, 0.4, 0.5, 0.5, "", (7,))
    with database.write() as db:
        assert emotional_weights.add(db, SAD) is not None
        assert emotional_weights.add(db, SAD) is None
        assert emotional_weights.add(db, later) is not None
    with database.read() as db:
        assert emotional_weights.since(db, NOON - timedelta(seconds=1)) == [SAD, later]
        assert emotional_weights.since(db, NOON) == [later]
