"""Servers of models as they run on people's own machines, with the answers that each of them gives.

Ollama 0.40, llama.cpp's server, LM Studio 0.4 and vLLM, by their public documentation.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from typing import Any

from tests.emulators.loopback import Reply, Request


def as_json(value: object, status: int = 200) -> Reply:
    return Reply(status=status, body=json.dumps(value).encode())


def lines(some: Iterable[object]) -> Reply:
    """A stream of JSON objects, a line each."""

    def streamed() -> Generator[bytes, None, None]:
        for one in some:
            yield json.dumps(one).encode() + b"\n"

    return Reply(content_type="application/x-ndjson", chunks=streamed())


def events(*some: dict[str, Any]) -> Reply:
    """A stream of chat completions."""

    def streamed() -> Generator[bytes, None, None]:
        for one in some:
            yield b"data: " + json.dumps(one).encode() + b"\n\n"
        yield b"data: [DONE]\n\n"

    return Reply(content_type="text/event-stream", chunks=streamed())


def piece(finish: str | None = None, **delta: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


@dataclass
class Talker:
    """How a model behaves at `/v1/chat/completions`."""

    tools: str = "native"
    """"native", "in words" (native ones are refused), or "none"."""
    eyes: bool = True
    thinks: bool = False
    asked: list[dict[str, Any]] = field(default_factory=list)

    def answer(self, body: dict[str, Any]) -> Reply:
        self.asked.append(body)
        text = json.dumps(body["messages"])
        before = [piece(reasoning="Let me see.")] if self.thinks else []
        if "tools" in body and self.tools == "in words":
            name = f"registry.ollama.ai/library/{body['model']}"
            return as_json({"error": {"message": f"{name} does not support tools", "type": "api_error"}}, 400)
        if "image_url" in text and not self.eyes:
            said = "this model is missing data required for image input"
            return as_json({"error": {"message": said, "type": "api_error"}}, 400)
        if "tools" in body and self.tools == "native":
            call = {"index": 0, "id": "call_1", "function": {"name": "weather", "arguments": '{"town":"Oslo"}'}}
            return events(*before, piece(tool_calls=[call]), piece("tool_calls"))
        return events(*before, piece(content=self._said(body, text)), piece("stop"))

    def _said(self, body: dict[str, Any], text: str) -> str:
        if "response_format" in body:
            return '{"weekday": "Friday", "hour": 19}'
        if "<tool_call>" in text and self.tools == "in words":
            return '<tool_call>{"name": "weather", "arguments": {"town": "Oslo"}}</tool_call>'
        return "Red." if "Which colour" in text and self.eyes else "Hello, I am glad to be here."


@dataclass
class Ollama:
    """An Ollama with these models (name: size in bytes)."""

    models: dict[str, int] = field(default_factory=dict)
    talker: Talker = field(default_factory=Talker)
    context: int = 4096
    pulled: list[object] = field(default_factory=list)
    """What the next fetch streams; the model is there after "success"."""
    loaded: set[str] = field(default_factory=set)

    def __call__(self, request: Request) -> Reply:
        body = json.loads(request.body) if request.body else {}
        if request.path == "/api/tags":
            return as_json(
                {"models": [{"name": name, "model": name, "size": self.models[name]} for name in self.models]}
            )
        if request.path == "/api/ps":
            return as_json({"models": [{"name": name, "context_length": self.context} for name in self.loaded]})
        if request.path == "/api/show":
            info = {"general.architecture": "qwen35", "qwen35.context_length": 262144}
            return as_json({"capabilities": ["completion"], "parameters": "temperature 1", "model_info": info})
        if request.path == "/api/pull":
            if {"status": "success"} in self.pulled:
                self.models[body["model"]] = 3_400_000_000
            return lines(self.pulled)
        if request.path == "/v1/chat/completions":
            self.loaded.add(body["model"])
            return self.talker.answer(body)
        return as_json({"error": "not found"}, 404)


PULLED = [
    {"status": "pulling manifest"},
    {"status": "pulling 9c1b3d", "digest": "sha256:9c1b3d", "total": 3_000_000_000},
    {"status": "pulling 9c1b3d", "digest": "sha256:9c1b3d", "total": 3_000_000_000, "completed": 1_500_000_000},
    {"status": "pulling 9c1b3d", "digest": "sha256:9c1b3d", "total": 3_000_000_000, "completed": 3_000_000_000},
    {"status": "pulling 77aa01", "digest": "sha256:77aa01", "total": 1_000, "completed": 1_000},
    {"status": "verifying sha256 digest"},
    {"status": "writing manifest"},
    {"status": "success"},
]


def llamacpp(request: Request) -> Reply:
    """llama.cpp's server, started with a window of 2,048."""
    if request.path == "/props":
        settings = {"n_ctx": 2048, "params": {"n_predict": -1}}
        return as_json({"default_generation_settings": settings, "total_slots": 4, "modalities": {"vision": False}})
    if request.path == "/v1/models":
        meta = {"vocab_type": 2, "n_ctx_train": 40960, "n_params": 8_190_735_360, "size": 5_020_000_000}
        return as_json({"object": "list", "data": [{"id": "Qwen3-8B-Q4_K_M.gguf", "object": "model", "meta": meta}]})
    return as_json({"error": {"code": 404, "message": "File Not Found", "type": "not_found_error"}}, 404)


def lmstudio(request: Request) -> Reply:
    """LM Studio with a model that is loaded, one that is not, and one that only embeds."""
    loaded = {"max_context_length": 262144, "loaded_context_length": 40960, "state": "loaded", "type": "vlm"}
    away = {"max_context_length": 131072, "state": "not-loaded", "type": "llm"}
    embeds = {"max_context_length": 2048, "state": "not-loaded", "type": "embeddings"}
    listed = {"google/gemma-4-12b-qat": loaded, "openai/gpt-oss-20b": away, "text-embedding-nomic": embeds}
    if request.path == "/api/v0/models":
        return as_json({"object": "list", "data": [{"id": name, **row} for name, row in listed.items()]})
    if request.path == "/v1/models":
        return as_json({"object": "list", "data": [{"id": name, "object": "model"} for name in listed]})
    said = f"Unexpected endpoint or method. ({request.method} {request.path})"
    return as_json({"error": said})  # with a status of 200, as it does


def vllm(request: Request) -> Reply:
    """vLLM with one model."""
    if request.path == "/v1/models":
        row = {"id": "Qwen/Qwen3-8B", "object": "model", "owned_by": "vllm", "max_model_len": 32768}
        return as_json({"object": "list", "data": [row]})
    return as_json({"detail": "Not Found"}, 404)


def plain(request: Request) -> Reply:
    """Another server of the kind, which tells nothing but names."""
    if request.path == "/v1/models":
        return as_json({"data": [{"id": "some-model"}, {"id": "another"}]})
    return as_json({"detail": "Not Found"}, 404)
