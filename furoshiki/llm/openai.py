"""OpenAI's chat completions over the official kit: for OpenAI itself and for every server that speaks the same.

Chat completions and not the responses API, because Ollama, OpenRouter, llama.cpp and the rest speak only the former;
one way of speaking is tested by all of them. What a server does not understand (a schema, the count of tokens in a
stream) is left out after its first refusal, and that is remembered while the process lives.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any

from furoshiki.domain.asking import Finish, Message, Question, Usage
from furoshiki.llm.failures import Failure
from furoshiki.llm.hearing import Hearing
from furoshiki.llm.provider import Form, Manner

KEY_VARIABLE = "OPENAI_API_KEY"

_FINISHES: dict[str, Finish] = {
    "stop": "stop",
    "eos": "stop",
    "tool_calls": "tools",
    "function_call": "tools",
    "length": "length",
    "content_filter": "refused",
}

_SHAPES = ("json_schema", "json_object", "text")
"""How an answer's form can be asked for, best first; a server that refuses one is asked in the next."""


class OpenAI:
    """A provider for models named `openai:…`; with a `base_url`, for any server compatible with it."""

    name = "openai"

    def __init__(self, api_key: str | None, base_url: str | None = None) -> None:
        self._key = api_key or "none"
        self._base_url = base_url
        self._client: Any = None
        self._learnt: dict[str, _Habits] = {}

    def __repr__(self) -> str:
        return f"OpenAI({self._base_url or 'official'})"

    def load(self) -> None:
        """Import the kit (0.7 s CPU, 45 MB) and build its client."""
        if self._client is not None:
            return
        import openai

        from furoshiki.llm import wire

        self._client = openai.AsyncOpenAI(
            api_key=self._key,
            base_url=self._base_url or "https://api.openai.com/v1",
            max_retries=0,
            timeout=None,
            http_client=wire.client(),
        )

    async def say(self, model: str, question: Question, form: Form | None, manner: Manner, hearing: Hearing) -> None:
        """Ask; each refusal of a field that a server may not know is answered by asking without it."""
        habits = self._learnt.setdefault(model, _Habits(official=self._base_url is None))
        while True:
            body = habits.body(model, question, form, manner)
            try:
                await self._stream(body, hearing)
                return
            except Failure as failure:
                if failure.kind != "request" or not habits.learn(str(failure), body):
                    raise

    async def aclose(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.close()
            self._client = None

    async def _stream(self, body: dict[str, Any], hearing: Hearing) -> None:
        import openai

        from furoshiki.llm import wire

        self.load()
        with wire.kit_errors(openai, key_variable=KEY_VARIABLE, secret=self._key):
            stream = await self._client.post(
                "/chat/completions",
                cast_to=object,
                body=body,
                stream=True,
                stream_cls=openai.AsyncStream[object],
            )
            async with stream:
                async for event in stream:
                    await _take(event, hearing)
        if hearing.finish is None:
            raise Failure("truncated", "the stream ended without saying that it was finished")
        if hearing.refusing:
            hearing.finish = "refused"
        elif hearing.finish == "stop" and hearing.calls():
            hearing.finish = "tools"


class _Habits:
    """What one model's server understands, as far as it has been learnt."""

    def __init__(self, *, official: bool) -> None:
        self._official = official
        self._shape = 0
        self._left_out: set[str] = set()
        self._limit = "max_completion_tokens" if official else "max_tokens"

    def body(self, model: str, question: Question, form: Form | None, manner: Manner) -> dict[str, Any]:
        """The request in the terms this server understands."""
        messages = _messages(question)
        body: dict[str, Any] = {"model": model, "messages": messages, "stream": True, **manner.send}
        body[self._limit] = question.max_tokens + manner.room
        body["stream_options"] = {"include_usage": True}
        if question.tools:
            body["tools"] = [
                {
                    "type": "function",
                    "function": {"name": tool.name, "description": tool.description, "parameters": dict(tool.schema)},
                }
                for tool in question.tools
            ]
            if self._official and "reasoning_effort" in body:
                # their models take tools here only when they do not reason first
                body["reasoning_effort"] = "none"
        if self._official and question.system:
            body["prompt_cache_key"] = _cache_key(question)
        if form is not None:
            self._ask_for(form, body, messages)
        for name in self._left_out:
            body.pop(name, None)
        return body

    def _ask_for(self, form: Form, body: dict[str, Any], messages: list[dict[str, Any]]) -> None:
        shape = _SHAPES[max(self._shape, 0 if form.strict else 1)]
        if shape == "json_schema":
            schema = {"name": form.name, "schema": dict(form.schema), "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
            return
        if shape == "json_object":
            body["response_format"] = {"type": "json_object"}
        schema_text = json.dumps(form.schema, separators=(",", ":"), ensure_ascii=False)
        messages.append({"role": "user", "content": f"Answer with one JSON object of this schema only: {schema_text}"})

    def learn(self, refusal: str, body: dict[str, Any]) -> bool:
        """Change a habit after a refusal; False when there is none left that could be the reason."""
        words = refusal.lower()
        if self._limit in words and "instead" in words or "max_completion_tokens" in words:
            other = "max_tokens" if self._limit == "max_completion_tokens" else "max_completion_tokens"
            if other not in self._left_out:
                self._left_out.add(self._limit)
                self._limit = other
                return True
        for name in ("stream_options", "prompt_cache_key", "reasoning_effort"):
            if name in body and name in words:
                self._left_out.add(name)
                return True
        if "response_format" in body and self._shape < len(_SHAPES) - 1:
            # servers word this refusal in many ways, or not at all
            self._shape += 1
            return True
        return False


async def _take(event: object, hearing: Hearing) -> None:
    """One chunk of the stream. Whatever has the wrong type is taken as absent."""
    if not isinstance(event, dict):
        raise Failure("garbage", "an event that is no object")
    hearing.sign()
    usage = event.get("usage")
    if isinstance(usage, dict):
        hearing.usage = _usage(usage)
    choices = event.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        return
    delta = choice.get("delta")
    if isinstance(delta, dict):
        for name in ("content", "refusal"):
            piece = delta.get(name)
            if isinstance(piece, str) and piece:
                hearing.refusing = hearing.refusing or name == "refusal"
                await hearing.add_text(piece)
        for position, call in enumerate(_list(delta.get("tool_calls"))):
            _take_call(position, call, hearing)
    reason = choice.get("finish_reason")
    if isinstance(reason, str) and reason:
        hearing.finish = _FINISHES.get(reason, "stop")


def _take_call(position: int, call: object, hearing: Hearing) -> None:
    if not isinstance(call, dict):
        return
    function = call.get("function")
    function = function if isinstance(function, dict) else {}
    index = call.get("index")
    args = function.get("arguments")
    hearing.add_call(
        index if isinstance(index, int) else position,
        call_id=_text(call.get("id")),
        name=_text(function.get("name")),
        # some servers send the arguments as the object they are
        args=args if isinstance(args, str) else json.dumps(args) if isinstance(args, dict) else "",
    )


def _usage(usage: dict[str, Any]) -> Usage:
    number: Callable[[Any], int] = lambda value: value if isinstance(value, int) and value >= 0 else 0  # noqa: E731
    details = usage.get("prompt_tokens_details")
    details = details if isinstance(details, dict) else {}
    return Usage(
        input=number(usage.get("prompt_tokens")),
        cached=number(details.get("cached_tokens")),
        cache_written=number(details.get("cache_write_tokens")),
        output=number(usage.get("completion_tokens")),
    )


def _messages(question: Question) -> list[dict[str, Any]]:
    """The prompt, stable part first: these servers cache the longest prefix they have seen, without marks."""
    messages: list[dict[str, Any]] = []
    system = "\n\n".join(block.text for block in question.system if block.text)
    if system:
        messages.append({"role": "system", "content": system})
    messages.extend(_message(message) for message in question.messages)
    return messages


def _message(message: Message) -> dict[str, Any]:
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.call_id or "", "content": message.text}
    if message.role == "assistant":
        said: dict[str, Any] = {"role": "assistant", "content": message.text or None}
        if message.calls:
            said["tool_calls"] = [
                {
                    "id": call.id,
                    "type": "function",
                    "function": {"name": call.name, "arguments": json.dumps(dict(call.args), ensure_ascii=False)},
                }
                for call in message.calls
            ]
        return said
    if not message.images:
        return {"role": "user", "content": message.text}
    parts: list[dict[str, Any]] = [
        {"type": "image_url", "image_url": {"url": f"data:{image.media_type};base64,{_base64(image.data)}"}}
        for image in message.images
    ]
    if message.text:
        parts.append({"type": "text", "text": message.text})
    return {"role": "user", "content": parts}


def _cache_key(question: Question) -> str:
    """The same for every request with the same stable beginning, so that they meet on one machine over there."""
    stable = question.system[0].text + "".join(tool.name for tool in question.tools)
    return "furoshiki-" + hashlib.sha256(stable.encode("utf-8", "replace")).hexdigest()[:24]


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _list(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else ()
