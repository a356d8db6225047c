"""Values of the built-in mind: its knowledge of a conversation, and its replies."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from furoshiki.language.testimony import Utterance

Why = Literal["no-model", "unreachable", "thinking", "budget", "ceiling"]


@dataclass(frozen=True)
class KnownFact:
    """A stored fact, and the message that supports it.

    `said_text` is that message, verbatim; `said_at` (aware) its time; `first_said` are words that
    it corrected, "" if none. `subject` is "user", a name or a relation ("my sister"); `predicate`
    is one of `facts.PREDICATES`. `fixed`: the owner pinned it.
    """

    id: int
    subject: str
    predicate: str
    object: str
    text: str
    said_at: datetime | None = None
    said_text: str = ""
    fixed: bool = False
    first_said: str = ""


@dataclass(frozen=True)
class PutRight:
    """The user's correction of an older message, and its time (aware). `reads` are the words of
    that message as corrected, "" where a fact was."""

    text: str
    at: datetime
    reads: str = ""


@dataclass(frozen=True)
class Memory(Utterance):
    """A recalled message. `righted` is a later correction that came with it."""

    righted: PutRight | None = None


@dataclass(frozen=True)
class OpenItem:
    """An item on a list. `at` (aware) is when it is due, `rule` the RRULE of a repetition,
    `touched` (aware) its last change."""

    id: int
    list: str
    title: str
    at: datetime | None = None
    rule: str | None = None
    touched: datetime | None = None


@dataclass(frozen=True)
class ToolResult:
    """A skill's result: success, data, and a line for a reader."""

    name: str
    args: Mapping[str, Any]
    ok: bool
    data: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""


@dataclass(frozen=True)
class SkillCall:
    """A skill to run before the reply."""

    name: str
    args: Mapping[str, Any]


@dataclass(frozen=True)
class Reflex:
    """A reaction: run `calls` and call again with their results, or (without calls) say `text`.

    Nothing is added to a `complete` reply, not even who is speaking.
    """

    text: str = ""
    calls: tuple[SkillCall, ...] = ()
    complete: bool = False
