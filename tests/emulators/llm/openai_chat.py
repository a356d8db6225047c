"""OpenAI's chat completions: how answers, streams and errors are spelled."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from .outcome import Outcome, Written, spoil
from .request import Request
from .rules import Refused
from .tokens import Spent, picture

_REASONS = {"stop": "stop", "length": "length", "refused": "stop", "tools": "tool_calls"}
_DATA = re.compile(r"data:image/[^\"]+")


def prompt(body: dict[str, Any]) -> str:
    """The prompt as one text, in the order that counts for caching."""
    parts = [body.get("tools", []), body.get("messages") or [body.get("instructions"), body.get("input")]]
    return _DATA.sub(lambda found: picture(found.group()), json.dumps(parts, ensure_ascii=False))


def completion(request: Request, outcome: Outcome, spent: Spent, number: int) -> dict[str, Any]:
    """The answer outside a stream."""
    calls = [_call(written) for written in outcome.written if written.name]
    refused = outcome.finish == "refused"
    message: dict[str, Any] = {
        "role": "assistant",
        "content": None if refused or (calls and not outcome.text) else outcome.text,
        "refusal": outcome.text if refused else None,
        "annotations": [],
    }
    if calls:
        message["tool_calls"] = calls
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _REASONS[outcome.finish]}
    whole = {**_frame(request, number, "chat.completion"), "choices": [choice], "usage": usage(spent, outcome.tokens)}
    return spoil(whole) if outcome.spoiled else whole


def chunks(request: Request, outcome: Outcome, spent: Spent, number: int) -> Iterator[bytes]:
    """The answer as server-sent events, up to where the outcome says that it ends."""
    counted = bool((request.body.get("stream_options") or {}).get("include_usage"))

    def chunk(delta: dict[str, Any] | None, finish: str | None = None, **more: Any) -> bytes:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        data = {**_frame(request, number, "chat.completion.chunk"), "choices": [] if delta is None else [choice]}
        data |= {"usage": None} if counted else {}
        return event(spoil({**data, **more}) if outcome.spoiled else {**data, **more})

    yield chunk({"role": "assistant", "content": "", "refusal": None})
    place = "refusal" if outcome.finish == "refused" else "content"
    position = 0
    for written in outcome.written:
        if not written.name:
            for piece in written.pieces():
                yield chunk({place: piece})
            continue
        opened = {**_call(written), "index": position}
        opened["function"] = {"name": written.name, "arguments": ""}
        yield chunk({"tool_calls": [opened]})
        for piece in written.pieces():
            yield chunk({"tool_calls": [{"index": position, "function": {"arguments": piece}}]})
        position += 1
    if outcome.ends == "error" and outcome.error is not None:
        yield event(error(Refused(outcome.error.message, 500, "server_error")))
    elif outcome.ends == "whole":
        yield chunk({}, _REASONS[outcome.finish])
        if counted:
            yield chunk(None, usage=usage(spent, outcome.tokens))
        yield b"data: [DONE]\n\n"


def event(data: dict[str, Any], name: str = "") -> bytes:
    """One server-sent event."""
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def error(refused: Refused) -> dict[str, Any]:
    """The body of a refusal."""
    return {
        "error": {
            "message": refused.message,
            "type": refused.kind,
            "param": refused.param or None,
            "code": refused.code or None,
        }
    }


def usage(spent: Spent, output: int) -> dict[str, Any]:
    return {
        "prompt_tokens": spent.total,
        "completion_tokens": output,
        "total_tokens": spent.total + output,
        "prompt_tokens_details": {
            "cached_tokens": spent.cached,
            "cache_write_tokens": sum(spent.written.values()),
            "audio_tokens": 0,
        },
        "completion_tokens_details": {
            "reasoning_tokens": 0,
            "audio_tokens": 0,
            "accepted_prediction_tokens": 0,
            "rejected_prediction_tokens": 0,
        },
    }


def _frame(request: Request, number: int, kind: str) -> dict[str, Any]:
    return {
        "id": f"chatcmpl-{number:024d}",
        "object": kind,
        "created": int(request.at),
        "model": request.model,
        "service_tier": "default",
    }


def _call(written: Written) -> dict[str, Any]:
    function = {"name": written.name, "arguments": written.text}
    return {"id": f"call_{written.call_id:0>24}", "type": "function", "function": function}
