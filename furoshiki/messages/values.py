"""What travels through a turn: envelopes in, words out, and what was said before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any, Literal

from furoshiki.language import testimony
from furoshiki.language.testimony import Own, Passage
from furoshiki.messages.channels import HERE
from furoshiki.messages.events import Edit, Event, Message

Priority = Literal["urgent", "normal", "background"]
Policy = Literal["reply", "reminder", "unprompted"]
"""What may be sent again when nobody knows whether it arrived: replies and reminders yes, unprompted words never."""

COMPANION = "companion"
USER = "user"

SESSION_GAP_SECONDS = 20 * 60
"""A silence of this length ends a session."""


@dataclass(frozen=True)
class NewEnvelope:
    """Something that arrived, before it has a row. `external_id` must be the same when it arrives twice."""

    channel: str
    external_id: str
    sender: str
    event: Event
    priority: Priority = "normal"

    @property
    def kind(self) -> str:
        """What arrived, in a word."""
        return self.event.kind


@dataclass(frozen=True)
class Envelope:
    """One claimed or waiting row of the inbox."""

    id: int
    channel: str
    external_id: str
    sender: str
    event: Event
    priority: Priority
    attempts: int
    enqueued_at: datetime

    @property
    def kind(self) -> str:
        """What arrived, in a word."""
        return self.event.kind

    @property
    def message(self) -> Message | None:
        """What was said, also where it corrects what was said before; None for what is no message."""
        return self.event if isinstance(self.event, Message) else None

    @property
    def text(self) -> str:
        """The words of a message; empty for what is none."""
        return "" if self.message is None else self.message.text

    @property
    def chat_id(self) -> str:
        """The conversation it belongs to, as the channel names it."""
        return str(self.event.chat_id)

    @property
    def private(self) -> bool:
        """Whether nobody else reads along; where the channel did not say, only at the machine itself and in the chat
        that is named after its sender."""
        said = self.event.private
        return self.chat_id == self.sender or self.channel in HERE if said is None else said

    @property
    def message_id(self) -> str | None:
        """The channel's own id of the message, None for things that are no message."""
        found = None if self.message is None else self.message.message_id
        return None if found is None else str(found)

    @property
    def corrected(self) -> Envelope:
        """An edit as the message it is now; anything else as it is."""
        return replace(self, event=self.event.as_message()) if isinstance(self.event, Edit) else self


@dataclass(frozen=True)
class Shaped:
    """One message of a channel: text in the channel's own form, or a document too long to be a message."""

    text: str
    entities: tuple[Mapping[str, Any], ...] | None = None
    kind: str = "text"
    extra: Mapping[str, Any] = field(default_factory=dict)


UNKEPT = "unkept"
"""Marks a message whose words are emptied as soon as they have arrived, because its reader asked for that."""


REMOVAL = "removal"
"""The kind that takes a message out of the chat."""

MARKS = frozenset({"reaction", "buttons", "edit", REMOVAL})
"""Kinds that change a message that is there, or what stands under it: twice is once."""


@dataclass(frozen=True)
class NewOutgoing:
    """Words (or a reaction, or a document) on their way out, before they have a row.

    kind: text, document, photo, voice, and MARKS: "buttons" leaves `extra["buttons"]` under the message `reply_to`,
    "edit" puts its text in the place of that message's, "removal" takes that message out of the chat.
    `entities` is Telegram's list of MessageEntity dicts, None when the sender still has to format the text. `reply_to`
    is the channel's id of the quoted message. `extra` carries buttons, file name and bytes in base64 (of a voice also
    its seconds), or the emoji.
    """

    channel: str
    chat_id: str
    text: str
    kind: str = "text"
    part: int = 0
    entities: tuple[Mapping[str, Any], ...] | None = None
    reply_to: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    policy: Policy = "reply"


@dataclass(frozen=True, kw_only=True)
class Outgoing(NewOutgoing):
    """One row of the outbox."""

    id: int
    turn_id: int | None
    turn_key: str | None
    state: str
    external_id: str | None
    attempts: int
    not_before: datetime | None
    created_at: datetime


@dataclass(frozen=True)
class NewTurn:
    """One thing said, before it has a row. `speaker` is "user", "companion" or a name; `foreign` are the places in
    `text` that are not the speaker's own words."""

    session_id: str
    channel: str
    chat_id: str
    speaker: str
    text: str
    at: datetime
    kind: str = "text"
    reply_to: int | None = None
    external_id: str | None = None
    turn_key: str | None = None
    attachments: Mapping[str, Any] | None = None
    signals: Mapping[str, float] | None = None
    source: str = "live"
    import_id: str | None = None
    foreign: tuple[Passage, ...] = ()


@dataclass(frozen=True)
class Turn:
    """One thing said, as it is kept. `text` is all of it, to be found and shown; `own` is what counts as said."""

    id: int
    session_id: str
    channel: str
    chat_id: str
    speaker: str
    kind: str
    text: str
    at: datetime
    reply_to: int | None
    external_id: str | None
    turn_key: str | None
    foreign: tuple[Passage, ...] = ()

    @cached_property
    def own(self) -> Own:
        """Return what the speaker said themselves: the only evidence about them."""
        return testimony.own(self.text, self.foreign)

    @property
    def doubt(self) -> str | None:
        """Why what it says may not be so, None where nothing speaks against it."""
        return testimony.doubt([self.foreign])

    @property
    def source(self) -> str | None:
        """Where it comes from when it holds others' words and none of its speaker's own."""
        return testimony.source_of(self.text, self.foreign)


EVERY_COMMAND, COMMANDS_THAT_SHOW = "every command", "commands that show"
"""Among the links that may stand in a message: its words are the program's own, so that commands in it may be tapped;
where it quotes somebody, those that change nothing."""


@dataclass(frozen=True)
class Picture:
    """A PNG, and the name of its file."""

    name: str
    data: bytes


@dataclass(frozen=True)
class Words:
    """What a command answers, in Markdown, at once and without a model.

    `extra` may hold "buttons": rows of {"text", "data"}, where data comes back when one is pressed; for Telegram also
    {"text", "url"} and {"text", "web_app"}. A `picture` goes with words that say what it shows, for those who do not
    see it and where none is shown.
    """

    text: str
    extra: Mapping[str, Any] = field(default_factory=dict)
    picture: Picture | None = None


def session_for(now: datetime, last: tuple[str, datetime] | None) -> str:
    """The session a message at `now` belongs to: the last one, unless it has been quiet for 20 minutes.

    A last message that far in the future is from a clock that was wrong, and as good as long ago.
    """
    if last is not None and abs((now - last[1]).total_seconds()) < SESSION_GAP_SECONDS:
        return last[0]
    return now.strftime("%Y%m%d-%H%M%S")
