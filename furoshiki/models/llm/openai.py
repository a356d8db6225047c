"""OpenAI's chat completions through the official SDK: for OpenAI and all compatible servers.

The responses API is not used, because Ollama, OpenRouter, llama.cpp and others lack it. Fields that
a server refuses are left out by `furoshiki.models.llm.attempt`.
"""

import hashlib
import json
import re
from collections.abc import AsyncIterator, Mapping
from datetime import datetime
from typing import Any
from urllib.parse import quote

from furoshiki.core.json_values import dict_of, dicts_of
from furoshiki.core.network.providers import ProviderSpec
from furoshiki.models.llm import chat_completions
from furoshiki.models.llm.failures import Failure
from furoshiki.models.llm.partial_answer import Hearing
from furoshiki.models.llm.provider import Form, ModelOptions
from furoshiki.models.llm.sdk_client import KitClient, json_lines, read_name, was_made_since
from furoshiki.models.llm.values import Question

# OpenAI's own models that no longer accept `max_tokens`, wherever they are served
_NEWER = re.compile(r"(?:^|/)(?:gpt-[5-9]|gpt-\d\d|o\d)")

_OVER = ("completed", "failed", "expired", "cancelled")

# uploaded requests and results are deleted there after two days
_EXPIRES = {"anchor": "created_at", "seconds": 2 * 24 * 3600}


class OpenAI(KitClient):
    """A provider with OpenAI's API, at its own address or at `base_url`."""

    kit_name = "openai"

    def __init__(self, spec: ProviderSpec, api_key: str | None, base_url: str | None = None) -> None:
        super().__init__(spec, api_key, base_url)
        self._its_own = frozenset[str]() if base_url else spec.its_own
        self._versioned = not base_url or re.search(r"/v\d", base_url) is not None
        self._root = ""
        """Prefix of paths: "/v1" once the address proved to lack it."""

    async def say(
        self, model: str, question: Question, form: Form | None, manner: ModelOptions, hearing: Hearing
    ) -> None:
        """Send one request and fill `hearing`. Raises Failure."""
        body = self._body(model, question, form, manner)
        shape = body.get("response_format", {}).get("type", "")
        root = "/v1" if "v1" in manner.quirks else self._root
        may = {"v1": not self._versioned and not root, "thoughts": chat_completions.has_thoughts(body["messages"])}
        some = (name for name, it_may in may.items() if it_may)
        hearing.may_go = frozenset((*body, shape, *some, *chat_completions.may_fold(body["messages"], manner.quirks)))
        await self._stream(f"{root}/chat/completions", body, hearing)
        hearing.native = chat_completions.native_of((self.name, model), hearing)

    def _body(self, model: str, question: Question, form: Form | None, manner: ModelOptions) -> dict[str, Any]:
        messages = chat_completions.messages_of(question, (self.name, model), thoughts="thoughts" not in manner.quirks)
        body: dict[str, Any] = {"model": model, "messages": messages, "stream": True, **manner.send}
        newer, older = "max_completion_tokens", "max_tokens"
        best = (newer, older) if newer in self._its_own or _NEWER.search(model) else (older, newer)
        body |= {name: manner.limit(question) for name in [one for one in best if one not in manner.quirks][:1]}
        body["stream_options"] = {"include_usage": True}
        if question.tools:
            body["tools"] = chat_completions.tools_of(question.tools)
            if "tools_unthought" in self._its_own and "reasoning_effort" in body:
                body["reasoning_effort"] = "none"
        if "prompt_cache_key" in self._its_own and question.system:
            body["prompt_cache_key"] = _cache_key(question)
        if question.logprobs:
            body["logprobs"] = True
        if form is not None:
            _ask_for(form, manner, body)
        body["messages"] = chat_completions.fold_messages(body["messages"], manner.quirks)
        return {name: value for name, value in body.items() if name not in manner.quirks}

    def batch_request(self, model: str, question: Question, form: Form | None, manner: ModelOptions) -> dict[str, Any]:
        """Return the request for a batch, without streaming fields."""
        body = self._body(model, question, form, manner)
        return {name: value for name, value in body.items() if name not in ("stream", "stream_options")}

    async def hand_in(self, requests: Mapping[str, Mapping[str, Any]], mark: str) -> str:
        """Submit requests by key, as a file that expires in two days; returns the batch id."""
        lines = [
            {"custom_id": key, "method": "POST", "url": "/v1/chat/completions", "body": dict(body)}
            for key, body in requests.items()
        ]
        text = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
        file = await self._request(
            "post",
            "/files",
            body={"purpose": "batch", "expires_after": _EXPIRES},
            files=[("file", (f"{mark}.jsonl", text.encode("utf-8", "replace"), "application/jsonl"))],
            options={"headers": {"Content-Type": "multipart/form-data"}},
        )
        made = await self._request(
            "post",
            "/batches",
            body={
                "input_file_id": read_name(file),
                "endpoint": "/v1/chat/completions",
                "completion_window": "24h",
                "metadata": {"mark": mark},
                "output_expires_after": _EXPIRES,
            },
        )
        return read_name(made)

    async def batch_is_over(self, batch_id: str) -> bool:
        return (await self._batch(batch_id)).get("status") in _OVER

    async def batch_results(self, batch_id: str) -> dict[str, Any]:
        """Return the result of each request in a batch, by key."""
        batch = await self._batch(batch_id)
        found: dict[str, Any] = {}
        for name in ("output_file_id", "error_file_id"):
            file = batch.get(name)
            if isinstance(file, str) and file:
                text = await self._request("get", f"/files/{quote(file, safe='')}/content", cast_to=str)
                found |= {str(line.get("custom_id")): line for line in json_lines(text)}
        return found

    async def cancel_batch(self, batch_id: str) -> None:
        """Cancel a batch; requests already answered stay answered."""
        await self._request("post", f"/batches/{quote(batch_id, safe='')}/cancel", body={})

    async def batches_since(self, at: datetime, mark: str) -> list[str]:
        """Return the batches with this mark created since a time, oldest first."""
        found = dict_of(await self._request("get", "/batches?limit=100"))
        ours = [one for one in dicts_of(found.get("data")) if dict_of(one.get("metadata")).get("mark") == mark]
        return [read_name(one) for one in reversed(ours) if was_made_since(one.get("created_at"), at)]

    async def hear_batched(self, result: Any, hearing: Hearing) -> None:
        """Fill `hearing` from a complete answer. Raises Failure."""
        response = dict_of(dict_of(result).get("response"))
        body = response.get("body")
        if not isinstance(body, dict) or response.get("status_code") != 200:
            words = dict_of(dict_of(body).get("error")).get("message", "no answer")
            raise Failure("request", f"not answered in the batch: {words}"[:200], reached=False)
        await chat_completions.take_whole(body, hearing, self._spec.key_setting)
        chat_completions.conclude(hearing)

    async def _batch(self, batch_id: str) -> dict[str, Any]:
        found = await self._request("get", f"/batches/{quote(batch_id, safe='')}")
        return dict_of(found)

    async def _request(self, verb: str, path: str, **more: Any) -> Any:
        """Send one plain request; without a version in the address, retry with "/v1"."""
        try:
            return await self._plain(verb, self._root + path, **more)
        except Failure as failure:
            if failure.kind != "missing" or self._versioned or self._root:
                raise
        found = await self._plain(verb, f"/v1{path}", **more)
        self._root = "/v1"
        return found

    async def _stream(self, path: str, body: dict[str, Any], hearing: Hearing) -> None:
        with self._translate_errors():
            stream = await self._streaming(path, body, hearing)
            async with stream:
                if "json" in stream.response.headers.get("content-type", ""):  # some servers do not stream
                    await chat_completions.take_whole(
                        json.loads(await stream.response.aread()), hearing, self._spec.key_setting
                    )
                else:
                    await self._hear(stream._iter_events(), hearing)
        chat_completions.conclude(hearing)

    async def _hear(self, events: AsyncIterator[Any], hearing: Hearing) -> None:
        """Read events up to the final one, which the SDK's own reader does not report."""
        from furoshiki.models.llm import http_client as http_clients

        async for event in events:
            hearing.over = event.data.startswith("[DONE]")
            if hearing.over:
                await http_clients.drain(events)
                return
            if event.data:
                await chat_completions.take_chunk(json.loads(event.data), hearing, self._spec.key_setting)


def _ask_for(form: Form, manner: ModelOptions, body: dict[str, Any]) -> None:
    """Request a form in the best way that this model accepts: schema, JSON mode, or prompt."""
    if form.strict and "json_schema" not in manner.quirks:
        schema = {"name": form.name, "schema": dict(form.schema), "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
        return
    if "json_object" not in manner.quirks:
        body["response_format"] = {"type": "json_object"}
    body["messages"].append({"role": "user", "content": form.in_words})


def _cache_key(question: Question) -> str:
    """Return the cache key of a stable prefix, so that its requests reach the same server."""
    stable = question.system[0].text + "".join(tool.name for tool in question.tools)
    return "furoshiki-" + hashlib.sha256(stable.encode("utf-8", "replace")).hexdigest()[:24]
