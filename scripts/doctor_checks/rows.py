"""Misplaced rows: expired thoughts, old runs, stuck messages and replies.

No duplicates is the first rule. A message that was given up is retried once, unless its sender has
written since; a reply whose delivery is unknown is left to the program's sender, which can find
out.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from doctor_checks import database, files, processes, services, writes
from doctor_checks.findings import Finding, mended, note, well, wrong
from doctor_checks.look import Look

THOUGHTS = timedelta(days=7)
RUNS = timedelta(days=30)
# a message given up is retried after the first time, not after the second: it is stale then
DEAD = (timedelta(minutes=10), timedelta(hours=24))

LEAST_STUCK_MINUTES = 120.0
UNSENT = timedelta(hours=1)
FAR_AWAY = timedelta(days=1)  # no row waits this long: the clock was wrong when it was written

# kinds of inbox rows that need no answer
NO_MESSAGES = ("edit", "reaction", "callback", "blocked", "unblocked", "stop", "hello")

UNDELIVERABLE = "Forbidden"  # the prefix of Telegram's reason when the bot was blocked


@dataclass(frozen=True)
class Found:
    """Row ids or counts: what can be repaired, and what cannot."""

    thoughts: int
    runs: int
    dead: tuple[int, ...]
    dead_again: tuple[int, ...]
    stuck: tuple[int, ...]
    refused: tuple[int, ...]
    late: tuple[int, ...]
    uncertain: int
    unsent: int


def check(look: Look) -> Iterator[Finding]:
    """Find misplaced rows, and repair what is possible."""
    path = look.place.database
    if not path.exists():
        return
    with database.reading(path) as db, database.limited(db, min(1.0, look.left())):
        found = gathered(look, db)
    yield from _left(look, found)
    if not any((found.thoughts, found.runs, found.dead, found.stuck, found.refused, found.late)):
        yield well("rows", "nothing lies in the database that should have gone")
        return
    if not look.sound:
        yield note("rows", "rows that should have gone are left: the database is not known to be whole")
        return
    if not look.dry:
        with writes.transaction(path) as db:
            writes.expire_thoughts(db, look.now - THOUGHTS, look.now)
            writes.purge_runs(db, look.now - RUNS)
            writes.requeue_messages(db, found.dead, found.stuck, look.now)
            writes.requeue_replies(db, found.refused, found.late, look.now)
    yield from _done(look, found)


def gathered(look: Look, db: sqlite3.Connection) -> Found:
    """Collect the misplaced rows."""
    now = files.stamp(look.now)
    put_back = writes.requeued(db)
    young, old = (files.stamp(look.now - span) for span in DEAD)
    marks = ", ".join("?" * len(NO_MESSAGES))
    dead = db.execute(
        f"SELECT id, channel, payload FROM inbox WHERE state='dead' AND finished_at BETWEEN ? AND ? "  # noqa: S608
        f"AND kind NOT IN ({marks}) ORDER BY id",
        (old, young, *NO_MESSAGES),
    ).fetchall()
    awaited = [row["id"] for row in dead if not _wrote_again(db, row)]
    return Found(
        thoughts=_count(
            db,
            "SELECT count(*) FROM mind_queue WHERE state='pending' AND created_at<? AND expires_at<=?",
            files.stamp(look.now - THOUGHTS),
            now,
        ),
        runs=_count(
            db,
            "SELECT count(*) FROM run_log WHERE coalesce(finished_at, started_at)<?",
            files.stamp(look.now - RUNS),
        ),
        dead=tuple(row for row in awaited if row not in put_back["inbox"]),
        dead_again=tuple(row["id"] for row in dead if row["id"] in put_back["inbox"]),
        stuck=_stuck(look, db),
        refused=tuple(row for row in _refused(look, db) if row not in put_back["outbox"]),
        late=_ids(db, "SELECT id FROM outbox WHERE state='ready' AND not_before>?", files.stamp(look.now + FAR_AWAY)),
        uncertain=_waiting(look, db, "state='sending' AND claimed_at<:then"),
        unsent=_waiting(look, db, "state='ready' AND created_at<:then AND coalesce(not_before, '')<=:now"),
    )


def _stuck(look: Look, db: sqlite3.Connection) -> tuple[int, ...]:
    """Return messages in progress for longer than a turn may take, while a mind runs."""
    if processes.holder(look.place.run / "mind.lock") is None:
        return ()  # the next start puts them back
    try:
        turn = float(look.place.settings.get("FUROSHIKI_TURN_MINUTES", "15"))
    except ValueError:
        turn = 15.0
    then = look.now - timedelta(minutes=min(max(LEAST_STUCK_MINUTES, 3 * turn), 1_000_000))
    found = _ids(db, "SELECT id FROM inbox WHERE state='processing' AND claimed_at<?", files.stamp(then))
    put_back = writes.requeued(db)["inbox"]
    return tuple(row for row in found if row not in put_back)


def _refused(look: Look, db: sqlite3.Connection) -> tuple[int, ...]:
    """Return replies that failed because the bot was blocked, and no longer is."""
    return _ids(
        db,
        "SELECT o.id FROM outbox AS o JOIN accounts AS a ON a.channel=o.channel AND a.chat_id=o.chat_id "
        "WHERE o.state='failed' AND o.error LIKE ? AND o.policy!='unprompted' AND o.kind='text' AND o.sent_at>? "
        "AND a.blocked_at IS NULL ORDER BY o.id",
        f"{UNDELIVERABLE}%",
        files.stamp(look.now - DEAD[1]),
    )


def _waiting(look: Look, db: sqlite3.Connection, what: str) -> int:
    """Count replies overdue while the listener runs to send them."""
    if services.running(look, "listener") is None or not look.steady:
        return 0
    row = db.execute(
        f"SELECT count(*) FROM outbox WHERE channel!='console' AND {what}",  # noqa: S608
        {"then": files.stamp(look.now - UNSENT), "now": files.stamp(look.now)},
    ).fetchone()
    return int(row[0])


def _wrote_again(db: sqlite3.Connection, dead: sqlite3.Row) -> bool:
    """Return whether the sender has written in the same chat since."""
    chat = _chat(dead["payload"])
    rows = db.execute(
        "SELECT payload FROM inbox WHERE id>? AND channel=? ORDER BY id LIMIT 200", (dead["id"], dead["channel"])
    )
    return chat is None or any(_chat(row["payload"]) == chat for row in rows)


def _chat(payload: str) -> str | None:
    try:
        found = json.loads(payload)
        return str(found["chat_id"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _left(look: Look, found: Found) -> Iterator[Finding]:
    """Report what the doctor does not repair."""
    if found.dead_again:
        words = f"{_plural(len(found.dead_again), 'message')} could not be answered, also when tried once more"
        yield wrong("rows.dead", words, "`furoshiki logs listener` says what breaks", "once")
    if found.uncertain:
        words = f"of {_plural(found.uncertain, 'reply', 'replies')} nobody has known for an hour whether it arrived"
        yield wrong("rows.uncertain", words, "`furoshiki logs listener`; none is sent twice meanwhile")
    if found.unsent:
        words = f"{_plural(found.unsent, 'reply waits', 'replies wait')} to be sent for over an hour"
        yield wrong("rows.unsent", words, "`furoshiki status` says whether Telegram is reached")


def _done(look: Look, found: Found) -> Iterator[Finding]:
    put = look.did("put back", "put back")
    if found.thoughts:
        words = f"{look.did('let go of', 'let go of')} {_plural(found.thoughts, 'thought')} that waited for over a week"
        yield mended("rows.thoughts", words)
    if found.runs:
        words = f"{look.did('forgot', 'forget')} {_plural(found.runs, 'run')} of over 30 days ago"
        yield mended("rows.runs", words)
    if found.dead:
        yield mended("rows.inbox", f"{put} {_plural(len(found.dead), 'message')} that had been given up, once")
    if found.stuck:
        words = f"{put} {_plural(len(found.stuck), 'message')} that lay as being answered and was not"
        yield mended("rows.stuck", words, comes_back=True)
    if found.refused or found.late:
        number = len(found.refused) + len(found.late)
        yield mended("rows.outbox", f"{put} {_plural(number, 'reply', 'replies')} that can be sent now")


def _count(db: sqlite3.Connection, question: str, *values: str) -> int:
    return int(db.execute(question, values).fetchone()[0])


def _ids(db: sqlite3.Connection, question: str, *values: str) -> tuple[int, ...]:
    return tuple(int(row[0]) for row in db.execute(question, values))


def _plural(number: int, one: str, many: str | None = None) -> str:
    return f"{number} {one if number == 1 else many or f'{one}s'}"
