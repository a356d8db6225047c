"""Costs: what is shown is what the ledger holds, and what the budget means today."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from furoshiki.conversation.commands import cost
from furoshiki.core.catalogue import speaking
from furoshiki.language import humanize
from furoshiki.models.llm.store import costs
from furoshiki.models.llm.values import CallRecord, Usage
from tests.support.dashboard import House

HOSTILE = "<script>alert(1)</script>"
CALL = CallRecord(
    tier="chat",
    provider="anthropic",
    model="claude",
    purpose="turn",
    usage=Usage(input=1000, cached=250, output=100),
    cost_usd=0.02,
    latency_s=2.0,
    turn_key="inbox:1",
)


@pytest.fixture
def spent(house: House) -> House:
    world = house.world
    with world.database.write() as db:
        for day in range(3):
            costs.add(db, replace(CALL, turn_key=f"inbox:{day}"), world.now - timedelta(days=day))
        costs.add(db, replace(CALL, purpose="turn.skill", turn_key="inbox:0", cost_usd=0.01), world.now)
        costs.add(db, replace(CALL, purpose="journal", model=HOSTILE, cost_usd=0.5, turn_key=None), world.now)
    return house


def test_what_is_shown_is_what_the_ledger_holds(spent: House) -> None:
    page = spent.page("/costs")
    found = cost.gather(spent.world, "purpose", 30)
    assert f">{humanize.dollars(found['today_usd'])}</p>" in page and HOSTILE not in page


def test_each_table_has_its_groups_the_dearest_first_and_days_the_newest(spent: House) -> None:
    page = spent.page("/costs")
    purposes = page.partition('id="by-kind"')[2].partition("</table>")[0]
    assert purposes.index(">journal<") < purposes.index(">Answering you<") and "turn" not in purposes
    assert 'class="well" width="87.7"' in purposes, "0.5 of 0.57 dollars"
    assert ">25%<" in purposes.replace(" %", "%"), "of what it read, from a cache"
    assert ">chat<" in page.partition('id="by-tier"')[2].partition("</table>")[0]
    days = page.partition('id="by-day"')[2].partition("</table>")[0]
    today, before = (f"{spent.world.now - timedelta(days=back):%Y-%m-%d}" for back in (0, 1))
    assert days.index(today) < days.index(before)


def test_what_calls_were_for_is_said_in_the_language_of_the_page(spent: House) -> None:
    with speaking("tr"):
        assert cost.name_purpose("inner_monologue") == "Günlüğü ve kendi düşünceleri"
        assert cost.name_purpose("something_new") == "something new"


@pytest.mark.parametrize(
    ("soft", "hard", "says"),
    [
        (0.0, 0.0, "No budget is set"),
        (2.0, 5.0, "Within today&#39;s budget"),
        (0.1, 5.0, "runs on the cheapest model"),
        (0.1, 0.2, "your messages are answered"),
    ],
)
def test_what_the_budget_means_is_said_in_words(spent: House, soft: float, hard: float, says: str) -> None:
    given = {"furoshiki_soft_budget_usd": soft, "furoshiki_hard_budget_usd": hard}
    spent.world.settings.__dict__.update(given)
    card = spent.page("/costs").partition('id="today"')[2].partition("</section>")[0]
    assert says in card


def test_days_are_drawn(spent: House) -> None:
    answer = spent.client.get("/costs/days.svg?days=7&narrow=true")
    assert answer.headers["content-type"].startswith("image/svg+xml") and "<script" not in answer.text
    assert "No model was used" not in spent.page("/costs?days=7")


def test_before_the_first_call_it_says_so(house: House) -> None:
    assert "No model was used in this period" in house.page("/costs")
