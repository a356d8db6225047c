"""Series over time are what is on record."""

from __future__ import annotations

from datetime import timedelta

import pytest

from furoshiki.faces.overview.over_time import KINDS
from furoshiki.feelings.store import history
from furoshiki.messages.values import COMPANION
from furoshiki.models.llm.store import costs
from furoshiki.models.llm.values import CallRecord, Usage
from tests.support.commands import said
from tests.support.dashboard import House


def lines(house: House, name: str, span: str) -> dict[str, list[float | None]]:
    answer = house.client.get(f"/api/v1/series/{name}?span={span}")
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert all(len(line["values"]) == len(found["times"]) for line in found["lines"])
    return {line["name"]: line["values"] for line in found["lines"]}


def call(usd: float, seconds: float) -> CallRecord:
    return CallRecord("chat", "anthropic", "a-model", "turn", Usage(10, 0, 0, 5), usd, seconds)


def test_every_series_is_there_over_every_span_with_nothing_on_record(house: House) -> None:
    assert [one["name"] for one in house.client.get("/api/v1/series").json()["items"]] == list(KINDS)
    for name in KINDS:
        for span in ("24h", "7d", "30d", "1y"):
            assert not any(any(values) for values in lines(house, name, span).values()), (name, span)
    assert house.client.get("/api/v1/series/joy").status_code == 422
    assert house.client.get("/time?span=century").status_code == 404


def test_they_hold_what_was_felt_said_and_paid(house: House) -> None:
    world, hour = house.world, timedelta(hours=1)
    beat = world.state.heartbeat()
    with world.database.write() as db:
        felt = {**beat.emotions.as_mapping(), "joy": 0.31}
        history.record(db, world.now - hour, felt, beat.needs, "content", "tick")
        history.record_user_need(db, world.now - 30 * hour, "focus", 0.7, 0.5, (1,), "said")
        costs.add(db, call(0.25, 2.0), world.now - hour)
        costs.add(db, call(0.5, 4.0), world.now - hour)
    said(world, "How are you?", key="inbox:1", at=world.now - hour)
    said(world, "Well.", COMPANION, key="inbox:1", at=world.now - hour + timedelta(seconds=3))
    assert 0.31 in lines(house, "emotions", "24h")["joy"]
    assert set(lines(house, "user-needs", "24h")["focus"]) == {0.7}, "it holds until it changes"
    assert sum(value or 0 for value in lines(house, "cost", "7d")["usd"]) == 0.75
    spoken = lines(house, "messages", "30d")
    assert sum(value or 0 for value in spoken["user"]) == sum(value or 0 for value in spoken["companion"]) == 1
    soon = lines(house, "latency", "24h")
    assert [value for value in soon["answer_p50"] if value is not None] == [3.0]
    assert [value for value in soon["call_p95"] if value is not None] == [4.0]
    assert "$0.75" in house.page("/time/cost?span=7d") and "0.31" in house.page("/parts/time/emotions?span=7d")
    assert house.page("/time")
    svg = house.client.get("/time/cost.svg?span=7d")
    assert svg.headers["content-type"].startswith("image/svg") and "What models cost: 7 days" in svg.text


@pytest.mark.parametrize("name", KINDS)
def test_what_has_not_changed_is_not_sent_twice(house: House, name: str) -> None:
    first = house.client.get(f"/api/v1/series/{name}")
    again = house.client.get(f"/api/v1/series/{name}", headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304
