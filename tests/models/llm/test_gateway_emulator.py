"""The minds against an emulator written by another hand, strict where the real interfaces are."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel

from furoshiki.core.errors import AnswerUnusable
from furoshiki.models.llm.values import Block, Message, Question, Tool
from tests.emulators.llm import Call, LLMEmulator, Structured, answers
from tests.models.llm.conftest import Desk, question

pytestmark = pytest.mark.slow

MODELS = {"anthropic": "anthropic:claude-sonnet-5-5", "openai": "openai:gpt-6-luna"}


@pytest.fixture
def llm() -> Iterator[LLMEmulator]:
    with LLMEmulator() as emulator:
        yield emulator


@pytest.fixture(params=["anthropic", "openai"])
def env(request: pytest.FixtureRequest, llm: LLMEmulator) -> dict[str, str | None]:
    if request.param == "anthropic":
        given = {"ANTHROPIC_BASE_URL": llm.anthropic_url, "ANTHROPIC_API_KEY": "test"}
    else:
        given = {"OPENAI_BASE_URL": llm.openai_url, "OPENAI_API_KEY": "test"}
    return {**given, "FUROSHIKI_MODEL_CHAT": MODELS[request.param]}


async def test_a_plain_question_takes_one_request(env: Any, llm: LLMEmulator, desk: Desk) -> None:
    answer = await desk.open(env).ask(question("Good morning"))
    assert (answer.text, answer.finish) == ("re: Good morning", "stop")
    assert len(llm.requests) == 1
    assert answer.usage.input > 0
    assert answer.cost_usd > 0


@pytest.mark.parametrize(
    "fault",
    [
        answers.too_many(1),
        answers.too_many(None),
        answers.overloaded(),
        answers.server_error(),
        answers.bad_gateway(),
        answers.reset(),
        answers.garbage(),
        answers.wrong_types(),
        answers.truncated(),
        answers.truncated(clean=False),
        answers.stream_error(),
        answers.empty(),
        answers.raw(b"null"),
        answers.raw(b"data: null\n\ndata: {}\n\ndata: []\n\n", content_type="text/event-stream"),
    ],
    ids=lambda fault: f"{getattr(fault, 'kind', 'empty')}-{getattr(fault, 'status', '')}",
)
async def test_one_fault_is_ridden_out(env: Any, llm: LLMEmulator, desk: Desk, fault: Any) -> None:
    llm.break_with(fault)
    answer = await desk.open(env).ask(question("Are you there?"))
    assert answer.text == "re: Are you there?"
    assert answer.fallbacks == ()
    assert [record.error is None for record in desk.ledger] == [False, True]


@pytest.mark.parametrize("fault", [answers.unauthorized(), answers.no_credit(), answers.huge(5)])
async def test_what_will_not_pass_is_not_tried_again(env: Any, llm: LLMEmulator, desk: Desk, fault: Any) -> None:
    llm.break_with(fault, n=None)
    answer = await desk.open(env).ask(question())
    assert answer.text == "(reflex: unreachable)"
    assert len(llm.requests) == 1


async def test_a_hanging_provider_is_left(env: Any, llm: LLMEmulator, desk: Desk) -> None:
    llm.break_with(answers.hang(5), n=None)
    answer = await desk.open(env).ask(question(timeout_s=0.2))
    assert "no sign" in answer.fallbacks[0]


async def test_refusals_and_limits_are_told(env: Any, llm: LLMEmulator, desk: Desk) -> None:
    llm.script = [answers.refusal(), answers.cut_short("This answer goes on and")]
    gateway = desk.open(env)
    assert (await gateway.ask(question())).finish == "refused"
    cut = await gateway.ask(question())
    assert (cut.finish, cut.text) == ("length", "This answer goes on and")


async def test_skills_are_called_in_rounds(env: Any, llm: LLMEmulator, desk: Desk) -> None:
    llm.script = [[Call("recall", {"about": "Anika"}), Call("list", {})], "She lives in Lisbon."]
    tools = (
        Tool("recall", "Look.", {"type": "object", "properties": {"about": {"type": "string"}}}),
        Tool("list", "Lists.", {"type": "object", "properties": {}}),
    )
    gateway, asked = desk.open(env), question("Where does Anika live?", tools=tools)
    first = await gateway.ask(asked)
    assert [call.name for call in first.calls] == ["recall", "list"]
    told = tuple(Message("tool", f"result of {call.name}", call_id=call.id) for call in first.calls)
    said = Message("assistant", first.text, calls=first.calls, native=first.native)
    second = await gateway.ask(question(messages=(*asked.messages, said, *told), tools=tools))
    assert second.text == "She lives in Lisbon."
    assert [turn.text for turn in llm.requests[1].turns if turn.role == "tool"] == [
        "result of recall",
        "result of list",
    ]


class Reading(BaseModel):
    mood: str
    events: list[str] = []


async def test_a_typed_answer_fits_at_once_or_after_a_word(env: Any, llm: LLMEmulator, desk: Desk) -> None:
    good, bad = {"mood": "calm", "events": ["a walk"]}, {"mood": 3, "events": "none"}
    llm.script = [Structured(good), Structured(bad), Structured(good), Structured(bad), "No."]
    gateway, asked = desk.open(env), question(answer=Reading, purpose="emotion")
    assert (await gateway.ask(asked)).parsed == Reading(**good)
    twice = await gateway.ask(asked)
    assert twice.parsed == Reading(**good)
    assert twice.cost_usd == pytest.approx(sum(record.cost_usd for record in desk.ledger[1:]))
    with pytest.raises(AnswerUnusable):
        await gateway.ask(asked)
    assert len(llm.requests) == 5
    assert all(request.schema for request in llm.requests)


async def test_most_of_the_prompt_is_cached_in_a_long_chat(llm: LLMEmulator, desk: Desk) -> None:
    env = {"ANTHROPIC_BASE_URL": llm.anthropic_url, "ANTHROPIC_API_KEY": "test"}
    gateway = desk.open(env)
    shell = Block("You are Furo, warm and curious and brief. " * 150, cache=True)
    history: tuple[Message, ...] = ()
    for number in range(20):
        marked = tuple(
            Message(one.role, one.text, cache=place == len(history) - 1) for place, one in enumerate(history)
        )
        asked = Question(
            "chat", "turn", (shell,), (*marked, Message("user", f"Message {number}: " + "and so on " * 20))
        )
        answer = await gateway.ask(asked)
        history = (*history, asked.messages[-1], Message("assistant", answer.text))
    counted = [record.usage for record in desk.ledger[1:]]
    assert sum(usage.cached for usage in counted) / sum(usage.input for usage in counted) >= 0.7


async def test_a_connection_is_used_again(
    env: Any, llm: LLMEmulator, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[object] = []
    loop = asyncio.get_running_loop()
    connect = loop.create_connection

    async def counted(*given: Any, **more: Any) -> Any:
        opened.append(given)
        return await connect(*given, **more)

    monkeypatch.setattr(loop, "create_connection", counted)
    gateway = desk.open(env)
    for _ in range(4):
        await gateway.ask(question())
    assert len(opened) == 1
