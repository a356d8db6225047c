"""An answer as each family streams it: where thoughts stand, how calls are cut, where the count of tokens is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tests.models.llm.server import Claude, Reply

INSIDE = "INSIDE: they bore me."
"""What a model thinks, and nobody is to see."""

Thinks = Literal["reasoning_content", "reasoning", "parts", "tags", "half a tag", "channels", "blocks", "not at all"]
Calls = Literal["pieces", "whole", "object", "no index", "same index", "no id", "words"]
Counts = Literal["last", "with the end", "not at all"]

Part = bytes | float | None


@dataclass(frozen=True)
class Said:
    """What a model says: words, or calls of tools with their arguments; how it ends; what it cost."""

    text: str = ""
    calls: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    reason: str = "stop"
    usd: float | None = None


@dataclass(frozen=True)
class Voice:
    """How a family streams. `before` are comments in front of the first event; `done` is False where nothing ends the
    stream but its end; `newline` stands behind each line."""

    thinks: Thinks = "not at all"
    calls: Calls = "pieces"
    counts: Counts = "last"
    before: bytes = b""
    done: bool = True
    newline: str = "\n"
    ends: bool = True
    costs: Literal["usage", "header", "not at all"] = "not at all"
    extra: Mapping[str, Any] | None = None
    """What stands beside each call, to be handed back with it."""

    def stream(self, said: Said) -> Reply:
        """The whole of an answer."""
        return self._reply([*self._events(said)], said, done=self.done)

    def broken(self, said: Said, end: Sequence[Part]) -> Reply:
        """An answer that is not finished, and what comes instead of the rest."""
        events = [one for one in self._events(said) if one.get("choices")][:-1]
        reply = self._reply(events, said, done=False)
        reply.parts += end
        return reply

    def whole(self, said: Said) -> Reply:
        """An answer that comes at once, whatever was asked for."""
        message = {"role": "assistant", "content": said.text}
        body = {"choices": [{"index": 0, "message": message, "finish_reason": said.reason}], "usage": _USAGE}
        return Reply([json.dumps(body).encode()], 200, {"content-type": "application/json"})

    def _reply(self, events: list[dict[str, Any]], said: Said, *, done: bool) -> Reply:
        end = self.newline * 2
        parts: list[Part] = [self.before] if self.before else []
        parts += [f"data: {json.dumps(one)}{end}".encode() for one in events]
        parts += [f"data: [DONE]{end}".encode()] if done else []
        head = {"content-type": "text/event-stream; charset=utf-8"}
        if said.usd is not None and self.costs == "header":
            head["x-litellm-response-cost"] = str(said.usd)
        return Reply(parts, 200, head)

    def _events(self, said: Said) -> Iterator[dict[str, Any]]:
        yield _chunk({"role": "assistant", "content": ""})
        yield {"id": "c", "choices": []}
        text = self._thought_in_text(said.text)
        yield from self._thought()
        if said.calls and self.calls == "words":
            text += "".join(
                f'<tool_call>{{"name": "{name}", "arguments": {json.dumps(args)}}}</tool_call>'
                for name, args in said.calls
            )
        for at in range(0, len(text), 7):
            piece = text[at : at + 7]
            yield _chunk({"content": [{"type": "text", "text": piece}] if self.thinks == "parts" else piece})
        if said.calls and self.calls != "words":
            yield from self._called(said.calls)
        reason = "tool_calls" if said.calls and self.calls != "words" else said.reason
        usage = _USAGE | ({"cost": said.usd} if said.usd is not None and self.costs == "usage" else {})
        last = _chunk({}, reason if self.ends else None)
        if self.counts == "with the end":
            last["usage"] = usage
        yield last
        if self.counts == "last":
            yield {"id": "c", "choices": [], "usage": usage}

    def _thought(self) -> Iterator[dict[str, Any]]:
        match self.thinks:
            case "reasoning_content" | "reasoning":
                yield _chunk({self.thinks: INSIDE, "content": None})
            case "parts":
                yield _chunk({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": INSIDE}]}]})

    def _thought_in_text(self, text: str) -> str:
        match self.thinks:
            case "tags":
                return f"<think>\n{INSIDE}\n</think>\n\n{text}"
            case "half a tag":
                return f"{INSIDE}\n</think>\n\n{text}"
            case "channels":
                head = f"<|channel|>analysis<|message|>{INSIDE}<|end|><|start|>assistant"
                return f"{head}<|channel|>final<|message|>{text}"
        return text

    def _called(self, calls: Sequence[tuple[str, Mapping[str, Any]]]) -> Iterator[dict[str, Any]]:
        for at, (name, args) in enumerate(calls):
            written = json.dumps(args)
            one: dict[str, Any] = {"index": at, "id": f"call_{at}x9", "type": "function", **(self.extra or {})}
            if self.calls == "same index":
                one["index"] = 0
            if self.calls == "no index":
                del one["index"]
            if self.calls == "no id":
                del one["id"]
            if self.calls == "pieces":
                half = len(written) // 2
                yield _chunk({"tool_calls": [{**one, "function": {"name": name, "arguments": ""}}]})
                for piece in (written[:half], written[half:]):
                    yield _chunk({"tool_calls": [{"index": at, "function": {"arguments": piece}}]})
                continue
            given = args if self.calls == "object" else written
            yield _chunk({"tool_calls": [{**one, "function": {"name": name, "arguments": given}}]})


class Blocks(Voice):
    """Anthropic's stream of blocks, with pings between them."""

    def stream(self, said: Said) -> Reply:
        reason = {"stop": "tool_use" if said.calls else "end_turn", "length": "max_tokens"}.get(
            said.reason, said.reason
        )
        return Claude.stream(*self._blocks(said), *Claude.end(reason))

    def broken(self, said: Said, end: Sequence[Part]) -> Reply:
        reply = Claude.stream(*self._blocks(said))
        reply.parts += end
        return reply

    def _blocks(self, said: Said) -> Iterator[dict[str, Any]]:
        yield Claude.start()
        yield {"type": "ping"}
        yield _begins(0, {"type": "thinking", "thinking": ""})
        yield {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": INSIDE}}
        yield {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "s1"}}
        yield {"type": "content_block_stop", "index": 0}
        for at in range(0, len(said.text), 7):
            yield Claude.text(said.text[at : at + 7], 1)
        for at, (name, args) in enumerate(said.calls, 2):
            yield _begins(at, {"type": "tool_use", "id": f"toolu_{at}", "name": name, "input": {}})
            delta = {"type": "input_json_delta", "partial_json": json.dumps(args)}
            yield {"type": "content_block_delta", "index": at, "delta": delta}


def _begins(at: int, block: dict[str, Any]) -> dict[str, Any]:
    return {"type": "content_block_start", "index": at, "content_block": block}


def _chunk(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
    return {
        "id": "c",
        "object": "chat.completion.chunk",
        "choices": [{"index": 0, "delta": delta, "finish_reason": reason}],
    }


_USAGE = {"prompt_tokens": 12, "completion_tokens": 5, "total_tokens": 17}
