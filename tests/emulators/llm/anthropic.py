"""Anthropic's Messages API: how answers, streams and errors are spelled."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from .outcome import Outcome, Written, spoil
from .request import Request
from .tokens import Block, Spent, picture

_STOPS = {"stop": "end_turn", "length": "max_tokens", "refused": "refusal", "tools": "tool_use"}


def blocks(body: dict[str, Any]) -> list[Block]:
    """The prompt in the order that counts for caching: tools, system, messages; with its cache marks."""
    out = [Block(_plain(tool), _ttl(tool)) for tool in body.get("tools", [])]
    system = body.get("system", [])
    out += [Block(_plain(b), _ttl(b)) for b in ([{"text": system}] if isinstance(system, str) else system)]
    for message in body["messages"]:
        content = message["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        out += [Block(message["role"] + _plain(part), _ttl(part)) for part in parts]
    if body.get("cache_control") and out:
        out[-1] = Block(out[-1].text, _ttl(body))
    return out


def diverged(before: dict[str, Any] | None, now: dict[str, Any], missed: int) -> dict[str, Any] | None:
    """Why the cache could not reuse the request `before`, as `diagnostics` says it; None when it could."""
    if before is None:
        return {"cache_miss_reason": {"type": "previous_message_not_found"}}
    for name in ("model", "system", "tools"):
        if before.get(name) != now.get(name):
            return {"cache_miss_reason": {"type": f"{name}_changed", "cache_missed_input_tokens": missed}}
    old, new = blocks({"messages": before["messages"]}), blocks({"messages": now["messages"]})
    if [b.text for b in new[: len(old)]] != [b.text for b in old]:
        return {"cache_miss_reason": {"type": "messages_changed", "cache_missed_input_tokens": missed}}
    return None


def message(request: Request, outcome: Outcome, spent: Spent, number: int) -> dict[str, Any]:
    """The answer outside a stream."""
    content: list[dict[str, Any]] = []
    for written in outcome.written:
        content.append(
            {**_opening(written), "input": _arguments(written.text)}
            if written.name
            else {"type": "text", "text": written.text}
        )
    whole = {**_frame(request, spent, number), "content": content, **_end(outcome)}
    whole["usage"]["output_tokens"] = outcome.tokens
    return spoil(whole) if outcome.spoiled else whole


def events(request: Request, outcome: Outcome, spent: Spent, number: int) -> Iterator[bytes]:
    """The answer as server-sent events, up to where the outcome says that it ends."""

    def event(kind: str, **fields: Any) -> bytes:
        data = spoil(fields) if outcome.spoiled else fields
        return f"event: {kind}\ndata: {json.dumps({'type': kind, **data}, ensure_ascii=False)}\n\n".encode()

    yield event("message_start", message=_frame(request, spent, number))
    for index, written in enumerate(outcome.written):
        yield event("content_block_start", index=index, content_block=_opening(written))
        if index == 0:
            yield event("ping")
        for piece in written.pieces():
            delta = (
                {"type": "input_json_delta", "partial_json": piece}
                if written.name
                else {"type": "text_delta", "text": piece}
            )
            yield event("content_block_delta", index=index, delta=delta)
        if outcome.ends == "whole":
            yield event("content_block_stop", index=index)
    if outcome.ends == "error" and outcome.error is not None:
        yield event("error", error={"type": outcome.error.name, "message": outcome.error.message})
    elif outcome.ends == "whole":
        usage = {k: v for k, v in _usage(spent).items() if k.endswith("tokens")} | {"output_tokens": outcome.tokens}
        yield event("message_delta", delta=_end(outcome), usage=usage)
        yield event("message_stop")


def error(kind: str, words: str, number: int) -> dict[str, Any]:
    """The body of a refusal."""
    return {"type": "error", "error": {"type": kind, "message": words}, "request_id": f"req_{number:024d}"}


def _frame(request: Request, spent: Spent, number: int) -> dict[str, Any]:
    return {
        "id": f"msg_{number:024d}",
        "type": "message",
        "role": "assistant",
        "model": request.model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "stop_details": None,
        "usage": _usage(spent),
        "diagnostics": request.extra.get("diagnostics"),
    }


def _end(outcome: Outcome) -> dict[str, Any]:
    refused = {"type": "refusal", "category": None, "explanation": None} if outcome.finish == "refused" else None
    return {"stop_reason": _STOPS[outcome.finish], "stop_sequence": None, "stop_details": refused}


def _usage(spent: Spent) -> dict[str, Any]:
    return {
        "input_tokens": spent.fresh,
        "cache_read_input_tokens": spent.cached,
        "cache_creation_input_tokens": sum(spent.written.values()),
        "cache_creation": {
            "ephemeral_5m_input_tokens": spent.written.get("5m", 0),
            "ephemeral_1h_input_tokens": spent.written.get("1h", 0),
        },
        "output_tokens": 1,
        "service_tier": "standard",
    }


def _opening(written: Written) -> dict[str, Any]:
    if not written.name:
        return {"type": "text", "text": ""}
    caller = {"type": "direct"}
    return {
        "type": "tool_use",
        "id": f"toolu_{written.call_id:0>24}",
        "name": written.name,
        "input": {},
        "caller": caller,
    }


def _arguments(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return {}


def _plain(block: dict[str, Any]) -> str:
    """What the model reads of a block: its text, or its JSON without the cache mark."""
    if set(block) <= {"type", "text", "cache_control"} and "text" in block:
        return str(block["text"])
    if block.get("type") == "image":
        return picture(json.dumps(block.get("source"), sort_keys=True))
    return json.dumps({k: v for k, v in block.items() if k != "cache_control"}, ensure_ascii=False, sort_keys=True)


def _ttl(block: dict[str, Any]) -> str | None:
    mark = block.get("cache_control")
    return str(mark.get("ttl", "5m")) if mark else None
