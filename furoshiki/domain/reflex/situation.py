"""What the built-in mind answers from, and what it answers with. Values only; the turn fills them in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, Literal

from furoshiki.domain import testimony
from furoshiki.domain.date_habits import Habits
from furoshiki.domain.languages import Language
from furoshiki.domain.nlp import Nlp
from furoshiki.domain.reflex.care.helplines import Help
from furoshiki.domain.reflex.care.noticing import Notice, notice
from furoshiki.domain.reflex.care.weighing import Weight, weighs
from furoshiki.domain.reflex.care.words import CareWords
from furoshiki.domain.signals import Signals
from furoshiki.domain.testimony import Own, Passage

Why = Literal["no-model", "unreachable", "budget"]
Speaker = Literal["user", "companion"]


@dataclass(frozen=True)
class KnownFact:
    """A fact in memory. `said_text` is the message it rests on, word for word; `said_at` (aware) when that was said.

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
        """What of it whoever spoke said themselves."""
        return testimony.own(self.text, self.foreign)


@dataclass(frozen=True)
class Said:
    """A message of the conversation, oldest first in `Situation.recent`. `id` is the turn's id where there is one."""

    speaker: str
    text: str
    at: datetime
    id: int = 0
    foreign: tuple[Passage, ...] = ()

    @property
    def own(self) -> Own:
        """What of it whoever spoke said themselves: the only evidence about them."""
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


@dataclass(frozen=True)
class Situation:
    """Everything the mind may know when it answers one message.

    `now` is aware and in the user's own time zone. `recent` is the conversation so far without the message being
    answered. `over` are facts that were true once. `last_seen` is when the user last wrote before this message.
    `tool_results` are those of this turn, in order. `attachments` describe in words what came with the message ("a
    photo", "a voice note I could not hear"). `wished` is what this message asks for in how to be spoken to (names of
    `style.wishes`), `wishes` what of it holds, `concise` whether they like it short, `habits` how
    they write dates, `language` what the message is in where that is not English. `reminders` wait
    to be said, soonest first; `rung` were said in the last day, newest first; `listed` stands on their lists.
    `care` are the words by which what is heavy is noticed and answered, by language, and `help` the numbers of where
    they are. `denied` was taken back in the message before, and nobody has said what is right; `righted` are the
    messages at hand ("turn:12") that were put right since.
    """

    text: str
    now: datetime
    companion: str = "Furoshiki"
    user_name: str | None = None
    mood: str = "content"
    emotions: Mapping[str, float] = field(default_factory=dict)
    signals: Signals = field(default_factory=Signals)
    nlp: Nlp = field(default_factory=Nlp)
    facts: tuple[KnownFact, ...] = ()
    over: tuple[KnownFact, ...] = ()
    recalled: tuple[Memory, ...] = ()
    recent: tuple[Said, ...] = ()
    last_seen: datetime | None = None
    tool_results: tuple[ToolResult, ...] = ()
    why: Why = "no-model"
    attachments: tuple[str, ...] = ()
    wished: tuple[str, ...] = ()
    wishes: tuple[str, ...] = ()
    concise: bool = False
    habits: Habits = Habits()
    language: Language | None = None
    told_language: bool = False
    reminders: tuple[OpenItem, ...] = ()
    rung: tuple[OpenItem, ...] = ()
    listed: tuple[OpenItem, ...] = ()
    care: tuple[CareWords, ...] = ()
    help: Help = Help()
    denied: KnownFact | None = None
    righted: Mapping[str, PutRight] = field(default_factory=dict)

    @cached_property
    def heavy(self) -> Notice | None:
        """What is heavy in the message itself."""
        return notice(self.text, self.care, self.now.year)

    @cached_property
    def weighs(self) -> Weight | None:
        """The gravest thing said lately that still weighs on what is said next."""
        return weighs(self.recent, self.care, self.now)
