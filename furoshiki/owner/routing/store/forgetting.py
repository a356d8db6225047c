"""The part of forgetting that concerns topics: delete or rename them."""

import sqlite3
from collections.abc import Collection

from furoshiki.core.database.erasure import Erasure
from furoshiki.core.database.rows import IDS, as_json, find_values
from furoshiki.messages.store import turns
from furoshiki.owner.routing.rules import topics

# the prefix of `kv` keys with averages of vectors; deleted, and restarted by messages
AVERAGES = "boundary."

_TOUCHED = f"SELECT DISTINCT topic_id FROM turn_topics WHERE topic_id NOT NULL AND turn_id IN {IDS}"  # noqa: S608
_LEFT = """
SELECT turn_id FROM turn_topics WHERE topic_id=? AND turn_id NOT IN (SELECT value FROM json_each(?))
ORDER BY turn_id LIMIT ?
"""


def subjects(db: sqlite3.Connection, going: Collection[int], erasure: Erasure) -> None:
    """Collect the topics of these turns: those without other turns are deleted; the others lose
    their mean vector and are named by the remaining turns."""
    for row in db.execute(_TOUCHED, (as_json(going),)).fetchall():
        topic = row["topic_id"]
        left = find_values(db, _LEFT, topic, as_json(going), topics.MOST_COUNTED)
        if not left:
            erasure.go("topics", [topic])
            continue
        erasure.cut("topics", topic, "name", topics.make_name([turn.own for turn in turns.many(db, left)]))
        for column in ("centroid", "embed_model"):
            erasure.cut("topics", topic, column, None)
