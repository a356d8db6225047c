"""A draft and a second look through the real clients: what never changes stands first and is kept by the provider."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import pytest

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.mind.outreach import voice
from furoshiki.mind.outreach.voice import NoWords
from furoshiki.models.llm.rules.budget import BudgetLimits
from furoshiki.world import World
from tests.emulators.llm import LLMEmulator, answers
from tests.models.llm.conftest import Desk, desk
from tests.support.voicing import COUNT, HARBOUR, talked

pytestmark = pytest.mark.slow

MODELS = {"anthropic": "anthropic:claude-sonnet-5-5", "openai": "openai:gpt-6-luna"}
TIDES = dataclasses.replace(HARBOUR, id=9, summary="Ask how the talk about tides went")
DRAFT, WORDS = "So, the harbour: how was the first day?", "How was the first day at the harbour?"


@pytest.fixture
def llm() -> Iterator[LLMEmulator]:
    with LLMEmulator() as emulator:
        emulator.when(lambda request: request.schema is None, DRAFT)
        emulator.when(
            lambda request: "Statements, each with its id" in request.text,
            {"answers": [{"id": 1, "answer": "supported"}]},
        )
        emulator.when(
            lambda request: request.schema is not None and "Statements, each with its id" not in request.text,
            {"send": True, "text": WORDS, "search": None, "why": "shorter"},
        )
        yield emulator


def online(world: World, desk: Desk, llm: LLMEmulator, provider: str = "anthropic", **more: BudgetLimits) -> World:
    given: dict[str, str | None] = {"FUROSHIKI_MODEL_CHAT": MODELS[provider]}
    if provider == "anthropic":
        given |= {"ANTHROPIC_BASE_URL": llm.anthropic_url, "ANTHROPIC_API_KEY": "test"}
    else:
        given |= {"OPENAI_BASE_URL": llm.openai_url, "OPENAI_API_KEY": "test"}
    gateway = desk.open(given, **more)
    gateway._around = dataclasses.replace(gateway._around, reflex=ReflexMind(world.rng))
    return dataclasses.replace(world, ask=gateway.ask)


@pytest.mark.parametrize("provider", MODELS)
async def test_two_requests_make_the_words(talked: World, desk: Desk, llm: LLMEmulator, provider: str) -> None:
    world = online(talked, desk, llm, provider)
    drafted = await voice.draft(world, TIDES)
    assert drafted.text == DRAFT and f"{drafted.provider}:{drafted.model}" == MODELS[provider]
    assert (await voice.polish(world, TIDES, drafted)).text == WORDS
    first, second, read = llm.requests
    assert WORDS in read.text and "tides" in read.text
    assert first.schema is None and second.schema is not None
    assert "Warm without syrup" in first.system and "tides" not in first.system
    assert first.text.count("<matter>\nAsk how the talk about tides went\n") == 1
    assert DRAFT in second.text and DRAFT not in second.system
    assert [record.purpose for record in desk.ledger] == ["outreach.draft", "outreach.polish", "grounding"]


async def test_what_never_changes_is_kept_from_one_matter_to_the_next(
    talked: World, desk: Desk, llm: LLMEmulator
) -> None:
    world = online(talked, desk, llm)
    for item in (HARBOUR, TIDES):
        await voice.draft(world, item)
    first, second = llm.requests
    assert [("cache_control" in block) for block in first.body["system"]] == [True, True]
    assert first.body["system"] == second.body["system"] and first.text != second.text
    assert first.written_tokens > 1024 and second.cached_tokens == first.written_tokens


async def test_an_outage_leaves_it_unsaid_but_for_what_must_be_told(
    talked: World, desk: Desk, llm: LLMEmulator
) -> None:
    llm.break_with(answers.overloaded(), n=None)
    world = online(talked, desk, llm)
    with pytest.raises(NoWords, match="nobody found words"):
        await voice.draft(world, HARBOUR)
    assert (await voice.draft(world, COUNT)).provider == "local"


async def test_a_day_whose_budget_is_spent_asks_nobody(talked: World, desk: Desk, llm: LLMEmulator) -> None:
    desk.spent = 2.0
    world = online(talked, desk, llm, limits=BudgetLimits(hard_usd=1.0))
    with pytest.raises(NoWords):
        await voice.draft(world, HARBOUR)
    assert llm.requests == []


__all__ = ["desk", "talked"]
