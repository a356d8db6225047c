"""Forty-eight servers that are odd, broken or hostile, a line each: what comes of a question put to them."""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from furoshiki.models.llm.values import Answer, Block, CallRecord, Message, Question, Tool
from tests.models.llm.server import Gpt, Reply, Server, error
from tests.providers.matrix import opened

BUILT_IN = "(built-in mind"

RECALL = Tool("recall", "Look into memory.", {"type": "object", "properties": {"query": {"type": "string"}}})
ENDLESS = 40
"""Events of a stream that never ends, a second and a half apart."""

_JSON = {"content-type": "application/json"}
_HTML = {"content-type": "text/html"}


def _stream(*parts: bytes | float | None, **head: str) -> Reply:
    return Reply(list(parts), 200, {"content-type": "text/event-stream", **head})


def _data(*events: Any) -> list[bytes]:
    return [f"data: {json.dumps(one)}\n\n".encode() for one in events]


def _deltas(*texts: str) -> list[bytes]:
    return _data(*(Gpt.delta(content=text) for text in texts))


def _call(**call: Any) -> Reply:
    return Gpt.stream(Gpt.delta(tool_calls=[call]), Gpt.delta("tool_calls"))


DONE = b"data: [DONE]\n\n"
HALF = _deltas("Half a sentence ", "that goes")

SERVERS: Mapping[str, Reply] = {
    "closes at once": Reply([None]),
    "nothing at all": _stream(b""),
    "never says a word": _stream(200.0),
    "head only, then silence": _stream(b": hello\n\n", 200.0),
    "comments for ever": _stream(*[b": ping\n\n", 1.5] * ENDLESS),
    "empty events for ever": _stream(*[b"data: {}\n\n", 1.5] * ENDLESS),
    "a letter every second and a half": _stream(*[part for one in range(ENDLESS) for part in (*_deltas("a"), 1.5)]),
    "thinks for ever": _stream(*[part for one in range(ENDLESS) for part in (*_data(Gpt.delta(reasoning="Hm.")), 1.5)]),
    "silent after half": _stream(*HALF, 200.0),
    "resets after half": _stream(*HALF, None),
    "closes after half": _stream(*HALF),
    "an error after half": _stream(*HALF, *_data({"error": {"message": "boom", "type": "server_error"}})),
    "an error as text after half": _stream(*HALF, *_data({"error": "boom"})),
    "an error without its word after half": _stream(*HALF, *_data({"object": "error", "message": "boom", "code": 500})),
    "an error in a list": _stream(*HALF, *_data([{"error": {"code": 503, "message": "boom"}}])),
    "broken JSON after half": _stream(*HALF, b'data: {"choices": [{"del\n\n'),
    "bytes that are no text": _stream(*HALF, b"data: \xff\xfe\xfd\n\n"),
    "half a character": _stream(*HALF, 'data: {"choices": [{"delta": {"content": "é"}}]}'.encode()[:-6] + b"\n\n"),
    "null events": _stream(b"data: null\n\n" * 3, DONE),
    "numbers for events": _stream(b"data: 7\n\n", DONE),
    "choices that are text": _stream(*_data({"choices": "all of them"}), DONE),
    "a delta that is a list": _stream(*_data({"choices": [{"delta": ["a"]}]}), DONE),
    "content that is a number": _stream(*_data(Gpt.delta(content=7)), DONE),
    "content in odd parts": _stream(*_data(Gpt.delta(content=[1, {"type": "audio"}, {"text": 3}])), DONE),
    "only blanks": Gpt.says(" ", "\n", "​"),
    "only thoughts": Gpt.says("<think>They bore me.</think>"),
    "thoughts that never close": Gpt.says("<think>They bore me, and so on"),
    "thoughts that nothing opened": Gpt.says("They bore me.</think>Good evening!"),
    "channels": Gpt.says("<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Good."),
    "an invented turn": Gpt.says("Good evening!\nUser: thanks\nAssistant: Yes."),
    "chat template tokens": Gpt.says("Good evening!<|im_end|>\n<|im_start|>user\nthanks"),
    "an unknown reason": Gpt.says("Half a sentence", reason="gremlins"),
    "refused by its filter": Gpt.says("I", reason="content_filter"),
    "a call of a tool that is not there": _call(index=0, id="x", function={"name": "rm", "arguments": '{"path": "/"}'}),
    "a call without a name": _call(index=0, id="x", function={"arguments": "{}"}),
    "a call with half its arguments": _call(index=0, id="x", function={"name": "recall", "arguments": '{"query": "te'}),
    "a thousand calls": Gpt.stream(
        *(Gpt.delta(tool_calls=[{"index": at, "id": f"c{at}", "function": {"name": "recall", "arguments": "{}"}}])
          for at in range(1000)), Gpt.delta("tool_calls")),
    "ten megabytes": _stream(*_deltas(*["a" * 100_000] * 100)),
    "an error page of ten megabytes": Reply([b"<p>no</p>" * 120_000] * 10, 500, _HTML),
    "a hotel's page": Reply([b"<html>Welcome! Please log in.</html>"], 200, _HTML),
    "sent elsewhere": Reply([b""], 302, {"location": "http://192.0.2.1/", **_JSON}),
    "a wrong key": error(401, "authentication_error", "Incorrect API key provided: sk-canary-1234567890"),
    "no money": error(402, "insufficient_quota", "You exceeded your current quota"),
    "no such model": error(404, "not_found_error", "model 'x' not found, try pulling it first"),
    "wait for an hour": error(429, "rate_limit_error", "slow down", **{"retry-after": "3600"}),
    "refuses everything, says nothing": error(400, "x", "no"),
    "refuses with a novel": error(400, "x", "the request is wrong " * 50_000),
    "five hundred times 500": error(500, "server_error", "boom"),
}  # fmt: skip
"""By what they do. A part that is a number waits so many seconds, `None` resets the connection."""


@dataclass(frozen=True)
class Outcome:
    """What a person gets of one server, after how many seconds, and what was noted of the way there."""

    server: str
    answer: Answer
    took_s: float

    @property
    def word(self) -> str:
        """In a word."""
        if self.answer.text.startswith(BUILT_IN):
            return "a plain sentence"
        return {"broken": "kept, and said so", "refused": "told", "tools": "a call"}.get(
            self.answer.finish, "an answer"
        )


async def outcomes(timeout_s: float, sleep: Callable[[float], Awaitable[None]] | None = None) -> list[Outcome]:
    """Every server asked once, all at the same moment; `timeout_s` is what a question may take."""
    return list(await asyncio.gather(*(_ask(name, timeout_s, sleep) for name in SERVERS)))


async def _ask(name: str, timeout_s: float, sleep: Callable[[float], Awaitable[None]] | None) -> Outcome:
    ledger: list[CallRecord] = []
    async with Server(SERVERS[name]) as server:
        with tempfile.TemporaryDirectory() as data:
            values = {"COMPATIBLE_BASE_URL": f"{server.url}/v1", "FUROSHIKI_MODEL_CHAT": "compatible:house"}
            gateway = opened(values, Path(data), ledger, sleep)
        asked = Question(
            "chat",
            "turn",
            (Block("You are Furo."),),
            (Message("user", "Good evening"),),
            tools=(RECALL,),
            timeout_s=timeout_s,
        )
        await gateway.warm()
        began = time.monotonic()
        try:
            answer = await gateway.ask(asked)
        finally:
            await gateway.aclose()
        return Outcome(name, answer, time.monotonic() - began)
