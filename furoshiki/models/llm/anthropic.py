"""Anthropic's Messages API through the official SDK, read as plain events.

The SDK's typed models are not used: they cost time for each token, and a server may send wrong
types. Its connection, headers and event stream reader are used.
"""

import base64
import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar
from urllib.parse import quote

from furoshiki.core.catalogue import Sentence
from furoshiki.core.json_values import dict_of, dicts_of, list_of
from furoshiki.core.network.providers import ProviderSpec
from furoshiki.models.llm.failures import Failure
from furoshiki.models.llm.partial_answer import UNFINISHED, Hearing
from furoshiki.models.llm.provider import Form, ModelOptions
from furoshiki.models.llm.sdk_client import KitClient, json_lines, read_name, was_made_since
from furoshiki.models.llm.values import Finish, Message, Native, Question, Usage

# Cache marks in a request. Of more, the first (stable part) and the last (longest) are kept.
MOST_MARKS = 4

_FINISHES: dict[str, Finish] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "pause_turn": "stop",
    "tool_use": "tools",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refused",
}
_REMEMBERED = 64

_BATCHES = "/v1/messages/batches"


class Anthropic(KitClient):
    """A provider with Anthropic's API, at its own address or at `base_url`."""

    kit_name = "anthropic"
    kit_options: ClassVar = {"open_telemetry": False}

    def __init__(self, spec: ProviderSpec, api_key: str | None, base_url: str | None = None) -> None:
        # people copy addresses with or without the version; the SDK adds it
        super().__init__(spec, api_key, (base_url or "").rstrip("/").removesuffix("/v1"))
        self._last_ids: OrderedDict[tuple[str, str], str] = OrderedDict()

    async def say(
        self, model: str, question: Question, form: Form | None, manner: ModelOptions, hearing: Hearing
    ) -> None:
        """Send one request and fill `hearing`. Raises Failure."""
        body = self._body(model, question, form, manner)
        shape = ("json_schema",) if "format" in body.get("output_config", {}) else ()
        hearing.may_go = frozenset((*manner.send, *shape, *{"diagnostics", "tools"} & body.keys()))
        await self._stream(body, question.purpose, hearing)

    def batch_request(self, model: str, question: Question, form: Form | None, manner: ModelOptions) -> dict[str, Any]:
        """Return the request for a batch, without streaming fields and changing ones."""
        body = self._body(model, question, form, manner)
        return {name: value for name, value in body.items() if name not in ("stream", "diagnostics")}

    async def hand_in(self, requests: Mapping[str, Mapping[str, Any]], mark: str) -> str:
        """Submit requests by key and return the batch id. The API has no field for `mark`."""
        listed = [{"custom_id": key, "params": dict(body)} for key, body in requests.items()]
        made = dict_of(await self._plain("post", _BATCHES, body={"requests": listed}))
        return read_name(made)

    async def batch_is_over(self, batch_id: str) -> bool:
        found = dict_of(await self._plain("get", f"{_BATCHES}/{quote(batch_id, safe='')}"))
        return found.get("processing_status") == "ended"

    async def batch_results(self, batch_id: str) -> dict[str, Any]:
        """Return the result of each request in a batch, by key."""
        text = await self._plain("get", f"{_BATCHES}/{quote(batch_id, safe='')}/results", cast_to=str)
        return {_str(line.get("custom_id")): line.get("result") for line in json_lines(text)}

    async def cancel_batch(self, batch_id: str) -> None:
        """Cancel a batch; requests already answered stay answered."""
        await self._plain("post", f"{_BATCHES}/{quote(batch_id, safe='')}/cancel", body={})

    async def batches_since(self, at: datetime, mark: str) -> list[str]:
        """Return the ids of batches created since a time, oldest first; `mark` is not used."""
        found = dict_of(await self._plain("get", f"{_BATCHES}?limit=100"))
        made = reversed(dicts_of(found.get("data")))
        return [read_name(one) for one in made if was_made_since(one.get("created_at"), at)]

    async def hear_batched(self, result: Any, hearing: Hearing) -> None:
        """Fill `hearing` from a complete message, as if streamed. Raises Failure."""
        found = dict_of(result)
        kind = found.get("type")
        if kind != "succeeded":
            words = _str(dict_of(dict_of(found.get("error")).get("error")).get("message")) or f"it was {kind}"
            raise Failure("request", f"not answered in the batch: {words}"[:200], reached=False)
        message = dict_of(found.get("message"))
        reading = _Reading(hearing, _str(message.get("model")))
        await reading.take({"type": "message_start", "message": message})
        for index, block in enumerate(list_of(message.get("content"))):
            await reading.take({"type": "content_block_start", "index": index, "content_block": block})
        reason = {"stop_reason": message.get("stop_reason")}
        await reading.take({"type": "message_delta", "delta": reason, "usage": message.get("usage")})
        await reading.take({"type": "message_stop"})

    async def _stream(self, body: dict[str, Any], purpose: str, hearing: Hearing) -> None:
        from furoshiki.models.llm import http_client as http_clients

        with self._translate_errors():
            stream = await self._streaming("/v1/messages", body, hearing)
            reading = _Reading(hearing, body["model"])
            async with stream:
                async for event in stream:
                    await reading.take(event)
                    if reading.done:
                        await http_clients.drain(stream)
                        break
        if hearing.finish is None:
            raise Failure("truncated", Sentence(UNFINISHED))
        self._remember((body["model"], purpose), reading.message_id)

    def _remember(self, key: tuple[str, str], message_id: str) -> None:
        """Store the last answer's id; the next request uses it to ask why the cache was missed."""
        self._last_ids[key] = message_id
        self._last_ids.move_to_end(key)
        while len(self._last_ids) > _REMEMBERED:
            self._last_ids.popitem(last=False)

    def _body(self, model: str, question: Question, form: Form | None, manner: ModelOptions) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": model,
            "max_tokens": manner.limit(question),
            "stream": True,
            **manner.send,
        }
        if question.tools:
            body["tools"] = [
                {"name": tool.name, "description": tool.description, "input_schema": dict(tool.schema)}
                for tool in question.tools
            ]
        system = [_text(block.text, mark=block.cache) for block in question.system if block.text]
        if system:
            body["system"] = system
        body["messages"] = _messages(model, question.messages)
        if form is not None and "json_schema" in manner.quirks:
            body["messages"] = _messages(model, (*question.messages, Message("user", form.in_words)))
        elif form is not None and form.strict:
            output = {"format": {"type": "json_schema", "schema": dict(form.schema)}}
            body["output_config"] = {**body.get("output_config", {}), **output}
        if _place_marks(body, question.cache_ttl) and "diagnostics" not in manner.quirks:
            body["diagnostics"] = {"previous_message_id": self._last_ids.get((model, question.purpose)) or None}
        return body


class _Reading:
    """Reads the events of one stream into a Hearing; values of a wrong type count as missing."""

    def __init__(self, hearing: Hearing, model: str) -> None:
        self._hearing = hearing
        self._model = model
        self._blocks: dict[int, dict[str, Any]] = {}
        self._input: dict[str, int] = {}
        self.message_id = ""
        self.done = False

    async def take(self, event: object) -> None:
        if not isinstance(event, dict):
            raise Failure("garbage", "an event that is not an object")
        self._hearing.sign()
        kind = event.get("type")
        if kind == "message_start":
            message = dict_of(event.get("message"))
            self.message_id = str(message.get("id") or "")
            self._count(dict_of(message.get("usage")))
            reason = dict_of(dict_of(message.get("diagnostics")).get("cache_miss_reason")).get("type")
            self._hearing.cache_miss = reason if isinstance(reason, str) else None
        elif kind == "content_block_start":
            await self._begin(_index(event), dict_of(event.get("content_block")))
        elif kind == "content_block_delta":
            await self._continue(_index(event), dict_of(event.get("delta")))
        elif kind == "message_delta":
            self._count(dict_of(event.get("usage")))
            reason = dict_of(event.get("delta")).get("stop_reason")
            if isinstance(reason, str):
                self._hearing.finish = _FINISHES.get(reason, "length")
                self._hearing.broke_off = None if reason in _FINISHES else reason[:40]
        elif kind == "message_stop":
            self.done = True
            self._hearing.native = self._native()

    async def _begin(self, index: int, block: dict[str, Any]) -> None:
        self._blocks[index] = dict(block)
        if block.get("type") == "text":
            await self._hearing.add_text(_str(block.get("text")))
        elif block.get("type") == "tool_use":
            given = block.get("input")
            args = json.dumps(given) if isinstance(given, dict) and given else ""
            self._hearing.add_call(index, call_id=_str(block.get("id")), name=_str(block.get("name")), args=args)

    async def _continue(self, index: int, delta: dict[str, Any]) -> None:
        block = self._blocks.setdefault(index, {"type": "text", "text": ""})
        match delta.get("type"):
            case "text_delta":
                piece = _str(delta.get("text"))
                block["text"] = _str(block.get("text")) + piece
                await self._hearing.add_text(piece)
            case "input_json_delta":
                self._hearing.add_call(index, args=_str(delta.get("partial_json")))
            case "thinking_delta":
                self._hearing.thought = True
                block["thinking"] = _str(block.get("thinking")) + _str(delta.get("thinking"))
            case "signature_delta":
                block["signature"] = _str(block.get("signature")) + _str(delta.get("signature"))

    def _count(self, usage: dict[str, Any]) -> None:
        """Update token counts: later events repeat or correct earlier ones and may omit fields."""
        for name, value in usage.items():
            if isinstance(value, int) and value >= 0:
                self._input[name] = value
        cached = self._input.get("cache_read_input_tokens", 0)
        written = self._input.get("cache_creation_input_tokens", 0)
        fresh = self._input.get("input_tokens", 0)
        self._hearing.usage = Usage(fresh + cached + written, cached, written, self._input.get("output_tokens", 0))

    def _native(self) -> Native | None:
        """Return the answer as blocks if tools were called: thinking is sent back unchanged."""
        calls = {call.id: call for call in self._hearing.calls()}
        if not calls:
            return None
        content = []
        for _, block in sorted(self._blocks.items()):
            if block.get("type") == "tool_use":
                call = calls.get(_str(block.get("id")))
                if call is None:
                    return None
                content.append({"type": "tool_use", "id": call.id, "name": call.name, "input": dict(call.args)})
            elif block.get("type") != "text" or block.get("text"):
                content.append(block)
        return Native("anthropic", self._model, content)


def _messages(model: str, messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Return the messages as alternating turns; consecutive tool results form one user turn."""
    turns: list[dict[str, Any]] = []
    for message in messages:
        role = "assistant" if message.role == "assistant" else "user"
        content = _content(model, message)
        if not content:
            continue
        if message.cache:
            content[-1] = {**content[-1], "cache_control": {}}
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"].extend(content)
        else:
            turns.append({"role": role, "content": content})
    if turns and turns[0]["role"] == "assistant":
        # the API requires a user turn first, but the companion may have written first
        turns.insert(0, {"role": "user", "content": [_text("…")]})
    return turns


def _content(model: str, message: Message) -> list[dict[str, Any]]:
    if message.role == "tool":
        return [{"type": "tool_result", "tool_use_id": message.call_id or "", "content": message.text or "(nothing)"}]
    native = message.native
    if native is not None and (native.provider, native.model) == ("anthropic", model):
        return list(native.content)
    parts: list[dict[str, Any]] = [
        {
            "type": "image",
            "source": {
                "type": "base64",
                "media_type": image.media_type,
                "data": base64.b64encode(image.data).decode("ascii"),
            },
        }
        for image in message.images
    ]
    if message.text.strip():
        parts.append(_text(message.text))
    parts += [
        {"type": "tool_use", "id": call.id, "name": call.name, "input": dict(call.args)} for call in message.calls
    ]
    return parts


def _text(text: str, *, mark: bool = False) -> dict[str, Any]:
    return {"type": "text", "text": text, "cache_control": {}} if mark else {"type": "text", "text": text}


def _place_marks(body: dict[str, Any], ttl: str) -> bool:
    """Set the allowed cache marks and remove the others; True if any remains."""
    blocks = [*body.get("system", ()), *(block for turn in body["messages"] for block in turn["content"])]
    marked = [block for block in blocks if "cache_control" in block]
    kept = marked if len(marked) <= MOST_MARKS else [marked[0], *marked[-(MOST_MARKS - 1) :]]
    for block in marked:
        if any(block is one for one in kept):
            block["cache_control"] = {"type": "ephemeral"} if ttl == "5m" else {"type": "ephemeral", "ttl": ttl}
        else:
            del block["cache_control"]
    return bool(kept)


def _str(value: object) -> str:
    return value if isinstance(value, str) else ""


def _index(event: Mapping[str, Any]) -> int:
    index = event.get("index")
    return index if isinstance(index, int) else 0
