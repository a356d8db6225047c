"""The channels by name, and what is true of them everywhere: `channel.toml` in the folder of each in
`furoshiki/channels` says it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from furoshiki.core import numbers


@dataclass(frozen=True)
class Channel:
    """What is true of a channel. One of which nothing is said is a stranger's: only who is paired on it is anybody."""

    here: bool = False
    """On the companion's own machine: anyone who can use it is the owner. It has one conversation, named as it is."""
    shows_everything: bool = False
    """Shown from the database, whatever channel it was said on: so what is stored for it has arrived, and what was said
    anywhere is what was said there."""
    shape: str = ""
    """The function that makes its messages of a reply in Markdown; a reply is one plain message without."""
    fetch: str = ""
    """The function that gets at a file that came with a message; it has no files without."""


CHANNELS: Mapping[str, Channel] = {
    path.parent.name: Channel(**tomllib.loads(path.read_text(encoding="utf-8")))
    for path in sorted((Path(__file__).parents[1] / "channels").glob("*/channel.toml"))
}

TELEGRAM = "telegram"
CONSOLE = "console"
WEB = "web"

HERE = frozenset(name for name, one in CHANNELS.items() if one.here)
SHOWS_EVERYTHING = frozenset(name for name, one in CHANNELS.items() if one.shows_everything)

_TOPIC = "t"


def topic_of(chat_id: int | str, topic: int | None) -> int | str:
    """The conversation of one topic within a chat ("-100123t42"); the chat itself where there is no topic."""
    return chat_id if topic is None else f"{chat_id}{_TOPIC}{topic}"


def chat_and_topic(conversation: int | str) -> tuple[str, int | None]:
    """The chat of a conversation, and the number of its topic; None for a chat without topics."""
    chat, mark, topic = str(conversation).partition(_TOPIC)
    number = numbers.row(topic)
    if mark and number is not None and numbers.whole(chat) is not None:
        return chat, number
    return str(conversation), None


def topics_of(chat_id: str) -> str:
    """The pattern (of SQL's GLOB) of all conversations in topics of a chat."""
    return f"{chat_id}{_TOPIC}[0-9]*"
