"""Forgetting in the inner life: the journal, the self-description, patterns and commitments."""

import sqlite3
from collections.abc import Collection, Mapping, Set
from functools import partial
from typing import Any

from furoshiki.core import refs
from furoshiki.core.database.erasure import Erasure
from furoshiki.core.database.rows import IDS, as_json, dump, load
from furoshiki.language import redaction
from furoshiki.language.redaction import Holds
from furoshiki.mind.inner_life.rules import self_description
from furoshiki.mind.inner_life.store import drift

# minimum share of its turns that must remain for a statement about itself to stay
LEAST_RESTING = 0.5


def passages(db: sqlite3.Connection, turns: Collection[int], erasure: Erasure) -> None:
    """Delete journal passages about forgotten turns; their pages are written again."""
    for row in db.execute("SELECT id, passages FROM inner_monologue"):
        before = load(row["passages"])
        left = [one for one in before if not set(turns) & set(one["cites"])]
        if len(left) != len(before):
            erasure.cut("inner_monologue", row["id"], "passages", dump(left))
            erasure.cut("inner_monologue", row["id"], "filed_at", None)


def forget_thoughts(db: sqlite3.Connection, named: Set[str], erasure: Erasure) -> tuple[set[str], list[int]]:
    """Delete wandering thoughts that rest on `named` or a deleted concept, with their questions and
    entries. Returns the source names used in the queue, and the rows of long tasks proposed because
    of them."""
    gone, concepts = erasure.rows.get("gists", set()), erasure.rows.get("concepts", set())
    rows = []
    for row in db.execute("SELECT id, concept_id, gist_id, rests_on, activated, action, outcome FROM wanderings"):
        topics = {row["concept_id"], *(active[0] for active in load(row["activated"]))}
        if row["gist_id"] in gone or named & set(load(row["rests_on"])) or concepts & topics:
            rows.append(row)
    erasure.go("wanderings", (row["id"] for row in rows))
    erasure.go("gists", (row["gist_id"] for row in rows if row["gist_id"] is not None))
    sources = set(refs.names("wanderings", (row["id"] for row in rows)))
    erasure.go_by(db, "self_questions", "source", sources)
    for row in db.execute(f"SELECT id FROM inner_monologue WHERE item IN {IDS}", (as_json(sources),)):  # noqa: S608
        erasure.cut("inner_monologue", row["id"], "passages", "[]")
        erasure.cut("inner_monologue", row["id"], "filed_at", None)
    sources.update(refs.names("self_questions", erasure.rows.get("self_questions", set())))
    return sources, refs.rows((row["outcome"] for row in rows if row["action"] == "PLAN"), "persistent_tasks")


def of_oneself(db: sqlite3.Connection, turns: Collection[int], words: Holds, erasure: Erasure) -> None:
    """Remove from all versions of the self-description the sentences that state or mostly rest on
    forgotten text; a version in force is written again."""
    rows = db.execute("SELECT * FROM personality_drift_log").fetchall()
    going: list[str] = []
    for row in rows:
        for column in ("themes", "reasons"):
            held = load(row[column])
            left = [one for one in map(partial(_trim_reason, turns, words), held) if one is not None]
            staying = {one["text"] for one in left}
            going += [one["text"] for one in held if one["kind"] == "sentence" and one["text"] not in staying]
            if left != held:
                erasure.cut("personality_drift_log", row["id"], column, dump(left))
    in_force = (drift.find_last_seen(db) or (0, ""))[0]
    for row in rows:
        after = {
            column: redaction.without(self_description.without(row[column], going), words)
            for column in ("before", "text")
        }
        if all(after[column] == row[column] for column in after):
            continue
        for column, text in after.items():
            erasure.cut("personality_drift_log", row["id"], column, text)
        erasure.cut("personality_drift_log", row["id"], "diff", self_description.diff(after["before"], after["text"]))
        in_files = row["state"] == "proposed" or (row["id"] == in_force and row["state"] in drift.IN_FORCE)
        if in_files and after["text"] != row["text"]:
            erasure.cut("personality_drift_log", row["id"], "filed_at", None)


def promises(db: sqlite3.Connection, turns: Collection[int], words: Holds, erasure: Erasure) -> None:
    """Rename patterns named after a deleted question to a remaining question or commitment; delete
    those without either. Judgements still count, but lose the forgotten turns."""
    going, broken = erasure.rows.get("self_questions", set()), erasure.rows.get("commitments", set())
    for pattern in db.execute("SELECT id, gist FROM behavioral_patterns"):
        asked = db.execute(
            "SELECT question_id, question FROM pattern_questions JOIN self_questions ON id=question_id "
            "WHERE pattern_id=? ORDER BY id",
            (pattern["id"],),
        ).fetchall()
        left = [row["question"] for row in asked if row["question_id"] not in going]
        if len(left) == len(asked) and not words(pattern["gist"]):
            continue
        promised = db.execute("SELECT id, text FROM commitments WHERE pattern_id=?", (pattern["id"],)).fetchall()
        left += [row["text"] for row in promised if row["id"] not in broken]
        if not left:
            erasure.go("behavioral_patterns", [pattern["id"]])
        elif pattern["gist"] not in left:
            erasure.cut("behavioral_patterns", pattern["id"], "gist", left[0])
    for row in db.execute("SELECT rowid, turn_ids FROM commitment_judgements"):
        cited = load(row["turn_ids"])
        if set(cited) & set(turns):
            kept = [one for one in cited if one not in turns]
            erasure.cut("commitment_judgements", row["rowid"], "turn_ids", dump(kept))


def _trim_reason(turns: Collection[int], words: Holds, one: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the reason without forgotten turns; None when it must be deleted."""
    left = [turn for turn in one["turns"] if turn not in turns]
    if words(one["text"]) or len(left) < len(one["turns"]) * LEAST_RESTING:
        return None
    return {**one, "turns": left}
