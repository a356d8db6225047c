"""What a scripted model may answer, and every way in which it may fail to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from .request import Request

Finish = Literal["stop", "length", "refused"]


@dataclass(frozen=True)
class Say:
    """Words. `delay` seconds pass before the first of them, `pace` seconds between the pieces of a stream."""

    text: str
    finish: Finish = "stop"
    delay: float = 0.0
    pace: float = 0.0


@dataclass(frozen=True)
class Call:
    """One call of a tool; the answer ends there, so that the tool can be run."""

    name: str
    args: Mapping[str, Any] = field(default_factory=dict)
    raw: str | None = None
    """The arguments exactly as written by the model, where they are not what `args` would give."""


@dataclass(frozen=True)
class Structured:
    """JSON, written as text. Whether it fits the schema that was asked for is up to the script."""

    value: Any


@dataclass(frozen=True)
class Fault:
    """Something goes wrong; made by the functions below."""

    kind: Literal["status", "hang", "reset", "raw", "wrong_types", "truncated", "stream_error"]
    status: int = 200
    name: str = ""
    message: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    content_type: str = "application/json"
    seconds: float = 0.0
    text: str = ""
    clean: bool = True


Part = Say | Call | Structured | str
Answer = Part | Fault | Mapping[str, Any] | Sequence[Part] | None
"""A str is a Say, a mapping a Structured, a sequence several parts of one answer, None the default answer."""
Script = Callable[[Request], Answer] | Sequence[Answer] | None


def too_many(retry_after: float | None = 1) -> Fault:
    """429, with a retry-after header unless None."""
    headers = {} if retry_after is None else {"retry-after": f"{retry_after:g}"}
    return Fault("status", 429, "rate_limit_error", "Number of requests has exceeded your rate limit.", headers)


def overloaded() -> Fault:
    """529, which the OpenAI side knows as 503."""
    return Fault("status", 529, "overloaded_error", "Overloaded")


def server_error() -> Fault:
    return Fault("status", 500, "api_error", "Internal server error")


def unauthorized() -> Fault:
    return Fault("status", 401, "authentication_error", "invalid x-api-key")


def no_credit() -> Fault:
    """The account is empty: 400 on one side, 429 insufficient_quota on the other."""
    return Fault("status", 400, "no_credit", "Your credit balance is too low to access the Anthropic API.")


def bad_gateway() -> Fault:
    """502 with a page of HTML from a proxy in between."""
    return Fault("raw", 502, body=b"<html><body><h1>502 Bad Gateway</h1></body></html>", content_type="text/html")


def hang(seconds: float = 600.0) -> Fault:
    """No byte for so long, then the connection closes."""
    return Fault("hang", seconds=seconds)


def reset() -> Fault:
    """The connection is reset instead of an answer."""
    return Fault("reset")


def raw(body: bytes, status: int = 200, content_type: str = "application/json") -> Fault:
    """Exactly these bytes, stream or not."""
    return Fault("raw", status, body=body, content_type=content_type)


def garbage() -> Fault:
    """200, but no JSON and no events."""
    return raw(b'\x00\xff{not json at all\n\ndata: {"half": \n\n')


def huge(megabytes: int = 10) -> Fault:
    """200 with so much of one JSON string."""
    return raw(b'{"id":"' + b"x" * (megabytes * 1_000_000) + b'"}')


def wrong_types() -> Fault:
    """An answer of the right outline in which the fields have the wrong types."""
    return Fault("wrong_types")


def truncated(text: str = "I was just about to", *, clean: bool = True) -> Fault:
    """A stream that ends after these words without its last events; not `clean`: the connection breaks, too.

    Outside a stream it is half of a JSON body.
    """
    return Fault("truncated", text=text, clean=clean)


def stream_error(text: str = "One moment", name: str = "overloaded_error") -> Fault:
    """An error event in the middle of the stream; outside a stream the status that belongs to it."""
    return Fault("stream_error", 529, name, "Overloaded", text=text)


def empty() -> Say:
    """An answer without a word."""
    return Say("")


def cut_short(text: str = "This answer goes on and") -> Say:
    """The limit of tokens was reached."""
    return Say(text, finish="length")


def refusal(text: str = "I can't help with that.") -> Say:
    """The provider's own refusal."""
    return Say(text, finish="refused")


def drip(text: str, pace: float = 0.2) -> Say:
    """A stream that comes drop by drop."""
    return Say(text, pace=pace)
