"""The channels by name with their properties, read from `channel.toml` in each folder of
`furoshiki/channels`."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from furoshiki.core import numbers


@dataclass(frozen=True)
class Channel:
    """The properties of a channel. The defaults are for a remote one with paired users."""

    # on the own machine: every user is the owner, in one conversation of the channel's name
    here: bool = False
    # it shows all channels from the database, so stored messages count as delivered
    shows_everything: bool = False
    # the function that turns a Markdown reply into its messages; "": one plain message
    shape: str = ""
    fetch: str = ""  # the function that downloads a message's file; "": it has no files


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
    """Return the conversation id of a topic in a chat ("-100123t42"), or of the chat itself."""
    return chat_id if topic is None else f"{chat_id}{_TOPIC}{topic}"


def chat_and_topic(conversation: int | str) -> tuple[str, int | None]:
    """Split a conversation id into the chat and the number of its topic (None: no topic)."""
    chat, mark, topic = str(conversation).partition(_TOPIC)
    number = numbers.row(topic)
    if mark and number is not None and numbers.whole(chat) is not None:
        return chat, number
    return str(conversation), None


def topics_of(chat_id: str) -> str:
    """Return a GLOB pattern (SQL) for all topics of a chat."""
    return f"{chat_id}{_TOPIC}[0-9]*"
