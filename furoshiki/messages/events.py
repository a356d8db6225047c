"""Incoming events by type: message, edit, reaction, pressed button, and others.

The inbox stores an event as JSON: `dump` writes it, `read` parses it. The fields below define the
format. A missing value, or one of a wrong type, gets its default; an unknown key is kept in `more`
and written again.
"""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from furoshiki.core import numbers
from furoshiki.core.timestamps import parse, stamp

Json = Mapping[str, Any]
T = TypeVar("T")

# the keys that say where an event came from, without its content
WITHOUT_WORDS = ("chat_id", "message_id", "private", "at")


# -- parsers of values; None means invalid --


def _text(value: object) -> str | None:
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else None


def _id(value: object) -> int | str | None:
    return value if isinstance(value, str) else _whole(value)


def _whole(value: object) -> int | None:
    return None if isinstance(value, str) else numbers.whole(value)


def _number(value: object) -> float | None:
    return None if isinstance(value, str) else numbers.decimal(value)


def _yes(value: object) -> bool | None:
    return bool(value) if isinstance(value, bool | int) else None


def _when(value: object) -> datetime | None:
    try:
        return parse(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _texts(value: object) -> tuple[str, ...] | None:
    return tuple(map(str, value)) if isinstance(value, list | tuple) else None


def _mappings(value: object) -> tuple[Json, ...] | None:
    return tuple(one for one in value if isinstance(one, Mapping)) if isinstance(value, list | tuple) else None


def _stretches(value: object) -> tuple[tuple[int, int], ...]:
    pairs = value if isinstance(value, list | tuple) else ()
    return tuple((one[0], one[1]) for one in pairs if _is_stretch(one))


def _is_stretch(value: object) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2 and all(isinstance(place, int) for place in value)


def _part(cls: Callable[..., T]) -> Callable[[object], T | None]:
    """Return a parser of a nested part; it returns None for one with defaults only."""

    def read(value: object) -> T | None:
        parsed = _read(cls, value) if isinstance(value, Mapping) else None
        return None if parsed == cls() else parsed

    return read


def _make_json_field(read: Callable[[object], Any], default: Any = None, key: str = "", always: bool = False) -> Any:
    """Define a field stored as JSON under its own name, or `key`; `always`: even if default."""
    return field(default=default, metadata={"read": read, "key": key, "always": always})


# -- attachments of a message --


@dataclass(frozen=True, kw_only=True)
class Attachment:
    """Anything except text. `name`: a file's, a contact's, or the channel's word for it."""

    name: str | None = _make_json_field(_text)
    more: Json = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class File(Attachment):
    """A file to be downloaded by `file_id`, or with its content in `data` (base64, until it is
    answered). Duration in seconds."""

    file_id: str | None = _make_json_field(_text)
    media_type: str | None = _make_json_field(_text)
    size: int | None = _make_json_field(_whole)
    duration: int | None = _make_json_field(_whole)
    width: int | None = _make_json_field(_whole)
    height: int | None = _make_json_field(_whole)
    data: str | None = _make_json_field(_text)


@dataclass(frozen=True, kw_only=True)
class Sticker(File):
    """A sticker."""

    emoji: str | None = _make_json_field(_text)


@dataclass(frozen=True, kw_only=True)
class Place(Attachment):
    """A location in degrees, with a title and an address for a venue; `live` while it moves."""

    latitude: float | None = _make_json_field(_number)
    longitude: float | None = _make_json_field(_number)
    live: bool | None = _make_json_field(_yes)
    title: str | None = _make_json_field(_text)
    address: str | None = _make_json_field(_text)


@dataclass(frozen=True, kw_only=True)
class Contact(Attachment):
    """A shared contact card."""

    phone: str | None = _make_json_field(_text)


@dataclass(frozen=True, kw_only=True)
class Poll(Attachment):
    """A poll with answers to choose from."""

    question: str | None = _make_json_field(_text)
    options: tuple[str, ...] = _make_json_field(_texts, ())


@dataclass(frozen=True, kw_only=True)
class Dice(Attachment):
    """Dice or a similar game, and its result."""

    emoji: str | None = _make_json_field(_text)
    value: int | None = _make_json_field(_whole)


# the attachment type by kind of message; every other kind has a file
_ATTACHED: Mapping[str, type[Attachment]] = {
    "sticker": Sticker,
    "location": Place,
    "contact": Contact,
    "poll": Poll,
    "dice": Dice,
    "other": Attachment,
}


# -- references of a message --


@dataclass(frozen=True, kw_only=True)
class ReplyTo:
    """The message that is replied to: the channel's id, its text, and the quoted part.

    It is the companion's if `ours`, the sender's if `own`, else that of `who`. `message` is the
    whole message if it has more than text, or was forwarded.
    """

    message_id: int | str | None = _make_json_field(_id)
    text: str | None = _make_json_field(_text)
    ours: bool | None = _make_json_field(_yes)
    own: bool | None = _make_json_field(_yes)
    who: str | None = _make_json_field(_text)
    quote: str | None = _make_json_field(_text)
    message: "Message | None" = _make_json_field(lambda value: _message_within(value))
    more: Json = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Forwarded:
    """The original sender and time of a forwarded message, if the channel says."""

    who: str | None = _make_json_field(_text, key="from", always=True)
    at: datetime | None = _make_json_field(_when, always=True)
    more: Json = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Command:
    """A slash command as the channel marks it."""

    name: str = _make_json_field(_text, "", always=True)
    args: str = _make_json_field(_text, "", always=True)
    more: Json = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Group:
    """A chat of several people."""

    id: int | str | None = _make_json_field(_id)
    title: str | None = _make_json_field(_text, always=True)
    more: Json = field(default_factory=dict)


def _message_within(value: object) -> "Message | None":
    if not isinstance(value, Mapping):
        return None
    event = read(str(value.get("kind") or "text"), {key: one for key, one in value.items() if key != "kind"})
    return event if isinstance(event, Message) else None


def _parse_forwarded(value: object) -> Forwarded | None:
    if not value:
        return None
    return _read(Forwarded, value) if isinstance(value, Mapping) else Forwarded()


# -- events --


@dataclass(frozen=True, kw_only=True)
class Event:
    """An incoming event: chat, time by the channel, and sender. `kind` is the inbox's column.

    `private` is False in a group, None if unknown. `language` is that of the sender's app.
    """

    kind: str
    chat_id: int | str = _make_json_field(_id, "", always=True)
    private: bool | None = _make_json_field(_yes)
    at: datetime | None = _make_json_field(_when)
    name: str | None = _make_json_field(_text)
    username: str | None = _make_json_field(_text)
    language: str | None = _make_json_field(_text)
    group: Group | None = _make_json_field(_part(Group))
    paired_now: bool = _make_json_field(_yes, False)
    more: Json = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Message(Event):
    """A person's message: text, or voice, audio, video_note, photo, video, document, sticker,
    location, contact, poll, dice or other with an `attachment` and perhaps a caption.

    `message_id` is the channel's. `quoted` are the spans [start, end) of quotations or code in the
    text, `links` every URL in it, `entities` the channel's formatting. `via` is the bot that made
    the text. `described` describes non-text content.
    """

    kind: str = "text"
    message_id: int | str | None = _make_json_field(_id)
    text: str = _make_json_field(_text, "", always=True)
    attachment: Attachment | None = None
    described: str | None = _make_json_field(_text)
    reply_to: ReplyTo | None = _make_json_field(_part(ReplyTo))
    forwarded: Forwarded | None = _make_json_field(_parse_forwarded)
    via: str | None = _make_json_field(_text)
    quoted: tuple[tuple[int, int], ...] = _make_json_field(_stretches, ())
    links: tuple[str, ...] = _make_json_field(_texts, ())
    entities: tuple[Json, ...] = _make_json_field(_mappings, ())
    command: Command | None = _make_json_field(_part(Command))
    album: str | None = _make_json_field(_text)

    @property
    def holds(self) -> str:
        """The kind of message (for an edit, that of the original)."""
        return self.kind

    @property
    def passed_on(self) -> bool:
        """Whether its text is another's: forwarded, or made by a bot."""
        return self.forwarded is not None or bool(self.via)

    @property
    def typed(self) -> bool:
        """Whether it is the sender's own text and nothing else."""
        return self.kind == "text" and not self.passed_on and self.attachment is None


@dataclass(frozen=True, kw_only=True)
class Edit(Message):
    """New text of an earlier message; `was` is its kind."""

    kind: str = field(default="edit", init=False)
    was: str = _make_json_field(_text, "text", always=True)

    @property
    def holds(self) -> str:
        """The kind of message (for an edit, that of the original)."""
        return self.was

    @classmethod
    def of(cls, message: Message) -> "Edit":
        """Convert a message to an edit of an earlier one."""
        values = {one.name: getattr(message, one.name) for one in dataclasses.fields(Message) if one.name != "kind"}
        return cls(**values, was=message.kind)

    def as_message(self) -> Message:
        """Return the message in its new form."""
        values = {one.name: getattr(self, one.name) for one in dataclasses.fields(Message)}
        return Message(**(values | {"kind": self.was}))


@dataclass(frozen=True, kw_only=True)
class Reaction(Event):
    """Emoji added to a message, and those removed from it."""

    kind: str = field(default="reaction", init=False)
    reacted_to: int | str | None = _make_json_field(_id)
    emoji: tuple[str, ...] = _make_json_field(_texts, ())
    removed: tuple[str, ...] = _make_json_field(_texts, ())


@dataclass(frozen=True, kw_only=True)
class Press(Event):
    """A pressed button: its data, its message, and the channel's id of the press."""

    kind: str = field(default="callback", init=False)
    data: str = _make_json_field(_text, "", always=True)
    pressed_on: int | str | None = _make_json_field(_id)
    callback_id: str | None = _make_json_field(_text)


@dataclass(frozen=True, kw_only=True)
class Blocked(Event):
    """The person blocked the companion."""

    kind: str = field(default="blocked", init=False)


@dataclass(frozen=True, kw_only=True)
class Unblocked(Event):
    """The person unblocked the companion."""

    kind: str = field(default="unblocked", init=False)


@dataclass(frozen=True, kw_only=True)
class Stop(Event):
    """A request to stop the present answer; `draft_id` is the channel's id of it."""

    kind: str = field(default="stop", init=False)
    draft_id: int | None = _make_json_field(_whole)


@dataclass(frozen=True, kw_only=True)
class Hello(Event):
    """The person opened the chat without a message."""

    kind: str = field(default="hello", init=False)


# events by kind; every other kind is a message
_EVENTS: Mapping[str, type[Event]] = {
    "edit": Edit,
    "reaction": Reaction,
    "callback": Press,
    "blocked": Blocked,
    "unblocked": Unblocked,
    "stop": Stop,
    "hello": Hello,
}


def read(kind: str, payload: Json) -> Event:
    """Parse the event of an inbox row from its kind and its JSON."""
    cls = _EVENTS.get(kind)
    if cls is not None and not issubclass(cls, Message):
        return _read(cls, payload)
    message = _read(cls or Message, payload, besides=("attachment",), **({} if cls else {"kind": kind}))
    return dataclasses.replace(message, attachment=_attachment(message.holds, payload.get("attachment")))


def dump(event: Event) -> dict[str, Any]:
    """Return an event's JSON, without its kind."""
    dumped = as_json(event)
    if isinstance(event, Message) and event.attachment is not None:
        dumped["attachment"] = as_json(event.attachment)
    return dumped


def facts(attachment: Attachment) -> dict[str, Any]:
    """Return the stored facts of an attachment: everything except its content and `file_id`."""
    return {key: value for key, value in as_json(attachment).items() if key not in ("file_id", "data")}


def without_words(event: Event, text: str = "") -> Event:
    """Return an event with only its origin, as if only `text` had been written."""
    without_text = {key: value for key, value in dump(event).items() if key in WITHOUT_WORDS}
    return read(event.kind, {**without_text, "text": text} if isinstance(event, Message) else without_text)


def _attachment(kind: str, value: object) -> Attachment | None:
    return _read(_ATTACHED.get(kind, File), value) if isinstance(value, Mapping) else None


def _read(cls: Callable[..., T], payload: Json, besides: tuple[str, ...] = (), **given: Any) -> T:
    known_names = set(besides)
    for one in _fields(cls):
        key = one.metadata["key"] or one.name
        known_names.add(key)
        value = payload.get(key)
        understood = None if value is None else one.metadata["read"](value)
        if understood is not None:
            given[one.name] = understood
    return cls(**given, more={key: value for key, value in payload.items() if key not in known_names})


def as_json(value: Any) -> dict[str, Any]:
    """Convert an event or a part to JSON: non-default values and unknown keys."""
    values = {
        one.metadata["key"] or one.name: _plain(getattr(value, one.name))
        for one in _fields(type(value))
        if one.metadata["always"] or getattr(value, one.name) != one.default
    }
    return values | dict(value.more)


def _plain(value: Any) -> Any:
    if isinstance(value, Message):
        return {"kind": value.kind, **dump(value)}
    if isinstance(value, datetime):
        return stamp(value)
    if dataclasses.is_dataclass(value):
        return as_json(value)
    return [_plain(one) for one in value] if isinstance(value, tuple) else value


def _fields(cls: Any) -> list[dataclasses.Field[Any]]:
    return [one for one in dataclasses.fields(cls) if "read" in one.metadata]
