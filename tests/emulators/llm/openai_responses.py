"""OpenAI's responses API: how answers and streams are spelled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .openai_chat import event
from .outcome import Outcome, Written, spoil
from .request import Request
from .tokens import Spent


def response(request: Request, outcome: Outcome, spent: Spent, number: int) -> dict[str, Any]:
    """The answer outside a stream."""
    short = outcome.finish == "length"
    items = [_item(written, outcome, number, i) for i, written in enumerate(outcome.written)]
    usage = {
        "input_tokens": spent.total,
        "input_tokens_details": {
            "cached_tokens": spent.cached,
            "cache_write_tokens": sum(spent.written.values()),
        },
        "output_tokens": outcome.tokens,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": spent.total + outcome.tokens,
    }
    whole = {
        **_frame(request, number),
        "status": "incomplete" if short else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if short else None,
        "output": items,
        "usage": usage,
    }
    return spoil(whole) if outcome.spoiled else whole


def events(request: Request, outcome: Outcome, spent: Spent, number: int) -> Iterator[bytes]:
    """The answer as server-sent events, up to where the outcome says that it ends."""
    count = 0

    def tell(kind: str, **fields: Any) -> bytes:
        nonlocal count
        data = {**fields, "sequence_number": count}
        count += 1
        return event({"type": kind, **(spoil(data) if outcome.spoiled else data)}, kind)

    begun = {**_frame(request, number), "status": "in_progress", "output": [], "usage": None}
    yield tell("response.created", response=begun)
    yield tell("response.in_progress", response=begun)
    for i, written in enumerate(outcome.written):
        item = _item(written, outcome, number, i)
        at = {"item_id": item["id"], "output_index": i}
        opened = {
            **item,
            "status": "in_progress",
            ("arguments" if written.name else "content"): "" if written.name else [],
        }
        yield tell("response.output_item.added", item=opened, output_index=i)
        if written.name:
            for piece in written.pieces():
                yield tell("response.function_call_arguments.delta", **at, delta=piece)
        else:
            kind = "refusal" if outcome.finish == "refused" else "output_text"
            part = item["content"][0]
            key = "refusal" if kind == "refusal" else "text"
            yield tell("response.content_part.added", **at, content_index=0, part={**part, key: ""})
            more: dict[str, Any] = {"content_index": 0} | ({} if kind == "refusal" else {"logprobs": []})
            for piece in written.pieces():
                yield tell(f"response.{kind}.delta", **at, **more, delta=piece)
        if outcome.ends != "whole":
            break
        if written.name:
            yield tell("response.function_call_arguments.done", **at, arguments=written.text, name=written.name)
        else:
            yield tell(f"response.{kind}.done", **at, **more, **{key: written.text})
            yield tell("response.content_part.done", **at, content_index=0, part=part)
        yield tell("response.output_item.done", item=item, output_index=i)
    if outcome.ends == "error" and outcome.error is not None:
        yield tell("error", code="server_error", message=outcome.error.message, param=None)
    elif outcome.ends == "whole":
        ending = "response.incomplete" if outcome.finish == "length" else "response.completed"
        spoiled, outcome.spoiled = outcome.spoiled, False
        whole = response(request, outcome, spent, number)
        outcome.spoiled = spoiled
        yield tell(ending, response=whole)


def _frame(request: Request, number: int) -> dict[str, Any]:
    body = request.body
    return {
        "id": f"resp_{number:024d}",
        "object": "response",
        "created_at": int(request.at),
        "error": None,
        "incomplete_details": None,
        "instructions": body.get("instructions"),
        "max_output_tokens": body.get("max_output_tokens"),
        "metadata": body.get("metadata") or {},
        "model": request.model,
        "parallel_tool_calls": True,
        "temperature": 1.0,
        "tool_choice": body.get("tool_choice", "auto"),
        "tools": body.get("tools", []),
        "top_p": 1.0,
        "text": body.get("text") or {"format": {"type": "text"}},
        "truncation": "disabled",
    }


def _item(written: Written, outcome: Outcome, number: int, position: int) -> dict[str, Any]:
    if written.name:
        return {
            "id": f"fc_{number:020d}{position:04d}",
            "type": "function_call",
            "status": "completed",
            "call_id": f"call_{written.call_id:0>24}",
            "name": written.name,
            "arguments": written.text,
        }
    part: dict[str, Any] = {"type": "output_text", "text": written.text, "annotations": [], "logprobs": []}
    if outcome.finish == "refused":
        part = {"type": "refusal", "refusal": written.text}
    return {
        "id": f"msg_{number:020d}{position:04d}",
        "type": "message",
        "role": "assistant",
        "status": "incomplete" if outcome.finish == "length" else "completed",
        "content": [part],
    }
