"""The result of perception: the value with which a turn begins."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from furoshiki.feelings.state_files import Heartbeat
from furoshiki.language import testimony
from furoshiki.language.danger_head import Bounds
from furoshiki.language.reflex.care.judging import Danger
from furoshiki.language.testimony import Own, Passage
from furoshiki.language.words import readable
from furoshiki.messages.values import Envelope, Turn
from furoshiki.models.llm.values import Image


@dataclass(frozen=True)
class RepliedTo:
    """The message that is replied to, from the database or as the channel gives it.

    `who` is "user", "companion" or a name; None if unknown. `at` is None if it is not stored.
    `part` is the quoted part; `foreign` are the passages that are not the user's own words.
    """

    who: str | None
    text: str
    at: datetime | None = None
    part: str | None = None
    foreign: tuple[Passage, ...] = ()


@dataclass(frozen=True)
class SaidNow:
    """One message being answered: its text, with attachments in words, to be stored.

    `foreign` are the passages that are not the user's own words; `own` counts as said by them.
    `reply_to` is the stored turn of `answers`, the message replied to.
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

    @cached_property
    def own(self) -> Own:
        """The user's own typed, spoken or captioned words."""
        return testimony.own(self.text, self.foreign)

    @property
    def ordered(self) -> str:
        """The same with quotations, which may be titles in a request."""
        return testimony.own(self.text, [passage for passage in self.foreign if passage.kind != "quote"])

    @property
    def shown(self) -> str:
        """The whole text for the model, with other people's passages marked."""
        return testimony.render_marked(self.text, self.foreign)


@dataclass(frozen=True)
class Percept:
    """Perceived messages. `signals` are strengths in [0, 1] by category; `vector` is that of the
    user's own words by `encoder` (its id), or empty. `meant` is the probability of each of
    `language.intents.KINDS`, empty without a vector. `danger_shares` and `danger_bounds` are the
    danger classifier's, `danger` the conclusion from them, `bright` says that it is good news or a
    joke. `look_later` says that a model reads the signals too, after the answer."""

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
    look_later: bool = False

    @property
    def channel(self) -> str:
        """The channel's name."""
        return self.envelopes[0].channel

    @property
    def chat_id(self) -> str:
        return self.envelopes[0].chat_id

    @cached_property
    def text(self) -> str:
        """The text of the whole turn, as rules read it."""
        return readable("\n".join(message.text for message in self.said if message.text))

    @cached_property
    def own_text(self) -> Own:
        """The user's own words in this turn, the only evidence about them."""
        return testimony.together_own(message.own for message in self.said)

    @property
    def foreign(self) -> tuple[Passage, ...]:
        """The other people's passages in this turn (documents, forwards, cards, pasted text),
        without quotations inside the user's sentences."""
        return tuple(passage for message in self.said for passage in testimony.outside(message.foreign))

    @property
    def doubtful(self) -> bool:
        """Whether its text may be another person's words."""
        return any(passage.kind == "doubtful" for passage in self.foreign)

    @property
    def led_by_others(self) -> bool:
        """Whether other people's words or pictures are in the message or its reply target."""
        quoted = (message.answers for message in self.said)
        shown = bool(self.foreign or self.images)
        return shown or any(one is not None and testimony.outside(one.foreign) for one in quoted)

    @property
    def own_links(self) -> tuple[str, ...]:
        """The links that the user wrote, without those in forwarded or pasted text."""
        return tuple(link for message in self.said for link in testimony.links(message.text, message.foreign))
