"""Both dialects over real HTTP with the real kits: what is sent, what is read, what happens when it breaks."""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
from contextlib import closing
from dataclasses import astuple, replace
from typing import Any

import pytest

from furoshiki.models.llm.rules.budget import BudgetLimits
from furoshiki.models.llm.values import Image, Message, Tool, ToolCall
from tests.models.llm.conftest import Desk, question
from tests.models.llm.server import Claude, Gpt, Reply, Server, error
from tests.support.dialects import CANARY, Dialect, values

pytestmark = pytest.mark.slow


async def test_an_answer_streams_and_is_paid_for(dialect: Dialect, desk: Desk) -> None:
    seen: list[str] = []

    async def on_text(text: str) -> None:
        seen.append(text)

    async with Server(dialect.says("Good ", "morning", "!")) as server:
        answer = await desk.open(values(dialect, server)).ask(question(turn_key="inbox:17"), on_text)
    assert (answer.text, answer.finish, answer.tier) == ("Good morning!", "stop", "chat")
    assert seen == ["Good ", "Good morning", "Good morning!"]
    assert answer.usage.input == 12
    assert answer.usage.output == 5
    [record] = desk.ledger
    assert record.cost_usd == answer.cost_usd > 0
    assert (record.error, record.turn_key, record.purpose) == (None, "inbox:17", "turn")
    assert answer.fallbacks == ()


@pytest.mark.parametrize(
    "fault",
    [
        error(429, "rate_limit_error", **{"retry-after": "2"}),
        error(500),
        error(529, "overloaded_error"),
        error(503, "x", "<html>" * 50),
        Reply([None], 200),
        Reply([b"data: {not json\n\n"]),
        Reply([b"\xff\xfe\x00garbage\n\n"]),
        Reply([b"event: x\ndata: [1, 2]\n\n"]),
        Reply([b"event: x\ndata: 5\n\n"]),
        Reply([b"<html>welcome to the hotel</html>"], 200, {"content-type": "text/html"}),
        Reply([b""]),
    ],
    ids=["429", "500", "529", "503html", "reset", "notjson", "bytes", "list", "number", "portal", "nothing"],
)
async def test_a_passing_fault_is_ridden_out(dialect: Dialect, desk: Desk, fault: Reply) -> None:
    async with Server(fault, dialect.says("Here.")) as server:
        answer = await desk.open(values(dialect, server)).ask(question())
    assert answer.text == "Here."
    assert len(desk.slept) == 1
    assert desk.slept[0] <= 2.6
    assert [record.error is None for record in desk.ledger] == [False, True]


@pytest.mark.parametrize("where", ["header", "usage", "details", "own key"])
async def test_what_the_server_says_that_a_call_costs_is_what_it_costs(desk: Desk, where: str) -> None:
    """A LiteLLM or OpenRouter of the house: the model stands on no list, and the address is private."""
    usage: dict[str, Any] = {"prompt_tokens": 12, "completion_tokens": 5}
    usage |= {
        "header": {},
        "usage": {"cost": 0.5},
        "details": {"cost": 0, "cost_details": {"upstream_inference_cost": 0.5}},
        "own key": {"cost": 0.1, "is_byok": True, "cost_details": {"upstream_inference_cost": 0.4}},
    }[where]
    said = [
        {"choices": [{"delta": {"content": "Here."}}]},
        {"choices": [{"delta": {}, "finish_reason": "stop"}]},
        {"choices": [], "usage": usage},
    ]
    head = {"content-type": "text/event-stream"} | ({"x-litellm-response-cost": "0.5"} if where == "header" else {})
    parts: list[bytes | float | None] = [f"data: {json.dumps(one)}\n\n".encode() for one in said]
    async with Server(Reply([*parts, b"data: [DONE]\n\n"], 200, head)) as server:
        gateway = desk.open({"OPENAI_BASE_URL": f"{server.url}/v1", "FUROSHIKI_MODEL_CHAT": "openai:house-model"})
        answer = await gateway.ask(question())
        [record] = desk.ledger
        assert (answer.cost_usd, record.cost_usd, record.price_named) == (pytest.approx(0.5), pytest.approx(0.5), True)
        gateway.limits, desk.spent = BudgetLimits(0.1, 0.4), answer.cost_usd
        assert (await gateway.ask(question(purpose="journal"))).provider == "local", "the hard budget holds"


async def test_the_wait_a_provider_asks_for_is_kept(dialect: Dialect, desk: Desk) -> None:
    async with Server(error(429, **{"retry-after": "7"}), dialect.says("Here.")) as server:
        await desk.open(values(dialect, server)).ask(question(timeout_s=30))
    assert 7 <= desk.slept[0] <= 7.6


async def test_a_long_wait_goes_to_the_next_model_at_once(dialect: Dialect, desk: Desk) -> None:
    other = Gpt if dialect is Claude else Claude
    async with Server(error(429, **{"retry-after": "900"})) as first, Server(other.says("Me.")) as second:
        gateway = desk.open(values(dialect, first, both=second))
        answer = await gateway.ask(question())
        again = await gateway.ask(question())
    assert answer.text == again.text == "Me."
    assert desk.slept == []
    assert "429" in answer.fallbacks[0]
    assert "paused for now, after: 429" in again.fallbacks[0]
    assert len(first.bodies) == 1


async def test_a_cut_stream_is_told_from_a_finished_one(dialect: Dialect, desk: Desk) -> None:
    seen: list[str] = []

    async def on_text(text: str) -> None:
        seen.append(text)

    if dialect is Claude:
        cut = Claude.stream(Claude.start(), Claude.text("I think that "))
    else:
        cut = Gpt.cut(Gpt.delta(content="I think that "))
    async with Server(cut, dialect.says("It is ", "fine.")) as server:
        answer = await desk.open(values(dialect, server)).ask(question(), on_text)
    assert answer.text == "It is fine."
    assert seen == ["I think that ", "It is ", "It is fine."]
    assert desk.ledger[0].error is not None
    assert desk.ledger[0].error.startswith("truncated")
    assert desk.ledger[0].usage.input > 0
    assert answer.cost_usd == pytest.approx(sum(record.cost_usd for record in desk.ledger))


@pytest.mark.parametrize("nothing", ["", "\u200b", " \u200d\n\ufeff"], ids=ascii)
async def test_an_empty_answer_is_asked_again_then_left(dialect: Dialect, desk: Desk, nothing: str) -> None:
    async with Server(dialect.says(nothing)) as server:
        answer = await desk.open(values(dialect, server)).ask(question())
    assert len(server.bodies) == 2
    assert answer.text == "(reflex: unreachable)"
    assert "empty" in answer.fallbacks[0]


async def test_an_empty_answer_after_words_beside_a_call_is_one(dialect: Dialect, desk: Desk) -> None:
    async with Server(dialect.says("")) as server:
        answer = await desk.open(values(dialect, server)).ask(replace(question(), may_be_silent=True))
    assert (len(server.bodies), answer.text, answer.finish, answer.fallbacks) == (1, "", "stop", ())


async def test_a_wrong_key_is_named_and_not_tried_twice(dialect: Dialect, desk: Desk) -> None:
    words = f"Incorrect API key provided: {CANARY}"
    async with Server(error(401, "authentication_error", words)) as server:
        answer = await desk.open(values(dialect, server)).ask(question())
    assert len(server.bodies) == 1
    assert f"{dialect.name.upper()}_API_KEY" in answer.fallbacks[0]
    assert "canary" not in repr((answer, desk.ledger))


async def test_the_provider_learns_nothing_about_the_machine(dialect: Dialect, desk: Desk) -> None:
    async with Server(dialect.says("Hi")) as server:
        await desk.open(values(dialect, server)).ask(question())
    assert [name for name in server.headers[0] if name.startswith("x-stainless")] == []
    assert server.headers[0]["user-agent"] == "furoshiki"


async def test_a_provider_cannot_report_more_than_a_call_can_take(dialect: Dialect, desk: Desk) -> None:
    too_much = {"input_tokens": 10**30} if dialect is Claude else {"prompt": 10**30}
    async with Server(dialect.says("Hi", **too_much)) as server:
        answer = await desk.open(values(dialect, server)).ask(question())
    assert answer.text == "Hi"
    assert desk.ledger[0].usage.input < 300_000 and desk.ledger[0].cost_usd < 2
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("SELECT ?, ?, ?, ?", astuple(desk.ledger[0].usage))  # which takes 64 bits at most


async def test_a_model_of_unknown_price_meets_the_budget(desk: Desk) -> None:
    """A name that no list holds counted as nothing, so a loop over it would never have reached the limit."""
    async with Server(Claude.says("Hi", input_tokens=100_000)) as server:
        chosen = {**values(Claude, server), "FUROSHIKI_MODEL_CHAT": "anthropic:made-up-1"}
        gateway = desk.open(chosen, BudgetLimits(hard_usd=1.0))
        for _ in range(4):
            await gateway.ask(question(purpose="journal"))
            desk.spent = sum(call.cost_usd for call in desk.ledger)
    assert [call.price_guessed for call in desk.ledger] == [True, True]  # $0.50 each; then the budget was spent
    assert desk.whys == ["budget", "budget"]


async def test_keys_never_leave_in_errors_reprs_or_logs(
    dialect: Dialect, desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    fault = error(500, "api_error", f"we crashed while reading {CANARY} of yours, also Bearer sk-other-123456789")
    async with Server(fault) as server:
        gateway = desk.open(values(dialect, server))
        answer = await gateway.ask(question())
    assert "500" in answer.fallbacks[0]
    everything = repr((answer, desk.ledger, gateway._providers)) + caplog.text
    assert "canary" not in everything
    assert "sk-other" not in everything


async def test_fail_over_names_who_failed(dialect: Dialect, desk: Desk) -> None:
    other = Gpt if dialect is Claude else Claude
    async with Server(error(500)) as first, Server(other.says("Me.")) as second:
        answer = await desk.open(values(dialect, first, both=second)).ask(question())
    assert answer.text == "Me."
    assert answer.provider == other.name
    assert len(first.bodies) == 3
    assert len(answer.fallbacks) == 1
    assert answer.fallbacks[0].startswith(f"{dialect.name}:")


async def test_a_dead_address_costs_nothing_and_reaches_the_reflex(dialect: Dialect, desk: Desk) -> None:
    async with Server(dialect.says("x")) as server:
        env = values(dialect, server)
    answer = await desk.open(env).ask(question())
    assert answer.text == "(reflex: unreachable)"
    assert "cannot be reached" in answer.fallbacks[0]
    assert desk.ledger == []


async def test_the_breaker_spares_a_dead_provider(dialect: Dialect, desk: Desk) -> None:
    async with Server(error(500)) as server:
        gateway = desk.open(values(dialect, server))
        now = [0.0]
        gateway._ticks = lambda: now[0]
        for _ in range(4):
            await gateway.ask(question())
        before = len(server.bodies)
        await gateway.ask(question())
        assert len(server.bodies) == before
        server.replies = [dialect.says("Back.")]
        now[0] += 700
        answer = await gateway.ask(question())
    assert answer.text == "Back."
    assert before < 8


async def test_silence_is_not_waited_for(dialect: Dialect, desk: Desk) -> None:
    async with Server(Reply([3.0])) as server:
        gateway = desk.open(values(dialect, server))
        answer = await gateway.ask(question(timeout_s=0.15))
    assert answer.text == "(reflex: unreachable)"
    assert "no sign" in answer.fallbacks[0]


async def test_a_slow_drip_ends_at_the_limit(dialect: Dialect, desk: Desk) -> None:
    drip: list[Any] = [Claude.start()] if dialect is Claude else []
    for _ in range(40):
        drip += [Claude.text("a") if dialect is Claude else Gpt.delta(content="a"), 0.02]
    async with Server(dialect.stream(*drip)) as server:
        answer = await desk.open(values(dialect, server)).ask(question(timeout_s=0.2))
    assert "not finished" in answer.fallbacks[0]
    assert desk.ledger[0].usage.input > 0


async def test_cancelling_closes_the_stream_and_keeps_the_bill(dialect: Dialect, desk: Desk) -> None:
    begun = asyncio.Event()

    async def on_text(_text: str) -> None:
        begun.set()

    start = [Claude.start(400), Claude.text("Well")] if dialect is Claude else [Gpt.delta(content="Well")]
    waiting = dialect.stream(*start, *([0.02] * 200))
    async with Server(waiting) as server:
        task = asyncio.create_task(desk.open(values(dialect, server)).ask(question("x" * 1600), on_text))
        await asyncio.wait_for(begun.wait(), 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        for _ in range(100):
            if server.broken:
                break
            await asyncio.sleep(0.02)
        assert server.broken == 1
    [record] = desk.ledger
    assert record.error == "cancelled"
    assert record.usage.input >= 400
    assert record.cost_usd > 0


async def test_a_failing_listener_is_not_the_models_fault(dialect: Dialect, desk: Desk) -> None:
    async def on_text(_text: str) -> None:
        raise ValueError("the screen is gone")

    async with Server(dialect.says("Hello")) as server:
        with pytest.raises(ValueError, match="screen"):
            await desk.open(values(dialect, server)).ask(question(), on_text)
    assert len(server.bodies) == 1


async def test_bodies_are_bounded(dialect: Dialect, desk: Desk) -> None:
    megabyte = b"a" * 1_000_000
    async with Server(Reply([megabyte] * 10, 500, {"content-type": "text/plain"})) as server:
        answer = await desk.open(values(dialect, server)).ask(question())
        assert "more than 4194304 bytes" in answer.fallbacks[0]
        piece = "a" * 100_000
        server.replies = [dialect.says(*[piece] * 10)]
        answer = await desk.open(values(dialect, server)).ask(question())
        assert "exceeds" in answer.fallbacks[0]


async def test_how_an_answer_ended_is_told(dialect: Dialect, desk: Desk) -> None:
    length, refusal = ("max_tokens", "refusal") if dialect is Claude else ("length", "content_filter")
    async with Server(dialect.says("Once upon", reason=length), dialect.says("", reason=refusal)) as server:
        gateway = desk.open(values(dialect, server))
        assert (await gateway.ask(question())).finish == "length"
        refused = await gateway.ask(question())
    assert (refused.finish, refused.text) == ("refused", "")


async def test_tools_are_offered_called_and_answered(dialect: Dialect, desk: Desk) -> None:
    tool = Tool("recall", "Look into memory.", {"type": "object", "properties": {"about": {"type": "string"}}})
    async with Server(dialect.calls("recall", '{"about"', ': "Ani', 'ka"}'), dialect.says("Lisbon.")) as server:
        gateway = desk.open(values(dialect, server))
        asked = question("Where is Anika?", tools=(tool,))
        first = await gateway.ask(asked)
        assert first.finish == "tools"
        [call] = first.calls
        assert (call.name, dict(call.args)) == ("recall", {"about": "Anika"})
        history = (
            *asked.messages,
            Message("assistant", first.text, calls=first.calls, native=first.native),
            Message("tool", "Anika lives in Lisbon.", call_id=call.id),
        )
        second = await gateway.ask(question(messages=history, tools=(tool,)))
    assert second.text == "Lisbon."
    sent = server.bodies[1]["messages"]
    if dialect is Claude:
        assert [turn["role"] for turn in sent] == ["user", "assistant", "user"]
        assert [block["type"] for block in sent[1]["content"]] == ["text", "tool_use"]
        assert sent[1]["content"][1]["input"] == {"about": "Anika"}
        assert sent[2]["content"] == [
            {"type": "tool_result", "tool_use_id": "toolu_1", "content": "Anika lives in Lisbon."}
        ]
    else:
        assert [turn["role"] for turn in sent] == ["system", "user", "assistant", "tool"]
        assert sent[2]["tool_calls"][0]["function"]["arguments"] == '{"about": "Anika"}'
        assert sent[3]["tool_call_id"] == "call_9"


async def test_an_unreadable_call_is_asked_for_again(dialect: Dialect, desk: Desk) -> None:
    async with Server(dialect.calls("recall", '{"about": "Ani'), dialect.says("No need.")) as server:
        answer = await desk.open(values(dialect, server)).ask(question())
    assert answer.text == "No need."


async def test_a_call_with_a_prefix_and_its_arguments_in_a_text_is_read(dialect: Dialect, desk: Desk) -> None:
    made = dialect.calls("functions.recall", json.dumps('{"about": "Anika"}'))
    async with Server(made, dialect.says("Lisbon.")) as server:
        answer = await desk.open(values(dialect, server)).ask(question())
    assert [(call.name, call.args) for call in answer.calls] == [("recall", {"about": "Anika"})]


async def test_pictures_and_old_calls_are_shown(dialect: Dialect, desk: Desk) -> None:
    messages = (
        Message("assistant", "Hi, I am Furo."),
        Message("user", "Look", images=(Image(b"\x01\x02", "image/png"),)),
        Message("assistant", "", calls=(ToolCall("t1", "recall", {"about": "x"}),)),
        Message("tool", "", call_id="t1"),
        Message("user", "And?"),
    )
    async with Server(dialect.says("A dot.")) as server:
        await desk.open(values(dialect, server)).ask(question(messages=messages))
    sent = server.bodies[0]["messages"]
    if dialect is Claude:
        assert [turn["role"] for turn in sent] == ["user", "assistant", "user", "assistant", "user"]
        assert sent[2]["content"][0]["source"]["data"] == "AQI="
        assert [block["type"] for block in sent[4]["content"]] == ["tool_result", "text"]
    else:
        assert sent[2]["content"][0]["image_url"]["url"] == "data:image/png;base64,AQI="


async def test_split_surrogates_are_joined_and_nul_is_dropped(dialect: Dialect, desk: Desk) -> None:
    async with Server(dialect.says("a\ud83d", "\ude00b\0c", "\ud800")) as server:
        answer = await desk.open(values(dialect, server)).ask(question())
    assert answer.text == "a😀bc\ufffd"
    answer.text.encode()


def mangled(dialect: Dialect, rng: random.Random) -> Reply:
    """A good stream after some accidents in its bytes."""
    good = rng.choice([dialect.says("Good ", "morning"), dialect.calls("recall", '{"about"', ': "x"}')])
    stream = b"".join(part for part in good.parts if isinstance(part, bytes))
    for _ in range(rng.randint(1, 5)):
        at, to = sorted((rng.randrange(len(stream) + 1), rng.randrange(len(stream) + 1)))
        junk = [b"", b"\xff", b"\0", b"null", b"[]", b"{}", b'"', b"}", b"-1", b"\n\n", b"data: 5\n\n", b"[" * 2000]
        cut = rng.choice([stream[:at], stream[:at] + stream[to:], stream[:at] + rng.choice(junk) + stream[at:]])
        stream = cut + (rng.choice(junk) if rng.random() < 0.3 else b"")
    return Reply([stream, *([None] if rng.random() < 0.3 else [])], rng.choice([200, 200, 200, 400, 500]))


async def mangle(dialect: Dialect, desk: Desk, count: int, seed: int) -> int:
    rng, answered = random.Random(seed), 0
    async with Server(dialect.says("x")) as server:
        gateway = desk.open(values(dialect, server))
        for _ in range(count):
            gateway._breakers.clear()
            server.replies = [mangled(dialect, rng) for _ in range(3)]
            answer = await gateway.ask(question(timeout_s=2))
            assert answer.text or answer.calls or answer.finish == "refused"
            answer.text.encode()
            answered += answer.provider != "local"
    return answered


async def test_mangled_streams_never_escape(dialect: Dialect, desk: Desk) -> None:
    assert await mangle(dialect, desk, 40, seed=3) > 0


@pytest.mark.nightly
async def test_thousands_of_mangled_streams_never_escape(dialect: Dialect, desk: Desk) -> None:
    assert await mangle(dialect, desk, 2000, seed=4) > 0
