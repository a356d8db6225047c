"""A tiny scripted HTTP server, and the two dialects' streams as bytes."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Reply:
    """One scripted answer. A part `None` cuts the connection, a number waits for so many seconds."""

    parts: list[bytes | float | None]
    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: {"content-type": "text/event-stream"})


Answering = Callable[[str, dict[str, Any]], Reply]
"""Makes a reply of the path and the body of a request."""


class Server:
    """Serves its replies in order; the last one again and again. Remembers the requests' bodies and headers."""

    def __init__(self, *replies: Reply | Answering) -> None:
        self.replies = list(replies)
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.broken = 0
        self._server: asyncio.Server | None = None
        self._closing = asyncio.Event()
        self._serving: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aenter__(self) -> Server:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._closing.set()
        self._server.close()
        await asyncio.gather(*self._serving)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            headers = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
            headers = {name.lower(): value for name, value in headers.items()}
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            self.headers.append(headers)
            self.paths.append(head.split(" ", 2)[1])
            as_json = "json" in headers.get("content-type", "")
            self.bodies.append(json.loads(body) if as_json else {"sent": body})
            reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
            reply = reply if isinstance(reply, Reply) else reply(self.paths[-1], self.bodies[-1])
            await self._reply(reader, writer, reply)
        except (ConnectionError, asyncio.IncompleteReadError):
            self.broken += 1
        finally:
            writer.close()

    async def _reply(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, reply: Reply) -> None:
        lines = [f"HTTP/1.1 {reply.status} X", "connection: close", "transfer-encoding: chunked"]
        lines += [f"{name}: {value}" for name, value in reply.headers.items()]
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        for part in reply.parts:
            if part is None:
                await writer.drain()
                writer.transport.abort()
                return
            if isinstance(part, float):
                await writer.drain()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._closing.wait(), part)
                if self._closing.is_set() or reader.at_eof():
                    self.broken += reader.at_eof()
                    return
                continue
            writer.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")
            await writer.drain()
        writer.write(b"0\r\n\r\n")
        await writer.drain()


def error(status: int, kind: str = "api_error", message: str = "no", **headers: str) -> Reply:
    body = json.dumps({"type": "error", "error": {"type": kind, "message": message}}).encode()
    return Reply([body], status, {"content-type": "application/json", **headers})


def _sse(*events: Any, named: bool) -> list[bytes | float | None]:
    parts: list[bytes | float | None] = []
    for event in events:
        if event is None or isinstance(event, float | bytes):
            parts.append(event)
            continue
        name = f"event: {event.get('type')}\n" if named else ""
        parts.append(f"{name}data: {json.dumps(event)}\n\n".encode())
    return parts


class Claude:
    """Anthropic's dialect."""

    name = "anthropic"

    @staticmethod
    def stream(*events: Any) -> Reply:
        return Reply(_sse(*events, named=True))

    @staticmethod
    def start(input_tokens: int = 12, *, read: int = 0, written: int = 0, **more: Any) -> dict[str, Any]:
        usage = {
            "input_tokens": input_tokens,
            "output_tokens": 1,
            "cache_read_input_tokens": read,
            "cache_creation_input_tokens": written,
        }
        return {"type": "message_start", "message": {"id": "msg_1", "usage": usage, **more}}

    @staticmethod
    def text(piece: str, index: int = 0) -> dict[str, Any]:
        return {"type": "content_block_delta", "index": index, "delta": {"type": "text_delta", "text": piece}}

    @staticmethod
    def end(reason: str = "end_turn", output_tokens: int = 5) -> list[dict[str, Any]]:
        delta = {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": output_tokens}}
        return [delta, {"type": "message_stop"}]

    @classmethod
    def says(cls, *pieces: str, reason: str = "end_turn", **start: Any) -> Reply:
        return cls.stream(cls.start(**start), *[cls.text(piece) for piece in pieces], *cls.end(reason))

    @classmethod
    def calls(cls, name: str, *fragments: str) -> Reply:
        block = {"type": "tool_use", "id": "toolu_1", "name": name, "input": {}}
        deltas = [
            {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": piece}}
            for piece in fragments
        ]
        begin = {"type": "content_block_start", "index": 1, "content_block": block}
        return cls.stream(cls.start(), cls.text("Let me look."), begin, *deltas, *cls.end("tool_use"))


class Gpt:
    """The dialect of chat completions."""

    name = "openai"

    @staticmethod
    def stream(*events: Any) -> Reply:
        return Reply([*_sse(*events, named=False), b"data: [DONE]\n\n"])

    @staticmethod
    def cut(*events: Any) -> Reply:
        return Reply(_sse(*events, named=False))

    @staticmethod
    def delta(reason: str | None = None, **delta: Any) -> dict[str, Any]:
        return {"id": "c", "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}

    @staticmethod
    def usage(prompt: int = 12, cached: int = 0, output: int = 5) -> dict[str, Any]:
        details = {"cached_tokens": cached}
        usage = {"prompt_tokens": prompt, "completion_tokens": output, "prompt_tokens_details": details}
        return {"id": "c", "choices": [], "usage": usage}

    @classmethod
    def says(cls, *pieces: str, reason: str = "stop", **usage: int) -> Reply:
        deltas = [cls.delta(content=piece) for piece in pieces]
        return cls.stream(cls.delta(role="assistant"), *deltas, cls.delta(reason), cls.usage(**usage))

    @classmethod
    def calls(cls, name: str, *fragments: str) -> Reply:
        first = cls.delta(tool_calls=[{"index": 0, "id": "call_9", "function": {"name": name, "arguments": ""}}])
        rest = [cls.delta(tool_calls=[{"index": 0, "function": {"arguments": piece}}]) for piece in fragments]
        return cls.stream(first, *rest, cls.delta("tool_calls"), cls.usage())
