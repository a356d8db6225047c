"""The chat completions format of OpenAI, compatible servers, and llama.cpp in this process."""

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from furoshiki.core.catalogue import Sentence
from furoshiki.core.json_values import dict_of, list_of
from furoshiki.models.llm.failures import Failure, of_status
from furoshiki.models.llm.partial_answer import UNFINISHED, Hearing
from furoshiki.models.llm.prices import parse_cost
from furoshiki.models.llm.values import Finish, Message, Native, Question, Tool, ToolCall, Usage

# By finish reason. Any other reason ("error", "abort", unknown) is not a valid end.
_FINISHES: dict[str, Finish] = {
    **dict.fromkeys(("stop", "eos", "eos_token", "end_turn", "stop_sequence"), "stop"),
    **dict.fromkeys(("tool_calls", "function_call", "tool_use"), "tools"),
    **dict.fromkeys(("length", "max_tokens", "model_length"), "length"),
    **dict.fromkeys(("content_filter", "refusal", "safety", "prohibited_content", "blocklist"), "refused"),
}

# servers write -9999 for improbable tokens; lower values are left out of the mean
LEAST_LOGPROB = -100.0


# Fields with a model's thoughts. Some servers need them back with tool calls, some refuse them.
THOUGHTS = ("reasoning_content", "reasoning")

Whose = tuple[str, str]  # a provider and one of its models


def messages_of(question: Question, model: Whose = ("", ""), *, thoughts: bool = True) -> list[dict[str, Any]]:
    """Return the prompt, stable part first: these servers cache the longest known prefix.

    Data that `model` sent with its calls is returned to it, also `thoughts` if it accepts them.
    Foreign call ids are rewritten in a form that every server accepts.
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
    """Return the thoughts that a model gets back with its tool calls, or None."""
    return Native(*model, dict(hearing.thoughts)) if hearing.calls() else None


def has_thoughts(messages: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether a prompt contains thoughts."""
    return any(name in message for message in messages for name in THOUGHTS)


def _is_own(message: Message, model: Whose) -> bool:
    native = message.native
    return native is not None and (native.provider, native.model) == model


def may_fold(messages: Sequence[dict[str, Any]], quirks: Mapping[str, int]) -> list[str]:
    """Return the possible changes of message roles that are not applied yet."""
    with_system = bool(messages) and messages[0]["role"] == "system"
    if with_system:
        return ["system", "turns"]
    return ["turns"] if "turns" not in quirks else []


def fold_messages(messages: list[dict[str, Any]], quirks: Mapping[str, int]) -> list[dict[str, Any]]:
    """Adapt messages to models without a system role ("system") or with alternating turns only."""
    if "system" in quirks:
        messages = [{**message, "role": "user"} if message["role"] == "system" else message for message in messages]
    elif "turns" not in quirks:
        return messages
    merged: list[dict[str, Any]] = []
    for message in messages:
        before = merged[-1] if merged else {"role": "system"}
        if before["role"] == message["role"] and message["role"] == "user":
            merged[-1] = {"role": "user", "content": _join_content(before["content"], message["content"])}
            continue
        if before["role"] == "system" and message["role"] == "assistant":
            merged.append({"role": "user", "content": "…"})
        merged.append(message)
    return merged


def _join_content(first: str | list[Any], second: str | list[Any]) -> str | list[Any]:
    if isinstance(first, str) and isinstance(second, str):
        return f"{first}\n\n{second}"
    parts = [[{"type": "text", "text": one}] if isinstance(one, str) else one for one in (first, second)]
    return [*parts[0], *parts[1]]


def tools_of(tools: Sequence[Tool]) -> list[dict[str, Any]]:
    """Return tools as function definitions."""
    return [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": dict(tool.schema)},
        }
        for tool in tools
    ]


def conclude(hearing: Hearing) -> None:
    """Determine the finish reason after the stream. Raises Failure when it was cut short."""
    if hearing.finish is None and not hearing.over:
        raise Failure("truncated", Sentence(UNFINISHED))
    hearing.finish = hearing.finish or "stop"
    if hearing.refusing:
        hearing.finish = "refused"
    elif hearing.finish == "stop" and hearing.calls():
        hearing.finish = "tools"


async def take_whole(body: object, hearing: Hearing, key_variable: str) -> None:
    """Read an answer that was not streamed. Raises Failure."""
    found = dict_of(body)
    choices = [one for one in list_of(found.get("choices")) if isinstance(one, dict)]
    streamed = [{**choice, "delta": choice.get("message")} for choice in choices]
    await take_chunk({**found, "choices": streamed}, hearing, key_variable)
    hearing.over = bool(choices)


async def take_chunk(event: object, hearing: Hearing, key_variable: str = "") -> None:
    """Read a chunk of a stream; wrong types count as missing. Raises Failure for an error in it."""
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
    """Yield the texts of a content: a string, or Mistral's list of text and thinking parts."""
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
    parts: list[dict[str, Any]] = []
    for image in message.images:
        data = base64.b64encode(image.data).decode("ascii")
        parts.append({"type": "image_url", "image_url": {"url": f"data:{image.media_type};base64,{data}"}})
    if message.text:
        parts.append({"type": "text", "text": message.text})
    return {"role": "user", "content": parts}


def _write_call(call: ToolCall, own: Mapping[str, str]) -> dict[str, Any]:
    written = {"name": call.name, "arguments": json.dumps(dict(call.args), ensure_ascii=False)}
    beside = call.beside if call.id in own else {}
    return {"id": _id(call.id, own), "type": "function", "function": written, **beside}


def _id(call_id: str, own: Mapping[str, str]) -> str:
    """Return an id that any server accepts; the model's own ids stay unchanged."""
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
        # some servers send the arguments as an object
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
    """Return OpenRouter's `cost`; with the user's own key (BYOK) plus the upstream cost."""
    named = parse_cost(usage.get("cost"))
    details = usage.get("cost_details")
    upstream = parse_cost(details.get("upstream_inference_cost")) if isinstance(details, dict) else None
    if upstream is None:
        return named
    return (named or 0.0) + upstream if usage.get("is_byok") is True else max(named or 0.0, upstream)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
