"""What is over by the time the doctor looks stands in its log all the same."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path

from furoshiki.core.database.connection import Database
from furoshiki.core.timestamps import stamp
from tests.doctor.conftest import NOON, MakeLook

from doctor_checks.errors import since  # isort: skip
from doctor_checks.main import write_log  # isort: skip


def _write(path: Path, rows: Iterable[tuple[datetime, str, str]]) -> None:
    path.write_text(
        "".join(json.dumps({"at": stamp(at), "level": level, "message": words}) + "\n" for at, level, words in rows)
    )


def test_what_happened_since_the_last_look_is_named_once_with_how_often(data: Path, make_look: MakeLook) -> None:
    first, second = NOON + timedelta(minutes=1), NOON + timedelta(minutes=2)
    look = make_look()
    assert list(since.check(look)) == []
    look.notebook.save(look.now)
    _write(
        data / "logs" / "listener.log",
        [
            (NOON - timedelta(hours=1), "warning", "long ago"),
            (first, "warning", "nobody knows whether message 12 arrived: 'her words'"),
            (second, "error", "nobody knows whether message 13 arrived: 'other words'"),
            (second, "info", "all is well"),
        ],
    )
    (data / "logs" / "brain.log").write_bytes(b'\xff\xfe no JSON "level"\n{"level": 7}\n["level"]\n')
    database = Database(data / "memory" / "longmemory.sqlite")
    with database.write() as db:
        db.execute(
            "INSERT INTO llm_calls(at, tier, provider, model, purpose, tokens_in, tokens_cached, tokens_cache_written, "
            "tokens_out, cost_usd, latency_s, error) VALUES (?, 'chat', 'a', 'b', 'turn', 0, 0, 0, 0, 0, 0, ?)",
            (stamp(first), "limited: 429 rate limited"),
        )
        db.execute(
            "INSERT INTO run_log(script, started_at, finished_at, exit_code, summary) "
            "VALUES ('soul_engine', ?, ?, -1, ?)",
            (stamp(first), stamp(second), "interrupted"),
        )
    database.close()
    later = make_look(NOON + timedelta(minutes=10))
    found = list(since.check(later))
    assert [one.words for one in found] == [
        "listener: nobody knows whether message <number> arrived: <text> (2 times)",
        "model: a call failed: limited: <number> rate limited",
        "job: soul_engine was ended: interrupted",
    ]
    write_log(later, found, None)
    logged = (data / "logs" / "doctor.log").read_text("utf-8").splitlines()
    assert [json.loads(line)["message"] for line in logged] == [f"note: {one.words}" for one in found]
    later.notebook.save(later.now)
    assert list(since.check(make_look(NOON + timedelta(minutes=20)))) == []


def test_a_clock_that_was_set_back_hides_nothing_new(data: Path, make_look: MakeLook) -> None:
    ahead = make_look(NOON + timedelta(days=1))
    list(since.check(ahead))
    ahead.notebook.save(ahead.now)
    _write(data / "logs" / "memoryd.log", [(NOON - timedelta(minutes=2), "warning", "the index was set aside")])
    assert [one.words for one in since.check(make_look())] == ["memoryd: the index was set aside"]
