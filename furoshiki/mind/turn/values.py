"""The typed values one turn passes from step to step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from furoshiki.domain import testimony
from furoshiki.domain.asking import Image, Standing
from furoshiki.domain.conversation import Envelope, Turn
from furoshiki.domain.readable import readable
from furoshiki.domain.speech import Speech
from furoshiki.domain.style.choosing import NOTHING, Block
from furoshiki.domain.testimony import Own, Passage
from furoshiki.state import Heartbeat
from furoshiki.storage.memories import Memory
from furoshiki.storage.operations import Operation
from furoshiki.storage.retrievals import Retrieval


@dataclass(frozen=True)
class SaidNow:
    """One message being answered: its words (attachments described in words), as they will be kept.

    `foreign` are the places in the text that are not the user's own words; `own` is what counts as said by them.
    """

    envelope_id: int
    text: str
    kind: str
    at: datetime
    message_id: str | None
    reply_to: Turn | None = None
    attachments: Mapping[str, Any] | None = None
    foreign: tuple[Passage, ...] = ()

    @property
    def own(self) -> Own:
        """What they typed, said or captioned themselves."""
        return testimony.own(self.text, self.foreign)

    @property
    def shown(self) -> str:
        """All of it for a mind to read, with what is somebody else's between marks."""
        return testimony.marked(self.text, self.foreign)


@dataclass(frozen=True)
class Percept:
    """What arrived, understood by rules, its feelings at need with a small model. `signals` are strengths in [0, 1] by
    category."""

    key: str
    envelopes: tuple[Envelope, ...]
    said: tuple[SaidNow, ...]
    signals: Mapping[str, float]
    name_given: str | None
    images: tuple[Image, ...]
    session_id: str
    heartbeat: Heartbeat
    now: datetime

    @property
    def channel(self) -> str:
        """Where it came from."""
        return self.envelopes[0].channel

    @property
    def chat_id(self) -> str:
        """The conversation it came from."""
        return self.envelopes[0].chat_id

    @property
    def text(self) -> str:
        """Everything said in this turn, as rules read it."""
        return readable("\n".join(said.text for said in self.said if said.text))

    @property
    def own_text(self) -> Own:
        """What the user says themselves in this turn: the only words that are evidence about them."""
        return testimony.together_own(said.own for said in self.said)

    @property
    def foreign(self) -> tuple[Passage, ...]:
        """What somebody else's words came with this turn (documents, forwards, cards, what was pasted); none when all
        of it is the user's own. A quotation inside their sentence is not counted."""
        return tuple(one for said in self.said for one in testimony.outside(said.foreign))

    @property
    def led_by_others(self) -> bool:
        """Whether others' words came with the message, or the message answers some."""
        quoted = (said.reply_to for said in self.said)
        return bool(self.foreign) or any(one is not None and testimony.outside(one.foreign) for one in quoted)

    @property
    def own_links(self) -> tuple[str, ...]:
        """The links the user wrote themselves, not those in what they passed on."""
        return tuple(link for said in self.said for link in testimony.links(said.text, said.foreign))


@dataclass(frozen=True)
class Shown:
    """A memory put before the mind. `id` is "turn:12", "memory:3" or "session:…".

    `line` is its one line, where there was no room for the text. `until` is when it stopped being true, `past` whether
    it did. `beside` is what was said right before and after it: ("before" or "after", speaker, words). `foreign` are
    the places in its text that are not the speaker's own words.
    """

    id: str
    text: str
    speaker: str
    at: datetime
    score: float
    line: str | None = None
    until: datetime | None = None
    past: bool = False
    beside: tuple[tuple[str, str, str], ...] = ()
    foreign: tuple[Passage, ...] = ()


@dataclass(frozen=True)
class Context:
    """Everything the mind is shown for this turn, from what never changes to what always does.

    `median_gap` is the usual number of seconds between the user's messages, 0 when there are too few to tell.
    `woken` is everything that came to mind, shown or not; `focus` is what this turn is about, to be kept after it.
    `intensity` in [0, 1] is how much is going on, `history_budget` the tokens the conversation may therefore take.
    `style` is what is told about how this person likes to be spoken to.
    """

    percept: Percept
    stable: tuple[str, ...]
    history: tuple[Turn, ...]
    window_start: int
    now_text: str
    memories: tuple[Shown, ...]
    facts: tuple[Memory, ...]
    operations: tuple[Operation, ...]
    user_name: str | None
    last_seen: datetime | None
    first_meeting: bool
    median_gap: float
    session_block: Mapping[str, Any]
    woken: tuple[Retrieval, ...] = ()
    focus: Mapping[str, Any] | None = None
    intensity: float = 0.5
    history_budget: int = 0
    style: Block = NOTHING


@dataclass(frozen=True)
class Note:
    """Something the mind wants remembered, written when the turn is committed.

    `turn_ids` are earlier turns it rests on; empty when it rests on what was said just now.
    `instead` is the object that was held until now and was never true.
    """

    text: str
    type: str = "semantic"
    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    category: str | None = None
    turn_ids: tuple[int, ...] = ()
    instead: str | None = None


@dataclass(frozen=True)
class Draft:
    """The mind's finished answer, before it is read for directions.

    `evidence` are the ids it was shown, `shortened` those of them it saw one line of, and `woken` is everything that
    came to mind; `standing` says how the day's budget stood; `asks` are the
    tokens of what the user has to say yes to before it is done.
    """

    text: str
    provider: str
    model: str
    tier: str
    fallbacks: tuple[str, ...] = ()
    standing: Standing = "free"
    notes: tuple[Note, ...] = ()
    skills: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    shortened: tuple[str, ...] = ()
    woken: tuple[Retrieval, ...] = ()
    asks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reply:
    """What the turn comes to: words, a reaction, or silence with its reason."""

    percept: Percept
    speech: Speech
    draft: Draft
    window_start: int | None = None
    session_block: Mapping[str, Any] | None = None
    operations: tuple[int, ...] = ()
    focus: Mapping[str, Any] | None = None
    intensity: float | None = None
    history_budget: int = 0
    style: Block = NOTHING
