"""What the Messages API refuses, in its own words as best known; and the request read once it is found right."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from .request import Request, Turn
from .rules import Refused, require

FIELDS = frozenset(
    [
        "max_tokens",
        "messages",
        "model",
        "cache_control",
        "container",
        "diagnostics",
        "inference_geo",
        "metadata",
        "output_config",
        "service_tier",
        "speed",
        "stop_sequences",
        "stream",
        "system",
        "thinking",
        "tool_choice",
        "tools",
        "temperature",
        "top_p",
        "top_k",
    ]
)
MOST_MARKS = 4
_NEWEST = re.compile(r"claude-(opus-4-[78]|mythos|\w+-5)")
"""Models that take neither sampling parameters nor a prefilled answer, and think adaptively only."""
_UNSUPPORTED = {
    "integer": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    "string": ("minLength", "maxLength"),
    "array": ("maxItems", "uniqueItems"),
}


def read(body: dict[str, Any], *, counting: bool = False) -> Request:
    """The request; raises Refused with status 400 where the API would."""
    for name in ("model", "messages") if counting else ("max_tokens", "messages", "model"):
        require(name in body, f"{name}: Field required")
    for name in body:
        require(name in FIELDS, f"{name}: Extra inputs are not permitted")
    limit = body.get("max_tokens", 1)
    require(isinstance(limit, int) and not isinstance(limit, bool), "max_tokens: Input should be a valid integer")
    require(limit >= 0, "max_tokens: Input should be greater than or equal to 0")
    require(isinstance(body["messages"], list), "messages: Input should be a valid list")
    require(body["messages"] != [], "messages: at least one message is required")
    _model_rules(body)
    _conversation(body["messages"])
    _marks(body)
    schema = ((body.get("output_config") or {}).get("format") or {}).get("schema")
    if schema is not None:
        for fault in _schema_faults(schema):
            raise Refused(f"output_config.format.schema: {fault}")
    names = [tool.get("name") for tool in body.get("tools", [])]
    require(len(names) == len(set(names)), "tools: Tool names must be unique.")
    return Request(
        api="anthropic",
        model=str(body["model"]),
        system=_system(body),
        turns=[turn for message in body["messages"] for turn in _turns(message)],
        tools={tool["name"]: tool.get("input_schema", {}) for tool in body.get("tools", [])},
        schema=schema,
        stream=bool(body.get("stream")),
        max_tokens=limit,
        body=body,
    )


def _model_rules(body: dict[str, Any]) -> None:
    newest = _NEWEST.match(str(body["model"])) is not None
    for name in ("temperature", "top_p", "top_k"):
        require(not (newest and name in body), f"`{name}` is deprecated for this model.")
    thinking = body.get("thinking") or {}
    require(
        not (newest and thinking.get("type") == "enabled"),
        '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and '
        '"output_config.effort" to control thinking behavior.',
    )
    require(
        not (newest and body["messages"][-1].get("role") == "assistant"),
        "This model does not support assistant message prefill. The conversation must end with a user message.",
    )
    if thinking.get("type") == "enabled":
        require(
            thinking.get("budget_tokens", 0) >= 1024, "thinking.enabled.budget_tokens: Input should be at least 1024"
        )


def _conversation(messages: list[dict[str, Any]]) -> None:
    require(messages[0].get("role") == "user", 'messages: first message must use the "user" role')
    open_calls: list[str] = []
    for i, message in enumerate(messages):
        require(message.get("role") in ("user", "assistant", "system"), f"messages.{i}.role: Input should be 'user'")
        parts = _parts(message)
        final = i == len(messages) - 1 and message["role"] == "assistant"
        require(
            bool(parts) or final,
            f"messages.{i}: all messages must have non-empty content except for the optional final assistant message",
        )
        for j, part in enumerate(parts):
            if part.get("type") == "text":
                require(bool(str(part.get("text", "")).strip()), "messages: text content blocks must be non-empty")
            elif part.get("type") == "tool_result":
                require(
                    part.get("tool_use_id") in open_calls,
                    f"messages.{i}.content.{j}: unexpected `tool_use_id` found in `tool_result` blocks: "
                    f"{part.get('tool_use_id')}. Each `tool_result` block must have a corresponding `tool_use` block "
                    "in the previous message.",
                )
        answered = [part.get("tool_use_id") for part in parts if part.get("type") == "tool_result"]
        missing = [call for call in open_calls if call not in answered]
        require(
            not missing,
            f"messages.{i - 1}: `tool_use` ids were found without `tool_result` blocks immediately after: "
            f"{', '.join(missing)}. Each `tool_use` block must have a corresponding `tool_result` block in the next "
            "message.",
        )
        open_calls = [str(part["id"]) for part in parts if part.get("type") == "tool_use"]


def _marks(body: dict[str, Any]) -> None:
    system = body.get("system", [])
    holders = [*body.get("tools", []), *(system if isinstance(system, list) else [])]
    holders += [part for message in body["messages"] for part in _parts(message)]
    marks = [holder["cache_control"] for holder in [*holders, body] if holder.get("cache_control")]
    require(
        len(marks) <= MOST_MARKS,
        f"A maximum of {MOST_MARKS} blocks with cache_control may be provided. Found {len(marks)}.",
    )
    seen_short = False
    for mark in marks:
        require(mark.get("type") == "ephemeral", "cache_control.type: Input should be 'ephemeral'")
        ttl = mark.get("ttl", "5m")
        require(ttl in ("5m", "1h"), "cache_control.ephemeral.ttl: Input should be '5m' or '1h'")
        require(
            not (seen_short and ttl == "1h"),
            "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. "
            "Note that blocks are processed in the following order: `tools`, `system`, `messages`.",
        )
        seen_short = seen_short or ttl == "5m"
    for part in holders:
        empty = part.get("type") == "text" and not part.get("text") and part.get("cache_control")
        require(not empty, "cache_control cannot be set for empty text blocks")


def _schema_faults(schema: Any) -> Iterator[str]:
    if isinstance(schema, list):
        for part in schema:
            yield from _schema_faults(part)
        return
    if not isinstance(schema, dict):
        return
    kinds = schema.get("type")
    for kind in [kinds] if isinstance(kinds, str) else kinds or []:
        if kind == "object" and schema.get("additionalProperties") is not False:
            yield "For 'object' type, 'additionalProperties' must be explicitly set to false"
        found = [name for name in _UNSUPPORTED.get(kind, ()) if name in schema]
        if kind == "array" and schema.get("minItems", 0) > 1:
            found.append("minItems")
        if found:
            yield f"For '{kind}' type, properties {', '.join(found)} are not supported"
    for key, value in schema.items():
        if key in ("properties", "$defs", "definitions"):
            for inner in value.values():
                yield from _schema_faults(inner)
        elif key in ("items", "anyOf", "oneOf", "allOf", "prefixItems"):
            yield from _schema_faults(value)


def _system(body: dict[str, Any]) -> str:
    system = body.get("system", [])
    return system if isinstance(system, str) else "\n\n".join(str(block.get("text", "")) for block in system)


def _parts(message: dict[str, Any]) -> list[dict[str, Any]]:
    content = message.get("content", [])
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return list(content)


def _turns(message: dict[str, Any]) -> Iterator[Turn]:
    parts = _parts(message)
    for part in parts:
        if part.get("type") == "tool_result":
            yield Turn("tool", _result_text(part.get("content", "")))
    text = "\n".join(str(part["text"]) for part in parts if part.get("type") == "text")
    calls = [(str(p["name"]), dict(p["input"])) for p in parts if p.get("type") == "tool_use"]
    images = sum(part.get("type") == "image" for part in parts)
    if text or calls or images:
        yield Turn(str(message["role"]), text, calls, images)


def _result_text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text", json.dumps(part))) for part in content)
