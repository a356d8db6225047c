"""The dialect of chat completions, which OpenAI, its many compatible servers, and llama.cpp in-process all speak."""

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from furoshiki.core.catalogue import Sentence
from furoshiki.core.stored import dict_of, list_of
from furoshiki.models.llm.failures import Failure, of_status
from furoshiki.models.llm.partial_answer import UNFINISHED, Hearing
from furoshiki.models.llm.prices import parse_cost
from furoshiki.models.llm.values import Finish, Message, Native, Question, Tool, ToolCall, Usage

_FINISHES: dict[str, Finish] = {
    **dict.fromkeys(("stop", "eos", "eos_token", "end_turn", "stop_sequence"), "stop"),
    **dict.fromkeys(("tool_calls", "function_call", "tool_use"), "tools"),
    **dict.fromkeys(("length", "max_tokens", "model_length"), "length"),
    **dict.fromkeys(("content_filter", "refusal", "safety", "prohibited_content", "blocklist"), "refused"),
}
"""Any other reason is no end of an answer: "error", "abort", or a word that nobody knows."""

LEAST_LOGPROB = -100.0
"""Servers write -9999 for a token they had not among the probable ones: no figure to take a mean of."""


THOUGHTS = ("reasoning_content", "reasoning")
"""The fields in which servers tell what a model thinks. Some want them back beside its calls, some refuse them."""

Whose = tuple[str, str]
"""A provider and one of its models."""


def messages_of(question: Question, model: Whose = ("", ""), *, thoughts: bool = True) -> list[dict[str, Any]]:
    """The prompt, stable part first: these servers cache the longest prefix they have seen, without marks.

    What `model` sent beside its calls goes back to it, its `thoughts` where it takes them. Ids that are not its own are
    written as every server takes them.
    """
    messages: list[dict[str, Any]] = []
    system = "\n\n".join(block.text for block in question.system if block.text)
    if system:
        messages.append({"role": "system", "content": system})
    own = {call.id: call.id for message in question.messages if _is_own(message, model) for call in message.calls}
    for message in question.messages:
        made = _message(message, own)
        if thoughts and _is_own(message, model) and message.native is not None:
            made |= message.native.content
        messages.append(made)
    return messages


def native_of(model: Whose, hearing: Hearing) -> Native | None:
    """What goes back to a model with the calls it made: its thoughts."""
    return Native(*model, dict(hearing.thoughts)) if hearing.calls() else None


def has_thoughts(messages: Sequence[Mapping[str, Any]]) -> bool:
    """Whether thoughts go back with a prompt."""
    return any(name in one for one in messages for name in THOUGHTS)


def _is_own(message: Message, model: Whose) -> bool:
    native = message.native
    return native is not None and (native.provider, native.model) == model


def may_fold(messages: Sequence[dict[str, Any]], quirks: Mapping[str, int]) -> list[str]:
    """What could be done about the roles of messages that was not done yet."""
    with_system = bool(messages) and messages[0]["role"] == "system"
    if with_system:
        return ["system", "turns"]
    return ["turns"] if "turns" not in quirks else []


def fold_messages(messages: list[dict[str, Any]], quirks: Mapping[str, int]) -> list[dict[str, Any]]:
    """The messages for a model whose template knows no system role ("system"), or wants turns that alternate."""
    if "system" in quirks:
        messages = [{**one, "role": "user"} if one["role"] == "system" else one for one in messages]
    elif "turns" not in quirks:
        return messages
    merged: list[dict[str, Any]] = []
    for one in messages:
        before = merged[-1] if merged else {"role": "system"}
        if before["role"] == one["role"] and one["role"] == "user":
            merged[-1] = {"role": "user", "content": _join_content(before["content"], one["content"])}
            continue
        if before["role"] == "system" and one["role"] == "assistant":
            merged.append({"role": "user", "content": "…"})
        merged.append(one)
    return merged


def _join_content(first: str | list[Any], second: str | list[Any]) -> str | list[Any]:
    if isinstance(first, str) and isinstance(second, str):
        return f"{first}\n\n{second}"
    parts = [[{"type": "text", "text": one}] if isinstance(one, str) else one for one in (first, second)]
    return [*parts[0], *parts[1]]


def tools_of(tools: Sequence[Tool]) -> list[dict[str, Any]]:
    """Skills as functions."""
    return [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": dict(tool.schema)},
        }
        for tool in tools
    ]


def conclude(hearing: Hearing) -> None:
    """Settle how the answer ended, once the stream is over; raises Failure when it was cut short."""
    if hearing.finish is None and not hearing.over:
        raise Failure("truncated", Sentence(UNFINISHED))
    hearing.finish = hearing.finish or "stop"
    if hearing.refusing:
        hearing.finish = "refused"
    elif hearing.finish == "stop" and hearing.calls():
        hearing.finish = "tools"


async def take_whole(body: object, hearing: Hearing, key_variable: str) -> None:
    """Read an answer that came at once."""
    found = dict_of(body)
    choices = [one for one in list_of(found.get("choices")) if isinstance(one, dict)]
    streamed = [{**one, "delta": one.get("message")} for one in choices]
    await take_chunk({**found, "choices": streamed}, hearing, key_variable)
    hearing.over = bool(choices)


async def take_chunk(event: object, hearing: Hearing, key_variable: str = "") -> None:
    """Read one chunk of a stream. Whatever has the wrong type is taken as absent. Raises Failure for an error in it."""
    if isinstance(event, list) and event:  # Gemini's errors
        event = event[0]
    if not isinstance(event, dict):
        raise Failure("garbage", "an event that is not an object")
    if event.get("choices") or event.get("usage"):
        hearing.sign()
    error = event if event.get("object") == "error" else event.get("error")
    if error:
        told: dict[str, Any] = error if isinstance(error, dict) else {"message": error}
        code = str(told.get("code"))
        status = int(code) if re.fullmatch("[45]\\d\\d", code) else 200
        raise of_status(status, key_variable=key_variable, kind=_text(told.get("type")) or code, body=told)
    usage = event.get("usage")
    if isinstance(usage, dict):
        hearing.usage = _usage(usage)
        details = usage.get("completion_tokens_details")
        hearing.thought = hearing.thought or bool(isinstance(details, dict) and details.get("reasoning_tokens"))
        hearing.costs(_read_cost(usage))
    choices = event.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        return
    delta = choice.get("delta")
    if isinstance(delta, dict):
        for name in THOUGHTS:
            if isinstance(piece := delta.get(name), str) and piece:
                hearing.thought = True
                hearing.thoughts[name] = hearing.thoughts.get(name, "") + piece
        for name in ("content", "refusal"):
            for piece in _texts(delta.get(name), hearing):
                hearing.refusing = hearing.refusing or name == "refusal"
                await hearing.add_text(piece)
        for position, call in enumerate(list_of(delta.get("tool_calls"))):
            _take_call(position, call, hearing)
    probable = choice.get("logprobs")
    for token in list_of(probable.get("content")) if isinstance(probable, dict) else ():
        logprob = token.get("logprob") if isinstance(token, dict) else None
        if isinstance(logprob, float | int) and LEAST_LOGPROB <= logprob <= 0:
            hearing.probable(float(logprob))
    reason = choice.get("finish_reason")
    if isinstance(reason, str) and reason:
        hearing.finish = _FINISHES.get(reason.lower(), "length")
        hearing.broke_off = None if reason.lower() in _FINISHES else reason[:40]


def _texts(content: object, hearing: Hearing) -> Iterator[str]:
    """The words of some content: a text, or Mistral's list of parts, of which some are thoughts."""
    if isinstance(content, str) and content:
        yield content
    for part in list_of(content):
        if isinstance(part, dict) and part.get("type") == "text" and (text := _text(part.get("text"))):
            yield text
        elif isinstance(part, dict) and part.get("type") == "thinking":
            hearing.thought = True


def _message(message: Message, own: Mapping[str, str]) -> dict[str, Any]:
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": _id(message.call_id or "", own), "content": message.text}
    if message.role == "assistant":
        said: dict[str, Any] = {"role": "assistant", "content": message.text or None}
        if message.calls:
            said["tool_calls"] = [_write_call(call, own) for call in message.calls]
        return said
    if not message.images:
        return {"role": "user", "content": message.text}
    parts: list[dict[str, Any]] = [
        {"type": "image_url", "image_url": {"url": f"data:{image.media_type};base64,{_base64(image.data)}"}}
        for image in message.images
    ]
    if message.text:
        parts.append({"type": "text", "text": message.text})
    return {"role": "user", "content": parts}


def _write_call(call: ToolCall, own: Mapping[str, str]) -> dict[str, Any]:
    written = {"name": call.name, "arguments": json.dumps(dict(call.args), ensure_ascii=False)}
    beside = call.beside if call.id in own else {}
    return {"id": _id(call.id, own), "type": "function", "function": written, **beside}


def _id(call_id: str, own: Mapping[str, str]) -> str:
    """An id as any server takes it; those that came from the model itself stay as they are."""
    return own.get(call_id) or hashlib.sha256(call_id.encode("utf-8", "replace")).hexdigest()[:9]


def _take_call(position: int, call: object, hearing: Hearing) -> None:
    if not isinstance(call, dict):
        return
    function = dict_of(call.get("function"))
    index = call.get("index")
    args = function.get("arguments")
    hearing.add_call(
        index if isinstance(index, int) else position,
        call_id=_text(call.get("id")),
        name=_text(function.get("name")),
        # some servers send the arguments as the object they are
        args=args if isinstance(args, str) else json.dumps(args) if isinstance(args, dict) else "",
        **{name: value for name, value in call.items() if isinstance(name, str) and name.startswith("extra_")},
    )


def _usage(usage: dict[str, Any]) -> Usage:
    def number(value: Any) -> int:
        return value if isinstance(value, int) and value >= 0 else 0

    details = dict_of(usage.get("prompt_tokens_details"))
    return Usage(
        input=number(usage.get("prompt_tokens")),
        cached=number(details.get("cached_tokens")),
        cache_written=number(details.get("cache_write_tokens")),
        output=number(usage.get("completion_tokens")),
    )


def _read_cost(usage: dict[str, Any]) -> float | None:
    """OpenRouter, and what follows it: `cost`, and with a key of one's own what its owner pays the maker besides."""
    named = parse_cost(usage.get("cost"))
    details = usage.get("cost_details")
    upstream = parse_cost(details.get("upstream_inference_cost")) if isinstance(details, dict) else None
    if upstream is None:
        return named
    return (named or 0.0) + upstream if usage.get("is_byok") is True else max(named or 0.0, upstream)


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
