"""What is asked about loops costs little, however much was said."""

from __future__ import annotations

import re

import pytest

from furoshiki.core.database.connection import Database
from furoshiki.faces.dashboard import loops
from furoshiki.faces.dashboard.loops import Loop
from furoshiki.faces.overview.store.loops import SPANS

LARGE = ("turns", "memories", "retrievals", "llm_calls", "routing_decisions", "turn_topics", "skill_runs", "run_log")
"""Tables that grow with every message."""


@pytest.mark.parametrize("loop", loops.load_loops().all, ids=lambda loop: loop.name)
def test_no_question_reads_all_of_a_large_table(loop: Loop, database: Database) -> None:
    asked = loop.asked
    given = dict.fromkeys(("now", *SPANS), "2026-01-01T00:00:00.000000+00:00")
    with database.read() as db:
        for question in filter(None, (asked.last, *asked.figures.values(), asked.values)):
            needed = {key: value for key, value in given.items() if f":{key}" in question}
            db.execute(question, needed).fetchall()
            plan = [str(row["detail"]) for row in db.execute(f"EXPLAIN QUERY PLAN {question}", needed)]
            limited = "LIMIT 500" in question
            scans = [one for one in plan if re.fullmatch(rf"SCAN ({'|'.join(LARGE)})", one) and not limited]
            assert not scans, (question, plan)
