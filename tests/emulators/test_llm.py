"""The model emulator: scripts, echoes, schemas, caches, refusals and broken answers, without any client kit."""

from __future__ import annotations

import http.client
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.emulators.llm import Call, LLMEmulator, Say, Structured, answers
from tests.emulators.llm.schema import instance
from tests.emulators.llm.tokens import Block, MarkedCache, PrefixCache, count


@pytest.fixture
def llm() -> Iterator[LLMEmulator]:
    with LLMEmulator() as emulator:
        yield emulator


def post(llm: LLMEmulator, path: str = "messages", **body: Any) -> bytes:
    """The raw body of the answer, or "<status> <message>" of the refusal."""
    request = urllib.request.Request(f"{llm.openai_url}/{path}", json.dumps(body).encode(), {"x-api-key": "k"})
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:
            return bytes(answer.read())
    except urllib.error.HTTPError as refusal:
        with refusal:
            return f"{refusal.code} {json.load(refusal)['error']['message']}".encode()


def ask(llm: LLMEmulator, *contents: Any, **more: Any) -> bytes:
    """One call of the Messages API; contents alternate between user and assistant."""
    turns = [{"role": "assistant" if i % 2 else "user", "content": content} for i, content in enumerate(contents)]
    return post(llm, **{"model": "claude-sonnet-5-5", "max_tokens": 100, "messages": turns} | more)


def said(raw: bytes) -> str:
    return str(json.loads(raw)["content"][0]["text"])


def test_the_echo_takes_the_newest_messages_inner_text(llm: LLMEmulator) -> None:
    wrapped = "<context>calm</context>\n<message id='1'> one &lt;3 </message>\n<message>two</message> <clock/>"
    assert said(ask(llm, wrapped)) == "re: one <3 | two"
    assert said(ask(llm, "<message>old</message>", "well", "plain words")) == "re: old"
    assert said(ask(llm, "just this")) == "re: just this"


def test_a_script_is_read_in_order_and_then_the_echo_answers(llm: LLMEmulator) -> None:
    llm.script = ["one", Say("two"), {"three": 3}, None]
    assert [said(ask(llm, "hi")) for _ in range(5)] == ["one", "two", '{"three": 3}', "re: hi", "re: hi"]
    llm.script = lambda request: f"you said {request.words} with {request.max_tokens}"
    assert said(ask(llm, "hi")) == "you said hi with 100"


def test_rules_go_before_the_script(llm: LLMEmulator) -> None:
    llm.script = lambda request: "scripted"
    llm.when(lambda request: "weather" in request.prompt, Call("look", {"at": "sky"}), n=1)
    llm.break_with(answers.server_error(), after=2)
    block = json.loads(ask(llm, "the weather?"))["content"][0]
    assert (block["type"], block["name"], block["input"]) == ("tool_use", "look", {"at": "sky"})
    assert said(ask(llm, "the weather?")) == "scripted"
    assert ask(llm, "hi").startswith(b"500")
    assert said(ask(llm, "hi")) == "scripted"


def test_chance_is_seeded() -> None:
    def outcomes() -> list[bytes]:
        with LLMEmulator(seed=3) as llm:
            llm.break_with(answers.server_error(), p=0.5)
            return [ask(llm, "x")[:3] for _ in range(12)]

    assert outcomes() == outcomes()
    assert len(set(outcomes())) == 2


def test_the_limit_of_tokens_cuts_the_answer(llm: LLMEmulator) -> None:
    llm.script = ["word " * 100]
    answer = json.loads(ask(llm, "hi", max_tokens=5))
    assert (answer["content"][0]["text"], answer["stop_reason"]) == (("word " * 100)[:20], "max_tokens")


REFUSALS = [
    ({"max_tokens": "many"}, "max_tokens: Input should be a valid integer"),
    ({"messages": []}, "messages: at least one message is required"),
    ({"shape": 1}, "shape: Extra inputs are not permitted"),
    ({"temperature": 0.5}, "`temperature` is deprecated for this model."),
    ({"thinking": {"type": "enabled", "budget_tokens": 2000}}, '"thinking.type.enabled" is not supported'),
    ({"messages": [{"role": "user", "content": ""}]}, "messages.0: all messages must have non-empty content"),
    (
        {"messages": [{"role": "user", "content": [{"type": "text", "text": " "}]}]},
        "text content blocks must be non-em",
    ),
    (
        {"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]},
        "does not support assista",
    ),
    (
        {"messages": [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "x"}]}]},
        "messages.0.content.0: unexpected `tool_use_id` found",
    ),
    (
        {
            "messages": [
                {"role": "user", "content": "a"},
                {"role": "assistant", "content": [{"type": "tool_use", "id": "t9", "name": "n", "input": {}}]},
                {"role": "user", "content": "b"},
            ]
        },
        "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: t9",
    ),
    (
        {"system": [{"type": "text", "text": "s", "cache_control": {"type": "ephemeral"}}] * 5},
        "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    ),
    (
        {
            "system": [{"type": "text", "text": "s", "cache_control": {"type": "ephemeral"}}],
            "cache_control": {"type": "ephemeral", "ttl": "1h"},
        },
        "a ttl='1h' cache_control block must not come after a ttl='5m'",
    ),
    (
        {"output_config": {"format": {"type": "json_schema", "schema": {"type": "object", "properties": {}}}}},
        "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false",
    ),
]


@pytest.mark.parametrize(("change", "words"), REFUSALS)
def test_the_messages_api_refuses_in_its_own_words(llm: LLMEmulator, change: dict[str, Any], words: str) -> None:
    answer = ask(llm, "hi", **change).decode()
    assert answer.startswith("400 ") and words in answer
    assert llm.requests == []


CHAT_REFUSALS = [
    ({"messages": []}, "empty array"),
    ({"messages": [{"role": "robot", "content": "x"}]}, "Invalid value: 'robot'"),
    (
        {"messages": [{"role": "tool", "tool_call_id": "x", "content": "x"}]},
        "must be a response to a preceeding message",
    ),
    ({"messages": [{"role": "user", "content": None}]}, "expected a string, got null"),
    (
        {
            "messages": [
                {"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "n", "arguments": "{}"}}]},
                {"role": "user", "content": "x"},
            ]
        },
        "The following tool_call_ids did not have response messages: c1",
    ),
    ({"temperature": 0.2}, "'temperature' does not support 0.2"),
    ({"stream_options": {"include_usage": True}}, "only allowed when 'stream' is enabled"),
    ({"response_format": {"type": "json_object"}}, "must contain the word 'json'"),
    (
        {
            "response_format": {
                "type": "json_schema",
                "json_schema": {
                    "name": "n",
                    "strict": True,
                    "schema": {"type": "object", "properties": {"a": {}}, "additionalProperties": False},
                },
            }
        },
        "Missing 'a'",
    ),
]


@pytest.mark.parametrize(("change", "words"), CHAT_REFUSALS)
def test_chat_completions_refuse_in_their_own_words(llm: LLMEmulator, change: dict[str, Any], words: str) -> None:
    body = {"model": "gpt-6-luna", "messages": [{"role": "user", "content": "hi"}]} | change
    answer = post(llm, "chat/completions", **body).decode()
    assert answer.startswith("400 ") and words in answer


def test_other_model_names_are_treated_like_a_compatible_server_would(llm: LLMEmulator) -> None:
    body = {"model": "llama3", "messages": [{"role": "user", "content": "hi"}], "temperature": 0.1, "max_tokens": 5}
    assert json.loads(post(llm, "chat/completions", **body))["choices"][0]["message"]["content"] == "re: hi"


def test_without_a_key_nothing_is_answered(llm: LLMEmulator) -> None:
    with pytest.raises(urllib.error.HTTPError, match="401") as refusal:
        urllib.request.urlopen(f"{llm.openai_url}/messages", b"{}", timeout=5)
    refusal.value.close()
    assert post(llm, "teapot") == b"404 Unknown path /v1/teapot"


@pytest.mark.parametrize("path", ["messages", "chat/completions", "responses"])
def test_broken_answers_are_broken_on_every_api(llm: LLMEmulator, path: str) -> None:
    turns = [{"role": "user", "content": "hi"}]
    plain: dict[str, Any] = {"model": "m", "max_tokens": 99, "messages": turns, "input": "hi"}
    if path == "messages":
        plain.pop("input")
    llm.break_with(answers.truncated())
    with pytest.raises(json.JSONDecodeError):
        json.loads(post(llm, path, **plain))
    llm.break_with(answers.garbage())
    with pytest.raises(UnicodeDecodeError):
        json.loads(post(llm, path, **plain).decode())
    llm.break_with(answers.huge(10))
    assert len(post(llm, path, **plain)) > 10_000_000
    llm.break_with(answers.wrong_types())
    assert json.loads(post(llm, path, **plain))["model"] == 42
    llm.break_with(answers.bad_gateway())
    with pytest.raises(json.JSONDecodeError):
        post(llm, path, **plain)
    llm.break_with(answers.reset())
    with pytest.raises(ConnectionError):
        post(llm, path, **plain)
    llm.break_with(answers.truncated("so far", clean=False))
    with pytest.raises((http.client.IncompleteRead, ConnectionError)):
        post(llm, path, **plain, stream=True)
    llm.break_with(answers.truncated("so far"))
    cut = post(llm, path, **plain, stream=True)
    assert b"so far" in cut
    assert not any(end in cut for end in (b"message_stop", b"[DONE]", b"response.completed"))
    llm.break_with(answers.wrong_types())
    assert b"many" in post(llm, path, **plain, stream=True)
    assert post(llm, path, **plain, stream=True).startswith((b"event: ", b"data: "))


def test_a_client_that_hangs_up_is_noticed(llm: LLMEmulator) -> None:
    llm.script = [answers.drip("a long answer that nobody will hear to its end", pace=0.05)]
    body = json.dumps({"model": "m", "max_tokens": 99, "stream": True, "messages": [{"role": "user", "content": "x"}]})
    client = http.client.HTTPConnection("127.0.0.1", int(llm.anthropic_url.rpartition(":")[2]), timeout=5)
    client.request("POST", "/v1/messages", body, {"x-api-key": "k"})
    client.getresponse().read(10)
    client.close()
    llm.wait_for(lambda: llm.requests[0].outcome == "cancelled", timeout=5)


def test_cached_prefixes_end_at_marks_live_their_time_and_are_renewed_by_use() -> None:
    cache = MarkedCache(minimum=10)
    shell, history, newest = Block("s" * 80, "1h"), Block("h" * 40, "5m"), Block("n" * 8)
    first = cache.spend("m", [shell, history, newest], now=0)
    assert (first.fresh, first.cached, first.written) == (2, 0, {"1h": 20, "5m": 10})
    assert cache.spend("m", [shell, history, newest], now=299).cached == 30
    assert cache.spend("m", [shell, history, Block("other")], now=500).cached == 30
    assert cache.spend("m", [shell, history, newest], now=900).cached == 20
    assert cache.spend("other", [shell, history, newest], now=900).cached == 0
    grown = cache.spend("m", [shell, history, newest, Block("g" * 8, "5m")], now=901)
    assert (grown.cached, grown.written, grown.total) == (30, {"5m": 4}, 34)
    assert MarkedCache(minimum=1024).spend("m", [shell], now=0).written == {}


def test_the_longest_prefix_is_cached_in_steps() -> None:
    cache = PrefixCache(minimum=256)
    assert cache.spend("m", "a" * 4000, now=0).cached == 0
    again = cache.spend("m", "a" * 4000 + "b" * 100, now=1)
    assert (again.cached, again.total) == (1000 // 128 * 128, 1025)
    assert cache.spend("m", "b" + "a" * 4000, now=1).cached == 0
    assert cache.spend("m", "a" * 4000, now=9999).cached == 0


SCHEMAS = [
    {"type": "object", "properties": {"a": {"type": "integer", "minimum": 3}, "b": {}}, "required": ["a"]},
    {"type": "array", "items": {"type": "string", "minLength": 20}, "minItems": 2},
    {"type": "string", "pattern": "^[a-z]{2,4}-\\d{3}(x|y)+$"},
    {"type": "string", "format": "date-time"},
    {"type": "string", "maxLength": 3},
    {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
    {"type": "integer", "minimum": 7, "multipleOf": 5},
    {"type": ["string", "null"]},
    {"anyOf": [{"type": "integer"}, {"type": "null"}]},
    {"oneOf": [{"type": "object", "properties": {"kind": {"const": "a"}}, "required": ["kind"]}, {"type": "integer"}]},
    {"allOf": [{"$ref": "#/$defs/p"}, {"properties": {"b": {"type": "boolean"}}, "required": ["b"]}],
     "$defs": {"p": {"type": "object", "properties": {"a": {"enum": [5, 6]}}, "required": ["a"]}}},
    {"$ref": "#/$defs/node",
     "$defs": {"node": {"type": "object", "required": ["next", "all"], "properties": {
         "next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]},
         "all": {"type": "array", "items": {"$ref": "#/$defs/node"}}}}}},
]  # fmt: skip


@pytest.mark.parametrize("schema", SCHEMAS)
def test_the_default_answer_fits_the_schema(schema: dict[str, Any]) -> None:
    jsonschema.validate(instance(schema, "re: hello"), schema, format_checker=jsonschema.FormatChecker())


_leaves = st.sampled_from(
    [{"type": "string"}, {"type": "integer", "minimum": -2, "maximum": 9}, {"enum": ["a", 1]}, {"type": "boolean"}]
)
_schemas = st.recursive(
    _leaves,
    lambda inner: st.one_of(
        st.builds(lambda i, n: {"type": "array", "items": i, "minItems": n}, inner, st.integers(0, 3)),
        st.builds(
            lambda ps: {"type": "object", "properties": ps, "required": list(ps), "additionalProperties": False},
            st.dictionaries(st.sampled_from("abcd"), inner, max_size=4),
        ),
        st.builds(lambda a, b: {"anyOf": [a, b]}, inner, inner),
    ),
    max_leaves=8,
)


@settings(max_examples=40, deadline=None)
@given(_schemas, st.text())
def test_the_default_answer_fits_any_schema(schema: dict[str, Any], words: str) -> None:
    jsonschema.validate(instance(schema, words), schema)


def test_a_schema_without_end_is_refused() -> None:
    endless = {"$ref": "#/$defs/a", "$defs": {"a": {"required": ["a"], "properties": {"a": {"$ref": "#/$defs/a"}}}}}
    with pytest.raises(ValueError, match="without end"):
        instance(endless, "x")


def test_structured_answers_of_a_script_are_given_as_they_are(llm: LLMEmulator) -> None:
    llm.script = [Structured([1, "zwei"])]
    assert said(ask(llm, "hi")) == '[1, "zwei"]'


def test_tokens_are_bytes_by_four() -> None:
    assert [count(""), count("a"), count("abcd"), count("äöü")] == [0, 1, 1, 2]


def test_nothing_is_left_behind() -> None:
    before = set(threading.enumerate())
    with LLMEmulator() as llm:
        ask(llm, "hi")
    assert set(threading.enumerate()) == before
