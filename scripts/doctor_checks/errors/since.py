"""Errors since the last check that are over, so that the doctor's log has every fault.

Deaths of listener, brain and memoryd, killed jobs, failed calls of models and Telegram. Nothing is
repaired and nobody is alerted: the program has handled them. Private words are masked.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from doctor_checks import database, files
from doctor_checks.findings import Finding, note
from doctor_checks.look import Look
from doctor_checks.road import loaded

# the program's own rule for equal errors; None if its file is missing or broken
signatures = loaded("extensions/repair/rules/signatures.py")

LOGS = ("listener", "brain", "memoryd")
LONGEST = timedelta(hours=24)  # older entries are not read again
MOST_BYTES = 1_000_000  # bytes read from the end of one log
MOST_LINES = 12  # different errors of one kind that are listed, the most frequent first

LONGEST_WORDS = 200
_NOTABLE = frozenset({"warning", "error", "critical"})


def check(look: Look) -> Iterator[Finding]:
    """Report every error in one line, with its number."""
    kept = look.notebook.part("since")
    last, kept["at"] = files.moment(kept.get("at")), files.stamp(look.now)
    since = max(last, look.now - LONGEST) if last is not None and last <= look.now else look.now - timedelta(minutes=10)
    for name in LOGS:
        yield from _lines(f"since.{name}", name, _warned(look.place.logs / f"{name}.log", since))
    path = look.place.database
    if path.exists():
        with database.reading(path) as db, database.limited(db, min(1.0, look.left())):
            if database.has_table(db, "llm_calls"):
                yield from _lines("since.model", "model", _failed_calls(db, since))
                yield from _lines("since.jobs", "job", _ended_runs(db, since))


def _lines(key: str, what: str, found: Counter[str]) -> Iterator[Finding]:
    for words, times in found.most_common(MOST_LINES):
        yield note(key, f"{what}: {words}" + (f" ({times} times)" if times > 1 else ""))


def _warned(path: Path, since: datetime) -> Counter[str]:
    """Return the masked warnings of a log."""
    found: Counter[str] = Counter()
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - MOST_BYTES))
            lines = file.read(MOST_BYTES).decode("utf-8", "replace").split("\n")
    except OSError:
        return found
    for line in lines:
        if '"level"' not in line:
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if not isinstance(row, dict) or str(row.get("level", "")).lower() not in _NOTABLE:
            continue
        at = files.moment(row.get("at"))
        if at is not None and at > since:
            found[_words(str(row.get("message", "")))] += 1
    return found


def _failed_calls(db: sqlite3.Connection, since: datetime) -> Counter[str]:
    rows = db.execute("SELECT error FROM llm_calls WHERE at>? AND error IS NOT NULL", (files.stamp(since),))
    return Counter(f"a call failed: {_words(row['error'])}" for row in rows)


def _ended_runs(db: sqlite3.Connection, since: datetime) -> Counter[str]:
    rows = db.execute(
        "SELECT script, exit_code, summary FROM run_log WHERE coalesce(finished_at, started_at)>? AND exit_code<0",
        (files.stamp(since),),
    )
    return Counter(f"{row['script']} was ended: {_words(row['summary'] or '')}" for row in rows)


def _words(message: str) -> str:
    return (message if signatures is None else signatures.mask_message(message))[:LONGEST_WORDS]
