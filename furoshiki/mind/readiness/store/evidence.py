"""Queries for the first rows that prove each milestone, and for progress. Read-only."""

# ruff: noqa: S608 - questions are put together from constants of this module alone

import sqlite3
from collections.abc import Mapping

from furoshiki.core import refs
from furoshiki.core.timestamps import parse
from furoshiki.mind.readiness import rules
from furoshiki.mind.readiness.values import Evidence

_GOALS = "category='goal'"
_IDENTITY = "(type='narrative' OR coalesce(category, '') IN ('identity', 'self', 'value', 'boundary'))"
_CONCLUDED = "source_tag='internal_consolidation' AND json_extract(metadata, '$.cites') IS NOT NULL"
_CONCLUSIONS = {
    "merges": ("reflection", "supersedes"),
    "insights": ("reflection", "informed_by"),
    "narratives": ("narrative", "because"),
}
"""Results of consolidation: type of memory, and relation to its evidence."""

_USED = (
    "SELECT at, NULL, item, 'turn', (SELECT id FROM turns WHERE turns.turn_key=r.turn_key AND speaker='companion' "
    "ORDER BY id LIMIT 1) FROM retrievals r WHERE injected=1 AND used=1 AND {which} ORDER BY at, id LIMIT 1"
)
_PROMOTED = (
    "SELECT l.at, 'memory', l.memory_id FROM consolidation_log l JOIN memories m ON m.id=l.memory_id "
    "WHERE l.operation IN ('promotion', 'second promotion') AND l.alpha_after>l.alpha_before AND {which} "
    "AND NOT EXISTS (SELECT 1 FROM consolidation_log u WHERE u.memory_id=l.memory_id AND u.cycle=l.cycle "
    "AND u.operation='undo ' || l.operation) ORDER BY l.at, l.id LIMIT 1"
)
_PROOFS: Mapping[str, tuple[str, ...]] = {
    rules.MEMORY: (
        "SELECT s.decided_at AS at, 'turn', s.turn_id, 'memory', s.memory_id FROM scratch_buffer s "
        "JOIN memory_sources x ON x.memory_id=s.memory_id AND x.turn_id=s.turn_id "
        "WHERE s.state='persisted' ORDER BY at, s.id LIMIT 1",
    ),
    rules.RETRIEVAL: (_USED.format(which="rank>0"),),
    rules.ASSOCIATION: (_USED.format(which="rank=0"),),  # found by association, not by a search
    rules.GOAL_WEIGHT: (_PROMOTED.format(which=_GOALS),),
    rules.IDENTITY_WEIGHT: (_PROMOTED.format(which=_IDENTITY),),
    # a self-question answered from memory, or a thought that led to a message
    rules.SELF_PROMPT: (
        "SELECT answered_at AS at, 'question', id, 'memory', memory_id FROM self_questions "
        "WHERE state='answered' AND memory_id IS NOT NULL ORDER BY at, id LIMIT 1",
        "SELECT at, NULL, source, 'turn', turn_id FROM outreach_decisions WHERE verdict='sent' AND item_id IS NOT NULL "
        "AND turn_id IS NOT NULL AND (source GLOB 'self_questions:*' OR source GLOB 'inner_monologue:*') "
        "ORDER BY at, id LIMIT 1",
    ),
    # a tension with one side gone, or an insight that gave way to new evidence
    rules.CONFLICT: (
        "SELECT valid_to AS at, 'memory', id, 'memory', json_extract(metadata, '$.value') FROM memories "
        "WHERE type='tension' AND json_extract(metadata, '$.resolved')=1 AND valid_to IS NOT NULL "
        "ORDER BY at, id LIMIT 1",
        "SELECT at, 'memory', memory_id FROM consolidation_log WHERE operation='rejudged' AND memory_id IS NOT NULL "
        "AND json_extract(evidence, '$.outcome') IN ('updated', 'withdrawn') ORDER BY at, id LIMIT 1",
    ),
    # a commitment kept ten times, and the resulting self-observation
    rules.GOAL: (
        "SELECT c.changed_at AS at, 'commitment', c.id, 'memory', m.id FROM commitments c JOIN memories m "
        "ON json_extract(m.metadata, '$.commitment')=c.id AND m.created_at>=c.changed_at "
        "WHERE c.state='retired' AND m.type='reflection' AND m.category='self' ORDER BY at, c.id LIMIT 1",
    ),
    # an unprompted message is among those that kept a commitment
    rules.DECISION: (
        "SELECT j.at, 'turn', d.turn_id, 'commitment', j.commitment_id FROM commitment_judgements j, "
        "json_each(j.turn_ids) cited JOIN outreach_decisions d ON d.turn_id=cited.value WHERE j.verdict='honoured' "
        "AND d.verdict='sent' AND d.item_id IS NOT NULL ORDER BY j.at, j.commitment_id LIMIT 1",
    ),
}
"""Queries for the first proof of each milestone: a time, then pairs of kind and number; a stored
name has no kind."""

_LEADING = {
    rules.MEMORY: "SELECT count(*) FROM scratch_buffer WHERE decided_at IS NOT NULL",
    rules.RETRIEVAL: "SELECT count(*) FROM retrievals WHERE injected=1",
    rules.GOAL_WEIGHT: f"SELECT count(*) FROM memories WHERE status='active' AND {_GOALS}",
    rules.SELF_PROMPT: "SELECT count(*) FROM self_questions",
    rules.IDENTITY_WEIGHT: (f"SELECT count(*) FROM memories WHERE status='active' AND immutable=0 AND {_IDENTITY}"),
    rules.CONFLICT: (
        "SELECT (SELECT count(*) FROM memories WHERE type='tension') "
        "+ (SELECT count(*) FROM consolidation_log WHERE operation='rejudged')"
    ),
    rules.ASSOCIATION: "SELECT count(*) FROM retrievals WHERE injected=1 AND rank=0",
    rules.GOAL: "SELECT count(*) FROM commitments",
    rules.DECISION: "SELECT count(*) FROM outreach_decisions WHERE verdict='sent' AND item_id IS NOT NULL",
}


def first(db: sqlite3.Connection, name: str) -> Evidence | None:
    """Return the earliest proof of a milestone, or None."""
    if name == rules.CONSOLIDATION:
        return _consolidation(db)
    proofs = [proof for question in _PROOFS[name] if (proof := _proof(db, question)) is not None]
    return min(proofs, key=lambda one: one.at, default=None)


def counts(db: sqlite3.Connection, name: str) -> Mapping[str, int]:
    """Return the counts of rows that lead to a milestone."""
    if name == rules.CONSOLIDATION:
        return {part: _count(db, _conclusions(part, "count(DISTINCT m.id)")) for part in _CONCLUSIONS}
    return {"leading": _count(db, _LEADING[name])}


def _proof(db: sqlite3.Connection, question: str) -> Evidence | None:
    row = db.execute(question).fetchone()
    if row is None:
        return None
    at, *proved = row
    pairs = [(kind, number) for kind, number in zip(proved[::2], proved[1::2], strict=True) if number is not None]
    return Evidence(parse(at), tuple(number if kind is None else refs.name(kind, number) for kind, number in pairs))


def _consolidation(db: sqlite3.Connection) -> Evidence | None:
    """Return the proof of all three; its time is that of the last first."""
    questions = [f"{_conclusions(part, 'm.id, m.created_at AS at')} ORDER BY at, m.id" for part in _CONCLUSIONS]
    rows = [db.execute(f"{question} LIMIT 1").fetchone() for question in questions]
    if any(row is None for row in rows):
        return None
    return Evidence(max(parse(row["at"]) for row in rows), tuple(refs.names("memory", [row["id"] for row in rows])))


def _conclusions(part: str, columns: str) -> str:
    type_, relation = _CONCLUSIONS[part]
    return (
        f"SELECT {columns} FROM memories m WHERE type='{type_}' AND {_CONCLUDED} AND EXISTS "
        f"(SELECT 1 FROM memory_links l WHERE l.from_id=m.id AND l.relation='{relation}')"
    )


def _count(db: sqlite3.Connection, question: str) -> int:
    return int(db.execute(question).fetchone()[0])
