"""What arrived, understood: the value a turn begins with, and what else reads a message."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from furoshiki.feelings.state_files import Heartbeat
from furoshiki.language import testimony
from furoshiki.language.danger_head import Bounds
from furoshiki.language.readable import readable
from furoshiki.language.reflex.care.judging import Danger
from furoshiki.language.testimony import Own, Passage
from furoshiki.messages.values import Envelope, Turn
from furoshiki.models.llm.values import Image


@dataclass(frozen=True)
class RepliedTo:
    """The message that is replied to, from the record or as the channel tells it.

    `who` is "user", "companion" or a name; None where nobody says. `at` is None where it is not on record. `part` is
    what of it is quoted; `foreign` are the places in the text that are not the user's own words.
    """

    who: str | None
    text: str
    at: datetime | None = None
    part: str | None = None
    foreign: tuple[Passage, ...] = ()


@dataclass(frozen=True)
class SaidNow:
    """One message being answered: its words (attachments described in words), as they will be kept.

    `foreign` are the places in the text that are not the user's own words; `own` is what counts as said by them.
    `reply_to` is the turn on record that `answers`, the message replied to, is.
    """

    envelope_id: int
    text: str
    kind: str
    at: datetime
    message_id: str | None
    reply_to: Turn | None = None
    answers: RepliedTo | None = None
    attachments: Mapping[str, Any] | None = None
    foreign: tuple[Passage, ...] = ()

    @property
    def own(self) -> Own:
        """What they typed, said or captioned themselves."""
        return testimony.own(self.text, self.foreign)

    @property
    def ordered(self) -> str:
        """The same with what they quote inside a sentence, which may be a title: to be read for what they ask."""
        return testimony.own(self.text, [one for one in self.foreign if one.kind != "quote"])

    @property
    def shown(self) -> str:
        """All of it for a mind to read, with what is somebody else's between marks."""
        return testimony.render_marked(self.text, self.foreign)


@dataclass(frozen=True)
class Percept:
    """What arrived, understood by rules, its feelings at need with a small model. `signals` are strengths in [0, 1] by
    category; `vector` is what `encoder` (its id) made of the user's own words, empty when nobody was asked or answered.
    `meant` is how likely it means to do each of `language.meant.KINDS`, empty without a vector. `danger_shares` and
    `danger_bounds` are what a head makes of it, `danger` is what was made of that, `bright` says
    that it is good news or a joke.
    """

    key: str
    envelopes: tuple[Envelope, ...]
    said: tuple[SaidNow, ...]
    signals: Mapping[str, float]
    name_given: str | None
    images: tuple[Image, ...]
    session_id: str
    heartbeat: Heartbeat
    now: datetime
    vector: tuple[float, ...] = ()
    encoder: str = ""
    meant: Mapping[str, float] = field(default_factory=dict)
    danger_shares: Mapping[str, float] = field(default_factory=dict)
    danger_bounds: Bounds | None = None
    danger: Danger | None = None
    bright: bool = False

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
    def doubtful(self) -> bool:
        """Whether what it says may be somebody else's words."""
        return any(one.kind == "doubtful" for one in self.foreign)

    @property
    def led_by_others(self) -> bool:
        """Whether others' words came with the message, or the message answers some. Whatever a mind is shown as it is
        counts, however its place in the text is called."""
        quoted = (said.answers for said in self.said)
        shown = bool(self.foreign or self.images)
        return shown or any(one is not None and testimony.outside(one.foreign) for one in quoted)

    @property
    def own_links(self) -> tuple[str, ...]:
        """The links the user wrote themselves, not those in what they passed on."""
        return tuple(link for said in self.said for link in testimony.links(said.text, said.foreign))
