"""What OpenAI's APIs refuse, in their own words as best known; and the requests read once they are found right.

Rules of one model family (such as `max_tokens` being gone) hold for names like gpt-5… and o3…; any other name is
treated like a compatible server would: gladly.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from .request import Request, Turn
from .rules import require

DEFAULT_LIMIT = 4096
_NEWEST = re.compile(r"(gpt-([5-9]|\d\d)|o\d)")


def read_chat(body: dict[str, Any]) -> Request:
    """A chat completion; raises Refused where the API would."""
    messages: list[dict[str, Any]] = body.get("messages") or []
    require("model" in body, "you must provide a model parameter")
    require("messages" in body, "Missing required parameter: 'messages'.", param="messages", code="missing_required_parameter")  # fmt: skip  # noqa: E501
    require(bool(messages), "Invalid 'messages': empty array. Expected an array with minimum length 1.", param="messages", code="empty_array")  # fmt: skip  # noqa: E501
    newest = _NEWEST.match(str(body["model"])) is not None
    if newest:
        _newest_rules(body)
    require(
        not body.get("stream_options") or bool(body.get("stream")),
        "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
        param="stream_options",
    )
    _conversation(messages)
    schema = _chat_schema(body)
    system = [m for m in messages if m["role"] in ("system", "developer")]
    return Request(
        api="chat",
        model=str(body["model"]),
        system="\n\n".join(_text(m.get("content")) for m in system),
        turns=[_turn(m) for m in messages if m["role"] not in ("system", "developer")],
        tools={t["function"]["name"]: t["function"].get("parameters", {}) for t in body.get("tools", [])},
        schema=schema,
        stream=bool(body.get("stream")),
        max_tokens=int(body.get("max_completion_tokens") or body.get("max_tokens") or DEFAULT_LIMIT),
        body=body,
    )


def read_responses(body: dict[str, Any]) -> Request:
    """A response; raises Refused where the API would."""
    require("model" in body, "Missing required parameter: 'model'.", param="model")
    given = body.get("input")
    require(bool(given), "Missing required parameter: 'input'.", param="input", code="missing_required_parameter")
    items = [{"role": "user", "content": given}] if isinstance(given, str) else list(given or [])
    known = {item["call_id"] for item in items if item.get("type") == "function_call"}
    for item in items:
        if item.get("type") == "function_call_output":
            require(
                item.get("call_id") in known,
                f"No tool call found for function call output with call_id {item.get('call_id')}.",
                param="input",
            )
    form = (body.get("text") or {}).get("format") or {}
    if form.get("type") == "json_schema":
        _strict(form.get("schema", {}), form.get("name", ""), bool(form.get("strict", True)))
    system = [str(body.get("instructions") or "")]
    system += [_text(i.get("content")) for i in items if i.get("role") in ("system", "developer")]
    return Request(
        api="responses",
        model=str(body["model"]),
        system="\n\n".join(filter(None, system)),
        turns=[
            _item(i) for i in items if i.get("role") not in ("system", "developer") and i.get("type") != "reasoning"
        ],
        tools={t["name"]: t.get("parameters", {}) for t in body.get("tools", []) if t.get("type") == "function"},
        schema=form.get("schema") if form.get("type") == "json_schema" else None,
        stream=bool(body.get("stream")),
        max_tokens=int(body.get("max_output_tokens") or DEFAULT_LIMIT),
        body=body,
    )


def _newest_rules(body: dict[str, Any]) -> None:
    require(
        "max_tokens" not in body,
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        param="max_tokens",
        code="unsupported_parameter",
    )
    warmth = body.get("temperature", 1)
    require(
        warmth == 1,
        f"Unsupported value: 'temperature' does not support {warmth} with this model. Only the default (1) value is "
        "supported.",
        param="temperature",
        code="unsupported_value",
    )


def _conversation(messages: list[dict[str, Any]]) -> None:
    waiting: list[str] = []
    for i, message in enumerate(messages):
        role = message.get("role")
        require(
            role in ("system", "developer", "user", "assistant", "tool"),
            f"Invalid value: '{role}'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and "
            "'developer'.",
            param=f"messages[{i}].role",
        )
        if role == "tool":
            require(
                message.get("tool_call_id") in waiting,
                "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with "
                "'tool_calls'.",
                param=f"messages.[{i}].role",
            )
            waiting.remove(message["tool_call_id"])
            continue
        _none_waits(waiting, i)
        content = message.get("content")
        require(
            content is not None or role == "assistant",
            f"Invalid value for 'content': expected a string, got null. (messages[{i}])",
            param=f"messages.[{i}].content",
        )
        waiting = [call["id"] for call in message.get("tool_calls") or []]
    _none_waits(waiting, len(messages))


def _none_waits(waiting: list[str], i: int) -> None:
    require(
        not waiting,
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. "
        f"The following tool_call_ids did not have response messages: {', '.join(waiting)}",
        param=f"messages.[{i}].role",
    )


def _chat_schema(body: dict[str, Any]) -> dict[str, Any] | None:
    form = body.get("response_format") or {}
    if form.get("type") == "json_schema":
        wanted = form["json_schema"]
        _strict(wanted.get("schema", {}), wanted.get("name", ""), bool(wanted.get("strict")))
        return dict(wanted.get("schema", {}))
    if form.get("type") == "json_object":
        words = "\n".join(_text(message.get("content")) for message in body["messages"])
        require(
            "json" in words.lower(),
            "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
            param="messages",
        )
        return _schema_in(words)
    return None


def _schema_in(words: str) -> dict[str, Any]:
    """The last JSON schema written in the prompt itself, which is how one asks where none can be passed along."""
    for match in reversed(list(re.finditer(r"\{", words))):
        try:
            found, _ = json.JSONDecoder().raw_decode(words, match.start())
        except ValueError:
            continue
        if "properties" in found and found.get("type") == "object":
            return dict(found)
    return {"type": "object"}


def _strict(schema: dict[str, Any], name: str, strict: bool) -> None:
    require(bool(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name)), f"Invalid 'response_format.json_schema.name': '{name}'.")
    for where, fault in _faults(schema, ()) if strict else ():
        path = ", ".join(f"'{step}'" for step in where)
        require(False, f"Invalid schema for response_format '{name}': In context=({path}), {fault}", param="response_format")  # fmt: skip  # noqa: E501


def _faults(schema: Any, where: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(schema, list):
        for i, part in enumerate(schema):
            yield from _faults(part, (*where, str(i)))
        return
    if not isinstance(schema, dict):
        return
    if schema.get("type") == "object":
        if schema.get("additionalProperties") is not False:
            yield where, "'additionalProperties' is required to be supplied and to be false."
        missing = [name for name in schema.get("properties", {}) if name not in schema.get("required", [])]
        if missing:
            yield (
                where,
                "'required' is required to be supplied and to be an array including every key in properties. "
                f"Missing '{missing[0]}'.",
            )
    for key, value in schema.items():
        if key in ("properties", "$defs"):
            for name, inner in value.items():
                yield from _faults(inner, (*where, key, name))
        elif key in ("items", "anyOf"):
            yield from _faults(value, (*where, key))


def _turn(message: dict[str, Any]) -> Turn:
    calls = [(c["function"]["name"], _arguments(c["function"]["arguments"])) for c in message.get("tool_calls") or []]
    return Turn(str(message["role"]), _text(message.get("content")), calls, _images(message.get("content")))


def _item(item: dict[str, Any]) -> Turn:
    if item.get("type") == "function_call_output":
        return Turn("tool", _text(item.get("output")))
    if item.get("type") == "function_call":
        return Turn("assistant", "", [(str(item["name"]), _arguments(item["arguments"]))])
    return Turn(str(item.get("role", "user")), _text(item.get("content")), (), _images(item.get("content")))


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if "text" in part)
    return str(content or "")


def _images(content: Any) -> int:
    kinds = ("image_url", "input_image")
    return sum(part.get("type") in kinds for part in content) if isinstance(content, list) else 0


def _arguments(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
