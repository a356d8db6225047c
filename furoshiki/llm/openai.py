"""OpenAI's chat completions over the official kit: for OpenAI itself and for every server that speaks the same.

Chat completions and not the responses API, because Ollama, OpenRouter, llama.cpp and the rest speak only the former;
one way of speaking is tested by all of them. What a server does not understand (a schema, the count of tokens in a
stream) is left out after its first refusal, and that is remembered while the process lives.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import quote

from furoshiki.core.network.addresses import without_secrets
from furoshiki.core.network.credentials import unfit
from furoshiki.llm.batch_lines import json_lines, made_since
from furoshiki.llm.chat_completions import conclude, messages_of, take_chunk, tools_of
from furoshiki.llm.failures import Failure
from furoshiki.llm.lazy_sdk import kit
from furoshiki.llm.partial_answer import Hearing
from furoshiki.llm.prices import COST_HEADER, named_cost
from furoshiki.llm.provider import Form, ModelOptions
from furoshiki.llm.values import Question

KEY_VARIABLE = "OPENAI_API_KEY"

_NEWER = re.compile(r"(?:^|/)(?:gpt-[5-9]|gpt-\d\d|o\d)")
"""OpenAI's own models, wherever they are served, no longer take `max_tokens`."""

_SHAPES = ("json_schema", "json_object", "text")
"""How an answer's form can be asked for, best first; a server that refuses one is asked in the next."""


_OVER = ("completed", "failed", "expired", "cancelled")

_EXPIRES = {"anchor": "created_at", "seconds": 2 * 24 * 3600}
"""What was handed in, and the answers to it, are not kept there for longer than a night and a day."""


class OpenAI:
    """A provider for models named `openai:…`; with a `base_url`, for any server compatible with it."""

    name = "openai"

    def __init__(self, api_key: str | None, base_url: str | None = None) -> None:
        self._key = api_key or "none"
        self._base_url = base_url
        self._client: Any = None
        self._learnt: dict[str, _Habits] = {}

    def __repr__(self) -> str:
        return f"OpenAI({without_secrets(self._base_url or 'official')})"

    def load(self) -> None:
        """Import the kit (0.4 s CPU, 27 MB for the first of the two) and build its client."""
        if self._client is not None:
            return
        if (wrong := unfit(KEY_VARIABLE, self._key)) is not None:
            raise Failure("key", wrong, reached=False)
        from furoshiki.llm import http_client as http_clients

        address = self._base_url or "https://api.openai.com/v1"
        self._client = kit("openai").client(
            api_key=self._key,
            base_url=address,
            max_retries=0,
            timeout=None,
            http_client=http_clients.client(address),
        )

    async def say(
        self, model: str, question: Question, form: Form | None, manner: ModelOptions, hearing: Hearing
    ) -> None:
        """Ask; each refusal of a field that a server may not know is answered by asking without it."""
        habits = self._learnt.setdefault(model, _Habits(model, official=self._base_url is None))
        while True:
            body = habits.body(model, question, form, manner)
            try:
                await self._stream(body, hearing)
                return
            except Failure as failure:
                if failure.kind != "request" or not habits.learn(str(failure), body):
                    raise

    def batch_request(self, model: str, question: Question, form: Form | None, manner: ModelOptions) -> dict[str, Any]:
        """The request without what only a stream has."""
        habits = self._learnt.setdefault(model, _Habits(model, official=self._base_url is None))
        body = habits.body(model, question, form, manner)
        return {name: value for name, value in body.items() if name not in ("stream", "stream_options")}

    async def hand_in(self, requests: Mapping[str, Mapping[str, Any]], mark: str) -> str:
        """Hand requests in by their keys, as a file that goes after two days; returns the name of the batch."""
        lines = [
            {"custom_id": key, "method": "POST", "url": "/v1/chat/completions", "body": dict(body)}
            for key, body in requests.items()
        ]
        text = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
        file = await self._asked(
            "post",
            "/files",
            body={"purpose": "batch", "expires_after": _EXPIRES},
            files=[("file", (f"{mark}.jsonl", text.encode("utf-8", "replace"), "application/jsonl"))],
            headers={"Content-Type": "multipart/form-data"},
        )
        made = await self._asked(
            "post",
            "/batches",
            body={
                "input_file_id": _id(file),
                "endpoint": "/v1/chat/completions",
                "completion_window": "24h",
                "metadata": {"mark": mark},
                "output_expires_after": _EXPIRES,
            },
        )
        return _id(made)

    async def batch_is_over(self, batch_id: str) -> bool:
        """Whether all that will be answered is."""
        return (await self._batch(batch_id)).get("status") in _OVER

    async def batch_results(self, batch_id: str) -> dict[str, Any]:
        """What came of each request, by its key."""
        batch = await self._batch(batch_id)
        found: dict[str, Any] = {}
        for name in ("output_file_id", "error_file_id"):
            file = batch.get(name)
            if isinstance(file, str) and file:
                text = await self._asked("get", f"/files/{quote(file, safe='')}/content", cast_to=str)
                found |= {str(line.get("custom_id")): line for line in json_lines(text)}
        return found

    async def cancel_batch(self, batch_id: str) -> None:
        """Have it stop; what was answered by then stays answered."""
        await self._asked("post", f"/batches/{quote(batch_id, safe='')}/cancel", body={})

    async def batches_since(self, at: datetime, mark: str) -> list[str]:
        """The batches of this mark."""
        found = await self._asked("get", "/batches?limit=100")
        listed = found.get("data") if isinstance(found, dict) else None
        batches = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
        ours = [one for one in batches if isinstance(one.get("metadata"), dict) and one["metadata"].get("mark") == mark]
        return [_id(one) for one in reversed(ours) if made_since(one.get("created_at"), at)]

    async def hear_batched(self, result: Any, hearing: Hearing) -> None:
        """Fill `hearing` from a whole answer, as if it had come in one piece of a stream."""
        response = result.get("response") if isinstance(result, dict) else None
        body = response.get("body") if isinstance(response, dict) else None
        if not isinstance(body, dict) or not isinstance(response, dict) or response.get("status_code") != 200:
            error = (body or {}).get("error") if isinstance(body, dict) else None
            words = error.get("message") if isinstance(error, dict) else "no answer"
            raise Failure("request", f"not answered in the batch: {words}"[:200], reached=False)
        choices = body.get("choices")
        whole = [
            {"delta": one.get("message"), "finish_reason": one.get("finish_reason")}
            for one in (choices if isinstance(choices, list) else ())
            if isinstance(one, dict)
        ]
        await take_chunk({"usage": body.get("usage"), "choices": whole}, hearing)
        conclude(hearing)

    async def _batch(self, batch_id: str) -> dict[str, Any]:
        found = await self._asked("get", f"/batches/{quote(batch_id, safe='')}")
        return found if isinstance(found, dict) else {}

    async def _asked(
        self,
        verb: str,
        path: str,
        *,
        cast_to: type[Any] = object,
        headers: Mapping[str, str] | None = None,
        **more: Any,
    ) -> Any:
        """One plain request, answered at once."""
        from furoshiki.llm import http_client as http_clients

        self.load()
        options: dict[str, Any] = {"timeout": http_clients.PLAIN_S, **({"headers": dict(headers)} if headers else {})}
        with http_clients.kit_errors(kit("openai").errors, key_variable=KEY_VARIABLE, secret=self._key):
            return await getattr(self._client, verb)(path, cast_to=cast_to, options=options, **more)

    async def aclose(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.close()
            self._client = None

    async def _stream(self, body: dict[str, Any], hearing: Hearing) -> None:
        from furoshiki.llm import http_client as http_clients

        self.load()
        openai = kit("openai")
        with http_clients.kit_errors(openai.errors, key_variable=KEY_VARIABLE, secret=self._key):
            stream = await self._client.post(
                "/chat/completions",
                cast_to=object,
                body=body,
                stream=True,
                stream_cls=openai.stream[object],
            )
            hearing.costs(named_cost(stream.response.headers.get(COST_HEADER)))
            async with stream:
                async for event in stream:
                    await take_chunk(event, hearing)
        conclude(hearing)


class _Habits:
    """What one model's server understands, as far as it has been learnt."""

    def __init__(self, model: str, *, official: bool) -> None:
        self._official = official
        self._shape = 0
        self._left_out: set[str] = set()
        self._limit = "max_completion_tokens" if official or _NEWER.search(model) else "max_tokens"

    def body(self, model: str, question: Question, form: Form | None, manner: ModelOptions) -> dict[str, Any]:
        """The request in the terms this server understands."""
        messages = messages_of(question)
        body: dict[str, Any] = {"model": model, "messages": messages, "stream": True, **manner.send}
        body[self._limit] = question.max_tokens + manner.room
        body["stream_options"] = {"include_usage": True}
        if question.tools:
            body["tools"] = tools_of(question.tools)
            if self._official and "reasoning_effort" in body:
                # their models take tools here only when they do not reason first
                body["reasoning_effort"] = "none"
        if self._official and question.system:
            body["prompt_cache_key"] = _cache_key(question)
        if question.logprobs:
            body["logprobs"] = True
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
        if "logprobs" in body:
            # nothing hangs on it, so it is the first to go, however the refusal is worded
            self._left_out.add("logprobs")
            return True
        if "response_format" in body and self._shape < len(_SHAPES) - 1:
            # servers word this refusal in many ways, or not at all
            self._shape += 1
            return True
        return False


def _id(found: object) -> str:
    """The name of a file or batch. Raises Failure when it has none."""
    name = found.get("id") if isinstance(found, dict) else None
    if not isinstance(name, str) or not name:
        raise Failure("garbage", "a file or batch without a name")
    return name


def _cache_key(question: Question) -> str:
    """The same for every request with the same stable beginning, so that they meet on one machine over there."""
    stable = question.system[0].text + "".join(tool.name for tool in question.tools)
    return "furoshiki-" + hashlib.sha256(stable.encode("utf-8", "replace")).hexdigest()[:24]
