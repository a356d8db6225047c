"""Minds that are replaced while somebody waits for an answer of the ones before."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from furoshiki.models.llm.gateway import Gateway
from furoshiki.models.llm.gateway_reload import Swapping
from furoshiki.models.llm.values import Answer, Question
from tests.models.llm.conftest import question


class Slow:
    """Minds that answer when they are let."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.let = asyncio.Event()
        self.closed = 0

    async def ask(self, asked: Question, on_text: Any = None) -> Answer:
        await self.let.wait()
        return Answer(self.name, "stop", "openai", self.name, asked.tier)

    async def aclose(self) -> None:
        self.closed += 1


async def test_a_question_under_way_ends_where_it_began_and_then_the_old_are_closed() -> None:
    old, new = Slow("old"), Slow("new")
    swapping = Swapping(lambda: cast(Gateway, old))
    first = asyncio.create_task(swapping.ask(question()))
    await asyncio.sleep(0)
    swapping.swap(cast(Gateway, new))
    second = asyncio.create_task(swapping.ask(question()))
    new.let.set()
    assert (await second).text == "new"
    assert old.closed == 0
    old.let.set()
    assert (await first).text == "old"
    assert (old.closed, new.closed) == (1, 0)


async def test_nothing_is_opened_before_it_is_needed() -> None:
    opened: list[int] = []
    new = Slow("new")
    new.let.set()
    swapping = Swapping(lambda: cast(Gateway, opened.append(1)))
    swapping.swap(cast(Gateway, new))
    assert (await swapping.ask(question())).text == "new"
    assert opened == []
