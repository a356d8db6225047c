"""Telegram Desktop's JSON export: `result.json`, of one chat or of a whole account.

A message's `text` is a string or a list of strings and entities; `date_unixtime` is exact, `date`
is local time of the exporting machine. A two-person chat has the id of the other person, so the
other sender is the owner; an account's export also names its owner. Groups alone do not reveal the
owner: then all senders keep their names, because others' words must never count as the user's.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from typing import Any

import ijson

from furoshiki.archive.import_export.formats import values
from furoshiki.archive.import_export.formats.streams import events, understood
from furoshiki.core.framing import clean
from furoshiki.core.timestamps import of_seconds, parse_foreign
from furoshiki.language.testimony import Kind, Piece, Told, build_typed, join, together, whole
from furoshiki.messages.values import USER

# paths of chats: the file itself, or an element of an account's lists
_CHATS = ("", "chats.list.item", "left_chats.list.item")

_CHAT_FIELDS = ("name", "type", "id")
_BETWEEN_TWO = frozenset({"personal_chat", "bot_chat"})
_TO_ONESELF = "saved_messages"
_BROADCASTS = frozenset({"public_channel", "private_channel"})
_OWN_ID = "personal_information.user_id"
_OWN_NAMES = ("personal_information.first_name", "personal_information.last_name")


@dataclass
class _Chat:
    """The facts known about the chat being read."""

    base: str
    facts: dict[str, Any] = field(default_factory=dict)
    read: int = 0

    @property
    def name(self) -> str:
        if self.facts.get("type") == _TO_ONESELF:
            return "Saved messages"
        return str(self.facts.get("name") or "deleted account")

    @property
    def id(self) -> str:
        return str(self.facts.get("id") or self.name)

    def owner_beside(self, from_id: str) -> bool:
        """Return whether this sender must be the owner."""
        kind, other = self.facts.get("type"), f"user{self.facts.get('id')}"
        if kind == _TO_ONESELF:
            return from_id == other
        return kind in _BETWEEN_TWO and from_id.startswith("user") and from_id != other


def owner_of(file: values.File, name: str | None) -> values.Owner | None:
    """Return the exporting person: named `name` (or with that id), else derived from the file, or
    None. Raises ValueError when no sender has that name, and for invalid JSON."""
    people: dict[str, str] = {}
    chats: dict[str, set[str]] = {}
    own: dict[str, str] = {}
    for found in _walk(file, own):
        if name is None and (told := own.get(_OWN_ID)):
            whole = " ".join(own[part] for part in _OWN_NAMES if own.get(part))
            return values.Owner(f"user{told}", whole or f"user {told}", "the export says whose it is")
        if isinstance(found, values.Bad):
            continue
        chat, message = found
        from_id, shown = _from_id(message), str(message.get("from") or "")
        if not from_id or message.get("type") != "message":
            continue
        if name is not None and (
            name.casefold() == shown.casefold() or name in {from_id, from_id.removeprefix("user")}
        ):
            return values.Owner(from_id, shown or name, "you said so")
        if name is None and chat.owner_beside(from_id):
            return values.Owner(from_id, shown or from_id, _beside(chat))
        people.setdefault(from_id, shown)
        chats.setdefault(from_id, set()).add(chat.id)
    if name is not None:
        known = ", ".join(sorted({shown for shown in people.values() if shown})[:8]) or "nobody"
        raise ValueError(f"nobody in it is called {name!r}; there is {known}")
    return _everywhere(people, chats)


def read(file: values.File, reading: values.Reading) -> Iterator[values.Found]:
    """Yield every message in order; unusable ones as `Bad` with their place."""
    chat_now: _Chat | None = None
    session, last = "", None
    for found in _walk(file, {}):
        if isinstance(found, values.Bad):
            yield found
            continue
        chat, message = found
        if chat is not chat_now:
            chat_now, session, last = chat, "", None
        [said] = understood(_place(chat, message.get("id")), lambda: iter([_parse_message(chat, message, reading)]))  # noqa: B023 - used at once
        if not isinstance(said, values.ImportedMessage):
            yield said
            continue
        if last is None or said.at - last > reading.gap:
            session = f"{chat.id}/{said.at.strftime('%Y%m%d-%H%M%S')}"
        last = said.at
        yield replace(said, session=session)


def _walk(file: values.File, own: dict[str, str]) -> Iterator[tuple[_Chat, Mapping[str, Any]] | values.Bad]:
    """Yield each message with its chat, and a truncation; `own` gets the owner's data."""
    chat = _Chat("")
    builder, within = None, ""
    try:
        for prefix, event, value in events(file):
            if builder is not None:
                builder.event(event, value)
                if event == "end_map" and prefix == within:
                    chat.read += 1
                    yield chat, builder.value
                    builder = None
            elif event == "start_map":
                if prefix in _CHATS:
                    chat = _Chat(prefix)
                elif prefix == _at(chat.base, "messages.item"):
                    builder, within = ijson.ObjectBuilder(), prefix
                    builder.event(event, value)
            elif event in {"string", "number"}:
                if prefix == _OWN_ID or prefix in _OWN_NAMES:
                    own[prefix] = str(value)
                elif prefix == _at(chat.base, "messages.item"):
                    chat.read += 1
                    yield values.Bad(_place(chat, None), "not a message but a bare value")
                else:
                    for name in _CHAT_FIELDS:
                        if prefix == _at(chat.base, name):
                            chat.facts[name] = value
    except ValueError as error:
        yield values.Bad(f"after message {chat.read} of “{chat.name}”", f"{error}; what came before is taken in")


def _at(base: str, path: str) -> str:
    return f"{base}.{path}" if base else path


def _parse_message(chat: _Chat, message: Mapping[str, Any], reading: values.Reading) -> values.Found:
    kind = message.get("type")
    if kind == "service":
        return values.SkippedKind("service messages")
    if chat.base and chat.facts.get("type") in _BROADCASTS:
        return values.SkippedKind("posts of channels")
    if kind not in {"message", None}:
        return values.SkippedKind(f"records of the kind {str(kind)[:40]!r}")
    try:
        number = _number(message.get("id"))
        at = _moment(message, "date", reading.zone)
        edited = _moment(message, "edited", reading.zone) if message.get("edited") else None
        told = _words(message)
    except ValueError as error:
        return values.Bad(_place(chat, message.get("id")), str(error))
    if not told.text.strip():
        return values.SkippedKind("messages without words")
    mine = reading.owner is not None and _from_id(message) == reading.owner.id
    shown = str(message.get("from") or "deleted account")
    reply = message.get("reply_to_message_id")
    return values.ImportedMessage(
        id=f"{chat.id}/{number}",
        session="",
        chat=chat.name,
        speaker=USER if mine else values.make_speaker(shown),
        text=told.text,
        at=at,
        reply_to=f"{chat.id}/{reply}" if isinstance(reply, int) else None,
        edited=edited,
        foreign=told.foreign,
    )


def _number(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError("id missing or no whole number")
    return value


def _moment(message: Mapping[str, Any], name: str, zone: tzinfo) -> datetime:
    exact, clock = message.get(f"{name}_unixtime"), message.get(name)
    try:
        if exact:
            return of_seconds(int(exact))
        return parse_foreign(str(clock), zone)
    except (ValueError, TypeError, OverflowError):
        raise ValueError(f"{name} is not a time: {str(exact or clock)[:40]!r}") from None


def _words(message: Mapping[str, Any]) -> Told:
    """Return the text with descriptions of its media, and the passages of other authors."""
    media, (text, quoted) = _media(message), _text(message.get("text"))
    passed_on = _parse_forward(message)
    if passed_on is None:
        return join(together([Piece(media, _kind(message))]), build_typed(text, quoted))
    if not media and not text:
        return Told("")
    kind, first, line = passed_on
    words = clean("\n".join(part for part in (line, media, text) if part))
    return Told(words, whole(words, kind, first))


def _parse_forward(message: Mapping[str, Any]) -> tuple[Kind, str | None, str] | None:
    """Return kind, name and a describing line of a forwarded or bot-made message, else None."""
    for name in ("forwarded_from", "saved_from"):
        if name in message:
            first = message.get(name)
            return "forward", first, f"[forwarded from {first or 'a deleted account'}]"
    if message.get("via_bot"):
        bot = str(message["via_bot"]).removeprefix("@")
        return "bot", bot, f"[made by the bot {bot}]"
    return None


def _kind(message: Mapping[str, Any]) -> Kind:
    """Return the kind of a media description: cards, polls, places and files are others' words."""
    for name, kind in _CARDS:
        if isinstance(message.get(name), dict):
            return kind
    return "document" if "file" in message and not message.get("media_type") else "note"


def _text(value: Any) -> tuple[str, list[tuple[int, int]]]:
    """Return the text, and its stretches [start, end) of quotations and code."""
    if value is None or isinstance(value, str):
        return (value or ""), []
    if not isinstance(value, list):
        raise ValueError("text is neither text nor a list of pieces")
    text, quoted = "", []
    for piece in value:
        words = piece.get("text") if isinstance(piece, dict) else piece
        if not isinstance(words, str):
            raise ValueError("text has a piece that is not text")
        if isinstance(piece, dict) and piece.get("type") in _QUOTING:
            quoted.append((len(text), len(text) + len(words)))
        text += words
        if isinstance(piece, dict) and piece.get("type") == "text_link" and piece.get("href"):
            text += f" ({piece['href']})"
    return text, quoted


# entities for quoted or pasted text, which is not the sender's own
_QUOTING = frozenset({"blockquote", "expandable_blockquote", "pre"})

_CARDS: tuple[tuple[str, Kind], ...] = (
    ("location_information", "place"),
    ("contact_information", "contact"),
    ("poll", "poll"),
)
_MEDIA = {
    "voice_message": "a voice message",
    "video_message": "a video message",
    "video_file": "a video",
    "audio_file": "an audio file",
    "animation": "an animation",
}


def _media(message: Mapping[str, Any]) -> str:
    """Describe a message's media in words; empty without any."""
    kind = message.get("media_type")
    if kind == "sticker":
        return f"[a sticker: {message.get('sticker_emoji') or 'no emoji'}]"
    if "photo" in message:
        return "[a photo]"
    if kind in _MEDIA:
        named = " – ".join(str(message[name]) for name in ("performer", "title") if message.get(name))
        long = _duration(message.get("duration_seconds"))
        return "[" + ", ".join(part for part in (_MEDIA[kind], named, long) if part) + "]"
    if "file" in message:
        name = str(message.get("file_name") or message.get("file") or "")
        shown = "" if not name or name.startswith("(") else f", {name.rsplit('/', 1)[-1]}"
        return f"[a document{shown}]"
    if isinstance(place := message.get("location_information"), dict):
        named = ", ".join(str(message[name]) for name in ("place_name", "address") if message.get(name))
        return f"[a location: {named or ', '.join(str(place.get(part)) for part in ('latitude', 'longitude'))}]"
    if isinstance(card := message.get("contact_information"), dict):
        parts = (card.get("first_name"), card.get("last_name"), card.get("phone_number"))
        return "[a contact: " + " ".join(str(part) for part in parts if part) + "]"
    if isinstance(poll := message.get("poll"), dict):
        answers = [str(one.get("text")) for one in poll.get("answers") or () if isinstance(one, dict)]
        return f"[a poll: {poll.get('question')} ({', '.join(answers)})]"
    if message.get("game_title"):
        return f"[a game: {message['game_title']}]"
    return ""


def _duration(seconds: Any) -> str:
    if not isinstance(seconds, int) or seconds <= 0:
        return ""
    return f"{seconds // 60}:{seconds % 60:02d}"


def _from_id(message: Mapping[str, Any]) -> str:
    """Return the sender's id as "user123"; exports from before 2021 have the bare number."""
    found = message.get("from_id")
    return f"user{found}" if isinstance(found, int) else str(found or "")


def _beside(chat: _Chat) -> str:
    own = chat.facts.get("type") == _TO_ONESELF
    return "these are their saved messages" if own else f"the other side of the chat with {chat.name}"


def _everywhere(people: Mapping[str, str], chats: Mapping[str, set[str]]) -> values.Owner | None:
    """Return the only sender in several chats who is in more of them than any other."""
    often = Counter({who: len(where) for who, where in chats.items() if who.startswith("user")}).most_common(2)
    if not often or often[0][1] < 2 or (len(often) > 1 and often[1][1] == often[0][1]):
        return None
    who, count = often[0]
    return values.Owner(who, people[who] or who, f"the only one who writes in {count} of the chats")


def _place(chat: _Chat, number: Any) -> str:
    named = f" (id {number})" if number is not None else ""
    return f"message {chat.read} of “{chat.name}”{named}"
