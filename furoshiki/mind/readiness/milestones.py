"""Milestones of the companion's development: measured from rows, stored when reached.

Reaching one is announced as a system event, once: it causes pride and may be mentioned. It stays
reached, with its time and row names, when the rows expire or are forgotten.
"""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from furoshiki.core.database import events
from furoshiki.core.process.crash_points import point
from furoshiki.core.refs import Ref
from furoshiki.core.timestamps import stamp
from furoshiki.feelings.rules.laws import QueueLaws
from furoshiki.language.facts.retelling import address_user
from furoshiki.language.humanize import shorten
from furoshiki.memory.store import memories
from furoshiki.messages.store import turns
from furoshiki.mind.inner_life.store import commitments, self_questions
from furoshiki.mind.readiness import rules
from furoshiki.mind.readiness.store import evidence, lives, reached
from furoshiki.mind.readiness.values import Evidence, Manifest, Standing
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.world import Report, World

# the system event of a milestone: {"milestone": its name, "evidence": names of rows}
PROUD = "pride_triggered"

WORDS_SHOWN = 80


def look(db: sqlite3.Connection) -> list[Standing]:
    """Return the state of all milestones, in order. Read-only."""
    evidence_of = reached.read_all(db)
    standings = []
    for milestone in rules.milestones().values():
        proof = evidence_of.get(milestone.name) or evidence.first(db, milestone.name)
        so_far = "" if proof is not None else rules.so_far(milestone.name, evidence.counts(db, milestone.name))
        standings.append(Standing(milestone, proof, so_far))
    return standings


def notice(world: World) -> Report:
    """Store milestones reached since the last call, each once with its event."""
    with world.database.read() as db:
        evidence_of = reached.read_all(db)
        firsts = {
            milestone.name: evidence.first(db, milestone.name)
            for milestone in rules.milestones().values()
            if milestone.name not in evidence_of
        }
    with world.database.write() as db:
        evidence_of = reached.read_all(db)
        new = {name: proof for name, proof in firsts.items() if proof is not None and name not in evidence_of}
        for name, proof in new.items():
            events.announce(db, PROUD, {"milestone": name, "evidence": list(proof.refs)}, world.now)
        reached.keep(db, {**evidence_of, **new}, world.now)
        _bring_up(db, {**evidence_of, **new}, world.laws.queue, world.now)
        point("readiness.before_commit")
    titles = [milestone.title for milestone in rules.milestones().values() if milestone.name in new]
    summary = f"milestones reached: {', '.join(titles)}" if titles else "no new milestone"
    return Report(bool(new), summary, {"milestones": list(new)} if new else {})


def _bring_up(db: sqlite3.Connection, evidence_of: Mapping[str, Evidence], laws: QueueLaws, now: datetime) -> None:
    """Queue the first milestone that is news and was never told, if there is room."""
    if mind_queue.count_by_kind(db).get("growth", 0) >= laws.most["growth"]:
        return
    for milestone in rules.milestones().values():
        news, proof = rules.thought(milestone.name), evidence_of.get(milestone.name)
        if news is None or proof is None or now - proof.at > laws.news_lasts or mind_queue.is_known(db, news.key):
            continue
        mind_queue.add_thought(db, news, laws.priority[news.kind], now)
        return


def export_milestones(
    db: sqlite3.Connection, standings: Sequence[Standing], life: Manifest, now: datetime
) -> dict[str, Any]:
    """Return all data as JSON values: each milestone with its evidence and available texts."""
    milestones = []
    for standing in standings:
        row: dict[str, Any] = {name: getattr(standing.milestone, name) for name in ("name", "title", "proof")}
        row |= {"at": None, "evidence": [], "so_far": standing.so_far or None}
        if standing.evidence is not None:
            row |= {"at": stamp(standing.evidence.at), "evidence": _list_proof(db, standing.evidence)}
        milestones.append(row)
    reached = sum(standing.evidence is not None for standing in standings)
    return {"reached": reached, "milestones": milestones, "manifest": manifest(life, now)}


def manifest(life: Manifest, now: datetime) -> dict[str, Any]:
    """Return the lifetime figures as JSON values."""
    return {
        "created_at": stamp(life.created_at),
        "age_days": round(max(0.0, (now - life.created_at).total_seconds()) / 86_400, 2),
        "starts": life.starts,
        "restarts": life.restarts,
        "hours_up": round(life.hours_up, 2),
    }


def export_report(world: World) -> dict[str, Any]:
    """Return milestones and lifetime as JSON values."""
    with world.database.read() as db:
        return export_milestones(db, look(db), lives.manifest(db, world.now), world.now)


def _list_proof(db: sqlite3.Connection, proof: Evidence) -> list[dict[str, str | None]]:
    return [{"ref": name, "words": _words(db, name)} for name in proof.refs]


# how to read each kind of row, and the field with its text
_TEXTS: Mapping[str, tuple[Callable[[sqlite3.Connection, int], object], str]] = {
    "memory": (memories.get, "content"),
    "turn": (turns.get, "text"),
    "question": (self_questions.get, "question"),
    "self_questions": (self_questions.get, "question"),
    "commitment": (commitments.get, "text"),
}


def _words(db: sqlite3.Connection, name: str) -> str | None:
    """Return a row's text as said to the owner, shortened; None when it is gone or has none."""
    ref = Ref.parse(name)
    if ref is None or ref.row is None or ref.kind not in _TEXTS:
        return None
    get, field = _TEXTS[ref.kind]
    row = get(db, ref.row)
    if row is None:
        return None
    text = getattr(row, field)
    return shorten(address_user(text) if ref.kind == "memory" else text, WORDS_SHOWN)
