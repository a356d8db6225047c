"""Nobody waits: a question is handed in, answered at half the price, and never paid twice, wherever a run dies."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from pydantic import BaseModel

from furoshiki.core.database.connection import Database
from furoshiki.models.llm import batching
from furoshiki.models.llm.batching import Batches
from furoshiki.models.llm.factory import open_minds
from furoshiki.models.llm.gateway import Around, Gateway
from furoshiki.models.llm.rules.budget import BudgetLimits
from furoshiki.models.llm.store import costs
from furoshiki.models.llm.values import Answer, CallRecord, Question
from tests.emulators.llm import LLMEmulator, Structured
from tests.models.llm.conftest import NOW, question

MODELS = {"anthropic": "anthropic:claude-sonnet-5-5", "openai": "openai:gpt-6-luna"}


class Weather(BaseModel):
    """What a typed question asks for."""

    sky: str


class Died(BaseException):
    """The process was killed here."""


@dataclass
class Night:
    """One data directory and its provider, and runs that come and go."""

    database: Database
    llm: LLMEmulator
    values: dict[str, str | None]
    now: datetime = NOW
    ticks: float = 0.0
    slept: list[float] = field(default_factory=list)
    spent: float = 0.0
    limits: BudgetLimits = BudgetLimits()
    kits: Gateway | None = None

    def run(self, *, on: bool = True) -> Gateway:
        """The gateway of a new process."""

        def ledger(call: CallRecord) -> None:
            with self.database.write() as db:
                costs.add(db, call, self.now)

        gateway = open_minds(
            self.values,
            Around(
                reflex=lambda _question, *, why: None,
                ledger=ledger,
                spent_today=lambda: self.spent,
                clock=lambda: self.now,
                rng=random.Random(7),
                batches=Batches(self.database, lambda: self.now) if on else None,
            ),
            data=Path("/nonexistent"),
            limits=self.limits,
        )
        gateway._sleep = self.sleep
        gateway._ticks = lambda: self.ticks
        self.kits = self.kits or gateway
        gateway._providers = self.kits._providers  # their connections take a tenth of a second to make
        return gateway

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.ticks += seconds

    async def ask(self, asked: Question, *, on: bool = True) -> Answer:
        return await self.run(on=on).ask(asked)

    @property
    def ledger(self) -> list[tuple[int, float, str | None]]:
        with self.database.read() as db:
            rows = db.execute("SELECT batch, cost_usd, error FROM llm_calls ORDER BY id").fetchall()
        return [(row["batch"], row["cost_usd"], row["error"]) for row in rows]

    @property
    def states(self) -> list[str]:
        with self.database.read() as db:
            return [row["state"] for row in db.execute("SELECT state FROM llm_batches ORDER BY rowid")]

    @property
    def answered(self) -> list[bool]:
        """The requests that the model answered: whether each came in a batch."""
        return ["batch" in request.extra for request in self.llm.requests]


@pytest.fixture
def llm() -> Iterator[LLMEmulator]:
    with LLMEmulator(clock=NOW.timestamp) as emulator:
        yield emulator


@pytest_asyncio.fixture(params=["anthropic", "openai"])
async def night(request: pytest.FixtureRequest, llm: LLMEmulator, database: Database) -> AsyncIterator[Night]:
    given: dict[str, str | None] = {"FUROSHIKI_MODEL_CHAT": MODELS[request.param]}
    if request.param == "anthropic":
        given |= {"ANTHROPIC_BASE_URL": llm.anthropic_url, "ANTHROPIC_API_KEY": "test"}
    else:
        given |= {"OPENAI_BASE_URL": llm.openai_url, "OPENAI_API_KEY": "test"}
    found = Night(database, llm, given)
    yield found
    if found.kits is not None:
        await found.kits.aclose()


def overnight(text: str = "What was the day like?", **more: Any) -> Question:
    return question(text, **{"purpose": "question_processing", "batch_s": 600.0, **more})


async def test_an_address_without_a_version_takes_batches_too(night: Night) -> None:
    night.values = {name: (value or "").removesuffix("/v1") for name, value in night.values.items()}
    assert (await night.ask(overnight())).text == "re: What was the day like?"
    assert night.answered == [True]


async def test_an_answer_in_a_batch_costs_half_and_the_ledger_says_so(night: Night) -> None:
    night.llm.batches.looks = 3
    answer = await night.ask(overnight())
    assert (answer.text, answer.finish) == ("re: What was the day like?", "stop")
    assert night.answered == [True] and night.states == ["done"]
    assert night.slept == sorted(night.slept) and len(night.slept) == 3
    at_once = await night.ask(overnight(), on=False)
    (batch, half, _), (alone, whole, _) = night.ledger
    assert (batch, alone) == (1, 0) and half == pytest.approx(whole / 2) and half > 0
    assert answer.cost_usd == half and at_once.cost_usd == whole
    assert answer.usage == at_once.usage
    with night.database.read() as db:
        assert costs.breakdown(db, NOW - timedelta(days=1), "model")[0]["in_batches"] == 1


async def test_a_waiting_caller_is_answered_at_once(night: Night) -> None:
    await night.ask(overnight(batch_s=0.0))
    assert night.answered == [False] and not night.llm.batches.all


async def test_what_is_not_done_in_time_is_cancelled_and_asked_as_ever(night: Night) -> None:
    night.llm.batches.looks = 1000
    answer = await night.ask(overnight())
    assert answer.text == "re: What was the day like?"
    (batch,) = night.llm.batches.all.values()
    assert batch.state == "cancelled" and night.answered == [False]
    assert night.states == ["given_up"] and [one[0] for one in night.ledger] == [0]
    assert 600.0 - batching.LONGEST_PAUSE_S <= night.ticks <= 600.0 + batching.FIRST_LOOK_S


async def test_questions_handed_in_together_are_one_batch(night: Night) -> None:
    asked = [overnight(text) for text in ("One?", "Two?", "Three?")]
    gateway = night.run()
    await gateway.hand_in(asked)
    await gateway.hand_in(asked)
    assert [len(one.requests) for one in night.llm.batches.all.values()] == [3] and not night.answered
    assert [(await night.ask(one)).text for one in asked] == ["re: One?", "re: Two?", "re: Three?"]
    assert len(night.llm.batches.all) == 1 and night.answered == [True] * 3 and night.states == ["done"] * 3


@pytest.mark.parametrize("dies_at", ["batches.begun", "batches.handed_in", "batches.arrived"])
async def test_a_run_that_died_finds_its_batch_again(
    night: Night, dies_at: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(name: str) -> None:
        if name == dies_at:
            raise Died

    asked = [overnight("One?"), overnight("Two?")]
    with monkeypatch.context() as patched:
        patched.setattr(batching, "point", dies)
        with pytest.raises(Died):
            await night.run().hand_in(asked)
    night.now += timedelta(minutes=3)
    await night.run().hand_in(asked)
    assert [(await night.ask(one)).text for one in asked] == ["re: One?", "re: Two?"]
    handed_in = sorted(len(one.requests) for one in night.llm.batches.all.values())
    assert handed_in == ([1, 1] if dies_at == "batches.begun" else [2]), "what never arrived is handed in when asked"
    assert night.answered == [True, True]
    assert [one[0] for one in night.ledger] == [1, 1] and night.states == ["done", "done"]


async def test_a_run_that_is_cut_off_while_it_waits_goes_on_where_it_was(night: Night) -> None:
    night.llm.batches.looks = 1
    gateway = night.run()
    waiting = asyncio.Event()

    async def forever(_seconds: float) -> None:
        waiting.set()
        await asyncio.Event().wait()

    gateway._sleep = forever
    asking = asyncio.create_task(gateway.ask(overnight()))
    await waiting.wait()
    asking.cancel()
    await asyncio.wait({asking})
    assert night.ledger == [] and night.states == ["submitted"]
    await night.ask(overnight())
    assert len(night.llm.batches.all) == 1 and night.answered == [True] and len(night.ledger) == 1


async def test_an_answer_that_was_paid_is_fetched_again_for_nothing_for_half_a_day(night: Night) -> None:
    first = await night.ask(overnight())
    again = await night.ask(overnight())
    assert (again.text, again.cost_usd) == (first.text, 0.0)
    assert len(night.llm.batches.all) == 1 and len(night.ledger) == 1
    night.now += batching.REUSED_FOR
    await night.ask(overnight())
    assert len(night.llm.batches.all) == 2 and len(night.ledger) == 2


async def test_a_server_without_batches_is_asked_as_ever(night: Night) -> None:
    night.llm.batches.away = True
    assert (await night.ask(overnight())).text == "re: What was the day like?"
    assert night.answered == [False] and night.states == ["failed"]


async def test_an_answer_that_does_not_fit_is_put_right_at_once(night: Night) -> None:
    night.llm.script = ["The sky? Blue.", Structured({"sky": "blue"})]
    answer = await night.ask(overnight(answer=Weather))
    assert answer.parsed == Weather(sky="blue") and night.answered == [True, False]
    assert [one[0] for one in night.ledger] == [1, 0]


async def test_past_the_hard_limit_nothing_is_handed_in(night: Night) -> None:
    night.spent, night.limits = 2.0, BudgetLimits(0.5, 1.0)
    gateway = night.run()
    await gateway.hand_in([overnight(), overnight("And then?")])
    assert not night.llm.batches.all and night.states == []


async def test_where_it_was_refused_in_the_batch_it_is_asked_at_once(
    night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    gateway = night.run()
    await gateway.hand_in([overnight()])
    (batch,) = night.llm.batches.all.values()
    night.llm.batches._cancel(batch)
    assert (await night.ask(overnight())).text == "re: What was the day like?"
    assert night.states == ["failed"] and night.answered == [False] and [one[0] for one in night.ledger] == [0]
