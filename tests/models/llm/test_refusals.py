# ruff: noqa: E501 - the words of servers stand as they are
"""What servers refuse, in their own words: the call is made again at once without it, and that is remembered."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from furoshiki.models.llm.plans import ModelRef
from furoshiki.models.llm.quirks import Quirks
from furoshiki.models.llm.rules import refusals
from furoshiki.models.llm.rules.adapting import adapt
from furoshiki.models.llm.rules.refusals import Quirk
from furoshiki.models.llm.store import quirks as store
from furoshiki.models.llm.values import Block, Image, Message, Question, Tool, ToolCall
from tests.models.llm.conftest import NOW, Desk, question
from tests.models.llm.server import Claude, Gpt, Reply, Server, error

pytestmark = pytest.mark.slow

RECALL = Tool("recall", "Look into memory.", {"type": "object", "properties": {"about": {"type": "string"}}})
PICTURE = (Message("user", "What is this?", images=(Image(b"\x01", "image/png"),)),)


class Mood(BaseModel):
    mood: str


def told(status: int, body: Any) -> Reply:
    """A refusal with a body of the server's own making."""
    return Reply([json.dumps(body).encode()], status, {"content-type": "application/json"})


def detail(*loc: str, msg: str = "Extra inputs are not permitted") -> Reply:
    """FastAPI's refusal; its echo of what was sent names everything."""
    one = {"type": "extra_forbidden", "loc": ["body", *loc], "msg": msg, "input": {"tools": [], "response_format": {}}}
    return told(422, {"detail": [one]})


@dataclass
class Case:
    """A refusal, what is asked, and what no request has afterwards."""

    refusal: Reply
    quirk: str
    asked: dict[str, Any] = field(default_factory=dict)
    says: str = "Fine."


TOOLS, SEES, FORM = {"tools": (RECALL,)}, {"messages": PICTURE}, {"answer": Mood}
JSON = '{"mood": "calm"}'
CASES = {
    "ollama tools": Case(error(400, "api_error", "registry.ollama.ai/library/gemma:2b does not support tools"), "tools", TOOLS),
    "openrouter tools": Case(error(404, "", "No endpoints found that support tool use. To learn more, see docs"), "tools", TOOLS),
    "vllm tools": Case(error(400, "BadRequestError", '"auto" tool choice requires --enable-auto-tool-choice'), "tools", TOOLS),
    "llama.cpp tools": Case(told(500, {"error": {"code": 500, "message": "tools param requires --jinja flag"}}), "tools", TOOLS),
    "gemini tools": Case(told(400, [{"error": {"message": "Function calling is not enabled for models/gemma-3"}}]), "tools", TOOLS),
    "openrouter upstream": Case(
        told(400, {"error": {"message": "Provider returned error", "metadata": {"raw": "`tool calling` is not supported"}}}),
        "tools", TOOLS),
    "ollama picture": Case(error(500, "api_error", "this model is missing data required for image input"), "images", SEES),
    "openrouter picture": Case(error(404, "", "No endpoints found that support image input"), "images", SEES),
    "deepseek picture": Case(error(400, "x", "messages[1]: unknown variant `image_url`, expected `text`"), "images", SEES),
    "vllm picture": Case(error(400, "x", "At most 0 image(s) may be provided in one request."), "images", SEES),
    "groq picture": Case(error(400, "x", "'messages.1.content' : value must be a string"), "images", SEES),
    "gemma system": Case(error(400, "x", "Developer instruction is not enabled for models/gemma-3-27b-it"), "system"),
    "template system": Case(error(400, "x", "System role not supported"), "system"),
    "o1 system": Case(error(400, "x", "'messages[0].role' does not support 'system' with this model."), "system"),
    "turns": Case(error(400, "x", "Conversation roles must alternate user/assistant/user/assistant/..."), "turns"),
    "schema": Case(error(400, "x", "This response_format type is unavailable now"), "json_schema", FORM, JSON),
    "grammar": Case(error(400, "x", "failed to parse grammar"), "json_schema", FORM, JSON),
    "mistral stream": Case(detail("stream_options"), "stream_options"),
    "bare detail": Case(told(422, {"detail": "stream_options: not allowed"}), "stream_options"),
    "gemini logprobs": Case(error(400, "x", 'Unknown name "logprobs": Cannot find field.'), "logprobs", {"logprobs": True}),
    "openai logprobs": Case(error(403, "x", "You are not allowed to request logprobs from this model"), "logprobs", {"logprobs": True}),
    "deepseek turns": Case(error(400, "x", "house does not support successive user or assistant messages."), "turns", FORM, JSON),
    "older limit": Case(error(400, "x", "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."), "max_tokens"),
    "shorter limit": Case(error(400, "x", "max_tokens must be less than or equal to 512"), "most_tokens"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
async def test_what_is_refused_is_left_out_at_once_and_remembered(case: Case, desk: Desk) -> None:
    asked = question(**{"system": (Block("You are Furo."),), **case.asked})
    async with Server(case.refusal, Gpt.says(case.says)) as server:
        gateway = desk.open({"OPENAI_BASE_URL": f"{server.url}/v1", "FUROSHIKI_MODEL_CHAT": "openai:house"})
        answers = [await gateway.ask(asked), await gateway.ask(asked)]
    assert [one.text for one in answers] == [case.says, case.says]
    assert len(server.bodies) == 3, "once refused, once without, and at once without"
    assert (answers[0].fallbacks, desk.slept, len(desk.ledger)) == ((), [], 2)
    assert list(gateway.quirks.of(gateway.plans.by_tier["chat"].models[0])) == [case.quirk]
    refused, without, again = server.bodies
    assert without == again and _differs(case.quirk, refused, without)


def _differs(quirk: str, before: dict[str, Any], after: dict[str, Any]) -> bool:
    """Whether the second request has what the first was refused for in another way."""
    shown, system = json.dumps(after), after["messages"][0]["role"] == "system"
    match quirk:
        case "tools":
            return "tools" not in after and "<tool_call>" in shown and "Look into memory" in shown
        case "images":
            return "image_url" not in shown and "cannot see pictures" in shown
        case "system":
            return not system and after["messages"][0]["content"].startswith("You are Furo.")
        case "turns":
            return system
        case "json_schema":
            return after["response_format"] == {"type": "json_object"} and "one JSON object" in shown
        case "most_tokens":
            return bool(after["max_tokens"] == 512)
        case _:
            return quirk in before and quirk not in after


async def test_skills_offered_in_words_are_called_and_answered(desk: Desk) -> None:
    refusal = error(400, "api_error", "house does not support tools")
    calls = 'I look. <tool_call>{"name": "recall", "arguments": {"about": "Anika"}}</tool_call>'
    async with Server(refusal, Gpt.says(calls), Gpt.says("In Lisbon.")) as server:
        gateway = desk.open({"OPENAI_BASE_URL": f"{server.url}/v1", "FUROSHIKI_MODEL_CHAT": "openai:house"})
        first = await gateway.ask(question("Where is Anika?", tools=(RECALL,)))
        assert (first.finish, [(one.name, dict(one.args)) for one in first.calls]) == (
            "tools",
            [("recall", {"about": "Anika"})],
        )
        history = (
            Message("user", "Where is Anika?"),
            Message("assistant", first.text, calls=first.calls),
            Message("tool", "She lives in Lisbon.", call_id=first.calls[0].id),
        )
        assert (await gateway.ask(question(messages=history, tools=(RECALL,)))).text == "In Lisbon."
    roles = [one["role"] for one in server.bodies[-1]["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    assert "<tool_result>She lives in Lisbon." in server.bodies[-1]["messages"][-1]["content"]


async def test_several_refusals_in_a_row_end_in_an_answer(desk: Desk) -> None:
    """A small model behind a bare template: no tools, no system role, no count of tokens."""
    faults = [
        error(400, "x", "stream_options is not supported"),
        error(400, "x", "tools are not supported"),
        error(500, "x", "Only user and assistant roles are supported!"),
        error(400, "x", "roles must alternate"),
    ]
    async with Server(*faults, Gpt.says("Fine.")) as server:
        gateway = desk.open({"OPENAI_BASE_URL": f"{server.url}/v1", "FUROSHIKI_MODEL_CHAT": "openai:house"})
        assert (await gateway.ask(question(tools=(RECALL,)))).text == "Fine."
    assert [one["role"] for one in server.bodies[-1]["messages"]] == ["user"]


async def test_a_refusal_that_says_nothing_is_not_blamed_on_what_could_not_be_the_reason(desk: Desk) -> None:
    async with Server(error(400, "x", "no")) as server:
        gateway = desk.open({"OPENAI_BASE_URL": f"{server.url}/v1", "FUROSHIKI_MODEL_CHAT": "openai:house"})
        answer = await gateway.ask(question(tools=(RECALL,), messages=PICTURE))
    assert answer.provider == "local" and "400 the request was refused: no" in answer.fallbacks[0]
    assert not gateway.quirks.of(gateway.plans.by_tier["chat"].models[0]), "nothing helped, so nothing is remembered"
    assert len(server.bodies) <= 5


async def test_a_base_url_without_v1_is_tried_with_it(desk: Desk) -> None:
    async with Server(error(404, "x", "404 page not found"), Gpt.says("Fine.")) as server:
        gateway = desk.open({"OPENAI_BASE_URL": server.url, "FUROSHIKI_MODEL_CHAT": "openai:house"})
        assert (await gateway.ask(question())).text == "Fine."
        assert (await gateway.ask(question())).text == "Fine."
    assert server.paths == ["/chat/completions", "/v1/chat/completions", "/v1/chat/completions"]


@pytest.mark.parametrize(
    "words",
    [
        "Could not process image",
        "Invalid image data.",
        "image exceeds 5 MB maximum",
        "The image data is not valid",
        "unable to decode the image",
    ],
)
async def test_a_picture_that_cannot_be_read_says_nothing_about_the_next(desk: Desk, words: str) -> None:
    async with Server(error(400, "x", words), Gpt.says("I cannot see it."), Gpt.says("A kite.")) as server:
        gateway = desk.open({"OPENAI_BASE_URL": f"{server.url}/v1", "FUROSHIKI_MODEL_CHAT": "openai:house"})
        assert (await gateway.ask(question(messages=PICTURE))).text == "I cannot see it."
        assert (await gateway.ask(question(messages=PICTURE))).text == "A kite."
    assert ["image_url" in json.dumps(body) for body in server.bodies] == [True, False, True]


async def test_what_a_server_could_not_hand_on_is_read_here(desk: Desk) -> None:
    """Groq answers 400 where its model wrote a call or a form in another notation."""
    written = '<function=recall>{"about": "Anika"}</function>'
    failed = {"message": "Failed to call a function.", "code": "tool_use_failed", "failed_generation": written}
    form = {"message": "Failed to validate JSON", "code": "json_validate_failed", "failed_generation": f"Here: {JSON}"}
    streamed = Gpt.stream({"error": failed})
    async with Server(told(400, {"error": failed}), streamed, told(400, {"error": form})) as server:
        gateway = desk.open({"OPENAI_BASE_URL": f"{server.url}/v1", "FUROSHIKI_MODEL_CHAT": "openai:house"})
        for _ in range(2):
            answer = await gateway.ask(question(tools=(RECALL,)))
            assert [(one.name, dict(one.args)) for one in answer.calls] == [("recall", {"about": "Anika"})]
        assert (await gateway.ask(question(answer=Mood))).parsed == Mood(mood="calm")
    assert not gateway.quirks.of(gateway.plans.by_tier["chat"].models[0]), "the next call may well succeed"


async def test_thoughts_and_signatures_go_back_to_their_model_alone(desk: Desk) -> None:
    signed = {"extra_content": {"google": {"thought_signature": "sig"}}}
    calls = [
        {"index": 0, "id": f"call_{at}", "function": {"name": "recall", "arguments": "{}"}, **signed} for at in (1, 2)
    ]
    deltas = [Gpt.delta(reasoning_content="Hm."), *(Gpt.delta(tool_calls=[one]) for one in calls)]
    async with Server(Gpt.stream(*deltas, Gpt.delta("tool_calls")), Gpt.says("Lisbon.")) as server:
        gateway = desk.open({"OPENAI_BASE_URL": f"{server.url}/v1", "FUROSHIKI_MODEL_CHAT": "openai:house"})
        first = await gateway.ask(question(tools=(RECALL,)))
        assert [one.id for one in first.calls] == ["call_1", "call_2"], "two, though both are number 0"
        said = Message("assistant", first.text, calls=first.calls, native=first.native)
        told_ = tuple(Message("tool", "Lisbon", call_id=one.id) for one in first.calls)
        await gateway.ask(question(messages=(Message("user", "Where?"), said, *told_), tools=(RECALL,)))
        other = desk.open({"OPENAI_BASE_URL": f"{server.url}/v1", "FUROSHIKI_MODEL_CHAT": "openai:other"})
        await other.ask(question(messages=(Message("user", "Where?"), said, *told_), tools=(RECALL,)))
    own, others = (body["messages"][2] for body in server.bodies[1:])
    assert own["reasoning_content"] == "Hm." and own["tool_calls"][0] | signed == own["tool_calls"][0]
    assert "reasoning_content" not in others and "extra_content" not in others["tool_calls"][0]
    ids = [one["id"] for one in others["tool_calls"]]
    assert [one["tool_call_id"] for one in server.bodies[2]["messages"][3:]] == ids
    assert all(len(one) == 9 and one.isalnum() for one in ids), "as every server takes them"


async def test_that_a_model_begins_with_thoughts_is_kept(desk: Desk) -> None:
    ref = ModelRef("openai", "house")
    kept: list[Quirk] = []
    async with Server(Gpt.says("Hm.</think>Yes."), Gpt.says("No thoughts."), Gpt.says("Yes.")) as server:
        gateway = desk.open({"OPENAI_BASE_URL": f"{server.url}/v1", "FUROSHIKI_MODEL_CHAT": "openai:house"})
        gateway.quirks = Quirks(lambda: NOW, keep=lambda _ref, quirk: kept.append(quirk))
        for _ in range(3):
            await gateway.ask(question())
    assert [(one.name, one.value) for one in kept] == [("opens_late", 1), ("opens_late", 0)]
    assert gateway.quirks.of(ref) == {"opens_late": 0}
    assert refusals.in_words({"opens_late": 0}) == "" and "thoughts" in refusals.in_words({"opens_late": 1})


async def test_words_a_server_will_not_have_are_a_refusal(desk: Desk) -> None:
    words = "The response was filtered due to the prompt triggering Azure OpenAI's content management policy."
    async with Server(error(400, "content_filter", words)) as server:
        gateway = desk.open({"OPENAI_BASE_URL": f"{server.url}/v1", "FUROSHIKI_MODEL_CHAT": "openai:house"})
        answer = await gateway.ask(question())
    assert (answer.finish, answer.text, answer.provider, len(server.bodies)) == ("refused", "", "openai", 1)


WINDOWS = [
    ("This model's maximum context length is 2048 tokens. However, your messages resulted in 3100 tokens.", 2048),
    ("the request exceeds the available context size (4,096 tokens), try increasing it", 4096),
    ("prompt is too long: 210000 tokens > 200000 maximum", 200_000),
    ("input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease", 200_000),
    ("'max_tokens' is too large: 1024. This model's maximum context length is 2048 tokens (1024 > 2048 - 1500).", 2048),
    ("Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length", 32768),
    ("The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", 1_048_576),
    ("the model is loaded with context length of only 4096 tokens, which is not enough", 4096),
    ("Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097.", 4097),
    ("Request too large on tokens per minute (TPM): Limit 6000, Requested 7012", 6000),
]


@pytest.mark.parametrize(("words", "window"), WINDOWS)
def test_the_window_that_a_server_names_is_read(words: str, window: int) -> None:
    found = refusals.read(400, words.lower(), frozenset(), {}, tokens=10**7, limit=1024)
    assert found == Quirk("window", window, sure=False)


async def test_what_is_too_long_is_shortened_to_what_was_named_and_asked_once_more(desk: Desk) -> None:
    refusal = error(400, "x", "This model's maximum context length is 2048 tokens. Please reduce the length.")
    turns = [Message("user" if at % 2 == 0 else "assistant", f"Turn {at}. " + "word " * 60) for at in range(40)]
    remembered = "<remembered>" + "a memory " * 100 + "</remembered>"
    last = Message("user", f"{remembered}\nAre you there?")
    asked = question(messages=(*turns, last), tools=(RECALL,), max_tokens=1024)
    async with Server(refusal, Gpt.says("I am.")) as server:
        gateway = desk.open({"OPENAI_BASE_URL": f"{server.url}/v1", "FUROSHIKI_MODEL_CHAT": "openai:house"})
        assert (await gateway.ask(asked)).text == "I am."
        assert (await gateway.ask(asked)).text == "I am."
    assert len(server.bodies) == 3, "remembered"
    sent = server.bodies[1]
    text = json.dumps(sent["messages"])
    assert "tools" not in sent and "a memory" not in text and "Turn 0." not in text
    assert "Turn 39." in text and "Are you there?" in text and "You are Furo." in text
    assert len(text) // 4 + sent["max_tokens"] <= 2048


async def test_a_window_is_remembered_though_the_shortened_answer_broke_off(desk: Desk) -> None:
    refusal = error(400, "x", "This model's maximum context length is 2048 tokens.")
    long = question(messages=(Message("user", "word " * 3000), Message("user", "Are you there?")))
    async with Server(refusal, Gpt.cut(Gpt.delta(content="I am"))) as server:
        gateway = desk.open({"OPENAI_BASE_URL": f"{server.url}/v1", "FUROSHIKI_MODEL_CHAT": "openai:house"})
        answer = await gateway.ask(long)
    assert (answer.text, answer.finish, len(server.bodies)) == ("I am", "broken", 3)
    assert gateway.quirks.of(ModelRef("openai", "house")) == {"window": 2048}


async def test_with_a_little_more_room_memories_stay_and_tools_go_first(desk: Desk) -> None:
    refusal = error(400, "x", "This model's maximum context length is 2048 tokens.")
    big = Tool("recall", "Look into memory. " * 400, RECALL.schema)
    last = Message("user", "<remembered>tea</remembered> Are you there?")
    async with Server(refusal, Gpt.says("I am.")) as server:
        gateway = desk.open({"OPENAI_BASE_URL": f"{server.url}/v1", "FUROSHIKI_MODEL_CHAT": "openai:house"})
        await gateway.ask(question(messages=(last,), tools=(big,)))
    assert "tools" not in server.bodies[1] and "tea" in json.dumps(server.bodies[1]["messages"])


@pytest.mark.parametrize("dialect", [Claude, Gpt])
async def test_an_answer_cut_by_thinking_is_asked_again_with_more_room(dialect: Any, desk: Desk) -> None:
    thinks = {"thinking": "Hm."} if dialect is Claude else {"reasoning_content": "Hm."}
    if dialect is Claude:
        piece = {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", **thinks}}
        cut = Claude.stream(Claude.start(), piece, Claude.text("Well,"), *Claude.end("max_tokens"))
    else:
        cut = Gpt.stream(Gpt.delta(**thinks), Gpt.delta(content="Well,"), Gpt.delta("length"), Gpt.usage())
    async with Server(cut, dialect.says("Well, yes.")) as server:
        values = {f"{dialect.name.upper()}_BASE_URL": server.url, "FUROSHIKI_MODEL_CHAT": f"{dialect.name}:house"}
        gateway = desk.open(values)
        answer = await gateway.ask(question())
        await gateway.ask(question())
    assert answer.text == "Well, yes." and answer.fallbacks == ()
    assert [body["max_tokens"] for body in server.bodies] == [1024, 5024, 5024], "and so from now on"


async def test_a_model_that_only_thinks_is_said_to_think_too_long(desk: Desk) -> None:
    broods = Gpt.stream(Gpt.delta(reasoning="Hm."), Gpt.delta("length"), Gpt.usage())
    async with Server(broods) as server:
        values = {"OPENAI_BASE_URL": f"{server.url}/v1", "FUROSHIKI_MODEL_CHAT": "openai:house"}
        answer = await desk.open(values).ask(question())
    assert [body["max_tokens"] for body in server.bodies] == [1024, 5024, 17024]
    assert answer.text == "(reflex: thinking)" and "it thought too long" in answer.fallbacks[0]


async def test_a_stream_that_is_over_without_a_reason_is_an_answer(desk: Desk) -> None:
    async with Server(Gpt.stream(Gpt.delta(content="All of it."))) as server:
        answer = await desk.open({"OPENAI_BASE_URL": server.url, "FUROSHIKI_MODEL_CHAT": "openai:house"}).ask(
            question()
        )
    assert (answer.text, answer.finish, len(server.bodies)) == ("All of it.", "stop", 1)


@pytest.mark.parametrize("reason", ["error", "abort", "some new word"])
async def test_an_end_that_is_none_is_asked_again_or_marked(desk: Desk, reason: str) -> None:
    async with Server(Gpt.says("Half a", reason=reason), Gpt.says("Half a loaf.")) as server:
        gateway = desk.open({"OPENAI_BASE_URL": server.url, "FUROSHIKI_MODEL_CHAT": "openai:house"})
        assert (await gateway.ask(question())).text == "Half a loaf."
        server.replies = [Gpt.says("Half a", reason=reason)]
        marked = await gateway.ask(question())
    assert (marked.text, marked.finish, len(server.bodies)) == ("Half a", "broken", 4)
    assert "broke off" in marked.fallbacks[0]


async def test_an_answer_that_comes_at_once_is_one(desk: Desk) -> None:
    message = {"role": "assistant", "content": "Whole."}
    body = {"choices": [{"message": message, "finish_reason": "stop"}], "usage": {"prompt_tokens": 9, "cost": 0.25}}
    async with Server(told(200, body)) as server:
        answer = await desk.open({"OPENAI_BASE_URL": server.url, "FUROSHIKI_MODEL_CHAT": "openai:house"}).ask(
            question()
        )
    assert (answer.text, answer.cost_usd) == ("Whole.", 0.25)


def test_quirks_are_tried_again_after_a_month() -> None:
    now, ref = [NOW], ModelRef("openai", "house")
    quirks = Quirks(lambda: now[0])
    quirks.learn(ref, Quirk("tools"))
    assert quirks.of(ref) == {"tools": 1}
    now[0] += timedelta(days=31)
    assert quirks.of(ref) == {}


def test_a_question_keeps_its_calls_where_tools_are_taken() -> None:
    asked: Question = question(messages=(Message("assistant", "", calls=(ToolCall("1", "recall", {}),)),))
    assert adapt(asked, {}) is asked


def test_what_was_found_stands_in_the_database_for_a_month(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "db")) as db:
        db.row_factory = sqlite3.Row
        db.execute("CREATE TABLE kv (key TEXT PRIMARY KEY, value TEXT, changed_at TEXT)")
        store.keep(db, "openai:house", Quirk("tools"), NOW)
        store.keep(db, "openai:house", Quirk("window", 2048), NOW + timedelta(days=20))
        held = store.read_quirks(db, NOW + timedelta(days=20))["openai:house"]
        assert {name: value for name, (value, _at) in held.items()} == {"tools": 1, "window": 2048}
        store.keep(db, "openai:other", Quirk("logprobs"), NOW + timedelta(days=40))
        assert set(store.read_quirks(db, NOW + timedelta(days=40))["openai:house"]) == {"window"}
        store.keep(db, "openai:other", Quirk("images"), NOW + timedelta(days=80))
        assert db.execute("SELECT count(*) FROM kv").fetchone()[0] == 1, "what is over is gone"
    told = refusals.in_words({"tools": 1, "window": 2048, "logprobs": 1})
    assert told == (
        "takes no tools, so skills are offered to it in words, reads about 2048 tokens at once, does not know logprobs"
    )
