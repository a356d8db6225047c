# ruff: noqa: E501 - the words of servers stand as they are
"""Thirteen families of model servers, a row each: what they refuse and in which words, and how they speak.

Written from their public documentation and from what people reported of them. A row is served by `door`: it looks at a
request as the family does, refuses what it would refuse, and answers what is asked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from furoshiki.core.network.providers import PROVIDERS, ProviderSpec
from tests.models.llm.server import Answering, Reply
from tests.providers.streams import Blocks, Part, Said, Voice

Body = dict[str, Any]

ASKS: Mapping[str, Callable[[Body], bool]] = {
    "tools": lambda body: "tools" in body,
    "images": lambda body: "image_url" in json.dumps(body) or '"type": "image"' in json.dumps(body),
    "system": lambda body: body["messages"][0]["role"] == "system",
    "json_schema": lambda body: "json_schema" in json.dumps([body.get("response_format"), body.get("output_config")]),
    "json_object": lambda body: body.get("response_format") == {"type": "json_object"},
    "turns": lambda body: any(
        a["role"] == b["role"] != "tool" for a, b in zip(body["messages"], body["messages"][1:], strict=False)
    ),
    "long ids": lambda body: any(not re.fullmatch("[A-Za-z0-9]{9}", one) for one in _call_ids(body)),
    "unsigned": lambda body: any("extra_content" not in one for one in _calls(body)),
    "thoughtless": lambda body: any(
        one.get("tool_calls") and not one.get("reasoning_content") for one in body["messages"]
    ),
    "thoughts": lambda body: any({"reasoning", "reasoning_content"} & one.keys() for one in body["messages"]),
}
"""What a request may have that is refused; any other name is a field of it."""


@dataclass(frozen=True)
class Family:
    """One family. `refuses` are the status and body by what is refused; `sends` are fields that its owner set."""

    name: str
    model: str
    voice: Voice
    refuses: Mapping[str, tuple[int, Any]] = field(default_factory=dict)
    overflow: tuple[int, Any] | None = None
    declines: tuple[int, Any] | str = "content_filter"
    breaks: Sequence[Part] = (None,)
    root: str = "/v1"
    sends: Mapping[str, Any] = field(default_factory=dict)
    window: int = 2048
    usd: float | None = None
    overflow_streams: bool = False

    @property
    def ref(self) -> str:
        """The model as settings name it."""
        return f"{self.spec.name}:{self.model}"

    @property
    def spec(self) -> ProviderSpec:
        """What the program knows of it."""
        return next(spec for spec in PROVIDERS if self.name in (spec.title, spec.about.partition(",")[0]))

    def values(self, url: str) -> dict[str, str | None]:
        """What its owner sets."""
        at = {self.spec.key_setting: "sk-x", self.spec.address_setting: url + self.root}
        return {**at, "FUROSHIKI_MODEL_CHAT": self.ref}


def openai_error(message: str, kind: str = "invalid_request_error", **more: Any) -> Any:
    return {"error": {"message": message, "type": kind, "param": None, "code": None, **more}}


def gemini_error(message: str, status: str = "INVALID_ARGUMENT", code: int = 400) -> Any:
    return [{"error": {"code": code, "message": message, "status": status}}]


def mistral_extra(*loc: str) -> Any:
    detail = [
        {"type": "extra_forbidden", "loc": ["body", *loc], "msg": "Extra inputs are not permitted", "input": True}
    ]
    return {
        "object": "error",
        "message": {"detail": detail},
        "type": "invalid_request_error",
        "param": None,
        "code": None,
    }


def event(body: Any, name: str = "") -> bytes:
    """An event of a stream."""
    return ((f"event: {name}\n" if name else "") + f"data: {json.dumps(body)}\n\n").encode()


def litellm(kind: str, words: str, code: str = "400") -> Any:
    return {
        "error": {
            "message": f"litellm.{kind}: {words}. Received Model Group=house\nAvailable Model Group Fallbacks=None",
            "type": None,
            "param": None,
            "code": code,
        }
    }


FAMILIES = (
    Family(
        "Anthropic", "claude-sonnet-5-5", Blocks("blocks"),
        {
            "thinking": (400, {"type": "error", "error": {"type": "invalid_request_error", "message": "thinking.type: Input should be 'enabled' or 'disabled'"}}),
            "json_schema": (400, {"type": "error", "error": {"type": "invalid_request_error", "message": "output_config.format: structured outputs are not supported for this model"}}),
        },
        overflow=(400, {"type": "error", "error": {"type": "invalid_request_error", "message": "prompt is too long: 3100 tokens > 2048 maximum"}}),
        declines="refusal",
        breaks=(event({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, "error"),),
    ),
    Family(
        "OpenAI", "o4-mini", Voice("not at all", "pieces", "last"),
        {
            "max_tokens": (400, openai_error("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", param="max_tokens", code="unsupported_parameter")),
            "temperature": (400, openai_error("Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) value is supported.", param="temperature", code="unsupported_value")),
            "logprobs": (403, openai_error("You are not allowed to request logprobs from this model")),
        },
        overflow=(400, openai_error("This model's maximum context length is 2048 tokens. However, your messages resulted in 3100 tokens. Please reduce the length of the messages.", param="messages", code="context_length_exceeded")),
        breaks=(event({"error": {"message": "The server had an error while processing your request. Sorry about that!", "type": "server_error"}}),),
        sends={"temperature": 0.7},
    ),
    Family(
        "Ollama", "gemma2:2b", Voice("reasoning", "same index", "last"),
        {
            "tools": (400, {"error": {"message": "registry.ollama.ai/library/gemma2:2b does not support tools", "type": "api_error", "param": None, "code": None}}),
            "images": (500, {"error": {"message": "Failed to create new sequence: this model is missing data required for image input", "type": "api_error"}}),
            "reasoning_effort": (400, {"error": {"message": '"gemma2:2b" does not support thinking', "type": "api_error"}}),
        },
        breaks=(event({"error": {"message": "an error was encountered while running the model: CUDA error: out of memory", "type": "api_error"}}),),
    ),
    Family(
        "llama.cpp", "DeepSeek-R1-Distill-Qwen-7B", Voice("half a tag", "no id", "with the end"),
        {
            "tools": (500, {"error": {"code": 500, "message": "tools param requires --jinja flag", "type": "server_error"}}),
            "images": (500, {"error": {"code": 500, "message": "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj", "type": "server_error"}}),
            "json_schema": (400, {"error": {"code": 400, "message": "failed to parse grammar", "type": "invalid_request_error"}}),
            "system": (500, {"error": {"code": 500, "message": "Value is not callable: null at row 1, column 72: System role not supported", "type": "server_error"}}),
        },
        overflow=(400, {"error": {"code": 400, "message": "the request exceeds the available context size, try increasing it", "type": "exceed_context_size_error", "n_prompt_tokens": 3100, "n_ctx": 2048}}),
        breaks=(b'error: {"code":500,"message":"context shift is disabled","type":"server_error"}\n\n',),
    ),
    Family(
        "LM Studio", "qwen3-4b", Voice("tags", "whole", "not at all", done=True, newline="\r\n"),
        {
            "json_object": (400, {"error": "'response_format.type' must be 'json_schema' or 'text'"}),
            "json_schema": (400, {"error": "Invalid JSON schema in response_format: unsupported keyword"}),
            "images": (400, {"error": "Model does not support images. Please use a model that does."}),
        },
        overflow=(200, {"error": "Trying to keep the first 3100 tokens when context the overflows. However, the model is loaded with context length of only 2048 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input"}),
        overflow_streams=True,
        breaks=(event({"error": {"message": "The model has crashed without additional information. (Exit code: 18446744072635810000)"}}, "error"),),
    ),
    Family(
        "vLLM", "meta-llama/Llama-3.1-8B-Instruct", Voice("reasoning_content", "pieces", "last"),
        {
            "tools": (400, {"object": "error", "message": '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', "type": "BadRequestError", "param": None, "code": 400}),
            "images": (400, {"object": "error", "message": "At most 0 image(s) may be provided in one request.", "type": "BadRequestError", "param": None, "code": 400}),
            "system": (400, {"object": "error", "message": "System role not supported System role not supported", "type": "BadRequestError", "param": None, "code": 400}),
            "turns": (400, {"object": "error", "message": "Conversation roles must alternate user/assistant/user/assistant/...", "type": "BadRequestError", "param": None, "code": 400}),
        },
        overflow=(400, {"object": "error", "message": "This model's maximum context length is 2048 tokens. However, you requested 3100 tokens (2076 in the messages, 1024 in the completion). Please reduce the length of the messages or completion.", "type": "BadRequestError", "param": None, "code": 400}),
        breaks=(event({"object": "error", "message": "EngineCore encountered an issue. See stack trace for the root cause.", "type": "InternalServerError", "param": None, "code": 500}), b"data: [DONE]\n\n"),
    ),
    Family(
        "LiteLLM", "house", Voice("reasoning_content", "pieces", "last", costs="header"),
        {
            "logprobs": (400, litellm("UnsupportedParamsError", "bedrock does not support parameters: ['logprobs'], for model=house. To drop these, set `litellm.drop_params=True`")),
            "json_schema": (400, litellm("UnsupportedParamsError", "house does not support parameters: ['response_format'], for model=house")),
            "json_object": (400, litellm("UnsupportedParamsError", "house does not support parameters: ['response_format'], for model=house")),
        },
        overflow=(400, litellm("ContextWindowExceededError", 'litellm.BadRequestError: AnthropicError - {"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 3100 tokens > 2048 maximum"}}')),
        breaks=(event(litellm("MidStreamFallbackError", "litellm.InternalServerError: AnthropicException - Overloaded", "500")),),
        root="", usd=0.25,
    ),
    Family(
        "OpenRouter", "deepseek/deepseek-r1", Voice("reasoning", "pieces", "last", before=b": OPENROUTER PROCESSING\n\n" * 3, costs="usage"),
        {
            "tools": (404, {"error": {"message": "No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing", "code": 404}}),
            "images": (404, {"error": {"message": "No endpoints found that support image input", "code": 404}}),
            "json_schema": (400, {"error": {"message": "Provider returned error", "code": 400, "metadata": {"raw": '{"detail":"json_schema is not supported by this model"}', "provider_name": "House"}}}),
        },
        overflow=(400, {"error": {"message": "This endpoint's maximum context length is 2048 tokens. However, you requested about 3100 tokens (2076 of text input, 1024 in the output). Please reduce the length of either one, or use the \"middle-out\" transform to compress your prompt automatically.", "code": 400}}),
        declines=(403, {"error": {"message": "house/model requires moderation on House. Your input was flagged for \"violence\".", "code": 403, "metadata": {"reasons": ["violence"], "flagged_input": "…"}}}),
        breaks=(event({"id": "c", "error": {"code": "server_error", "message": "Provider disconnected unexpectedly"}, "choices": [{"index": 0, "delta": {"content": ""}, "finish_reason": "error"}]}),),
        root="/api/v1", usd=0.25,
    ),
    Family(
        "Gemini", "gemini-3-flash", Voice("not at all", "same index", "with the end", extra={"extra_content": {"google": {"thought_signature": "sig"}}}),
        {
            "prompt_cache_key": (400, gemini_error('Invalid JSON payload received. Unknown name "prompt_cache_key": Cannot find field.')),
            "logprobs": (400, gemini_error('Invalid JSON payload received. Unknown name "logprobs": Cannot find field.')),
            "unsigned": (400, gemini_error("Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call `default_api:recall` , position 3.")),
        },
        overflow=(400, gemini_error("The input token count (3100) exceeds the maximum number of tokens allowed (2048).")),
        breaks=(event([{"error": {"code": 503, "message": "The model is overloaded. Please try again later.", "status": "UNAVAILABLE"}}]),),
        root="/v1beta/openai",
    ),
    Family(
        "Mistral", "magistral-small", Voice("parts", "no index", "with the end"),
        {
            "stream_options": (422, mistral_extra("stream_options", "include_usage")),
            "max_completion_tokens": (422, mistral_extra("max_completion_tokens")),
            "logprobs": (422, mistral_extra("logprobs")),
            "long ids": (400, {"object": "error", "message": "Tool call id was call_0x9 but must be a-z, A-Z, 0-9, with a length of 9.", "type": "invalid_function_call", "param": None, "code": "3280", "raw_status_code": 400}),
            "thoughts": (422, mistral_extra("messages", "2", "assistant", "reasoning_content")),
        },
        overflow=(400, {"object": "error", "message": "Prompt contains 3100 tokens and 0 draft tokens, too large for model with 2048 maximum context length", "type": "invalid_request_error", "param": None, "code": "3051"}),
        breaks=(),
    ),
    Family(
        "DeepSeek", "deepseek-reasoner", Voice("reasoning_content", "pieces", "last", before=b": keep-alive\n\n" * 5),
        {
            "json_schema": (400, openai_error("This response_format type is unavailable now")),
            "images": (400, openai_error("Failed to deserialize the JSON body into the target type: messages[1]: unknown variant `image_url`, expected `text` at line 1 column 42")),
            "turns": (400, openai_error("deepseek-reasoner does not support successive user or assistant messages (messages[1] and messages[2] in your input). You should interleave the user/assistant messages in the message sequence.")),
            "thoughtless": (400, openai_error("Missing `reasoning_content` field in the assistant message at message index 2. For more information, please refer to https://api-docs.deepseek.com/guides/thinking_mode#tool-calls")),
        },
        overflow=(400, openai_error("This model's maximum context length is 2048 tokens. However, you requested 3100 tokens (2076 in the messages, 1024 in the completion). Please reduce the length of the messages or completion.")),
        declines=(400, openai_error("Content Exists Risk")),
        breaks=(event({"id": "c", "choices": [{"index": 0, "delta": {"content": ""}, "finish_reason": "insufficient_system_resource"}]}), b"data: [DONE]\n\n"),
    ),
    Family(
        "Groq", "openai/gpt-oss-20b", Voice("reasoning", "whole", "last"),
        {
            "images": (400, openai_error("'messages[1].content' must be a string")),
            "logprobs": (400, openai_error("property 'logprobs' is unsupported")),
            "json_schema": (400, openai_error("This model does not support response format `json_schema`. See supported models at https://console.groq.com/docs/structured-outputs#supported-models", param="response_format")),
            "thoughts": (400, openai_error("'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2' : property 'reasoning' is unsupported)]")),
        },
        overflow=(413, openai_error("Request too large for model `openai/gpt-oss-20b` in organization `org_x` service tier `on_demand` on tokens per minute (TPM): Limit 2048, Requested 3100, please reduce your message size and try again.", "tokens", code="rate_limit_exceeded")),
        breaks=(event({"error": {"message": "Internal Server Error", "type": "internal_server_error", "status_code": 500}}),),
        root="/openai/v1",
    ),
    Family(
        "xAI", "grok-4", Voice("reasoning_content", "whole", "with the end"),
        {
            "presence_penalty": (400, {"code": "Client specified an invalid argument", "error": "Model grok-4 does not support parameter presencePenalty."}),
            "reasoning_effort": (400, {"code": "Client specified an invalid argument", "error": "Model grok-4 does not support parameter reasoningEffort."}),
            "images": (400, {"code": "Client specified an invalid argument", "error": "Image inputs are not supported by this model."}),
        },
        overflow=(400, {"code": "Client specified an invalid argument", "error": "This model's maximum prompt length is 2048 but the request contains 3100 tokens."}),
        declines=(403, {"code": "The caller does not have permission to execute the specified operation", "error": "Content violates usage guidelines. Team: x. Failed check: SAFETY_CHECK_TYPE_DATA_LEAKAGE"}),
        sends={"presence_penalty": 0.5, "reasoning_effort": "low"},
    ),
)  # fmt: skip
"""The rows, in the order of the page."""

FORM = '{"drink": "oolong"}'
SEEN, UNSEEN = "A red kite over a beach.", "I cannot see the picture. What is on it?"
GREETING = "Good evening, Mira. The kettle is on."
TEA = "You like oolong."
WANTED = (("recall", {"query": "tea"}), ("recall", {"query": "coffee"}))


def door(family: Family, cell: str) -> Answering:
    """The server of a family, asked for what a column of the matrix is about."""

    def answer(path: str, body: Body) -> Reply:
        end = "/messages" if family.spec.door == "anthropic" else "/chat/completions"
        if path not in (f"{family.root or '/v1'}{end}",):
            return _told(404, {"detail": "Not Found"})
        for name, (status, refusal) in family.refuses.items():
            if ASKS.get(name, lambda asked, name=name: name in asked)(body):  # type: ignore[misc]
                return _told(status, refusal)
        if cell == "overflow" and family.overflow and len(json.dumps(body)) // 4 > family.window:
            status, words = family.overflow
            return Reply([event(words, "error")]) if family.overflow_streams else _told(status, words)
        if cell == "refusal":
            return _decline(family)
        if cell == "cut":
            return family.voice.broken(Said(GREETING), family.breaks)
        return family.voice.stream(_said(family, cell, body))

    return answer


def _said(family: Family, cell: str, body: Body) -> Said:
    shown = json.dumps(body["messages"])
    if cell == "tools":
        if "They like oolong" in shown:
            return Said(TEA)
        return Said("Let me look. ", WANTED)
    if cell == "forms":
        return Said(FORM)
    if cell == "picture":
        return Said(SEEN if ASKS["images"](body) else UNSEEN if "cannot see pictures" in shown else GREETING)
    return Said(GREETING, usd=family.usd if cell == "cost" else None)


def _decline(family: Family) -> Reply:
    if not isinstance(family.declines, str):
        return _told(*family.declines)
    return family.voice.stream(Said("I", reason=family.declines))


def _told(status: int, body: Any) -> Reply:
    return Reply([json.dumps(body).encode()], status, {"content-type": "application/json"})


def _calls(body: Body) -> list[Any]:
    return [call for one in body["messages"] for call in one.get("tool_calls") or ()]


def _call_ids(body: Body) -> list[str]:
    asked = [str(one["tool_call_id"]) for one in body["messages"] if one["role"] == "tool"]
    return [*asked, *(str(one.get("id")) for one in _calls(body))]
