"""What the built-in mind knows of a conversation, piece by piece, and what it answers with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from furoshiki.language import testimony
from furoshiki.language.testimony import Own, Passage

Why = Literal["no-model", "unreachable", "thinking", "budget", "ceiling"]


@dataclass(frozen=True)
class KnownFact:
    """A fact in memory. `said_text` is the message it rests on, word for word; `said_at` (aware) when that was said.
    `first_said` are the words that this message put right, "" where it put nothing right.

    `subject` is "user" for the user, else a name or a relation ("my sister"); `predicate` is one of `facts.PREDICATES`.
    `fixed` when the owner pinned it.
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
    """The user's words that put an older message right, and when (aware) they were said."""

    text: str
    at: datetime


@dataclass(frozen=True)
class Memory:
    """What recall brought up, by recall's own id ("turn:12"). `speaker` is "user", "companion" or a name. `righted` is
    what put it right since."""

    id: str
    speaker: str
    text: str
    at: datetime
    score: float = 0.0
    foreign: tuple[Passage, ...] = ()
    righted: PutRight | None = None

    @property
    def own(self) -> Own:
        """The parts of it that are the speaker's own words."""
        return testimony.own(self.text, self.foreign)


@dataclass(frozen=True)
class Utterance:
    """A message of the conversation, oldest first in `Situation.recent`. `id` is the turn's id where there is one."""

    speaker: str
    text: str
    at: datetime
    id: int = 0
    foreign: tuple[Passage, ...] = ()

    @property
    def own(self) -> Own:
        """The parts of it that are the speaker's own words: the only evidence about them."""
        return testimony.own(self.text, self.foreign)


@dataclass(frozen=True)
class OpenItem:
    """Something that waits on a list. `at` (aware) when it is due, `rule` an RRULE where it comes again, `touched`
    (aware) when it was made or changed last."""

    id: int
    list: str
    title: str
    at: datetime | None = None
    rule: str | None = None
    touched: datetime | None = None


@dataclass(frozen=True)
class ToolResult:
    """What a skill returned: whether it worked, its data, and a line for a reader."""

    name: str
    args: Mapping[str, Any]
    ok: bool
    data: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""


@dataclass(frozen=True)
class SkillCall:
    """A skill the mind wants run before it speaks."""

    name: str
    args: Mapping[str, Any]


@dataclass(frozen=True)
class Reflex:
    """What the mind does: run `calls` and be asked again with their results, or (no calls) say `text`.

    To a reply that is `complete` nothing is added, not even who is speaking.
    """

    text: str = ""
    calls: tuple[SkillCall, ...] = ()
    complete: bool = False
