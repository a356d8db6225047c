"""Candidates for attention with their losses, and the winners; the latter without any text."""

import sqlite3
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from furoshiki.conversation.acting.rules.attention import LOSES_EVERY, Weighed
from furoshiki.core.database.rows import change_rows, dump, find_value, find_values, load, marks
from furoshiki.core.framing import clean
from furoshiki.core.timestamps import parse, stamp

LONGEST = 200  # maximum characters stored of a candidate's text
MOST_KEPT = 6  # number of strongest candidates stored per cycle


@dataclass(frozen=True)
class Held:
    """A candidate's history: its losses, and whether the model was told."""

    lost: int
    told: bool


def read_history(db: sqlite3.Connection, refs: Collection[str]) -> dict[str, Held]:
    """Return the history of the known candidates among these."""
    question = f"SELECT ref, lost, told FROM attention_candidates WHERE ref IN ({marks(list(refs))})"  # noqa: S608
    rows = db.execute(question, tuple(refs))
    return {row["ref"]: Held(row["lost"], bool(row["told"])) for row in rows}


def striven_for(db: sqlite3.Connection, limit: int) -> list[str]:
    """Return the goals: long tasks in progress and remembered goals, newest first."""
    query = (
        "SELECT goal AS text FROM persistent_tasks WHERE state IN ('accepted', 'in_progress') UNION ALL "
        "SELECT * FROM (SELECT content FROM memories WHERE category='goal' AND status='active' AND valid_to IS NULL "
        "ORDER BY id DESC LIMIT :most) LIMIT :most"
    )
    return find_values(db, query, {"most": limit})


def keep(
    db: sqlite3.Connection, weighed: Iterable[Weighed], won: str | None, now: datetime, *, told: bool = False
) -> None:
    """Store the results: `won` won, the others lost, counted at most once per LOSES_EVERY. `told`:
    the model is told of the winner."""
    for one in weighed:
        candidate, state = one.candidate, "let_go" if one.let_go else "waiting"
        figures = (one.novelty, one.relevance, one.charge, one.urgency, one.salience)
        row = (
            candidate.source_tag,
            candidate.source_confidence,
            candidate.ref,
            clean(candidate.text)[:LONGEST],
            *(round(value, 4) for value in figures),
            "won" if candidate.ref == won else state,
            stamp(now),
            stamp(now),
            stamp(now - LOSES_EVERY),
            told and candidate.ref == won,
        )
        db.execute(
            "INSERT INTO attention_candidates (source_tag, source_confidence, ref, text, novelty, relevance, charge, "
            "urgency, salience, state, created_at, changed_at, told) "
            "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?14) "
            "ON CONFLICT (ref) DO UPDATE SET novelty=excluded.novelty, relevance=excluded.relevance, "
            "charge=excluded.charge, urgency=excluded.urgency, salience=excluded.salience, "
            "told=max(told, excluded.told), "
            "state=CASE WHEN state='won' AND excluded.state='waiting' THEN 'won' ELSE excluded.state END, "
            "lost=CASE WHEN excluded.state='won' THEN 0 ELSE lost + (changed_at<=?13) END, "
            "changed_at=CASE WHEN excluded.state='won' OR changed_at<=?13 THEN excluded.changed_at ELSE changed_at END",
            row,
        )


def close_stale(db: sqlite3.Connection, still: Collection[str], now: datetime) -> int:
    """Drop waiting candidates that no longer compete (said, done or over); return their number."""
    query = (
        "UPDATE attention_candidates SET state='let_go', changed_at=? "  # noqa: S608
        f"WHERE state='waiting' AND ref NOT IN ({marks(list(still))})"
    )
    return change_rows(db, query, stamp(now), *still)


def had(
    db: sqlite3.Connection, key: str, winner: str | None, reason: str, all_: Sequence[Weighed], at: datetime
) -> None:
    """Store the winner of a cycle, once for each key."""
    figures = [
        [one.candidate.ref, one.candidate.source_tag, one.candidate.source_confidence]
        + [round(value, 3) for value in (one.novelty, one.relevance, one.charge, one.urgency, one.salience)]
        for one in all_[:MOST_KEPT]
    ]
    query = "INSERT OR IGNORE INTO attention_cycles (cycle_key, winner, reason, candidates, at) VALUES (?, ?, ?, ?, ?)"
    db.execute(query, (key, winner, reason, dump(figures), stamp(at)))


def last_winner(db: sqlite3.Connection) -> str | None:
    found: str | None = find_value(db, "SELECT winner FROM attention_cycles ORDER BY id DESC LIMIT 1")
    return found


@dataclass(frozen=True)
class Asked:
    """A candidate of a cycle with the parts of its salience, each in [0, 1]; `text` is "" for
    messages, feelings and deleted items."""

    ref: str
    source_tag: str
    novelty: float
    relevance: float
    charge: float
    urgency: float
    salience: float
    text: str


@dataclass(frozen=True)
class Cycle:
    """One cycle of attention: its winner and the reason."""

    at: datetime
    winner: str | None
    reason: str
    asked: tuple[Asked, ...]


def last_cycle(db: sqlite3.Connection) -> Cycle | None:
    """Return the last cycle; None before the first."""
    return _cycle(db, "ORDER BY id DESC LIMIT 1", ())


def cycle_of(db: sqlite3.Connection, key: str) -> Cycle | None:
    """Return the cycle of a message; None when it was not weighed."""
    return _cycle(db, "WHERE cycle_key=?", (key,))


def _cycle(db: sqlite3.Connection, which: str, values: tuple[str, ...]) -> Cycle | None:
    question = f"SELECT winner, reason, candidates, at FROM attention_cycles {which}"  # noqa: S608
    row = db.execute(question, values).fetchone()
    if row is None:
        return None
    each = load(row["candidates"])
    question = f"SELECT ref, text FROM attention_candidates WHERE ref IN ({marks(each)})"  # noqa: S608
    texts = {found["ref"]: found["text"] for found in db.execute(question, [one[0] for one in each])}
    asked = tuple(
        Asked(ref, tag, new, to_do, felt, presses, drawn, texts.get(ref, ""))
        for ref, tag, _sure, new, to_do, felt, presses, drawn in each
    )
    return Cycle(parse(row["at"]), row["winner"], row["reason"], asked)
