"""The part of forgetting that concerns feelings: the rows of sessions."""

import sqlite3
from collections.abc import Collection

from furoshiki.core.database.erasure import Erasure
from furoshiki.core.database.rows import dump, load


def weights(db: sqlite3.Connection, turns: Collection[int], erasure: Erasure) -> None:
    """Delete rows whose turns are all forgotten; of others clear note and forgotten turns."""
    for row in db.execute("SELECT id, turn_ids FROM emotional_weights"):
        before = load(row["turn_ids"])
        left = [one for one in before if one not in turns]
        if not left:
            erasure.go("emotional_weights", [row["id"]])
        elif len(left) != len(before):
            erasure.cut("emotional_weights", row["id"], "note", "")
            erasure.cut("emotional_weights", row["id"], "turn_ids", dump(left))
