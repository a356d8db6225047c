"""The dialect of chat completions, which OpenAI, its many compatible servers, and llama.cpp in-process all speak."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from typing import Any

from furoshiki.llm.failures import Failure, of_status
from furoshiki.llm.partial_answer import Hearing
from furoshiki.llm.prices import named_cost
from furoshiki.llm.values import Finish, Message, Question, Tool, Usage

_FINISHES: dict[str, Finish] = {
    "stop": "stop",
    "eos": "stop",
    "tool_calls": "tools",
    "function_call": "tools",
    "length": "length",
    "content_filter": "refused",
}


LEAST_LOGPROB = -100.0
"""Servers write -9999 for a token they had not among the probable ones: no figure to take a mean of."""


def messages_of(question: Question) -> list[dict[str, Any]]:
    """The prompt, stable part first: these servers cache the longest prefix they have seen, without marks."""
    messages: list[dict[str, Any]] = []
    system = "\n\n".join(block.text for block in question.system if block.text)
    if system:
        messages.append({"role": "system", "content": system})
    messages.extend(_message(message) for message in question.messages)
    return messages


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
    if hearing.finish is None:
        raise Failure("truncated", "the stream ended without saying that it was finished")
    if hearing.refusing:
        hearing.finish = "refused"
    elif hearing.finish == "stop" and hearing.calls():
        hearing.finish = "tools"


async def take_chunk(event: object, hearing: Hearing) -> None:
    """Read one chunk of a stream. Whatever has the wrong type is taken as absent."""
    if not isinstance(event, dict):
        raise Failure("garbage", "an event that is not an object")
    hearing.sign()
    error = event.get("error")
    if isinstance(error, dict):
        code = error.get("code")
        status = code if isinstance(code, int) and 400 <= code < 600 else 500
        raise of_status(status, key_variable="OPENAI_API_KEY", words=str(error.get("message") or ""))
    usage = event.get("usage")
    if isinstance(usage, dict):
        hearing.usage = _usage(usage)
        hearing.costs(_named_cost(usage))
    choices = event.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        return
    delta = choice.get("delta")
    if isinstance(delta, dict):
        for name in ("content", "refusal"):
            piece = delta.get(name)
            if isinstance(piece, str) and piece:
                hearing.refusing = hearing.refusing or name == "refusal"
                await hearing.add_text(piece)
        for position, call in enumerate(_list(delta.get("tool_calls"))):
            _take_call(position, call, hearing)
    told = choice.get("logprobs")
    for token in _list(told.get("content")) if isinstance(told, dict) else ():
        logprob = token.get("logprob") if isinstance(token, dict) else None
        if isinstance(logprob, float | int) and LEAST_LOGPROB <= logprob <= 0:
            hearing.probable(float(logprob))
    reason = choice.get("finish_reason")
    if isinstance(reason, str) and reason:
        hearing.finish = _FINISHES.get(reason, "stop")


def _message(message: Message) -> dict[str, Any]:
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.call_id or "", "content": message.text}
    if message.role == "assistant":
        said: dict[str, Any] = {"role": "assistant", "content": message.text or None}
        if message.calls:
            said["tool_calls"] = [
                {
                    "id": call.id,
                    "type": "function",
                    "function": {"name": call.name, "arguments": json.dumps(dict(call.args), ensure_ascii=False)},
                }
                for call in message.calls
            ]
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


def _take_call(position: int, call: object, hearing: Hearing) -> None:
    if not isinstance(call, dict):
        return
    function = call.get("function")
    function = function if isinstance(function, dict) else {}
    index = call.get("index")
    args = function.get("arguments")
    hearing.add_call(
        index if isinstance(index, int) else position,
        call_id=_text(call.get("id")),
        name=_text(function.get("name")),
        # some servers send the arguments as the object they are
        args=args if isinstance(args, str) else json.dumps(args) if isinstance(args, dict) else "",
    )


def _usage(usage: dict[str, Any]) -> Usage:
    def number(value: Any) -> int:
        return value if isinstance(value, int) and value >= 0 else 0

    details = usage.get("prompt_tokens_details")
    details = details if isinstance(details, dict) else {}
    return Usage(
        input=number(usage.get("prompt_tokens")),
        cached=number(details.get("cached_tokens")),
        cache_written=number(details.get("cache_write_tokens")),
        output=number(usage.get("completion_tokens")),
    )


def _named_cost(usage: dict[str, Any]) -> float | None:
    """OpenRouter, and what follows it: `cost`, and with a key of one's own what its owner pays the maker besides."""
    named = named_cost(usage.get("cost"))
    details = usage.get("cost_details")
    upstream = named_cost(details.get("upstream_inference_cost")) if isinstance(details, dict) else None
    if upstream is None:
        return named
    return (named or 0.0) + upstream if usage.get("is_byok") is True else max(named or 0.0, upstream)


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _list(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else ()
