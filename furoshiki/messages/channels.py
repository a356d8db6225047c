"""The channels by name, and what is true of them everywhere. What each does with words is in `furoshiki.channels`."""

from __future__ import annotations

from furoshiki.core import numbers

TELEGRAM = "telegram"
CONSOLE = "console"
WEB = "web"

HERE = frozenset({CONSOLE, WEB})
"""On the companion's own machine: whoever can use them is the owner. Each has one conversation, named as it is."""

SHOWS_EVERYTHING = frozenset({WEB})
"""Shown from the database, whatever channel it was said on: so what is stored for it has arrived, and what was said
anywhere is what was said there."""

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
