"""`/metrics`: right types and figures, new rows alone, and no words of anybody."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from furoshiki.app.scheduler.store import runs
from furoshiki.messages.store import inbox, turns
from furoshiki.models.llm.store import costs
from furoshiki.models.llm.values import CallRecord, Usage
from tests.support.dashboard import House
from tests.support.rows import arrived, companion_said, user_said

parser = pytest.importorskip("prometheus_client.parser", reason="prometheus-client, of the test extra, reads it back")

CALL = CallRecord("chat", "anthropic", "claude", "turn", Usage(input=1000, cached=250, output=100), 0.02, 2.0)
SECRET = "my grandmother's silver"


def figures(house: House) -> dict[tuple[str, frozenset[str]], float]:
    answer = house.client.get("/metrics")
    assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert SECRET not in answer.text
    families = list(parser.text_string_to_metric_families(answer.text))
    assert len({family.name for family in families}) == len(families)
    assert all(family.type != "unknown" and family.documentation for family in families)
    return {(s.name, frozenset(s.labels.values())): s.value for family in families for s in family.samples}


def test_counters_count_what_is_new_and_gauges_tell_what_is(house: House) -> None:
    world = house.world
    with world.database.write() as db:
        costs.add(db, CALL, world.now)
        number = runs.begin(db, "backup", world.now - timedelta(seconds=8))
        runs.finish(db, number, world.now, 1, cpu_s=1.5, peak_mb=50.0, summary=SECRET)
    before = figures(house)
    assert before["furoshiki_turns_total", frozenset({"user"})] == 0
    assert before["furoshiki_cost_today_usd", frozenset()] == 0.02
    assert before["furoshiki_job_last_seconds", frozenset({"backup"})] == 8
    assert before["furoshiki_job_last_success", frozenset({"backup"})] == 0
    assert before["furoshiki_up", frozenset({"brain"})] == 0
    with world.database.write() as db:
        turns.add(db, user_said(SECRET))
        turns.add(db, companion_said("Shiny."))
        first, _ = inbox.store(db, [arrived("1"), arrived("2")], world.now)
        inbox.claim_id(db, first, world.now)
        inbox.finish(db, [first], world.now + timedelta(seconds=3))
        costs.add(db, CALL, world.now)
        costs.add(db, replace(CALL, error="overloaded", cost_usd=0.0), world.now)
        costs.add(db, CALL, world.now - timedelta(days=200))  # as a summed-up day is written again
    for _ in range(2):
        now = figures(house)
        assert now["furoshiki_turns_total", frozenset({"user"})] == 1
        assert now["furoshiki_messages_total", frozenset({"done"})] == 1
        assert now["furoshiki_message_seconds_sum", frozenset()] == 3
        assert now["furoshiki_queue_length", frozenset({"inbox"})] == 1
        assert now["furoshiki_model_calls_total", frozenset({"chat", "anthropic:claude", "ok"})] == 1
        assert now["furoshiki_model_cost_usd_total", frozenset({"chat", "anthropic:claude", "ok"})] == 0.02
        assert now["furoshiki_model_calls_total", frozenset({"chat", "anthropic:claude", "failed"})] == 1


def test_nobody_reads_them_without_signing_in(house: House) -> None:
    house.client.cookies.clear()
    assert house.client.get("/metrics").status_code == 401
