"""A message as both sides see it: the person's view (a value) and the Bot API's JSON."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any, Literal

_COMMAND = re.compile(r"(?<!\S)/[A-Za-z0-9_]{1,32}(@\w+)?")
_MENTION = re.compile(r"(?<![\w@])@\w{4,32}")
_URL = re.compile(r"https?://[^\s<>]+")


@dataclass
class Message:
    """One message of a chat. Read it freely; only the emulator changes it."""

    id: int
    chat_id: int
    author: Literal["user", "bot"]
    sender: dict[str, Any]
    at: int
    """Unix time of sending."""
    kind: str = "text"
    """text, voice, audio, photo, document, sticker, location, contact, poll, video …"""
    text: str = ""
    """The text, or the caption of anything that is not text."""
    entities: list[dict[str, Any]] = field(default_factory=list)
    reply_to: int | None = None
    quote: str | None = None
    reactions: dict[int, list[str]] = field(default_factory=dict)
    """Emojis by the id of who reacted (the bot's own id for the bot)."""
    edited: bool = False
    edits: list[str] = field(default_factory=list)
    """Earlier texts, oldest first."""
    buttons: list[list[dict[str, Any]]] = field(default_factory=list)
    previews: bool = True
    """Whether Telegram would fetch link previews for it."""
    silent: bool = False
    data: bytes | None = None
    """The bytes of a file."""
    file_name: str | None = None
    content: dict[str, Any] = field(default_factory=dict)
    """The Bot API fields of its kind, such as {"voice": {…}}."""
    deleted: bool = False

    def snapshot(self) -> Message:
        """A copy that later changes do not touch."""
        return replace(
            self,
            entities=[dict(e) for e in self.entities],
            reactions={who: list(emojis) for who, emojis in self.reactions.items()},
            edits=list(self.edits),
            buttons=[[dict(b) for b in row] for row in self.buttons],
        )


def wire(message: Message, chat: dict[str, Any], replied: Message | None = None) -> dict[str, Any]:
    """The message as the Bot API spells it; a message replied to is included one level deep."""
    out: dict[str, Any] = {
        "message_id": message.id,
        "from": message.sender,
        "chat": chat,
        "date": message.at,
        **message.content,
    }
    if message.text:
        words, marks = ("text", "entities") if message.kind == "text" else ("caption", "caption_entities")
        out[words] = message.text
        if message.entities:
            out[marks] = message.entities
    if message.edited:
        out["edit_date"] = message.at
    if message.buttons:
        out["reply_markup"] = {"inline_keyboard": message.buttons}
    if message.kind == "text" and not message.previews:
        out["link_preview_options"] = {"is_disabled": True}
    if replied is not None:
        out["reply_to_message"] = wire(replied, chat)
        if message.quote:
            out["quote"] = {"text": message.quote, "position": replied.text.find(message.quote), "is_manual": True}
    return out


def noticed(text: str) -> list[dict[str, Any]]:
    """The entities Telegram itself finds in a person's text: commands, mentions and links."""
    found = []
    for kind, pattern in (("bot_command", _COMMAND), ("mention", _MENTION), ("url", _URL)):
        for match in pattern.finditer(text):
            before = text[: match.start()].encode("utf-16-le")
            length = len(match.group().encode("utf-16-le")) // 2
            found.append({"type": kind, "offset": len(before) // 2, "length": length})
    return sorted(found, key=lambda e: e["offset"])
