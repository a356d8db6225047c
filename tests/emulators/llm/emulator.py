"""The emulator as tests hold it: a server for both providers, a script for the model, and a log of what was asked."""

from __future__ import annotations

import asyncio
import json
import random
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self, TypeVar

from ..loopback import GLANCE_SECONDS, Cut, Loopback, Reply
from ..loopback import Request as Http
from . import anthropic, anthropic_rules, openai_chat, openai_responses, openai_rules
from .answers import Answer, Fault, Script
from .batches import Batches
from .outcome import Outcome, outcome_of
from .request import Request
from .rules import Refused
from .tokens import MarkedCache, PrefixCache, Spent, count

T = TypeVar("T")
MODELS = ("claude-sonnet-5-5", "claude-haiku-5-5", "gpt-6.1-terra", "gpt-6-luna", "test-model")
_READERS: dict[str, Callable[[dict[str, Any]], Request]] = {
    "/v1/messages": anthropic_rules.read,
    "/v1/chat/completions": openai_rules.read_chat,
    "/v1/responses": openai_rules.read_responses,
}
_BESIDE = ({"facts", "answered"}, {"danger"})
"""The fields of small questions that are asked beside an answer."""
_REMEMBERED = 256


@dataclass
class _Rule:
    when: Callable[[Request], bool]
    answer: Answer | Callable[[Request], Answer]
    left: int | None
    p: float = 1.0
    after: int = 0


class LLMEmulator:
    """Both providers on loopback, with one scripted model behind them.

    Use as a context manager, or `stop()` it. An answer comes from the first rule (`when`, `break_with`) that applies,
    else from `script`, else it is the default: "re: <the person's newest words>", or the smallest JSON that fits the
    schema asked for. What was told is asked after every answer, and whether somebody is in danger before some: a script
    says nothing to that, a rule may. Every request that could be read is in `requests`. Thread-safe.
    """

    def __init__(
        self, script: Script = None, *, seed: int = 5, port: int = 0, clock: Callable[[], float] = time.time
    ) -> None:
        self._script = script
        self.requests: list[Request] = []
        self.changed = threading.Condition(threading.RLock())
        self.marked = MarkedCache()
        self.prefixes = PrefixCache()
        self._clock = clock
        self._rng = random.Random(seed)
        self._rules: list[_Rule] = []
        self._position = 0
        self._number = 0
        self._bodies: dict[str, dict[str, Any]] = {}
        self.batches = Batches(clock)
        self._loopback = Loopback(self._answer, port)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Closes every connection and waits for the threads."""
        self._loopback.stop()

    @property
    def script(self) -> Script:
        """Answers in order, or a function that gives them; setting it begins a list at its first answer."""
        return self._script

    @script.setter
    def script(self, script: Script) -> None:
        with self.changed:
            self._script, self._position = script, 0

    @property
    def asked(self) -> list[Request]:
        """The requests that offered tools: what was to be said to somebody, without small questions beside it."""
        return [request for request in self.requests if request.tools]

    @property
    def anthropic_url(self) -> str:
        """What ANTHROPIC_BASE_URL should be."""
        return self._loopback.url

    @property
    def openai_url(self) -> str:
        """What OPENAI_BASE_URL should be."""
        return f"{self._loopback.url}/v1"

    def offline(self) -> None:
        """Connections are cut and refused until `online()`."""
        self._loopback.offline()

    def online(self) -> None:
        """Listens again on the same port."""
        self._loopback.online()

    def when(
        self,
        condition: Callable[[Request], bool],
        answer: Answer | Callable[[Request], Answer],
        n: int | None = None,
    ) -> None:
        """Answers requests that meet the condition; the first `n` of them, or all. Earlier rules go first."""
        with self.changed:
            self._rules.append(_Rule(condition, answer, n))

    def break_with(
        self,
        fault: Answer,
        n: int | None = 1,
        p: float | None = None,
        after: int = 0,
        when: Callable[[Request], bool] = lambda request: True,
    ) -> None:
        """A fault for the next `n` requests (None: all) or with probability `p`, once `after` of them went well."""
        with self.changed:
            left = None if p is not None else n
            self._rules.insert(0, _Rule(when, fault, left, 1.0 if p is None else p, after))

    def clear(self) -> None:
        """Forgets rules, script and log; the caches stay."""
        with self.changed:
            self._rules.clear()
            self.requests.clear()
            self.script = None

    def wait_for(self, predicate: Callable[[], T], timeout: float = 120.0) -> T:
        """Waits until the predicate is true (asked after every change, and now and then) and returns what it gave.

        Raises AssertionError with a list of what was asked when the seconds are over.
        """
        until = time.monotonic() + timeout
        with self.changed:
            while not (found := predicate()):
                left = until - time.monotonic()
                if left <= 0:
                    asked = "\n".join(f"  {r.api} {r.model}: {r.words[:80]!r} → {r.outcome}" for r in self.requests)
                    raise AssertionError(f"waited {timeout} s in vain; asked so far:\n{asked}")
                self.changed.wait(min(left, GLANCE_SECONDS))
            return found

    async def until(self, predicate: Callable[[], T], timeout: float = 120.0) -> T:
        """`wait_for` for asynchronous tests: the event loop goes on meanwhile."""
        return await asyncio.to_thread(self.wait_for, predicate, timeout)

    def _answer(self, http: Http) -> Reply:
        with self.changed:
            self._number += 1
            number = self._number
        ours = "x-api-key" in http.headers or "anthropic-version" in http.headers or "/messages" in http.path
        try:
            return self._served(http, number, ours)
        except Refused as refused:
            return _refusal(refused, number, ours)

    def _served(self, http: Http, number: int, ours: bool) -> Reply:
        key = http.headers.get("x-api-key") or http.headers.get("authorization", "").removeprefix("Bearer ")
        if not key:
            words = "x-api-key header is required" if ours else "You didn't provide an API key."
            raise Refused(words, 401, "authentication_error" if ours else "invalid_request_error")
        if http.path.startswith("/v1/models"):
            return _models(http.path, ours)
        counting = http.path == "/v1/messages/count_tokens"
        about_batches = self.batches.served(
            http,
            {
                "anthropic": lambda body: self._at_once("/v1/messages", body, key),
                "chat": lambda body: self._at_once("/v1/chat/completions", body, key),
            },
        )
        if about_batches is not None:
            with self.changed:
                self.changed.notify_all()
            return about_batches
        if http.path not in _READERS and not counting:
            raise Refused(f"Unknown path {http.path}", 404, "not_found_error")
        try:
            body = json.loads(http.body)
        except ValueError:
            raise Refused("The request body is not valid JSON") from None
        if counting:
            anthropic_rules.read(body, counting=True)
            return _json({"input_tokens": sum(count(block.text) for block in anthropic.blocks(body))})
        request = _READERS[http.path](body)
        request.at, request.key = self._clock(), key
        with self.changed:
            self.requests.append(request)
            self.changed.notify_all()
        return self._spoken(request, http, number)

    def _at_once(self, path: str, body: Mapping[str, Any], key: str) -> dict[str, Any]:
        """The whole answer to a request of a batch."""
        with self.changed:
            self._number += 1
            number = self._number
            request = _READERS[path](dict(body))
            request.at, request.key = self._clock(), key
            request.extra["batch"] = True
            self.requests.append(request)
        outcome = outcome_of(self._chosen(request), request, number)
        spent = self._spend(request, number)
        request.output_tokens = outcome.tokens
        whole = anthropic.message if path == "/v1/messages" else openai_chat.completion
        self._note(request, "answered")
        return whole(request, outcome, spent, number)

    def _spoken(self, request: Request, http: Http, number: int) -> Reply:
        answer = self._chosen(request)
        if isinstance(answer, Fault) and (reply := self._failed(answer, request, http, number)):
            return reply
        outcome = outcome_of(answer, request, number)
        spent = self._spend(request, number)
        request.output_tokens = outcome.tokens
        if not request.stream:
            self._wait(outcome.delay, request, http)
            return self._whole(request, outcome, spent, number)
        spellings = {"anthropic": anthropic.events, "chat": openai_chat.chunks, "responses": openai_responses.events}
        events = spellings[request.api](request, outcome, spent, number)
        self._wait(outcome.delay, request, http)
        return Reply(
            content_type="text/event-stream; charset=utf-8",
            headers={"request-id": f"req_{number:024d}", "cache-control": "no-cache"},
            chunks=self._paced(events, outcome, request, http),
        )

    def _chosen(self, request: Request) -> Answer:
        with self.changed:
            for rule in self._rules:
                if rule.left == 0 or not rule.when(request):
                    continue
                if rule.after > 0:
                    rule.after -= 1
                elif rule.p >= 1 or self._rng.random() < rule.p:
                    rule.left = None if rule.left is None else rule.left - 1
                    chosen = rule.answer
                    break
            else:
                chosen = None if _asks_beside(request) else self._scripted()
        return chosen(request) if callable(chosen) else chosen

    def _scripted(self) -> Answer | Callable[[Request], Answer]:
        if self._script is None or callable(self._script):
            return self._script
        position, self._position = self._position, self._position + 1
        return self._script[position] if position < len(self._script) else None

    def _failed(self, fault: Fault, request: Request, http: Http, number: int) -> Reply | None:
        """The answer a fault gives before any word; None when it strikes later."""
        self._note(request, fault.name or fault.kind)
        if fault.kind == "hang":
            self._wait(fault.seconds, request, http)
            raise Cut("hung")
        if fault.kind == "reset":
            raise Cut(reset=True)
        if fault.kind == "raw":
            kind = "text/event-stream" if request.stream and fault.status == 200 else fault.content_type
            return Reply(fault.status, fault.body, kind)
        if fault.kind == "status" or (fault.kind == "stream_error" and not request.stream):
            return _refusal(_status(fault, request), number, request.api == "anthropic", fault.headers)
        return None

    def _whole(self, request: Request, outcome: Outcome, spent: Spent, number: int) -> Reply:
        spelling = {
            "anthropic": anthropic.message,
            "chat": openai_chat.completion,
            "responses": openai_responses.response,
        }[request.api]
        reply = _json(spelling(request, outcome, spent, number), {"request-id": f"req_{number:024d}"})
        self._note(request, "answered")
        if outcome.ends in ("clean", "cut"):
            return Reply(body=reply.body[: len(reply.body) // 2])
        return reply

    def _paced(
        self, events: Iterator[bytes], outcome: Outcome, request: Request, http: Http
    ) -> Generator[bytes, None, None]:
        ended = "cancelled"
        try:
            for event in events:
                yield event
                self._wait(outcome.pace, request, http)
            ended = outcome.error.kind if outcome.error is not None else "answered"
            if outcome.ends == "cut":
                raise Cut
        finally:
            self._note(request, ended)

    def _wait(self, seconds: float, request: Request, http: Http) -> None:
        if seconds <= 0:
            return
        try:
            self._loopback.pause(seconds, http)
        except Cut as cut:
            self._note(request, str(cut))
            raise

    def _note(self, request: Request, outcome: str) -> None:
        with self.changed:
            request.outcome = outcome
            self.changed.notify_all()

    def _spend(self, request: Request, number: int) -> Spent:
        with self.changed:
            if request.api == "anthropic":
                spent = self.marked.spend(request.model, anthropic.blocks(request.body), self._clock())
                self._diagnose(request, spent, number)
            else:
                spent = self.prefixes.spend(request.model, openai_chat.prompt(request.body), self._clock())
            request.input_tokens, request.cached_tokens = spent.total, spent.cached
            request.written_tokens = sum(spent.written.values())
            return spent

    def _diagnose(self, request: Request, spent: Spent, number: int) -> None:
        asked = request.body.get("diagnostics")
        if asked and asked.get("previous_message_id"):
            before = self._bodies.get(asked["previous_message_id"])
            missed = sum(spent.written.values())
            request.extra["diagnostics"] = anthropic.diverged(before, request.body, missed)
        self._bodies[f"msg_{number:024d}"] = request.body
        while len(self._bodies) > _REMEMBERED:
            self._bodies.pop(next(iter(self._bodies)))


def _asks_beside(request: Request) -> bool:
    return request.schema is not None and set(request.schema.get("properties", {})) in _BESIDE


def _status(fault: Fault, request: Request) -> Refused:
    """A fault in the words of the API it strikes."""
    if request.api == "anthropic":
        kind = "invalid_request_error" if fault.name == "no_credit" else fault.name
        return Refused(fault.message, fault.status, kind)
    if fault.name == "no_credit":
        words = "You exceeded your current quota, please check your plan and billing details."
        return Refused(words, 429, "insufficient_quota", code="insufficient_quota")
    return {
        401: Refused("Incorrect API key provided.", 401, "invalid_request_error", code="invalid_api_key"),
        429: Refused("Rate limit reached for requests", 429, "requests", code="rate_limit_exceeded"),
        529: Refused("The engine is currently overloaded, please try again later", 503, "server_error"),
    }.get(fault.status, Refused("The server had an error while processing your request.", 500, "server_error"))


def _refusal(refused: Refused, number: int, ours: bool, headers: Any = None) -> Reply:
    body = anthropic.error(refused.kind, refused.message, number) if ours else openai_chat.error(refused)
    return Reply(refused.status, json.dumps(body).encode(), headers={"request-id": f"req_{number}", **(headers or {})})


def _json(value: dict[str, Any], headers: dict[str, str] | None = None) -> Reply:
    return Reply(body=json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"), headers=headers or {})


def _models(path: str, ours: bool) -> Reply:
    born = "2026-01-01T00:00:00Z"
    claude = [name for name in MODELS if name.startswith("claude")]
    listed: list[dict[str, Any]] = [
        {"id": name, "type": "model", "display_name": name, "created_at": born, "lifecycle": "active"}
        if ours
        else {"id": name, "object": "model", "created": 1767225600, "owned_by": "emulator"}
        for name in (claude if ours else MODELS)
    ]
    wanted = path.removeprefix("/v1/models").strip("/")
    if wanted:
        found = [model for model in listed if model["id"] == wanted]
        if not found:
            raise Refused(f"model: {wanted}", 404, "not_found_error", code="model_not_found")
        return _json(found[0])
    if ours:
        return _json({"data": listed, "has_more": False, "first_id": listed[0]["id"], "last_id": listed[-1]["id"]})
    return _json({"object": "list", "data": listed})
