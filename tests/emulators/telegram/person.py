"""What people do in Telegram: everything that makes an update for the bot."""

from __future__ import annotations

import itertools
import struct
import zlib
from typing import Any

from .messages import Message, noticed
from .rules import MESSAGE_UNITS, units
from .state import Chat, State

OWNER: dict[str, Any] = {
    "id": 7,
    "is_bot": False,
    "first_name": "Robin",
    "username": "robin_owner",
    "language_code": "en",
}
Person = dict[str, Any] | int | None
"""A user as Telegram spells it, an id, or None for the usual person of the chat."""


def png(width: int = 8, height: int = 8) -> bytes:
    """A real, plain PNG picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\x00" + b"\xc8\x64\x32" * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class People:
    """Moves of the people on the other side. Every move that makes a message returns it; the update is queued."""

    def __init__(self, state: State, owner: dict[str, Any]) -> None:
        self._state = state
        self._numbers = itertools.count(1)
        self.owner = owner

    def user(self, person: Person = None, chat_id: int | None = None) -> dict[str, Any]:
        """The person as a Bot API user; someone unknown gets a name made of the id."""
        if isinstance(person, dict):
            return {"is_bot": False, "first_name": "Somebody", **person}
        number = (
            person if person is not None else (chat_id if chat_id is not None and chat_id > 0 else self.owner["id"])
        )
        if number == self.owner["id"]:
            return self.owner
        return {"id": number, "is_bot": False, "first_name": f"Person{number}", "language_code": "en"}

    def open(self, chat_id: int | None = None, title: str = "Friends", user: Person = None) -> Chat:
        """The chat, opened if it was not: private for ids above 0, a supergroup for -100…, a group for the rest."""
        number = self.owner["id"] if chat_id is None else chat_id
        if number in self._state.chats:
            return self._state.chats[number]
        if number > 0:
            person = self.user(user if isinstance(user, dict) and user["id"] == number else number)
            named: dict[str, Any] = {
                key: person[key] for key in ("first_name", "last_name", "username") if key in person
            }
            return self._state.open({"id": number, "type": "private", **named})
        kind = "supergroup" if number < -1_000_000_000_000 else "group"
        return self._state.open({"id": number, "type": kind, "title": title})

    def say(
        self,
        text: str,
        chat_id: int | None = None,
        user: Person = None,
        reply_to: int | None = None,
        entities: list[dict[str, Any]] | None = None,
        **extra: Any,
    ) -> Message:
        """A text message. `extra` adds fields of the Bot API message, such as forward_origin."""
        if not 1 <= units(text) <= MESSAGE_UNITS:
            raise ValueError("no Telegram client sends an empty text or one over 4,096 units")
        found = noticed(text) if entities is None else entities
        return self._message(chat_id, user, text=text, entities=found, reply_to=reply_to, content=extra)

    def voice(self, data: bytes = b"OggS voice", duration: int = 3, **where: Any) -> Message:
        return self._file("voice", "voice.ogg", data, {"duration": duration, "mime_type": "audio/ogg"}, **where)

    def audio(self, data: bytes = b"ID3 audio", duration: int = 60, title: str = "Song", **where: Any) -> Message:
        about = {"duration": duration, "mime_type": "audio/mpeg", "title": title, "file_name": "song.mp3"}
        return self._file("audio", "song.mp3", data, about, **where)

    def video(self, data: bytes = b"\x00ftyp video", duration: int = 5, **where: Any) -> Message:
        about = {"duration": duration, "mime_type": "video/mp4", "width": 64, "height": 64, "file_name": "clip.mp4"}
        return self._file("video", "clip.mp4", data, about, **where)

    def video_note(self, data: bytes = b"\x00ftyp note", duration: int = 5, **where: Any) -> Message:
        return self._file("video_note", "note.mp4", data, {"duration": duration, "length": 64}, **where)

    def photo(self, data: bytes | None = None, caption: str = "", **where: Any) -> Message:
        return self._file("photo", "photo.png", data or png(), {"width": 8, "height": 8}, caption, **where)

    def document(
        self, data: bytes, name: str = "notes.txt", mime: str = "text/plain", caption: str = "", **where: Any
    ) -> Message:
        return self._file("document", name, data, {"file_name": name, "mime_type": mime}, caption, **where)

    def sticker(self, emoji: str = "👍", data: bytes = b"RIFF sticker", **where: Any) -> Message:
        about = {
            "type": "regular",
            "width": 512,
            "height": 512,
            "is_animated": False,
            "is_video": False,
            "emoji": emoji,
            "set_name": "Everyday",
        }
        return self._file("sticker", "sticker.webp", data, about, **where)

    def location(self, latitude: float = 52.52, longitude: float = 13.405, **where: Any) -> Message:
        place = {"latitude": latitude, "longitude": longitude}
        return self._plain("location", {"location": place}, **where)

    def contact(self, first_name: str = "Ada", phone_number: str = "+4930123456", **where: Any) -> Message:
        return self._plain("contact", {"contact": {"phone_number": phone_number, "first_name": first_name}}, **where)

    def dice(self, value: int = 4, **where: Any) -> Message:
        return self._plain("dice", {"dice": {"emoji": "🎲", "value": value}}, **where)

    def poll(self, question: str = "Tea?", options: tuple[str, ...] = ("yes", "no"), **where: Any) -> Message:
        poll = {
            "id": str(next(self._numbers)),
            "question": question,
            "options": [{"persistent_id": str(n), "text": o, "voter_count": 0} for n, o in enumerate(options)],
            "total_voter_count": 0,
            "is_closed": False,
            "is_anonymous": True,
            "type": "regular",
            "allows_multiple_answers": False,
            "allows_revoting": True,
            "members_only": False,
        }
        return self._plain("poll", {"poll": poll}, **where)

    def strange(self, content: dict[str, Any], **where: Any) -> Message:
        """A message of a kind not listed here; `content` holds its Bot API fields."""
        return self._plain(next(iter(content)), content, **where)

    def _message(self, chat_id: int | None, user: Person, **fields: Any) -> Message:
        with self._state.changed:
            chat = self.open(chat_id, user=user)
            if chat.blocked:
                raise ValueError("this person has blocked the bot; unblock first")
            message = self._state.add(chat, "user", self.user(user, chat.id), **fields)
            self._state.updates.push({"message": self._state.wire(message)})
            return message.snapshot()

    def _plain(
        self,
        kind: str,
        content: dict[str, Any],
        chat_id: int | None = None,
        user: Person = None,
        reply_to: int | None = None,
        **extra: Any,
    ) -> Message:
        return self._message(chat_id, user, kind=kind, content=content | extra, reply_to=reply_to)

    def _file(
        self,
        kind: str,
        name: str,
        data: bytes,
        about: dict[str, Any],
        caption: str = "",
        chat_id: int | None = None,
        user: Person = None,
        reply_to: int | None = None,
        **extra: Any,
    ) -> Message:
        with self._state.changed:
            stored = self._state.store(f"{kind}s", name, data)
            entry = {
                "file_id": stored.file_id,
                "file_unique_id": stored.file_id + "-u",
                "file_size": len(data),
                **about,
            }
            content = {kind: [entry] if kind == "photo" else entry}
            return self._message(
                chat_id, user, kind=kind, text=caption, entities=noticed(caption), data=data, file_name=name,
                reply_to=reply_to, content=content | extra,
            )  # fmt: skip
