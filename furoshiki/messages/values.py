"""The values that pass through a turn: envelopes, outgoing messages, and stored turns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal

from furoshiki.language import testimony
from furoshiki.language.testimony import Own, Passage, Utterance
from furoshiki.messages.channels import HERE
from furoshiki.messages.events import Edit, Event, Message

Priority = Literal["urgent", "normal", "background"]
# after an unknown result replies and reminders are resent, unprompted messages never
Policy = Literal["reply", "reminder", "unprompted"]

COMPANION = "companion"
USER = "user"

SESSION_GAP_SECONDS = 20 * 60  # the silence, in seconds, that ends a session


@dataclass(frozen=True)
class NewEnvelope:
    """A new envelope. `external_id` must be the same if the event arrives twice."""

    channel: str
    external_id: str
    sender: str
    event: Event
    priority: Priority = "normal"

    @property
    def kind(self) -> str:
        return self.event.kind


@dataclass(frozen=True, kw_only=True)
class Envelope(NewEnvelope):
    """One claimed or waiting row of the inbox."""

    id: int
    attempts: int
    enqueued_at: datetime

    @property
    def message(self) -> Message | None:
        """The message, also for an edit; None for other events."""
        return self.event if isinstance(self.event, Message) else None

    @property
    def text(self) -> str:
        """The text of a message; "" for other events."""
        return "" if self.message is None else self.message.text

    @property
    def chat_id(self) -> str:
        """The conversation's id on the channel."""
        return str(self.event.chat_id)

    @property
    def private(self) -> bool:
        """Whether nobody else reads along. If the channel did not say: only on the machine itself
        and in a chat with the sender's id."""
        stated = self.event.private
        return self.chat_id == self.sender or self.channel in HERE if stated is None else stated

    @property
    def message_id(self) -> str | None:
        """The channel's own id of the message, None for other events."""
        message_number = None if self.message is None else self.message.message_id
        return None if message_number is None else str(message_number)

    @property
    def corrected(self) -> "Envelope":
        """The envelope with an edit replaced by the message in its new form."""
        return replace(self, event=self.event.as_message()) if isinstance(self.event, Edit) else self


@dataclass(frozen=True)
class Shaped:
    """One message of a channel: text in its format, or a document if too long."""

    text: str
    entities: tuple[Mapping[str, Any], ...] | None = None
    kind: str = "text"
    extra: Mapping[str, Any] = field(default_factory=dict)


# the key in `extra` of a message whose text is deleted after delivery, at its reader's request
UNKEPT = "unkept"


REMOVAL = "removal"  # the kind that deletes a message from the chat

# kinds that change an existing message or its buttons; repeating them is harmless
MARKS = frozenset({"reaction", "buttons", "edit", REMOVAL})


@dataclass(frozen=True)
class NewOutgoing:
    """A message (or reaction, or document) to be sent.

    kind: text, document, photo, voice, and MARKS: "buttons" leaves `extra["buttons"]` under the
    message `reply_to`, "edit" replaces that message's text, "removal" deletes that message from the
    chat. `entities` is Telegram's list of MessageEntity dicts, None if the sender still has to
    format the text. `reply_to` is the channel's id of the quoted message. `extra` holds buttons,
    file name and bytes in base64 (of a voice also its seconds), or the emoji.
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
    """A turn to be stored. `speaker` is "user", "companion" or a name; `foreign` are the passages
    of `text` that are not the speaker's own words."""

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


@dataclass(frozen=True, kw_only=True)
class Turn(Utterance):
    """A stored turn. `text` is for search and display; `own` is evidence."""

    session_id: str
    channel: str
    chat_id: str
    kind: str
    reply_to: int | None
    external_id: str | None
    turn_key: str | None

    @property
    def doubt(self) -> str | None:
        """Why its words may not be the speaker's own, or None."""
        return testimony.doubt([self.foreign])

    @property
    def source(self) -> str | None:
        """The origin of a turn that has only other people's words, or None."""
        return testimony.source_of(self.text, self.foreign)


# entries of a message's allowed links: the text is the program's own, so commands in it may be
# tapped; in one with quotations, only commands that change nothing
EVERY_COMMAND, COMMANDS_THAT_SHOW = "every command", "commands that show"


@dataclass(frozen=True)
class Picture:
    """A PNG, and the name of its file."""

    name: str
    data: bytes


@dataclass(frozen=True)
class Words:
    """The answer to a command, in Markdown, at once and without a model.

    `extra` may hold "buttons": rows of {"text", "data"}, where data is sent back when one is
    pressed; for Telegram also {"text", "url"} and {"text", "web_app"}. A `picture` comes with text
    that describes it, for readers who do not see it and for channels without pictures.
    """

    text: str
    extra: Mapping[str, Any] = field(default_factory=dict)
    picture: Picture | None = None


def session_for(now: datetime, last: tuple[str, datetime] | None) -> str:
    """Return a message's session: the last one, unless it has been quiet for 20 minutes.

    A last message that far in the future (a wrong clock) also begins a new session.
    """
    if last is not None and abs((now - last[1]).total_seconds()) < SESSION_GAP_SECONDS:
        return last[0]
    return now.strftime("%Y%m%d-%H%M%S")


def last_own(history: Sequence[Turn]) -> Own | None:
    """Return the user's last words of their own, None without any."""
    return next((turn.own for turn in reversed(history) if turn.speaker == USER and turn.own), None)
