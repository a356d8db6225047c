"""The companion's self-questions, stored once each: open, answered, for the user, merged, expired.

`add` is the second of six layers against repetition (the first is the unique key of `mind_queue`):
a question that is pending or answered is not stored again, only counted. A curiosity is a question
whose answerer is not known yet.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Literal

from furoshiki.core import refs
from furoshiki.core.database.rows import Table, change_rows, find_value, from_row, has_row, insert, moment
from furoshiki.core.framing import clean
from furoshiki.core.similarity import dot, halves, of_halves
from furoshiki.core.timestamps import stamp
from furoshiki.language import questions
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.recall.retrieval.store import vectors

Kind = Literal["question", "curiosity"]
Triage = Literal["self", "user", "unsure"]
State = Literal["open", "answered", "user_required", "merged", "expired"]

OPEN_DAYS = 30  # days after which an open question expires
LOOKED_ANYWAY = 3  # nights in which a question is looked into even without new memories

_PENDING = "('open', 'user_required')"
_COLUMNS = "*, (SELECT count(*) FROM self_question_times WHERE question_id=self_questions.id) AS asked"
_ANSWERED_COMPARED = 1000  # number of recent answered questions compared with a new one


@dataclass(frozen=True)
class SelfQuestion:
    """A question. `asked` counts its occurrences, `tried` its failed lookups. `triage` says who can
    answer a curiosity, once sorted."""

    id: int
    kind: Kind
    question: str
    stem: str
    source: str
    state: State
    triage: Triage | None
    tried: int
    asked: int
    looked_at: datetime | None
    answer: str | None
    memory_id: int | None
    created_at: datetime


_TABLE = Table("self_questions", partial(from_row, SelfQuestion), _COLUMNS)
get = _TABLE.get
every = _TABLE.newest


def add(
    db: sqlite3.Connection,
    question: str,
    source: str,
    now: datetime,
    *,
    kind: Kind = "question",
    vector: Sequence[float] | None = None,
) -> int | None:
    """Store an open question; return None if it repeats a known one or is empty.

    `source` is its origin ("sessions:s1", "memory:3", "inner_monologue:2026-11-21"); `vector` is
    its unit vector, made before the transaction (None: only stems are compared). A repetition is
    counted at the known question.
    """
    text = " ".join(clean(question).split())
    stem = questions.stem(text)
    if not stem:
        return None
    known = find_repeated(db, stem, vector)
    if known is not None:
        _came_up(db, known, now)
        return None
    row = {
        "kind": kind,
        "question": text,
        "stem": stem,
        "source": source,
        "embedding": None if vector is None else halves(vector),
        "embed_model": None if vector is None else vectors.model(db),
        "created_at": now,
    }
    made = insert(db, "self_questions", row)
    _came_up(db, made, now)
    return made


def find_repeated(db: sqlite3.Connection, stem: str, vector: Sequence[float] | None = None) -> int | None:
    """Return the known question it repeats (pending, answered or put to the user); None if new."""
    rows = db.execute(
        f"SELECT id, stem FROM self_questions AS q WHERE state IN {_PENDING} OR state='answered' "  # noqa: S608
        "OR (state='expired' AND EXISTS (SELECT 1 FROM mind_queue AS m "
        "WHERE m.source='self_questions:' || q.id AND m.state IN ('drafted', 'sent'))) ORDER BY id"
    )
    for row in rows:
        if questions.same(stem, row["stem"]):
            return int(row["id"])
    return None if vector is None else _find_answered_near(db, stem, vector)


def is_new(db: sqlite3.Connection, question: str) -> bool:
    """Return whether `add` would accept a question, by its stem alone."""
    its = questions.stem(question)
    return bool(its) and find_repeated(db, its) is None and not _was_put(db, its)


def _was_put(db: sqlite3.Connection, stem: str) -> bool:
    return has_row(db, "SELECT 1 FROM mind_queue WHERE dedupe_key=?", refs.name("question", stem))


def list_pending(db: sqlite3.Connection) -> list[SelfQuestion]:
    """Return all pending questions, oldest first."""
    return _TABLE.select(db, f"state IN {_PENDING} ORDER BY id")


def put_to_user(db: sqlite3.Connection) -> frozenset[int]:
    """Return the ids of questions that the user was asked."""
    sent = db.execute("SELECT source FROM mind_queue WHERE state='sent' AND source IS NOT NULL")
    return frozenset(refs.rows((row["source"] for row in sent), "self_questions"))


def list_unsorted(db: sqlite3.Connection, limit: int) -> list[SelfQuestion]:
    """Return open curiosities that are not sorted yet, oldest first."""
    return _TABLE.select(db, "state='open' AND kind='curiosity' AND triage IS NULL ORDER BY id LIMIT ?", limit)


def list_pending_of(db: sqlite3.Connection, source: str) -> list[SelfQuestion]:
    """Return pending questions with this source prefix ("profile_gaps:"), oldest first."""
    return _TABLE.select(db, f"state IN {_PENDING} AND substr(source, 1, length(?))=? ORDER BY id", source, source)


def newest_of(db: sqlite3.Connection, source: str) -> datetime | None:
    """Return when the newest question with this source prefix came up, or None."""
    query = "SELECT max(created_at) AS at FROM self_questions WHERE substr(source, 1, length(?))=?"
    return moment(find_value(db, query, source, source))


def to_answer(db: sqlite3.Connection, since: datetime, limit: int) -> list[SelfQuestion]:
    """Return pending questions not looked into since `since`, longest ago first.

    Questions for the user, or with enough attempts, are included only if memories were added since.
    Curiosities that the companion can resolve are explored instead (`to_explore`); a gap of the
    profile is what no memory tells, and is dropped once one does.
    """
    return _TABLE.select(
        db,
        "NOT (kind='curiosity' AND triage IS 'self') AND source NOT LIKE 'profile_gaps:%' AND "
        "((state='open' AND tried<?) OR "
        "(state IN ('open', 'user_required') AND EXISTS (SELECT 1 FROM memories WHERE memories.created_at>"
        "coalesce(self_questions.looked_at, self_questions.created_at)))) AND (looked_at IS NULL OR looked_at<=?) "
        "ORDER BY looked_at IS NOT NULL, looked_at, id LIMIT ?",
        LOOKED_ANYWAY,
        stamp(since),
        limit,
    )


def count_lookups(db: sqlite3.Connection, since: datetime) -> int:
    """Return the number of questions looked into or answered after `since`."""
    asked = "SELECT count(*) FROM self_questions WHERE looked_at>:since OR answered_at>:since"
    return int(find_value(db, asked, {"since": stamp(since)}))


def to_explore(db: sqlite3.Connection, since: datetime, tries: int) -> SelfQuestion | None:
    """Return the next open curiosity for the companion to explore, with fewer than `tries`
    attempts.

    A repeated attempt needs `since` to be past, and a new memory or changed document.
    """
    found = _TABLE.select(
        db,
        "kind='curiosity' AND triage='self' AND state='open' AND tried<? AND (looked_at IS NULL OR (looked_at<=? AND ("
        "EXISTS (SELECT 1 FROM memories WHERE memories.created_at>self_questions.looked_at "
        "AND source_tag NOT LIKE 'internal%') "
        "OR EXISTS (SELECT 1 FROM design_docs WHERE made_at>self_questions.looked_at)))) "
        "ORDER BY looked_at IS NOT NULL, looked_at, id LIMIT 1",
        tries,
        stamp(since),
    )
    return next(iter(found), None)


def sort(db: sqlite3.Connection, question_id: int, found: Triage) -> None:
    """Store who can answer an open question."""
    db.execute("UPDATE self_questions SET triage=? WHERE id=? AND state='open'", (found, question_id))


def record_lookup(db: sqlite3.Connection, question_id: int, now: datetime) -> None:
    """Count a failed lookup of a pending question."""
    db.execute(
        f"UPDATE self_questions SET tried=tried+1, looked_at=? WHERE id=? AND state IN {_PENDING}",  # noqa: S608
        (stamp(now), question_id),
    )


def answer(db: sqlite3.Connection, question_id: int, text: str, memory_id: int, now: datetime) -> tuple[int, ...]:
    """Answer a pending question and close its siblings; return their ids.

    Siblings are pending questions of the same stem or with a cosine above 0.85. Related items in
    mind_queue are dropped, and related anticipations expire. Raises LookupError when the question
    is not pending.
    """
    done = db.execute(
        "UPDATE self_questions SET state='answered', answer=?, answered_at=?, memory_id=? "  # noqa: S608
        f"WHERE id=? AND state IN {_PENDING}",
        (clean(text), stamp(now), memory_id, question_id),
    )
    if not done.rowcount:
        raise LookupError(f"question {question_id} is not pending")
    row = db.execute("SELECT * FROM self_questions WHERE id=?", (question_id,)).fetchone()
    siblings = []
    for other in db.execute(f"SELECT * FROM self_questions WHERE state IN {_PENDING} ORDER BY id").fetchall():  # noqa: S608
        if questions.same(row["stem"], other["stem"]) or _near(row, other):
            merge(db, other["id"], question_id)
            siblings.append(int(other["id"]))
    _drop_notes(db, question_id, row["stem"])
    return tuple(siblings)


def stale(db: sqlite3.Connection) -> list[SelfQuestion]:
    """Return answered questions that rest on an outdated memory or deleted document part."""
    return _TABLE.select(
        db,
        "state='answered' AND (EXISTS (SELECT 1 FROM memory_links JOIN memories ON memories.id=to_id "
        "WHERE from_id=self_questions.memory_id AND relation='informed_by' "
        "AND (memories.status IN ('superseded', 'archived') OR memories.valid_to IS NOT NULL)) "
        "OR EXISTS (SELECT 1 FROM memories, json_each(memories.metadata, '$.design') WHERE "
        "memories.id=self_questions.memory_id AND json_each.value NOT IN (SELECT id FROM design_docs))) ORDER BY id",
    )


def reopen(db: sqlite3.Connection, question_id: int) -> bool:
    """Reopen a question whose answer is no longer valid; return True when it was answered."""
    query = (
        "UPDATE self_questions SET state='open', answer=NULL, answered_at=NULL, memory_id=NULL, looked_at=NULL, "
        "tried=0 WHERE id=? AND state='answered'"
    )
    return change_rows(db, query, question_id) == 1


def merge(db: sqlite3.Connection, question_id: int, into: int) -> None:
    """Merge a pending question into another, with its times."""
    query = f"UPDATE self_questions SET state='merged', merged_into=? WHERE id=? AND state IN {_PENDING}"  # noqa: S608
    done = db.execute(query, (into, question_id))
    if done.rowcount:
        db.execute(
            "INSERT OR IGNORE INTO self_question_times (question_id, at) "
            "SELECT ?, at FROM self_question_times WHERE question_id=?",
            (into, question_id),
        )
        _drop_notes(db, question_id)


def merge_duplicates(db: sqlite3.Connection) -> int:
    """Merge pending duplicates (fourth layer); return their number."""
    rows = db.execute(f"SELECT id, stem, state FROM self_questions WHERE state IN {_PENDING} ORDER BY id").fetchall()  # noqa: S608
    # questions already queued for the user come first, so that they are not withdrawn
    order = sorted(rows, key=lambda row: (row["state"] != "user_required", row["id"]))
    found = questions.duplicates([(row["id"], row["stem"]) for row in order])
    for question_id, into in found:
        merge(db, question_id, into)
    return len(found)


def to_user(
    db: sqlite3.Connection, question_id: int, now: datetime, *, priority: int = 3, summary: str | None = None
) -> bool:
    """Queue an open question for the user, at most once ever in these words.

    `summary` replaces the question as the thought's text. Returns False when the question was not
    open, or was queued before: then it expires.
    """
    row = db.execute("SELECT * FROM self_questions WHERE id=? AND state='open'", (question_id,)).fetchone()
    if row is None:
        return False
    queued = mind_queue.add(
        db,
        row["kind"],
        summary or row["question"],
        refs.name("question", row["stem"]),
        now,
        priority=priority,
        source=refs.name("self_questions", question_id),
    )
    state = "expired" if queued is None else "user_required"
    db.execute("UPDATE self_questions SET state=?, triage='user' WHERE id=?", (state, question_id))
    return queued is not None


def drop(db: sqlite3.Connection, question_id: int) -> None:
    """Expire a pending question."""
    db.execute(f"UPDATE self_questions SET state='expired' WHERE id=? AND state IN {_PENDING}", (question_id,))  # noqa: S608
    _drop_notes(db, question_id)


def let_go(db: sqlite3.Connection, now: datetime) -> int:
    """Expire questions whose queue item ended or that were open for 30 days; return their number.

    Call it after `mind_queue.expire`, in the same transaction.
    """
    question = (
        "UPDATE self_questions SET state='expired' WHERE state='user_required' AND NOT EXISTS (SELECT 1 FROM "
        "mind_queue WHERE source='self_questions:' || self_questions.id AND mind_queue.state IN "
        "('pending', 'drafted', 'sent'))"
    )
    ended = change_rows(db, question)
    query = "UPDATE self_questions SET state='expired' WHERE state='open' AND created_at<=?"
    old = change_rows(db, query, stamp(now - timedelta(days=OPEN_DAYS)))
    return ended + old


def _drop_notes(db: sqlite3.Connection, question_id: int, stem: str | None = None) -> None:
    """Drop queue items that ask this or (with a stem) the same; expire anticipations about it."""
    for row in db.execute("SELECT id, summary, source FROM mind_queue WHERE state='pending'").fetchall():
        of_it = row["source"] == refs.name("self_questions", question_id)
        if of_it or (stem is not None and questions.same_matter(stem, questions.stem(row["summary"]))):
            db.execute("UPDATE mind_queue SET state='dropped' WHERE id=?", (row["id"],))
    if stem is not None:
        for row in db.execute("SELECT id, text FROM anticipations WHERE state='open'").fetchall():
            if questions.same_matter(stem, questions.stem(row["text"])):
                db.execute("UPDATE anticipations SET state='expired' WHERE id=?", (row["id"],))


def _find_answered_near(db: sqlite3.Connection, stem: str, vector: Sequence[float]) -> int | None:
    model = vectors.model(db)
    rows = db.execute(
        "SELECT id, stem, embedding FROM self_questions WHERE state='answered' AND embedding IS NOT NULL "
        "AND embed_model=? ORDER BY id DESC LIMIT ?",
        (model, _ANSWERED_COMPARED),
    )
    for row in rows:
        if questions.near(stem, row["stem"], dot(vector, of_halves(row["embedding"]))):
            return int(row["id"])
    return None


def _near(first: sqlite3.Row, second: sqlite3.Row) -> bool:
    if first["embedding"] is None or second["embedding"] is None or first["embed_model"] != second["embed_model"]:
        return False
    both = (of_halves(first["embedding"]), of_halves(second["embedding"]))
    return questions.near(first["stem"], second["stem"], dot(*both), questions.SIBLING_COSINE)


def _came_up(db: sqlite3.Connection, question_id: int, now: datetime) -> None:
    db.execute("INSERT OR IGNORE INTO self_question_times (question_id, at) VALUES (?, ?)", (question_id, stamp(now)))
