"""What can go wrong with one call to a provider, and what follows from it.

A `Failure` never leaves this package: it becomes a retry, the next provider, or a line in `Answer.fallbacks`. Its
message is safe to show: it holds no key and no more of the server's words than a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from furoshiki.core.network.addresses import without_secrets

Kind = Literal[
    "limited",
    "overloaded",
    "timeout",
    "network",
    "truncated",
    "empty",
    "garbage",
    "too_big",
    "key",
    "credit",
    "request",
    "missing",
    "busy",
    "client",
]

_LONGEST_WORDS = 160

REFUSED_REST_S = 10.0
"""How long a provider is left alone that refuses a key, has no credit, or does not know the model: it says so at once
and for nothing, and whoever mends it wants to see that it works."""


@dataclass
class Failure(Exception):
    """One failed attempt. `retry_after_s` is the provider's own wish; `reached`: it was there, and may want money."""

    kind: Kind
    message: str
    retry_after_s: float | None = None
    reached: bool = True

    def __str__(self) -> str:
        return self.message

    @property
    def worth_retrying(self) -> bool:
        """Whether the same call may succeed in a moment: not with a wrong key, a wrong request, or no credit."""
        return self.kind not in ("key", "credit", "request", "missing", "too_big", "client")

    @property
    def blames_provider(self) -> bool:
        """Whether it says something about the provider's health, rather than about this one request."""
        return self.kind not in ("request", "empty", "too_big")

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
    words: str = "",
    headers: Mapping[str, str] | None = None,
    secrets: Iterable[str] = (),
) -> Failure:
    """The failure behind an HTTP status, or behind an error event in a stream (status 200 and the error's `kind`)."""
    said = safe_words(words, secrets)
    if status in (401, 403) or kind in ("authentication_error", "permission_error"):
        # the server's words are left out: some repeat parts of the key
        number = status if status in (401, 403) else 401
        return Failure("key", f"{number}: the key in {key_variable} was not accepted; check it, or make a new one")
    if status == 402 or kind in ("billing_error", "insufficient_quota") or "credit balance is too low" in said:
        return Failure("credit", f"{status}: the account behind {key_variable} has no credit left")
    if status == 404 or kind == "not_found_error":
        return Failure("missing", _line(404, "no such model or address", said))
    if status == 429 or kind in ("rate_limit_error", "rate_limit_exceeded"):
        return Failure("limited", _line(429, "rate limited", said), retry_after(headers or {}))
    if status >= 500 or kind in ("overloaded_error", "api_error", "timeout_error", "server_error"):
        number = 529 if kind == "overloaded_error" else max(status, 500)
        return Failure("overloaded", _line(number, kind or "server error", said), retry_after(headers or {}))
    if status in (408, 409):
        return Failure("overloaded", _line(status, "try again", said))
    if status == 413 or kind == "request_too_large":
        return Failure("request", _line(413, "the prompt is too large", said))
    if 300 <= status < 400:
        return Failure("garbage", _line(status, "a redirect instead of an answer", said))
    if status < 400:
        return Failure("garbage", _line(status, kind or "an error in the stream", said))
    return Failure("request", _line(status, "the request was refused", said))


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
    return f"{status} {meaning}" + (f": {said}" if said else "")
