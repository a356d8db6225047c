"""A scripted answer made ready to be sent: what is written in which order, how it ends, and how fast it comes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from . import schema
from .answers import Answer, Call, Fault, Part, Say, Structured
from .request import Request
from .tokens import BYTES_PER_TOKEN, count

PIECE = 12
"""Characters in one piece of a stream."""


@dataclass(frozen=True)
class Written:
    """Words, or the call of a tool with its arguments as JSON text."""

    text: str
    name: str = ""
    call_id: str = ""

    def pieces(self) -> list[str]:
        return [self.text[i : i + PIECE] for i in range(0, len(self.text), PIECE)]


@dataclass
class Outcome:
    """All an API needs to know to put an answer into its own shape."""

    written: list[Written] = field(default_factory=list)
    finish: Literal["stop", "length", "refused", "tools"] = "stop"
    delay: float = 0.0
    pace: float = 0.0
    ends: Literal["whole", "clean", "cut", "error"] = "whole"
    error: Fault | None = None
    spoiled: bool = False

    @property
    def text(self) -> str:
        return "".join(w.text for w in self.written if not w.name)

    @property
    def tokens(self) -> int:
        return max(1, sum(count(w.text) + (count(w.name) + 8 if w.name else 0) for w in self.written))


def outcome_of(answer: Answer, request: Request, number: int) -> Outcome:
    """The answer, or what a Fault leaves of it; `number` makes the ids of its calls unique."""
    if isinstance(answer, Fault):
        return _broken(answer, request)
    outcome = Outcome()
    for position, part in enumerate(_parts(answer, request)):
        if isinstance(part, Say):
            outcome.written += [Written(part.text)] if part.text else []
            outcome.delay, outcome.pace = part.delay or outcome.delay, part.pace or outcome.pace
            outcome.finish = part.finish
        elif isinstance(part, Structured):
            outcome.written.append(Written(json.dumps(part.value, ensure_ascii=False)))
        else:
            args = json.dumps(dict(part.args), ensure_ascii=False) if part.raw is None else part.raw
            outcome.written.append(Written(args, part.name, f"{number:06d}{position:02d}"))
            outcome.finish = "tools"
    _shorten(outcome, request.max_tokens)
    return outcome


def _parts(answer: Answer, request: Request) -> list[Say | Call | Structured]:
    if answer is None:
        return [_default(request)]
    if isinstance(answer, Mapping):
        return [Structured(dict(answer))]
    given: list[Part] = [answer] if isinstance(answer, Say | Call | Structured | str) else list(answer)  # type: ignore[arg-type]
    return [Say(part) if isinstance(part, str) else part for part in given]


def _default(request: Request) -> Say | Structured:
    words = f"re: {request.words}"
    return Say(words) if request.schema is None else Structured(schema.instance(request.schema, words))


def _broken(fault: Fault, request: Request) -> Outcome:
    outcome = Outcome([Written(fault.text)] if fault.text else [], error=fault)
    if fault.kind == "truncated":
        outcome.ends = "clean" if fault.clean else "cut"
    elif fault.kind == "stream_error":
        outcome.ends = "error"
    elif fault.kind == "wrong_types":
        outcome = outcome_of(None, request, 0)
        outcome.spoiled = True
    return outcome


def _shorten(outcome: Outcome, max_tokens: int) -> None:
    """Cuts the words off where the limit of tokens is reached, like a model would."""
    left = max_tokens
    for i, written in enumerate(outcome.written):
        left -= count(written.text)
        if left < 0 and not written.name:
            raw = written.text.encode()[: (left + count(written.text)) * BYTES_PER_TOKEN]
            outcome.written = [*outcome.written[:i], Written(raw.decode("utf-8", "ignore"))]
            outcome.finish = "length"
            return


def spoil(value: Any) -> Any:
    """The same outline with the wrong types everywhere but in the names of types."""
    if isinstance(value, dict):
        return {k: v if k in ("type", "object") else spoil(v) for k, v in value.items()}
    if isinstance(value, list):
        return [*map(spoil, value), None]
    if value is None:
        return []
    return 42 if isinstance(value, str) else "many"
