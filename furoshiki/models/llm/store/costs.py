"""The ledger of model calls: purpose, tokens and cost of each."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from furoshiki.core.database import kv
from furoshiki.core.database.rows import find_value, find_values, first, from_row, has_row, insert, to_row
from furoshiki.core.timestamps import stamp
from furoshiki.models.llm.rules.budget import REPLY
from furoshiki.models.llm.store import batches
from furoshiki.models.llm.values import CallRecord

_NAMED = "price named "  # prefix in `kv` before a model: when a server last reported its cost

# prefix in `kv` before a model: when it was last called at an estimated price
_GUESSED = "price guessed "


def add(db: sqlite3.Connection, call: CallRecord, now: datetime) -> None:
    row = to_row(
        call,
        *("usage", "price_named", "price_guessed"),
        at=now,
        tokens_in=call.usage.input,
        tokens_cached=call.usage.cached,
        tokens_cache_written=call.usage.cache_written,
        tokens_out=call.usage.output,
        latency_s=round(call.latency_s, 4),
        batch=call.batch is not None,
    )
    insert(db, "llm_calls", row)
    if call.batch is not None:  # in one transaction: a crash cannot make the batch paid twice
        batches.settle(db, call.batch, "done" if call.error is None else "failed", now)
    if call.price_named:
        kv.put(db, f"{_NAMED}{call.provider}:{call.model}", stamp(now), now)
    if call.price_guessed:
        kv.put(db, f"{_GUESSED}{call.provider}:{call.model}", stamp(now), now)


def list_priced(db: sqlite3.Connection) -> list[str]:
    """Return the models ("provider:model") for which a server has reported a cost."""
    return [key.removeprefix(_NAMED) for key in kv.keys(db, _NAMED)]


def list_unpriced(db: sqlite3.Connection, since: datetime) -> list[str]:
    """Return models ("provider:model") called since a time at an estimated price, by name."""
    found = [(key.removeprefix(_GUESSED), str(kv.get(db, key))) for key in kv.keys(db, _GUESSED)]
    return sorted(model for model, last in found if last >= stamp(since))


def calls_since(db: sqlite3.Connection, since: datetime) -> int:
    """Return the number of model calls since a time."""
    return int(find_value(db, "SELECT count(*) FROM llm_calls WHERE at>=?", stamp(since)))


def spent_since(db: sqlite3.Connection, since: datetime) -> float:
    """Return the US dollars spent on model calls since a time."""
    query = "SELECT coalesce(sum(cost_usd), 0) FROM llm_calls WHERE at>=?"
    return float(find_value(db, query, stamp(since)))


def spent_for(db: sqlite3.Connection, purposes: str, since: datetime) -> float:
    """Return the US dollars spent since a time on purposes with this prefix."""
    query = "SELECT coalesce(sum(cost_usd), 0) FROM llm_calls WHERE at>=? AND purpose>=? AND purpose<?"
    return float(find_value(db, query, stamp(since), purposes, f"{purposes}\U0010ffff"))


def is_entered(db: sqlite3.Connection, purpose: str, turn_key: str) -> bool:
    """Return whether the ledger has a call with this purpose and turn key."""
    query = "SELECT 1 FROM llm_calls WHERE purpose=? AND turn_key=? LIMIT 1"
    return has_row(db, query, purpose, turn_key)


def spent_on_session(db: sqlite3.Connection, session_id: str) -> float:
    """Return the US dollars spent on answering the messages of one session."""
    query = (
        "SELECT coalesce(sum(cost_usd), 0) FROM llm_calls WHERE at>=(SELECT min(at) FROM turns WHERE session_id=:id) "
        "AND turn_key IN (SELECT turn_key FROM turns WHERE session_id=:id)"
    )
    return float(find_value(db, query, {"id": session_id}))


def model_of(db: sqlite3.Connection, turn_key: str) -> str | None:
    """Return the model ("provider:model") that wrote a turn's answer, or None.
    Auxiliary calls (signals, danger, pictures, hearing) do not count."""
    rows = db.execute(
        "SELECT provider || ':' || model FROM llm_calls WHERE turn_key=? AND error IS NULL "
        "AND purpose NOT IN ('signals', 'danger', 'pictures', 'turn.hearing') ORDER BY id DESC LIMIT 1",
        (turn_key,),
    )
    return first(rows, lambda row: str(row[0]))


def breakdown(db: sqlite3.Connection, since: datetime, by: str) -> list[dict[str, Any]]:
    """Return calls, tokens, cached share and US dollars since a time, by "day", "purpose", "kind" of
    purpose ("turn" of "turn.hearing"), "tier" or "model", most expensive first. Summed days are
    only complete as whole days.

    `cache_missed_because` holds the providers' reasons for cache misses, None without any.
    """
    model = "provider || ':' || model"
    kind = "substr(purpose, 1, instr(replace(purpose, ':', '.') || '.', '.') - 1)"
    columns = {"day": "substr(at, 1, 10)", "purpose": "purpose", "kind": kind, "tier": "tier", "model": model}
    column = columns[by]
    rows = db.execute(
        f"SELECT {column} AS name, sum(calls) AS calls, sum(tokens_in) AS tokens_in, sum(tokens_cached) AS cached, "  # noqa: S608
        "sum(tokens_out) AS tokens_out, sum(cost_usd) AS usd, sum(calls * (error IS NOT NULL)) AS failed, "
        "sum(calls * batch) AS in_batches, group_concat(DISTINCT cache_miss) AS missed "
        "FROM llm_calls WHERE at>=? GROUP BY 1 ORDER BY usd DESC, calls DESC",
        (stamp(since),),
    ).fetchall()
    return [
        {
            by: row["name"],
            "calls": row["calls"],
            "failed": row["failed"],
            "in_batches": row["in_batches"],
            "tokens_in": row["tokens_in"],
            "tokens_out": row["tokens_out"],
            "cached_share": round(row["cached"] / row["tokens_in"], 3) if row["tokens_in"] else 0.0,
            "usd": round(row["usd"], 6),
            "cache_missed_because": row["missed"],
        }
        for row in rows
    ]


@dataclass(frozen=True)
class Call:
    """One call in the ledger; `model` is "provider:model"."""

    id: int
    at: datetime
    purpose: str
    tier: str
    model: str
    tokens_in: int
    tokens_out: int
    usd: float
    latency_s: float


def dearest(db: sqlite3.Connection, since: datetime, limit: int) -> list[Call]:
    """Return the most expensive calls since a time, without rows that sum up a day."""
    rows = db.execute(
        "SELECT id, at, purpose, tier, provider || ':' || model AS model, tokens_in, tokens_out, cost_usd, latency_s "
        "FROM llm_calls WHERE at>=? AND calls=1 AND cost_usd>0 ORDER BY cost_usd DESC, id DESC LIMIT ?",
        (stamp(since), limit),
    )
    return [from_row(Call, row, usd=row["cost_usd"]) for row in rows]


def of_answers(db: sqlite3.Connection, since: datetime) -> tuple[int, float, float]:
    """Return the count of messages answered by a model, their cost in USD, and the seconds."""
    row = db.execute(
        "SELECT count(DISTINCT turn_key), coalesce(sum(cost_usd), 0), coalesce(sum(latency_s), 0) FROM llm_calls "
        "WHERE at>=? AND turn_key IS NOT NULL AND (purpose=? OR purpose LIKE ?)",
        (stamp(since), REPLY, f"{REPLY}.%"),
    ).fetchone()
    return int(row[0]), float(row[1]), float(row[2])


# calls of a day that agree in these columns become one row
_ALIKE = "tier, provider, model, purpose, error IS NOT NULL, cache_miss, batch"

_SUMMED = """
INSERT INTO llm_calls (at, tier, provider, model, purpose, tokens_in, tokens_cached, tokens_cache_written, tokens_out,
  cost_usd, latency_s, error, cache_miss, calls, batch)
SELECT min(at), tier, provider, model, purpose, sum(tokens_in), sum(tokens_cached), sum(tokens_cache_written),
  sum(tokens_out), sum(cost_usd), sum(latency_s * calls) / sum(calls), min(error), cache_miss, sum(calls), batch
"""


def days_to_sum(db: sqlite3.Connection, before: datetime, limit: int) -> list[str]:
    """Return days (UTC, "2026-03-24") before a time with rows to sum up, oldest first."""
    query = (
        f"SELECT DISTINCT day FROM (SELECT substr(at, 1, 10) AS day FROM llm_calls WHERE at<? "  # noqa: S608
        f"GROUP BY day, {_ALIKE} HAVING count(*)>1) ORDER BY day LIMIT ?"
    )
    return find_values(db, query, stamp(before), limit)


def sum_day(db: sqlite3.Connection, day: str) -> int:
    """Sum up equal calls of a day in one row; returns by how many the rows decreased."""
    newest = find_value(db, "SELECT max(id) FROM llm_calls")
    held = (day, f"{day}~", newest)
    made = db.execute(f"{_SUMMED} FROM llm_calls WHERE at>=? AND at<? AND id<=? GROUP BY {_ALIKE}", held)
    gone = db.execute("DELETE FROM llm_calls WHERE at>=? AND at<? AND id<=?", held)
    return gone.rowcount - made.rowcount
