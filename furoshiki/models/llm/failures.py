"""Failures of a call to a provider, and their consequences.

A `Failure` never leaves this package: it becomes a retry, the next provider, or a line in
`Answer.fallbacks`. Its message may be shown: it has no key and at most a line of the server's text.
"""

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

# fields of an error's body with messages; other fields may repeat the request
_SPOKEN = ("error", "message", "msg", "detail", "loc", "param", "code", "type", "metadata", "raw")

DEEPEST = 6  # maximum nesting depth of an error's body that is read

_LONGEST_WORDS = 160
_LONGEST_SAID = 4000

# HTTP statuses for errors inside a stream, whose own status is 200
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

_NO_CREDIT = ("billing_error", "insufficient_quota")

# Pause of a provider that refuses a key, has no credit, or lacks the model, in seconds. Such
# refusals are immediate and free, and the person who repairs the cause wants to see the effect
# soon.
REFUSED_REST_S = 10.0


@dataclass
class Failure(Exception):
    """One failed attempt.
    `retry_after_s` is the provider's request; `reached`: the call may cost money. `status` and
    `said` (lower case, never shown) are the server's; refused fields are found by them. `written`
    is model output that the server rejected as a call or a form. `partial` is the incomplete
    answer, if it is useful."""

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
        """Whether the same call may soon succeed: not with a wrong key or request, or no credit."""
        return self.kind not in ("key", "credit", "request", "missing", "too_big", "client")

    @property
    def blames_provider(self) -> bool:
        """Whether the failure concerns the provider's health rather than this request."""
        return self.kind not in ("request", "empty", "thinking", "too_big")

    @property
    def rest_s(self) -> float | None:
        """Seconds to pause the provider if this failure alone is reason enough, else None."""
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
    """Return the failure for an HTTP status, or for an error in a stream (status 200, error
    `kind`).

    The status has priority over the error's kind. At most one line of `body` may be shown.
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
    """Return the message in an error's body, however nested."""
    if isinstance(body, list) and body and depth:
        return words_of(body[0], depth - 1)
    if not isinstance(body, dict):
        return str(body or "")
    named = (words_of(body.get(name), depth - 1) for name in ("error", "message", "msg", "detail") if depth)
    return next(filter(None, named), "")


def _walk_words(body: object, depth: int = DEEPEST) -> Iterator[str]:
    """Yield all texts in an error's body; bare numbers are codes and left out."""
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
        # the server's text is left out: it may repeat parts of the key
        refused = later("{status}: the key in {key} wasn't accepted; check it, or create a new one")
        return Failure("key", Sentence(refused, status=status, key=key_variable))
    if status == 402 or kind in _NO_CREDIT or "credit balance is too low" in said:
        spent = later("{status}: the account for {key} is out of credit")
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
    """Return the wait in seconds that a server asks for (`retry-after-ms`, `retry-after`), or None.

    A date counts as 30 s: comparing it would need synchronized clocks.
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
    """Return one short line of a server's error text, without known or apparent keys."""
    line = without_secrets(" ".join(str(words).split())[:2000]) if words else ""
    for secret in secrets:
        if secret:
            line = line.replace(secret, "***")
    line = re.sub(r"\b(?:sk|key|xox|Bearer)[-_ ][A-Za-z0-9*._-]{6,}", "***", line)
    return line if len(line) <= _LONGEST_WORDS else line[: _LONGEST_WORDS - 1] + "…"


def _line(status: int, meaning: str, said: str) -> str:
    return Sentence(f"{{status}} {{meaning}}{': {said}' if said else ''}", status=status, meaning=meaning, said=said)
