"""What can go wrong with one call to a provider, and what follows from it.

A `Failure` never leaves this package: it becomes a retry, the next provider, or a line in `Answer.fallbacks`. Its
message is safe to show: it holds no key and no more of the server's words than a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from furoshiki.core.catalogue import Sentence, later
from furoshiki.core.network.addresses import without_secrets
from furoshiki.models.llm.values import Answer

Kind = Literal[
    "limited",
    "overloaded",
    "timeout",
    "network",
    "truncated",
    "empty",
    "thinking",
    "garbage",
    "too_big",
    "key",
    "credit",
    "request",
    "missing",
    "busy",
    "client",
]

_SPOKEN = ("error", "message", "msg", "detail", "loc", "param", "code", "type", "metadata", "raw")
"""Where an error's body says something; elsewhere some repeat the request."""

DEEPEST = 6
"""Levels of an error's body that are looked at."""

_LONGEST_WORDS = 160
_LONGEST_SAID = 4000

_STATUSES = {
    "authentication_error": 401,
    "permission_error": 403,
    "billing_error": 402,
    "insufficient_quota": 402,
    "not_found_error": 404,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "request_too_large": 413,
    "invalid_request_error": 400,
    "exceed_context_size_error": 400,
    "api_error": 500,
    "timeout_error": 500,
    "server_error": 500,
    "overloaded_error": 529,
}
"""What an error in a stream stands for, whose own status is 200."""

_NO_CREDIT = ("billing_error", "insufficient_quota")

REFUSED_REST_S = 10.0
"""How long a provider is left alone that refuses a key, has no credit, or does not know the model: it says so at once
and for nothing, and the person who repairs it wants to see that it works."""


@dataclass
class Failure(Exception):
    """One failed attempt. `retry_after_s` is the provider's own wish; `reached`: it was there, and may want money.

    `status` and `said` are the server's, its words in small letters: by them it is read what was refused, and they are
    never shown. `written` is what the model wrote and its server would not hand on as a call or a form. `partial` is
    what had been said by then, where it is worth more than nothing.
    """

    kind: Kind
    message: str
    retry_after_s: float | None = None
    reached: bool = True
    status: int = 0
    said: str = field(default="", repr=False)
    written: str = field(default="", repr=False)
    partial: Answer | None = field(default=None, repr=False)

    def __str__(self) -> str:
        return self.message

    @property
    def worth_retrying(self) -> bool:
        """Whether the same call may succeed in a moment: not with a wrong key, a wrong request, or no credit."""
        return self.kind not in ("key", "credit", "request", "missing", "too_big", "client")

    @property
    def blames_provider(self) -> bool:
        """Whether it says something about the provider's health, rather than about this one request."""
        return self.kind not in ("request", "empty", "thinking", "too_big")

    @property
    def rest_s(self) -> float | None:
        """How long the provider is to be left alone at once, if this failure alone is reason enough."""
        if self.kind in ("key", "credit", "missing", "client"):
            return REFUSED_REST_S
        return self.retry_after_s


def of_status(
    status: int,
    *,
    key_variable: str,
    kind: str = "",
    body: object = None,
    headers: Mapping[str, str] | None = None,
    secrets: Iterable[str] = (),
) -> Failure:
    """The failure behind an HTTP status, or behind an error event in a stream (status 200 and the error's `kind`).

    A status outranks whatever the body calls the error. `body` is all that the server said: what of it may be shown is
    one line.
    """
    number = status if status >= 300 else _STATUSES.get(kind, status)
    shown = safe_words(words_of(body), secrets)
    failure = _of_number(number, key_variable, kind, shown, retry_after(headers or {}))
    written = body.get("failed_generation") if isinstance(body, dict) else None
    return replace(
        failure,
        status=number,
        said=" ".join(_walk_words(body)).lower()[:_LONGEST_SAID],
        written=written if isinstance(written, str) else "",
    )


def words_of(body: object, depth: int = DEEPEST) -> str:
    """What an error's body says, however it is nested."""
    if isinstance(body, list) and body and depth:
        return words_of(body[0], depth - 1)
    if not isinstance(body, dict):
        return str(body or "")
    named = (words_of(body.get(name), depth - 1) for name in ("error", "message", "msg", "detail") if depth)
    return next(filter(None, named), "")


def _walk_words(body: object, depth: int = DEEPEST) -> Iterator[str]:
    """All that an error's body says, word by word; a bare number is a code."""
    if isinstance(body, dict) and depth:
        if "n_ctx" in body:
            yield f"n_ctx {body['n_ctx']}"
        for name in _SPOKEN:
            yield from _walk_words(body.get(name), depth - 1)
    elif isinstance(body, list) and depth:
        for inner in body:
            yield from _walk_words(inner, depth - 1)
    elif isinstance(body, str) and not body.isdigit():
        yield body


def _of_number(status: int, key_variable: str, kind: str, said: str, wait: float | None) -> Failure:
    if status in (401, 403):
        # the server's words are left out: some repeat parts of the key
        refused = later("{status}: the key in {key} was not accepted; check it, or make a new one")
        return Failure("key", Sentence(refused, status=status, key=key_variable))
    if status == 402 or kind in _NO_CREDIT or "credit balance is too low" in said:
        spent = later("{status}: the account behind {key} has no credit left")
        return Failure("credit", Sentence(spent, status=status, key=key_variable))
    if status == 404:
        return Failure("missing", _line(status, Sentence("no such model or address"), said))
    if status == 429:
        return Failure("limited", _line(status, Sentence("rate limited"), said), wait)
    if status >= 500:
        return Failure("overloaded", _line(status, kind or Sentence("server error"), said), wait)
    if status in (408, 409):
        return Failure("overloaded", _line(status, Sentence("try again"), said))
    if status == 413:
        return Failure("request", _line(status, Sentence("the prompt is too large"), said))
    if status < 400:
        meaning = "a redirect instead of an answer" if status >= 300 else kind or "an error in the stream"
        return Failure("garbage", _line(status, meaning, said))
    return Failure("request", _line(status, Sentence("the request was refused"), said))


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The wait in seconds a server asks for (`retry-after-ms`, `retry-after` in seconds or as a date), or None.

    A date is answered with half a minute: comparing it would need our clock to agree with theirs.
    """
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name)
        if value is None:
            continue
        try:
            wait = float(value) * scale
        except ValueError:
            return 30.0
        return wait if 0 <= wait < 86_400 else None
    return None


def safe_words(words: Any, secrets: Iterable[str] = ()) -> str:
    """One short line of a server's error text without keys: known ones, and whatever looks like one."""
    line = without_secrets(" ".join(str(words).split())[:2000]) if words else ""
    for secret in secrets:
        if secret:
            line = line.replace(secret, "***")
    line = re.sub(r"\b(?:sk|key|xox|Bearer)[-_ ][A-Za-z0-9*._-]{6,}", "***", line)
    return line if len(line) <= _LONGEST_WORDS else line[: _LONGEST_WORDS - 1] + "…"


def _line(status: int, meaning: str, said: str) -> str:
    return Sentence(f"{{status}} {{meaning}}{': {said}' if said else ''}", status=status, meaning=meaning, said=said)
