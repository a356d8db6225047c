"""Minds over scripted servers, with a ledger one can read and a clock that does not run."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest_asyncio

from furoshiki.models.llm.factory import open_minds
from furoshiki.models.llm.gateway import Around, Gateway
from furoshiki.models.llm.rules.budget import BudgetLimits
from furoshiki.models.llm.values import Answer, Block, CallRecord, Message, Question
from tests.support.dialects import dialect

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def question(text: str = "Good morning", **more: Any) -> Question:
    given: dict[str, Any] = {
        "tier": "chat",
        "purpose": "turn",
        "system": (Block("You are Furo.", cache=True),),
        "messages": (Message("user", text),),
        "timeout_s": 5.0,
    }
    return Question(**{**given, **more})


@dataclass
class Desk:
    """Everything a test of the minds wants to look at."""

    ledger: list[CallRecord] = field(default_factory=list)
    slept: list[float] = field(default_factory=list)
    whys: list[str] = field(default_factory=list)
    spent: float = 0.0
    ticks: float = 1000.0
    reflected: Callable[[Question], Any] | None = None
    gateway: list[Gateway] = field(default_factory=list)

    def open(self, values: dict[str, str | None], limits: BudgetLimits = BudgetLimits(), **more: Any) -> Gateway:  # noqa: B008
        gateway = open_minds(
            values,
            Around(self.reflex, self.ledger.append, lambda: self.spent, lambda: NOW, random.Random(7)),
            data=Path("/nonexistent"),
            limits=limits,
        )
        gateway._sleep = self.sleep
        self.gateway.append(gateway)
        return gateway

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    def reflex(self, asked: Question, *, why: str) -> Answer | None:
        self.whys.append(why)
        if asked.answer is not None:
            parsed = self.reflected(asked) if self.reflected else None
            return Answer("", "stop", "local", "reflex", asked.tier, parsed=parsed) if parsed else None
        return Answer(f"(reflex: {why})", "stop", "local", "reflex", asked.tier)


@pytest_asyncio.fixture
async def desk() -> AsyncIterator[Desk]:
    desk = Desk()
    yield desk
    for gateway in desk.gateway:
        await gateway.aclose()


__all__ = ["dialect"]
