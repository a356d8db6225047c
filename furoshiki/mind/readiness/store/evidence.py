"""The first rows that prove each milestone, and counts of what leads there. Nothing here writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping

from furoshiki.core import refs
from furoshiki.core.timestamps import parse
from furoshiki.mind.readiness import rules
from furoshiki.mind.readiness.values import Evidence

_PROMOTED = "('promotion', 'second promotion')"
_GOALS = "category='goal'"
_IDENTITY = "(type='narrative' OR coalesce(category, '') IN ('identity', 'self', 'value', 'boundary'))"
_CONCLUDED = "source_tag='internal_consolidation' AND json_extract(metadata, '$.cites') IS NOT NULL"
_CONCLUSIONS = {
    "merges": ("reflection", "supersedes"),
    "insights": ("reflection", "informed_by"),
    "narratives": ("narrative", "because"),
}
"""What a consolidation makes: the type of memory, and how it is linked with what it was made of."""

_OWN_PROMPTS = ("self_questions", "inner_monologue")
"""Where a thought comes from that nobody but the companion put there."""


def first(db: sqlite3.Connection, name: str) -> Evidence | None:
    """The earliest proof of a milestone; None when there is none."""
    return _FIRST[name](db)


def counts(db: sqlite3.Connection, name: str) -> Mapping[str, int]:
    """How many rows there are that lead to a milestone."""
    if name == rules.CONSOLIDATION:
        return {part: _count(db, _conclusions(part, "count(DISTINCT m.id)")) for part in _CONCLUSIONS}
    return {"leading": _count(db, _LEADING[name])}


def _memory(db: sqlite3.Connection) -> Evidence | None:
    row = db.execute(
        "SELECT s.turn_id, s.memory_id, s.decided_at AS at FROM scratch_buffer s JOIN memory_sources x "
        "ON x.memory_id=s.memory_id AND x.turn_id=s.turn_id WHERE s.state='persisted' ORDER BY at, s.id LIMIT 1"
    ).fetchone()
    return _evidence(row, lambda: (refs.name("turn", row["turn_id"]), refs.name("memory", row["memory_id"])))


def _retrieval(db: sqlite3.Connection) -> Evidence | None:
    return _used(db, "rank>0")


def _association(db: sqlite3.Connection) -> Evidence | None:
    """Rank 0 is what no search found: it came along with what was found."""
    return _used(db, "rank=0")


def _used(db: sqlite3.Connection, which: str) -> Evidence | None:
    row = db.execute(
        "SELECT item, at, (SELECT id FROM turns WHERE turns.turn_key=r.turn_key AND speaker='companion' ORDER BY id "  # noqa: S608
        f"LIMIT 1) AS reply FROM retrievals r WHERE injected=1 AND used=1 AND {which} ORDER BY at, id LIMIT 1"
    ).fetchone()
    return _evidence(row, lambda: (row["item"], *_turn(row["reply"])))


def _consolidation(db: sqlite3.Connection) -> Evidence | None:
    """All three: the moment is that of the last of their firsts."""
    rows = [
        db.execute(f"{_conclusions(part, 'm.id, m.created_at AS at')} ORDER BY m.created_at, m.id LIMIT 1").fetchone()
        for part in _CONCLUSIONS
    ]
    if any(row is None for row in rows):
        return None
    return Evidence(max(parse(row["at"]) for row in rows), tuple(refs.names("memory", [row["id"] for row in rows])))


def _conclusions(part: str, columns: str) -> str:
    type_, relation = _CONCLUSIONS[part]
    return (
        f"SELECT {columns} FROM memories m WHERE type='{type_}' AND {_CONCLUDED} AND EXISTS "  # noqa: S608 - our words
        f"(SELECT 1 FROM memory_links l WHERE l.from_id=m.id AND l.relation='{relation}')"
    )


def _goal_weight(db: sqlite3.Connection) -> Evidence | None:
    return _promotion(db, _GOALS)


def _identity_weight(db: sqlite3.Connection) -> Evidence | None:
    return _promotion(db, _IDENTITY)


def _promotion(db: sqlite3.Connection, which: str) -> Evidence | None:
    row = db.execute(
        "SELECT l.memory_id, l.at FROM consolidation_log l JOIN memories m ON m.id=l.memory_id "  # noqa: S608
        f"WHERE l.operation IN {_PROMOTED} AND l.alpha_after>l.alpha_before AND {which} AND NOT EXISTS "
        "(SELECT 1 FROM consolidation_log u WHERE u.memory_id=l.memory_id AND u.cycle=l.cycle "
        "AND u.operation='undo ' || l.operation) ORDER BY l.at, l.id LIMIT 1"
    ).fetchone()
    return _evidence(row, lambda: (refs.name("memory", row["memory_id"]),))


def _self_prompt(db: sqlite3.Connection) -> Evidence | None:
    """A question of its own that it answered from memory, or a thought of its own that it wrote about."""
    answered = db.execute(
        "SELECT id, memory_id, answered_at AS at FROM self_questions WHERE state='answered' AND memory_id IS NOT NULL "
        "ORDER BY at, id LIMIT 1"
    ).fetchone()
    own = " OR ".join(f"source GLOB '{table}:*'" for table in _OWN_PROMPTS)
    said = db.execute(
        f"SELECT source, turn_id, at FROM outreach_decisions WHERE verdict='sent' AND item_id IS NOT NULL "  # noqa: S608
        f"AND turn_id IS NOT NULL AND ({own}) ORDER BY at, id LIMIT 1"
    ).fetchone()
    return _earliest(
        _evidence(
            answered, lambda: (refs.name("question", answered["id"]), refs.name("memory", answered["memory_id"]))
        ),
        _evidence(said, lambda: (said["source"], refs.name("turn", said["turn_id"]))),
    )


def _conflict(db: sqlite3.Connection) -> Evidence | None:
    """A tension of which one side holds no more, or an insight that gave way to what speaks against it."""
    tension = db.execute(
        "SELECT id, valid_to AS at, json_extract(metadata, '$.value') AS value FROM memories WHERE type='tension' "
        "AND json_extract(metadata, '$.resolved')=1 AND valid_to IS NOT NULL ORDER BY at, id LIMIT 1"
    ).fetchone()
    judged = db.execute(
        "SELECT memory_id, at FROM consolidation_log WHERE operation='rejudged' AND memory_id IS NOT NULL "
        "AND json_extract(evidence, '$.outcome') IN ('updated', 'withdrawn') ORDER BY at, id LIMIT 1"
    ).fetchone()
    return _earliest(
        _evidence(tension, lambda: tuple(refs.names("memory", [tension["id"], tension["value"]]))),
        _evidence(judged, lambda: (refs.name("memory", judged["memory_id"]),)),
    )


def _goal(db: sqlite3.Connection) -> Evidence | None:
    """A promise kept ten times, and the observation of itself that came of it."""
    row = db.execute(
        "SELECT c.id, m.id AS memory_id, c.changed_at AS at FROM commitments c JOIN memories m "
        "ON json_extract(m.metadata, '$.commitment')=c.id AND m.created_at>=c.changed_at "
        "WHERE c.state='retired' AND m.type='reflection' AND m.category='self' ORDER BY at, c.id LIMIT 1"
    ).fetchone()
    return _evidence(row, lambda: (refs.name("commitment", row["id"]), refs.name("memory", row["memory_id"])))


def _decision(db: sqlite3.Connection) -> Evidence | None:
    """What it said unasked, of its own accord, stands among the messages in which it kept a promise to itself."""
    row = db.execute(
        "SELECT d.turn_id, j.commitment_id, j.at FROM commitment_judgements j, json_each(j.turn_ids) cited "
        "JOIN outreach_decisions d ON d.turn_id=cited.value WHERE j.verdict='honoured' AND d.verdict='sent' "
        "AND d.item_id IS NOT NULL ORDER BY j.at, j.commitment_id LIMIT 1"
    ).fetchone()
    return _evidence(row, lambda: (refs.name("turn", row["turn_id"]), refs.name("commitment", row["commitment_id"])))


def _evidence(row: sqlite3.Row | None, named: Callable[[], tuple[str, ...]]) -> Evidence | None:
    return None if row is None else Evidence(parse(row["at"]), named())


def _earliest(*found: Evidence | None) -> Evidence | None:
    return min((one for one in found if one is not None), key=lambda one: one.at, default=None)


def _turn(turn_id: int | None) -> tuple[str, ...]:
    return () if turn_id is None else (refs.name("turn", turn_id),)


def _count(db: sqlite3.Connection, question: str) -> int:
    return int(db.execute(question).fetchone()[0])


_FIRST: Mapping[str, Callable[[sqlite3.Connection], Evidence | None]] = {
    rules.MEMORY: _memory,
    rules.RETRIEVAL: _retrieval,
    rules.CONSOLIDATION: _consolidation,
    rules.GOAL_WEIGHT: _goal_weight,
    rules.SELF_PROMPT: _self_prompt,
    rules.IDENTITY_WEIGHT: _identity_weight,
    rules.CONFLICT: _conflict,
    rules.ASSOCIATION: _association,
    rules.GOAL: _goal,
    rules.DECISION: _decision,
}

_LEADING = {
    rules.MEMORY: "SELECT count(*) FROM scratch_buffer WHERE decided_at IS NOT NULL",
    rules.RETRIEVAL: "SELECT count(*) FROM retrievals WHERE injected=1",
    rules.GOAL_WEIGHT: f"SELECT count(*) FROM memories WHERE status='active' AND {_GOALS}",  # noqa: S608
    rules.SELF_PROMPT: "SELECT count(*) FROM self_questions",
    rules.IDENTITY_WEIGHT: (
        f"SELECT count(*) FROM memories WHERE status='active' AND immutable=0 AND {_IDENTITY}"  # noqa: S608
    ),
    rules.CONFLICT: (
        "SELECT (SELECT count(*) FROM memories WHERE type='tension') "
        "+ (SELECT count(*) FROM consolidation_log WHERE operation='rejudged')"
    ),
    rules.ASSOCIATION: "SELECT count(*) FROM retrievals WHERE injected=1 AND rank=0",
    rules.GOAL: "SELECT count(*) FROM commitments",
    rules.DECISION: "SELECT count(*) FROM outreach_decisions WHERE verdict='sent' AND item_id IS NOT NULL",
}
