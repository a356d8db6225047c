"""Queries for the first rows that prove each milestone, and for progress. Read-only."""

# ruff: noqa: S608 - questions are put together from constants of this module alone

import sqlite3
from collections.abc import Mapping
from pathlib import Path

from furoshiki.core import refs
from furoshiki.core.database.rows import find_value, read_queries
from furoshiki.core.timestamps import parse
from furoshiki.mind.readiness import rules
from furoshiki.mind.readiness.values import Evidence

_CONCLUDED = "source_tag='internal_consolidation' AND json_extract(metadata, '$.cites') IS NOT NULL"
# results of consolidation: type of memory, and relation to its evidence
_CONCLUSIONS = {
    "merges": ("reflection", "supersedes"),
    "insights": ("reflection", "informed_by"),
    "narratives": ("narrative", "because"),
}

_QUERIES = read_queries(Path(__file__).with_name("evidence.sql"))


def first(db: sqlite3.Connection, name: str) -> Evidence | None:
    """Return the earliest proof of a milestone, or None."""
    if name == rules.CONSOLIDATION:
        return _consolidation(db)
    proofs = [proof for question in _QUERIES[f"proof: {name}"] if (proof := _proof(db, question)) is not None]
    return min(proofs, key=lambda one: one.at, default=None)


def counts(db: sqlite3.Connection, name: str) -> Mapping[str, int]:
    """Return the counts of rows that lead to a milestone."""
    if name == rules.CONSOLIDATION:
        return {part: _count(db, _conclusions(part, "count(DISTINCT m.id)")) for part in _CONCLUSIONS}
    return {"leading": sum(_count(db, question) for question in _QUERIES[f"leading: {name}"])}


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
    return int(find_value(db, question))
