"""Find two related memories that may contradict each other."""

import sqlite3
from collections.abc import Sequence
from itertools import combinations

from furoshiki.core import refs
from furoshiki.core.database.rows import has_row

_FACTS = (
    "SELECT m.id, m.subject, m.predicate, m.object, "
    "(SELECT max(turn_id) FROM memory_sources WHERE memory_id=m.id) AS said "
    "FROM memory_concepts mc JOIN memories m ON m.id=mc.memory_id WHERE mc.concept_id=? AND m.status='active' "
    "AND m.valid_to IS NULL AND m.subject IS NOT NULL ORDER BY m.id DESC LIMIT 30"
)


def find_contradiction(db: sqlite3.Connection, concept: int, against: Sequence[int]) -> tuple[int, int, int] | None:
    """Return the older memory, the newer one's turn, and the newer one: a fact about `concept` and
    one about a concept `against` it, or two facts with equal subject and predicate but different
    objects. None without an unexamined pair."""
    own = db.execute(_FACTS, (concept,)).fetchall()
    other = [row for one in against for row in db.execute(_FACTS, (one,)).fetchall()]
    pairs = [(one, two) for one in own for two in other if one["id"] != two["id"]]
    pairs += [
        (one, two)
        for one, two in combinations(own, 2)
        if (one["subject"], one["predicate"]) == (two["subject"], two["predicate"])
        and str(one["object"]).casefold() != str(two["object"]).casefold()
    ]
    for pair in pairs:
        older, newer = sorted(pair, key=lambda row: row["id"])
        if newer["said"] is not None and not _was_examined(db, older["id"], newer["id"]):
            return older["id"], newer["said"], newer["id"]
    return None


def name(older: int, newer: int) -> str:
    """Return the name of a pair, as stored in outcomes."""
    return f"{refs.name('memory', older)} and {refs.name('memory', newer)}"


def _was_examined(db: sqlite3.Connection, older: int, newer: int) -> bool:
    question = "SELECT 1 FROM wanderings WHERE action='RECONCILE' AND outcome=?"
    return has_row(db, question, name(older, newer))
