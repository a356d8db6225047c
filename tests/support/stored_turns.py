"""A stored turn, for what reads turns."""

from datetime import datetime

from furoshiki.language.testimony import Passage
from furoshiki.messages.values import USER, Turn


def make_turn(
    number: int,
    text: str,
    at: datetime,
    speaker: str = USER,
    foreign: tuple[Passage, ...] = (),
    channel: str = "console",
) -> Turn:
    """A turn of the session "s" in the chat "7"."""
    return Turn(
        speaker,
        text,
        at,
        number,
        foreign,
        session_id="s",
        channel=channel,
        chat_id="7",
        kind="text",
        reply_to=None,
        external_id=None,
        turn_key=None,
    )
