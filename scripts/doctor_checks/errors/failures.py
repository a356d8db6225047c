"""Errors that come back: three of one signature within a day make one repair job, which stands in `/status`.

By the same rule as `furoshiki/extensions/repair`, which looks every hour where the program runs; whoever comes first
makes the job.
"""

from __future__ import annotations

import gzip
import json
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from doctor_checks import database, files, writes
from doctor_checks.findings import Finding, mended, note, well
from doctor_checks.look import Look
from doctor_checks.road import loaded

signatures = loaded("extensions/repair/rules/signatures.py")
"""The program's own rule of what makes two errors the same one; None where the file is gone or spoiled."""

WINDOW = timedelta(hours=24)
TIMES = 3
LONGEST_EVIDENCE = 8_000
"""Characters of an error's text that are kept, its end."""

LONGEST_RECORD = 200
"""Lines of one traceback that are read."""

MOST_BYTES = 10_000_000
"""What is read of one log, its end."""

LONGEST_WORDS = 160
NO_DEFECTS = frozenset({-1, -2, -15, 130, 143})
"""Exit codes of runs that were stopped, or whose end nobody saw."""

NO_RECORDS = frozenset({"stalled", "doctor"})
_BAD = frozenset({"error", "critical"})
_PLAIN = re.compile(r"^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d),(\d{3}) ([A-Z]+) ([\w.]+): (.*)$")
_TRACEBACK = "Traceback (most recent call last)"


@dataclass(frozen=True)
class Failure:
    """One error of a script. `began` is when its run did, None in a log."""

    script: str
    at: datetime
    raised: Any
    text: str
    began: datetime | None = None


def check(look: Look) -> Iterator[Finding]:
    """Look through runs and logs, and make jobs."""
    path = look.place.database
    if not path.exists():
        return
    if signatures is None:
        yield note("failures", "the program's files are spoiled: which errors come back cannot be told")
        return
    with database.reading(path) as db, database.limited(db, min(1.0, look.left())):
        if not database.has_table(db, "repair_jobs"):
            return
        runs, settled, known = list(_runs(db, look.now)), _settled(db), _known(db)
    jobs = recurring([*runs, *_logged(look.place.logs, look.now)], settled, look.now)
    fresh = [job for job in jobs if str(job["last_at"]) > known.get(str(job["signature"]), "")]
    new = [job for job in fresh if job["signature"] not in known]
    if fresh and look.sound and not look.dry:
        with writes.transaction(path) as db:
            for job in fresh:
                writes.queue_repair(db, job, _words(job), look.now)
    if not new:
        yield well("failures", "no error comes back that is not known" if jobs else "no error comes back")
    elif not look.sound:
        yield note("failures", f"{len(new)} errors come back; the database is not known to be whole")
    for job in new if look.sound else ():
        words = f"{_words(job)}: {look.did('made a repair job', 'make a repair job')}"
        yield mended(f"failures.{job['signature']}", words)


def recurring(failures: Sequence[Failure], settled: Mapping[str, datetime], now: datetime) -> list[dict[str, Any]]:
    """The errors that came often enough, as rows of repair_jobs, the newest last.

    `settled` says for a signature until when it was looked into. A run that failed and logged why is one failure.
    """
    found = [one for one in failures if now - WINDOW <= one.at <= now]
    logged = [one for one in found if one.began is None]
    groups: dict[str, list[Failure]] = {}
    for one in found:
        mark = signatures.signature(one.script, one.raised.kind, one.raised.message)
        if not _told_in(logged, one) and not (mark in settled and one.at <= settled[mark]):
            groups.setdefault(mark, []).append(one)
    rows = [_row(mark, sorted(all_, key=lambda one: one.at)) for mark, all_ in groups.items() if len(all_) >= TIMES]
    return sorted(rows, key=lambda row: str(row["last_at"]))


def errors(lines: Sequence[str]) -> Iterator[tuple[datetime, Any, str]]:
    """The errors with a traceback among a log's lines, JSON or the plain ones of earlier releases (in local time)."""
    record: list[str] = []
    for line in lines:
        if line.startswith("{") or _PLAIN.match(line):
            yield from _plain(record)
            record = []
            if line.startswith("{"):
                yield from _json(line)
                continue
        if len(record) < LONGEST_RECORD:
            record.append(line)
    yield from _plain(record)


def _runs(db: sqlite3.Connection, now: datetime) -> Iterator[Failure]:
    rows = db.execute(
        "SELECT script, started_at, finished_at, exit_code, summary, output FROM run_log "
        "WHERE started_at>=? AND finished_at IS NOT NULL AND coalesce(exit_code, 0)!=0 ORDER BY id DESC LIMIT 1000",
        (files.stamp(now - WINDOW),),
    )
    for row in rows:
        summary, output = row["summary"] or "", row["output"] or ""
        began, at = files.moment(row["started_at"]), files.moment(row["finished_at"])
        if row["exit_code"] not in NO_DEFECTS and began is not None and at is not None:
            raised = signatures.of_traceback(output) or signatures.of_summary(row["exit_code"], summary)
            text = "\n".join(part for part in (f"exit {row['exit_code']}: {summary}", output.strip()) if part)
            yield Failure(row["script"], at, raised, text, began)


def _logged(folder: Path, now: datetime) -> Iterator[Failure]:
    since = (now - WINDOW).timestamp()
    for path in sorted((*folder.glob("*.log"), *folder.glob("*.log.[1-9]"), *folder.glob("*.log.[1-9].gz"))):
        name = path.name.partition(".log")[0]
        try:
            if name in NO_RECORDS or path.stat().st_mtime < since:
                continue
        except OSError:
            continue
        for at, raised, text in errors(_lines(path)):
            yield Failure(name, at, raised, text)


def _lines(path: Path) -> list[str]:
    try:
        if path.suffix == ".gz":
            with gzip.open(path, "rb") as packed:
                content = packed.read(MOST_BYTES)
        else:
            with path.open("rb") as file:
                file.seek(max(0, path.stat().st_size - MOST_BYTES))
                content = file.read(MOST_BYTES)
    except (OSError, EOFError):
        return []
    if _TRACEBACK.encode() not in content:
        return []
    return content.decode("utf-8", "replace").split("\n")


def _json(line: str) -> Iterator[tuple[datetime, Any, str]]:
    if _TRACEBACK not in line:
        return
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return
    if not isinstance(found, dict) or str(found.get("level", "")).lower() not in _BAD:
        return
    text = "\n".join(str(found[name]) for name in ("message", "traceback") if found.get(name))
    raised, at = signatures.of_traceback(text), files.moment(found.get("at"))
    if raised is not None and at is not None:
        yield at, raised, text


def _plain(record: list[str]) -> Iterator[tuple[datetime, Any, str]]:
    head = _PLAIN.match(record[0]) if record else None
    if head is None or head[3].lower() not in _BAD:
        return
    text = "\n".join([head[5], *record[1:]])
    raised = signatures.of_traceback(text)
    if raised is not None:
        try:
            at = datetime.fromisoformat(f"{head[1]}.{head[2]}").astimezone()
        except (ValueError, OverflowError):
            return
        yield at, raised, text


def _told_in(logged: Sequence[Failure], run: Failure) -> bool:
    began = run.began
    return began is not None and any(one.script == run.script and began <= one.at <= run.at for one in logged)


def _row(mark: str, all_: Sequence[Failure]) -> dict[str, Any]:
    newest = all_[-1]
    return {
        "signature": mark,
        "source": newest.script,
        "kind": newest.raised.kind,
        "message": _clean(newest.raised.message[: signatures.LONGEST_MESSAGE]),
        "evidence": _clean(newest.text[-LONGEST_EVIDENCE:]),
        "times": len(all_),
        "first_at": files.stamp(all_[0].at),
        "last_at": files.stamp(newest.at),
    }


def _settled(db: sqlite3.Connection) -> dict[str, datetime]:
    """Until when a signature was looked into, by the last job about it that was decided."""
    rows = db.execute(
        "SELECT signature, max(changed_at) AS at FROM repair_jobs WHERE state NOT IN ('queued', 'proposed') "
        "GROUP BY signature"
    )
    return {row["signature"]: at for row in rows if (at := files.moment(row["at"])) is not None}


def _known(db: sqlite3.Connection) -> dict[str, str]:
    """When the error of each open job was last met."""
    rows = db.execute("SELECT signature, last_at FROM repair_jobs WHERE state IN ('queued', 'proposed')")
    return {row["signature"]: row["last_at"] for row in rows}


def _words(job: Mapping[str, Any]) -> str:
    """What happened, in a line without what the error was about: that may be anybody's words."""
    what = signatures.mask_message(str(job["message"]))[:LONGEST_WORDS]
    return f"{job['source']} broke {job['times']} times within a day ({job['kind']}{f': {what}' if what else ''})"


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "")
