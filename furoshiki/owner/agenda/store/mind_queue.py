"""The mind queue: thoughts waiting to be said, each once.

A thought names its source ("anticipations:3"); once that is no longer open the thought is dropped.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from furoshiki.core.database.rows import (
    Table,
    change_rows,
    find_value,
    find_values,
    from_row,
    has_row,
    insert_if_new,
    moment,
)
from furoshiki.core.framing import clean
from furoshiki.core.timestamps import stamp
from furoshiki.language import questions
from furoshiki.owner.agenda.rules.mind_queue import Thought, Waiting

LIVES_DAYS = 7  # the lifetime of a thought in days, from when it may be said
NEEDS = "mind.needs"  # the `kv` key of strong needs: since when, and the thought queued for each

_SAID_LATELY_DAYS = 14  # days in which the same matter is not brought up again

# the key prefix of questions whether a memory is almost certain; the memory's id follows
PROMOTION = "promotion:"

# the key prefix of questions whether a doubted memory is true; the memory's id follows
DOUBT = "doubt:"

# the key prefix of thoughts about a skill's result; its source follows
SKILL_RESULT = "skill_result:"

# An SQL condition on `commitments`: broken three times since it was last honoured. The row's own
# count is reset when the third is discussed, in the same transaction.
KEEPS_FAILING = (
    "(SELECT count(*) FROM commitment_judgements AS j WHERE j.commitment_id=commitments.id AND j.verdict='broken' "
    "AND j.at>coalesce((SELECT max(at) FROM commitment_judgements WHERE commitment_id=commitments.id "
    "AND verdict='honoured'), ''))>=3"
)

# by a thought's source table, the SQL condition under which it is still worth saying
_OPEN = {
    "self_questions": "state='user_required'",
    "anticipations": "state='open'",
    "tasks": (
        "CASE WHEN mind_queue.kind='task_update' THEN state='done' AND NOT EXISTS (SELECT 1 FROM tasks AS beside "
        "WHERE beside.list_id=tasks.list_id AND beside.state='open') ELSE state='open' END"
    ),
    "memories": (
        "CASE WHEN mind_queue.dedupe_key LIKE 'doubt:%' THEN status='dormant' AND unconfirmed IS NOT NULL ELSE "
        "status='active' AND valid_to IS NULL AND (immutable=0 OR mind_queue.dedupe_key NOT LIKE 'promotion:%') END"
    ),
    "commitments": (
        "CASE WHEN mind_queue.kind='delegation' OR mind_queue.dedupe_key LIKE '%:failing' "
        f"THEN state='active' AND {KEEPS_FAILING} ELSE state!='dropped' END"
    ),
    "personality_drift_log": (
        "CASE WHEN mind_queue.kind='delegation' THEN state='proposed' ELSE state IN ('applied', 'accepted') END"
    ),
    "wanderings": "gist_id IS NOT NULL",
    "operations": "state IN ('completed', 'failed') AND read_at IS NULL",
    "repair_jobs": "state IN ('proposed', 'applied', 'rolled_back')",
    "plugin_jobs": (
        "CASE WHEN mind_queue.kind='delegation' THEN state='proposed' ELSE state IN ('rejected', 'failed') END"
    ),
    "persistent_tasks": (
        "CASE WHEN mind_queue.kind='delegation' THEN state='proposed' "
        "ELSE state IN ('in_progress', 'completed', 'failed', 'expired') END"
    ),
}

_CALM = (
    "coalesce(source, '') LIKE 'needs:%' AND (SELECT json_extract(value, '$.' || substr(source, 7)) FROM kv "  # noqa: S608
    f"WHERE key='{NEEDS}') IS NULL"
)
_OVER = (
    f"coalesce(source, '') LIKE '{table}:%' AND NOT EXISTS (SELECT 1 FROM {table} WHERE "  # noqa: S608
    f"{table}.id=CAST(substr(mind_queue.source, {len(table) + 2}) AS INTEGER) AND {open_})"
    for table, open_ in _OPEN.items()
)
_TAKEN = (
    "coalesce(source, '') LIKE 'proposals:%' "
    "AND NOT EXISTS (SELECT 1 FROM kv WHERE key='proposal.' || substr(mind_queue.source, 11))"
)
_SWITCHED_OFF = (
    "coalesce(source, '') LIKE 'plugins:%' "
    "AND NOT EXISTS (SELECT 1 FROM plugins WHERE name=substr(mind_queue.source, 9) AND state='enabled')"
)
# an SQL condition: the source is answered, judged, done, calm again or deleted, or a plugin that
# does not run
_CLOSED = "(" + " OR ".join((_CALM, _TAKEN, _SWITCHED_OFF, *_OVER)) + ")"


def _parse_row(row: sqlite3.Row) -> Waiting:
    return from_row(Waiting, row, source=row["source"] or "", key=row["dedupe_key"], detail=row["detail"] or "")


_TABLE = Table("mind_queue", _parse_row)
get = _TABLE.get


def add(
    db: sqlite3.Connection,
    kind: str,
    summary: str,
    dedupe_key: str,
    now: datetime,
    *,
    priority: int = 3,
    detail: str | None = None,
    source: str | None = None,
    not_before: datetime | None = None,
    until: datetime | None = None,
    by_key_alone: bool = False,
    unconfirmed: bool = False,
) -> int | None:
    """Queue a thought for 7 days from when it may be said, or `until` a time; return its row id.

    Returns None for a duplicate: the same `dedupe_key` ever, or the same matter waiting or said in
    the last two weeks. Needs, and thoughts with `by_key_alone`, are compared by key only. An
    `unconfirmed` thought may come up in conversation and is never sent unprompted.
    """
    if kind != "need" and not by_key_alone and _has_matter(db, summary, now):
        return None
    row = {
        "kind": kind,
        "priority": priority,
        "summary": summary,
        "detail": detail,
        "dedupe_key": dedupe_key,
        "source": source,
        "not_before": not_before,
        "expires_at": until or max(now, not_before or now) + timedelta(days=LIVES_DAYS),
        "created_at": now,
        "unconfirmed": unconfirmed,
    }
    return insert_if_new(db, "mind_queue", row)


def add_thought(
    db: sqlite3.Connection,
    thought: Thought,
    priority: int,
    now: datetime,
    detail: str | None = None,
    until: datetime | None = None,
) -> bool:
    """Queue a thought, compared by its key only; return whether it is new."""
    kind, summary, key, source = thought.kind, thought.summary, thought.key, thought.source or None
    more: dict[str, Any] = {"priority": priority, "detail": detail, "source": source, "until": until}
    return add(db, kind, summary, key, now, by_key_alone=True, **more) is not None


def _has_matter(db: sqlite3.Connection, summary: str, now: datetime) -> bool:
    its = questions.stem(summary)
    query = "SELECT summary FROM mind_queue WHERE state='pending' OR (state IN ('drafted', 'sent') AND created_at>?)"
    rows = db.execute(query, (stamp(now - timedelta(days=_SAID_LATELY_DAYS)),))
    return any(questions.same_matter(its, questions.stem(row["summary"])) for row in rows)


def list_due(db: sqlite3.Connection, now: datetime) -> list[Waiting]:
    """Return waiting thoughts that may be said now, highest priority first."""
    may_be_said = "state='pending' AND expires_at>:now AND (not_before IS NULL OR not_before<=:now)"
    return _TABLE.select(db, f"{may_be_said} AND NOT {_CLOSED} ORDER BY priority, id", {"now": stamp(now)})


def list_pending(db: sqlite3.Connection) -> list[Waiting]:
    """Return all waiting thoughts, also those that may not be said yet."""
    return _TABLE.select(db, "state='pending' ORDER BY id")


def is_known(db: sqlite3.Connection, dedupe_key: str) -> bool:
    """Whether this thought was ever queued."""
    return has_row(db, "SELECT 1 FROM mind_queue WHERE dedupe_key=?", dedupe_key)


def keys(db: sqlite3.Connection, prefix: str) -> frozenset[str]:
    """Return all keys with a prefix, of thoughts in any state."""
    return frozenset(find_values(db, "SELECT dedupe_key FROM mind_queue WHERE dedupe_key GLOB ?", f"{prefix}*"))


def apart(db: sqlite3.Connection, prefix: str, gap: timedelta, now: datetime) -> datetime | None:
    """Return when the next thought with a key prefix may be said (`gap` apart); None: now."""
    query = (
        "SELECT max(max(created_at, coalesce(not_before, ''), coalesce(sent_at, ''))) FROM mind_queue "
        "WHERE dedupe_key>=? AND dedupe_key<? AND state IN ('pending', 'drafted', 'sent')"
    )
    last = moment(find_value(db, query, prefix, f"{prefix}\U0010ffff"))
    return None if last is None or last + gap <= now else last + gap


def list_keys(db: sqlite3.Connection, prefix: str) -> dict[str, int]:
    """Return the keys with a prefix of waiting thoughts, each with its row."""
    return {item.key: item.id for item in list_pending(db) if item.key.startswith(prefix)}


def mark_said(db: sqlite3.Connection, item_id: int) -> bool:
    """Mark a waiting thought as said; return False if it was not waiting."""
    return change_rows(db, "UPDATE mind_queue SET state='sent' WHERE id=? AND state='pending'", item_id) == 1


# -- unprompted messages --

_UNSAID = "state IN ('pending', 'drafted') AND expires_at>:now AND unconfirmed=0"


def candidates(db: sqlite3.Connection, now: datetime) -> list[Waiting]:
    """Return thoughts that may be sent unprompted now, even with closed source, oldest first."""
    return _TABLE.select(db, f"{_UNSAID} AND (not_before IS NULL OR not_before<=:now) ORDER BY id", {"now": stamp(now)})


def unsaid(db: sqlite3.Connection, now: datetime) -> list[Waiting]:
    """Return all thoughts that may be sent unprompted, also later, highest priority first."""
    return _TABLE.select(db, f"{_UNSAID} ORDER BY priority, id", {"now": stamp(now)})


def next_at(db: sqlite3.Connection, now: datetime) -> datetime | None:
    """Return when the next postponed thought may be said, or None."""
    query = "SELECT min(not_before) FROM mind_queue WHERE state IN ('pending', 'drafted') AND not_before>?"
    return moment(find_value(db, query, stamp(now)))


def mark(db: sqlite3.Connection) -> str:
    """Return a value that differs after every change of the waiting thoughts."""
    row = db.execute(
        "SELECT coalesce(max(id), 0), count(*), total(priority), total(attempts), coalesce(max(not_before), '') "
        "FROM mind_queue WHERE state IN ('pending', 'drafted')"
    ).fetchone()
    return "/".join(map(str, row))


def is_open(db: sqlite3.Connection, item_id: int) -> bool:
    """Whether a thought's source is still open."""
    return bool(_TABLE.select(db, f"id=? AND NOT {_CLOSED}", item_id))


def is_said_and_open(db: sqlite3.Connection, item_id: int) -> bool:
    """Whether a thought was said, is not queued again, and its source is still open."""
    return bool(_TABLE.select(db, f"id=? AND state='sent' AND NOT {_CLOSED}", item_id))


def keep_draft(db: sqlite3.Connection, item_id: int, draft: str) -> None:
    """Store the composed message of a waiting thought."""
    query = "UPDATE mind_queue SET state='drafted', draft=? WHERE id=? AND state IN ('pending', 'drafted')"
    db.execute(query, (clean(draft), item_id))


def put_off(db: sqlite3.Connection, item_id: int, until: datetime) -> int:
    """Postpone a thought that could not be composed; return its number of failures."""
    query = (
        "UPDATE mind_queue SET state='pending', draft=NULL, attempts=attempts+1, not_before=? "
        "WHERE id=? AND state IN ('pending', 'drafted') RETURNING attempts"
    )
    return int(find_value(db, query, stamp(until), item_id) or 0)


def wait(db: sqlite3.Connection, item_id: int, until: datetime) -> None:
    """Postpone a thought that nobody has looked for words for, if it would be said sooner."""
    query = "UPDATE mind_queue SET not_before=max(coalesce(not_before, ''), ?) WHERE id=? AND state='pending'"
    db.execute(query, (stamp(until), item_id))


def went_out(db: sqlite3.Connection, item_id: int, now: datetime) -> bool:
    """Claim a thought to be sent now; return False if another caller did."""
    query = "UPDATE mind_queue SET state='sent', draft=NULL, sent_at=? WHERE id=? AND state IN ('pending', 'drafted')"
    return change_rows(db, query, stamp(now), item_id) == 1


def let_go(db: sqlite3.Connection, item_id: int, state: str) -> bool:
    """Close a thought unsaid (`state` is "dropped" or "expired"); return True if it was waiting."""
    query = "UPDATE mind_queue SET state=?, draft=NULL WHERE id=? AND state IN ('pending', 'drafted')"
    return change_rows(db, query, state, item_id) == 1


def outlast(db: sqlite3.Connection, ids: Sequence[int], quiet: datetime) -> None:
    """Extend these beyond a quiet, with a full lifetime after it."""
    db.executemany(
        "UPDATE mind_queue SET expires_at=max(expires_at, :last) WHERE id=:id "
        "AND kind NOT IN ('anticipation', 'reminder') AND coalesce(source, '') NOT LIKE 'proposals:%'",
        [{"id": one, "last": stamp(quiet + timedelta(days=LIVES_DAYS))} for one in ids],
    )


def say_again(db: sqlite3.Connection, item_id: int, at: datetime) -> bool:
    """Queue a said thought again for a time; return True if it had been said.

    A proposal's expiry is not extended.
    """
    query = f"UPDATE mind_queue SET state='pending', draft=NULL, attempts=0, {_LATER} WHERE id=:id AND state='sent'"  # noqa: S608
    cursor = db.execute(query, _at(item_id, at))
    return cursor.rowcount == 1


def retry_later(db: sqlite3.Connection, item_id: int, at: datetime, draft: str, *, counts: bool) -> int:
    """Requeue an undelivered thought; return its number of tries without withdrawn ones."""
    query = (
        f"UPDATE mind_queue SET state='drafted', draft=:draft, attempts=attempts+:tried, {_LATER} "  # noqa: S608
        "WHERE id=:id AND state='sent' RETURNING attempts"
    )
    return int(find_value(db, query, {"draft": clean(draft), "tried": int(counts), **_at(item_id, at)}) or 0)


_LATER = (
    "not_before=:at, expires_at=CASE WHEN source LIKE 'proposals:%' THEN expires_at ELSE max(expires_at, :last) END"
)


def _at(item_id: int, at: datetime) -> dict[str, object]:
    return {"id": item_id, "at": stamp(at), "last": stamp(at + timedelta(days=LIVES_DAYS))}


def press(db: sqlite3.Connection, name: str, priority: int) -> None:
    """Set the priority of a waiting thought, by key or source."""
    changed = "UPDATE mind_queue SET priority=? WHERE state='pending' AND ? IN (dedupe_key, source)"
    db.execute(changed, (priority, name))


def set_salience(db: sqlite3.Connection, salience: Mapping[int, float]) -> None:
    """Set the salience (id to value in [0, 1]) of waiting thoughts."""
    db.executemany(
        "UPDATE mind_queue SET salience=:new WHERE id=:id AND state IN ('pending', 'drafted') AND salience!=:new",
        [{"id": number, "new": round(value, 3)} for number, value in salience.items()],
    )


def clear_salience(db: sqlite3.Connection) -> int:
    """Reset all saliences; return how many there were."""
    return change_rows(db, "UPDATE mind_queue SET salience=0 WHERE salience!=0")


def mark_seen(db: sqlite3.Connection, source: str) -> None:
    """Mark a decision's waiting thought as said, as the user has seen it."""
    db.execute(
        "UPDATE mind_queue SET state='sent', draft=NULL WHERE source=? AND kind='delegation' "
        "AND state IN ('pending', 'drafted')",
        (source,),
    )


def settle(db: sqlite3.Connection, dedupe_key: str) -> None:
    """Drop a waiting thought by key."""
    db.execute("UPDATE mind_queue SET state='dropped' WHERE dedupe_key=? AND state='pending'", (dedupe_key,))


def mark_answered(db: sqlite3.Connection, dedupe_key: str) -> None:
    """Drop an answered question by key, in any state."""
    db.execute("UPDATE mind_queue SET state='dropped' WHERE dedupe_key=?", (dedupe_key,))


def of_memories(db: sqlite3.Connection) -> list[tuple[int, str]]:
    """Return memories that wait for the owner's decision, with the questions, oldest first: neither
    answered nor dropped, and the memory is still valid."""
    rows = db.execute(
        "SELECT dedupe_key, summary FROM mind_queue WHERE dedupe_key>=? AND dedupe_key<? AND state!='dropped' "  # noqa: S608
        "AND EXISTS (SELECT 1 FROM memories WHERE id=CAST(substr(source, 10) AS INTEGER) AND immutable=0 "
        f"AND {_OPEN['memories']}) ORDER BY id",
        (PROMOTION, f"{PROMOTION}\U0010ffff"),
    )
    return [(int(row["dedupe_key"].removeprefix(PROMOTION)), row["summary"]) for row in rows]


def count_pending(db: sqlite3.Connection) -> int:
    """Return the number of waiting thoughts."""
    return int(find_value(db, "SELECT count(*) FROM mind_queue WHERE state='pending'"))


def count_of(db: sqlite3.Connection, source: str, since: datetime) -> int:
    """Return how many thoughts of one source were queued since a time, in any state."""
    return int(find_value(db, "SELECT count(*) FROM mind_queue WHERE source=? AND created_at>=?", source, stamp(since)))


def follow_ups(db: sqlite3.Connection, after: datetime, until: datetime) -> list[str]:
    """Return the follow-up questions that become due between two times, in any state."""
    query = "SELECT summary FROM mind_queue WHERE kind='follow_up' AND not_before>? AND not_before<=?"
    return find_values(db, query, stamp(after), stamp(until))


def count_by_kind(db: sqlite3.Connection) -> dict[str, int]:
    """Return the number of waiting thoughts by kind."""
    rows = db.execute("SELECT kind, count(*) AS many FROM mind_queue WHERE state='pending' GROUP BY kind ORDER BY kind")
    return {row["kind"]: int(row["many"]) for row in rows}


def sources(db: sqlite3.Connection) -> frozenset[str]:
    """Return the sources of all thoughts ever queued."""
    return frozenset(find_values(db, "SELECT DISTINCT source FROM mind_queue WHERE source!=''"))


def forget_needs(db: sqlite3.Connection, before: datetime) -> None:
    """Delete rows of needs expired before a time (keys do not recur)."""
    db.execute("DELETE FROM mind_queue WHERE kind='need' AND state!='pending' AND expires_at<?", (stamp(before),))


def expire(db: sqlite3.Connection, now: datetime) -> int:
    """Mark thoughts past their lifetime as expired; return their number."""
    query = "UPDATE mind_queue SET state='expired', draft=NULL WHERE state IN ('pending', 'drafted') AND expires_at<=?"
    return change_rows(db, query, stamp(now))


def expire_closed(db: sqlite3.Connection) -> int:
    """Expire thoughts whose source is closed; return their number. Called before one is sent."""
    return change_rows(db, f"UPDATE mind_queue SET state='expired' WHERE state='pending' AND {_CLOSED}")  # noqa: S608


def has_plugin_words(db: sqlite3.Connection, now: datetime) -> bool:
    """Whether a plugin's text is queued, was sent recently, or is among the open tasks: prompts,
    and thoughts derived from them, may contain it."""
    query = (
        "SELECT EXISTS (SELECT 1 FROM mind_queue WHERE kind='plugin' AND (state IN ('pending', 'drafted') "
        "OR (state='sent' AND coalesce(sent_at, created_at)>?))) "
        "OR EXISTS (SELECT 1 FROM tasks WHERE state='open' AND source_turn_key GLOB 'plugins:*')"
    )
    return bool(find_value(db, query, stamp(now - timedelta(days=LIVES_DAYS))))
