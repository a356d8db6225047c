"""The official Anthropic and OpenAI clients talk to the emulator and understand every answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import anthropic
import openai
import pytest

from tests.emulators.llm import Call, LLMEmulator, Say, answers

pytestmark = pytest.mark.slow

CLAUDE, GPT = "claude-sonnet-5-5", "gpt-6-luna"
SCHEMA = {
    "type": "object",
    "properties": {"mood": {"type": "string", "enum": ["calm", "glad"]}, "note": {"type": "string"}},
    "required": ["mood", "note"],
    "additionalProperties": False,
}
TOOL = {
    "type": "object",
    "properties": {"when": {"type": "string"}},
    "required": ["when"],
    "additionalProperties": False,
}
ASKED: list[Any] = [{"role": "user", "content": "hello"}]


@pytest.fixture
def llm() -> Iterator[LLMEmulator]:
    with LLMEmulator() as emulator:
        yield emulator


@pytest.fixture
def claude(llm: LLMEmulator) -> Iterator[anthropic.Anthropic]:
    with anthropic.Anthropic(api_key="test", base_url=llm.anthropic_url, max_retries=0, timeout=5) as client:
        yield client


@pytest.fixture
def gpt(llm: LLMEmulator) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(api_key="test", base_url=llm.openai_url, max_retries=0, timeout=5) as client:
        yield client


def test_claude_answers_in_words(llm: LLMEmulator, claude: anthropic.Anthropic) -> None:
    answer = claude.messages.create(model=CLAUDE, max_tokens=100, system="be kind", messages=ASKED)
    assert (answer.content[0].text, answer.stop_reason) == ("re: hello", "end_turn")
    assert answer.usage.input_tokens == llm.requests[0].input_tokens == 5
    assert (llm.requests[0].system, llm.requests[0].model, llm.requests[0].key) == ("be kind", CLAUDE, "test")
    assert claude.messages.count_tokens(model=CLAUDE, messages=ASKED).input_tokens == 3
    assert CLAUDE in [model.id for model in claude.models.list()]
    assert claude.models.retrieve(CLAUDE).lifecycle == "active"


def test_claude_streams_words_and_calls(llm: LLMEmulator, claude: anthropic.Anthropic) -> None:
    llm.script = [[Say("Let me look that up."), Call("remind", {"when": "tomorrow at nine"}), Call("remind")]]
    tools: list[Any] = [{"name": "remind", "description": "Reminds", "input_schema": TOOL}]
    with claude.messages.stream(model=CLAUDE, max_tokens=100, messages=ASKED, tools=tools) as stream:
        kinds = {event.type for event in stream}
        answer = stream.get_final_message()
    assert kinds >= {
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
    }
    assert kinds >= {"message_stop", "text", "input_json"}
    words, first, second = answer.content
    assert words.text == "Let me look that up."
    assert (first.name, first.input, second.input) == ("remind", {"when": "tomorrow at nine"}, {})
    assert first.id != second.id and answer.stop_reason == "tool_use"
    results: list[Any] = [
        {"type": "tool_result", "tool_use_id": call.id, "content": "done"} for call in (first, second)
    ]
    turns: list[Any] = [*ASKED, {"role": "assistant", "content": answer.content}, {"role": "user", "content": results}]
    final = claude.messages.create(model=CLAUDE, max_tokens=100, messages=turns, tools=tools)
    assert final.content[0].text == "re: hello"
    assert [turn.role for turn in llm.requests[1].turns] == ["user", "assistant", "tool", "tool"]


@pytest.mark.parametrize("streaming", [False, True])
def test_claude_gives_json_that_fits(llm: LLMEmulator, claude: anthropic.Anthropic, streaming: bool) -> None:
    config: Any = {"format": {"type": "json_schema", "schema": SCHEMA}}
    if streaming:
        with claude.messages.stream(model=CLAUDE, max_tokens=50, messages=ASKED, output_config=config) as stream:
            text = stream.get_final_text()
    else:
        text = claude.messages.create(model=CLAUDE, max_tokens=50, messages=ASKED, output_config=config).content[0].text
    assert text == '{"mood": "calm", "note": "re: hello"}'
    assert llm.requests[0].schema == SCHEMA


def test_claude_reports_what_was_cached_and_why_not(llm: LLMEmulator, claude: anthropic.Anthropic) -> None:
    mark = {"type": "ephemeral"}
    system: list[Any] = [{"type": "text", "text": "s" * 8000, "cache_control": mark}]

    def ask(turns: list[Any], before: str | None = None, **more: Any) -> Any:
        return claude.messages.create(
            model=CLAUDE, max_tokens=9, messages=turns, diagnostics={"previous_message_id": before},
            **{"system": system, **more},
        )  # fmt: skip

    first = ask(ASKED)
    assert (first.usage.cache_creation_input_tokens, first.usage.cache_read_input_tokens) == (2000, 0)
    turns = [*ASKED, {"role": "assistant", "content": "hi"}, {"role": "user", "content": "and?"}]
    second = ask(turns, first.id, cache_control=mark)
    assert (second.usage.cache_read_input_tokens, second.diagnostics) == (2000, None)
    assert second.usage.cache_creation_input_tokens > 0
    assert llm.requests[1].cached_share > 0.9
    third = ask(turns, second.id, system="other")
    assert third.diagnostics.cache_miss_reason.type == "system_changed"
    assert ask(turns, "msg_unknown").diagnostics.cache_miss_reason.type == "previous_message_not_found"


def test_claude_fails_in_all_its_ways(llm: LLMEmulator, claude: anthropic.Anthropic) -> None:
    def ask() -> Any:
        return claude.messages.create(model=CLAUDE, max_tokens=100, messages=ASKED)

    llm.script = [answers.too_many(3), answers.overloaded(), answers.server_error(), answers.unauthorized()]
    with pytest.raises(anthropic.RateLimitError) as limit:
        ask()
    assert limit.value.response.headers["retry-after"] == "3"
    with pytest.raises(anthropic.OverloadedError):
        ask()
    with pytest.raises(anthropic.InternalServerError):
        ask()
    with pytest.raises(anthropic.AuthenticationError, match="invalid x-api-key"):
        ask()
    llm.break_with(answers.reset())
    with pytest.raises(anthropic.APIConnectionError):
        ask()
    llm.break_with(answers.hang(60))
    with pytest.raises(anthropic.APITimeoutError):
        claude.with_options(timeout=0.2).messages.create(model=CLAUDE, max_tokens=100, messages=ASKED)
    llm.wait_for(lambda: llm.requests[-1].outcome == "cancelled")
    llm.break_with(answers.refusal())
    assert (refused := ask()).stop_reason == "refusal" and refused.stop_details.type == "refusal"
    llm.break_with(answers.cut_short())
    assert ask().stop_reason == "max_tokens"
    llm.break_with(answers.empty())
    assert ask().content == []
    with pytest.raises(anthropic.BadRequestError, match="first message must use"):
        claude.messages.create(model=CLAUDE, max_tokens=9, messages=[{"role": "assistant", "content": "hi"}, *ASKED])


def test_a_stream_of_claude_may_break_in_the_middle(llm: LLMEmulator, claude: anthropic.Anthropic) -> None:
    def words() -> str:
        with claude.messages.stream(model=CLAUDE, max_tokens=100, messages=ASKED) as stream:
            return "".join(stream.text_stream)

    llm.break_with(answers.stream_error("One moment"))
    with pytest.raises(anthropic.APIStatusError, match="Overloaded"):
        words()
    llm.break_with(answers.truncated("half a sentence", clean=False))
    with pytest.raises(Exception, match="incomplete|peer closed"):
        words()
    llm.break_with(answers.drip("drop by drop by drop", pace=0.01))
    assert words() == "drop by drop by drop"


def test_gpt_answers_in_words_and_calls(llm: LLMEmulator, gpt: openai.OpenAI) -> None:
    system: Any = {"role": "system", "content": "be kind"}
    plain = gpt.chat.completions.create(model=GPT, messages=[system, *ASKED])
    assert (plain.choices[0].message.content, plain.choices[0].finish_reason) == ("re: hello", "stop")
    assert plain.usage.prompt_tokens == llm.requests[0].input_tokens > 0
    assert llm.requests[0].system == "be kind"
    llm.script = [[Say("One moment."), Call("remind", {"when": "tomorrow at nine"}), Call("remind", raw='{"when": ')]]
    tools: list[Any] = [{"type": "function", "function": {"name": "remind", "parameters": TOOL}}]
    answer = gpt.chat.completions.create(model=GPT, messages=ASKED, tools=tools).choices[0]
    first, second = answer.message.tool_calls
    assert (answer.finish_reason, answer.message.content) == ("tool_calls", "One moment.")
    assert (first.function.name, first.function.arguments) == ("remind", '{"when": "tomorrow at nine"}')
    assert second.function.arguments == '{"when": '
    results: list[Any] = [{"role": "tool", "tool_call_id": c.id, "content": "done"} for c in (first, second)]
    turns = [*ASKED, answer.message.model_dump(exclude_none=True), *results]
    assert gpt.chat.completions.create(model=GPT, messages=turns, tools=tools).choices[0].message.content == "re: hello"
    assert {"gpt-6-luna", CLAUDE} <= {model.id for model in gpt.models.list()}


def test_gpt_streams_words_and_calls_in_fragments(llm: LLMEmulator, gpt: openai.OpenAI) -> None:
    llm.script = [[Say("Let me look that up."), Call("remind", {"when": "tomorrow at nine"})]]
    tools: list[Any] = [{"type": "function", "function": {"name": "remind", "parameters": TOOL}}]
    with gpt.chat.completions.stream(
        model=GPT, messages=ASKED, tools=tools, stream_options={"include_usage": True}
    ) as stream:
        fragments = [event for event in stream if event.type == "tool_calls.function.arguments.delta"]
        answer = stream.get_final_completion()
    assert len(fragments) > 1
    [choice] = answer.choices
    assert choice.message.content == "Let me look that up."
    assert choice.message.tool_calls[0].function.arguments == '{"when": "tomorrow at nine"}'
    assert (choice.finish_reason, answer.usage.completion_tokens) == ("tool_calls", llm.requests[0].output_tokens)


def test_gpt_gives_json_that_fits(llm: LLMEmulator, gpt: openai.OpenAI) -> None:
    form: Any = {"type": "json_schema", "json_schema": {"name": "mood", "schema": SCHEMA, "strict": True}}
    answer = gpt.chat.completions.create(model=GPT, messages=ASKED, response_format=form)
    assert answer.choices[0].message.content == '{"mood": "calm", "note": "re: hello"}'
    asked: list[Any] = [
        {"role": "user", "content": "<message>hi</message>"},
        {
            "role": "user",
            "content": f"Answer with one JSON object of this schema: {json.dumps(SCHEMA)}",
        },
    ]
    loose = gpt.chat.completions.create(model=GPT, messages=asked, response_format={"type": "json_object"})
    assert loose.choices[0].message.content == '{"mood": "calm", "note": "re: hi"}'


def test_gpt_reports_what_was_cached(llm: LLMEmulator, gpt: openai.OpenAI) -> None:
    system: Any = {"role": "system", "content": "s" * 8000}
    gpt.chat.completions.create(model=GPT, messages=[system, *ASKED])
    again = gpt.chat.completions.create(model=GPT, messages=[system, *ASKED, {"role": "user", "content": "more"}])
    assert again.usage.prompt_tokens_details.cached_tokens == 1920
    assert llm.requests[1].cached_share > 0.9


def test_gpt_fails_in_its_own_words(llm: LLMEmulator, gpt: openai.OpenAI) -> None:
    def ask(**more: Any) -> Any:
        return gpt.chat.completions.create(model=GPT, messages=ASKED, **more)

    llm.script = [answers.too_many(2), answers.no_credit(), answers.overloaded(), answers.unauthorized()]
    for code in ("rate_limit_exceeded", "insufficient_quota"):
        with pytest.raises(openai.RateLimitError) as limit:
            ask()
        assert limit.value.code == code
    with pytest.raises(openai.InternalServerError, match="overloaded"):
        ask()
    with pytest.raises(openai.AuthenticationError, match="Incorrect API key"):
        ask()
    with pytest.raises(openai.BadRequestError, match="max_completion_tokens"):
        ask(max_tokens=9)
    llm.break_with(answers.refusal("No."))
    assert ask().choices[0].message.refusal == "No."
    llm.break_with(answers.stream_error())
    with pytest.raises(openai.APIError, match="Overloaded"):
        list(ask(stream=True))
    llm.break_with(answers.truncated("half"))
    ends = [chunk.choices[0].finish_reason for chunk in ask(stream=True)]
    assert set(ends) == {None}


def test_responses_in_words_calls_and_json(llm: LLMEmulator, gpt: openai.OpenAI) -> None:
    plain = gpt.responses.create(model=GPT, instructions="be kind", input="hello")
    assert (plain.output_text, plain.status) == ("re: hello", "completed")
    assert llm.requests[0].system == "be kind"
    text: Any = {"format": {"type": "json_schema", "name": "mood", "schema": SCHEMA, "strict": True}}
    assert (
        gpt.responses.create(model=GPT, input="hello", text=text).output_text == '{"mood": "calm", "note": "re: hello"}'
    )
    llm.script = [[Say("Let me look that up."), Call("remind", {"when": "nine"})]]
    tools: list[Any] = [{"type": "function", "name": "remind", "parameters": TOOL, "strict": True}]
    with gpt.responses.stream(model=GPT, input="hello", tools=tools) as stream:
        kinds = {event.type for event in stream}
        answer = stream.get_final_response()
    assert {"response.created", "response.output_text.delta", "response.function_call_arguments.done"} <= kinds
    assert answer.output_text == "Let me look that up."
    call = answer.output[1]
    assert (call.name, call.arguments) == ("remind", '{"when": "nine"}')
    items: list[Any] = [
        *ASKED,
        {"type": "function_call", "call_id": call.call_id, "name": call.name, "arguments": call.arguments},
        {"type": "function_call_output", "call_id": call.call_id, "output": "done"},
    ]
    assert gpt.responses.create(model=GPT, input=items).output_text == "re: hello"
    llm.script = [answers.cut_short("cut")]
    assert gpt.responses.create(model=GPT, input="hello").incomplete_details.reason == "max_output_tokens"
