"""What is sent so that a provider can be paid once for what does not change."""

from __future__ import annotations

from typing import Any

import pytest

from furoshiki.models.llm.values import Block, Message, Tool
from tests.models.llm.conftest import Desk, question
from tests.models.llm.server import Claude, Gpt, Server, error
from tests.support.dialects import values

pytestmark = pytest.mark.slow


def marks(body: dict[str, Any]) -> list[str]:
    blocks = [*body["system"], *(block for turn in body["messages"] for block in turn["content"])]
    return [block["text"] for block in blocks if "cache_control" in block]


async def test_marked_prefixes_are_marked_and_at_most_four(desk: Desk) -> None:
    system = tuple(Block(f"block {number}", cache=True) for number in range(3))
    messages = tuple(
        Message("assistant" if number % 2 else "user", f"message {number}", cache=number < 4) for number in range(5)
    )
    async with Server(Claude.says("Yes.")) as server:
        await desk.open(values(Claude, server)).ask(question(system=system, messages=messages, cache_ttl="1h"))
    body = server.bodies[0]
    assert marks(body) == ["block 0", "message 1", "message 2", "message 3"]
    assert body["system"][0]["cache_control"] == {"type": "ephemeral", "ttl": "1h"}
    assert "cache_control" not in body["messages"][-1]["content"][0]


async def test_the_prefix_is_the_same_from_turn_to_turn(desk: Desk) -> None:
    tools = (Tool("recall", "Look into memory.", {"type": "object", "properties": {}}),)
    async with Server(Claude.says("One.")) as server:
        gateway = desk.open(values(Claude, server))
        await gateway.ask(question("first", tools=tools))
        await gateway.ask(question("second", tools=tools))
    first, second = server.bodies
    assert (first["tools"], first["system"]) == (second["tools"], second["system"])


async def test_cached_tokens_are_counted_and_cheaper(desk: Desk) -> None:
    warm, cold = Claude.says("Hi", input_tokens=100, read=2000), Claude.says("Hi", input_tokens=2100)
    async with Server(warm, cold) as server:
        gateway = desk.open(values(Claude, server))
        cheap, dear = await gateway.ask(question()), await gateway.ask(question())
    assert (cheap.usage.input, cheap.usage.cached) == (2100, 2000)
    assert dear.usage.input == 2100
    assert cheap.cost_usd == pytest.approx((100 * 2 + 2000 * 0.1 + 5 * 10) / 1e6)
    assert dear.cost_usd == pytest.approx((2100 * 2 + 5 * 10) / 1e6)


async def test_an_hour_of_cache_is_dearer_to_write(desk: Desk) -> None:
    async with Server(Claude.says("Hi", input_tokens=0, written=1000)) as server:
        gateway = desk.open(values(Claude, server))
        short = await gateway.ask(question())
        long = await gateway.ask(question(cache_ttl="1h"))
    assert short.cost_usd == pytest.approx((1000 * 2.5 + 5 * 10) / 1e6)
    assert long.cost_usd == pytest.approx((1000 * 4 + 5 * 10) / 1e6)


async def test_why_a_cache_was_missed_is_recorded(desk: Desk) -> None:
    reason = {"cache_miss_reason": {"type": "system_changed", "cache_missed_input_tokens": 900}}
    async with Server(Claude.says("One."), Claude.says("Two.", diagnostics=reason)) as server:
        gateway = desk.open(values(Claude, server))
        await gateway.ask(question())
        await gateway.ask(question())
    assert [body["diagnostics"] for body in server.bodies] == [
        {"previous_message_id": None},
        {"previous_message_id": "msg_1"},
    ]
    assert [record.cache_miss for record in desk.ledger] == [None, "system_changed"]


async def test_a_server_that_knows_no_extras_is_asked_without(desk: Desk) -> None:
    refusal = error(400, "invalid_request_error", "diagnostics: Extra inputs are not permitted")
    async with Server(refusal, Claude.says("Plain.")) as server:
        gateway = desk.open(values(Claude, server))
        answer = await gateway.ask(question())
        await gateway.ask(question())
    assert answer.text == "Plain."
    assert answer.fallbacks == ()
    assert ["diagnostics" in body for body in server.bodies] == [True, False, False]
    assert all("thinking" in body for body in server.bodies)
    assert "diagnostics" not in server.bodies[2]


async def test_another_refusal_is_not_blamed_on_the_extras(desk: Desk) -> None:
    async with Server(error(400, "invalid_request_error", "prompt is too long: 1000001 tokens")) as server:
        answer = await desk.open(values(Claude, server)).ask(question())
    assert ["diagnostics" in body for body in server.bodies] == [True, True, True]  # shortened twice, for nothing
    assert "too long" in answer.fallbacks[0]


async def test_cached_tokens_of_the_other_dialect(desk: Desk) -> None:
    async with Server(Gpt.says("Hi", prompt=2100, cached=2000)) as server:
        answer = await desk.open(values(Gpt, server)).ask(question())
    assert (answer.usage.input, answer.usage.cached) == (2100, 2000)
    assert answer.cost_usd == pytest.approx((100 * 0.1 + 2000 * 0.01 + 5 * 0.5) / 1e6)


async def test_a_server_with_older_habits_is_asked_in_its_own_terms(desk: Desk) -> None:
    faults = [
        error(400, "invalid_request_error", "stream_options is not allowed"),
        error(400, "invalid_request_error", "Unsupported parameter: use 'max_completion_tokens' instead"),
    ]
    async with Server(*faults, Gpt.says("Fine.")) as server:
        gateway = desk.open({**values(Gpt, server), "FUROSHIKI_MODEL_CHAT": "openai:qwen3:4b"})
        assert (await gateway.ask(question())).text == "Fine."
        await gateway.ask(question())
    assert ["max_tokens" in body for body in server.bodies] == [True, True, False, False]
    assert server.bodies[-1]["max_completion_tokens"] == 1024
    assert "stream_options" not in server.bodies[-1]
    assert server.bodies[-1]["model"] == "qwen3:4b"


async def test_a_field_nobody_knows_is_left_out(desk: Desk) -> None:
    async with Server(error(422, "x", "unknown field reasoning_effort"), Gpt.says("Fine.")) as server:
        gateway = desk.open(values(Gpt, server))
        assert (await gateway.ask(question())).text == "Fine."
    assert [body.get("reasoning_effort") for body in server.bodies] == ["none", None]


async def test_how_probable_its_words_were_is_told_and_a_server_that_cannot_is_asked_without(desk: Desk) -> None:
    piece = Gpt.delta(content="Nine.")
    tokens = [{"token": "Nine", "logprob": -0.2}, {"token": ".", "logprob": -0.4}, {"token": "!", "logprob": -9999.0}]
    piece["choices"][0]["logprobs"] = {"content": tokens}
    told = Gpt.stream(piece, Gpt.delta("stop"), Gpt.usage())
    async with Server(told, error(400, "x", "no such thing"), Gpt.says("Ten.")) as server:
        gateway = desk.open(values(Gpt, server))
        first = await gateway.ask(question(logprobs=True))
        second = await gateway.ask(question(logprobs=True))
    assert first.logprob == pytest.approx(-0.3) and second.logprob is None
    assert [body.get("logprobs") for body in server.bodies] == [True, True, None]
