"""What a format's reader finds in a file: something said, something that cannot be used, or something to leave out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import BinaryIO, Protocol

from furoshiki.language.testimony import Passage
from furoshiki.messages.values import COMPANION, USER

ASSISTANT = "assistant"
"""Who answers in the exports of other assistants. Not "companion": this one never said that."""

SESSION_GAP = timedelta(hours=3)
"""A silence after which a chat between people is another conversation: they answer each other more slowly than a
companion does, and what was said two hours before is still what the answer is about."""


@dataclass(frozen=True)
class ImportedMessage:
    """One message. `id` is unique within its format for good, also in a later export of the same chat.

    `chat` names the conversation for a person, `session` for the machine. `reply_to` is another message's id. An
    `edited` one may already be here in its older words. `foreign` are the places in the text that are not the
    speaker's own words.
    """

    id: str
    session: str
    chat: str
    speaker: str
    text: str
    at: datetime
    reply_to: str | None = None
    edited: datetime | None = None
    foreign: tuple[Passage, ...] = ()


@dataclass(frozen=True)
class Bad:
    """A record that could not be used: where it stands, and why."""

    place: str
    reason: str


@dataclass(frozen=True)
class SkippedKind:
    """A record that is no message between people, in the plural: "service messages"."""

    what: str


Found = ImportedMessage | Bad | SkippedKind


@dataclass(frozen=True)
class Owner:
    """Whose words count as the user's: an id of the format's, the name it is shown by, and how that is known."""

    id: str
    name: str
    how: str


@dataclass(frozen=True)
class Reading:
    """How to read: who the owner is (None: nobody in it), when a chat is a new conversation, in which zone its clock
    stood where it does not say."""

    owner: Owner | None = None
    gap: timedelta = SESSION_GAP
    zone: tzinfo = UTC


class File(Protocol):
    """What a reader needs of a file."""

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes."""
        ...

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Go elsewhere."""
        ...

    def __iter__(self) -> Iterator[bytes]:
        """Yield its lines."""
        ...


Opener = Callable[[], BinaryIO]
"""Opens the same file again from its beginning."""


NOT_UNDERSTOOD = (TypeError, ValueError, KeyError, AttributeError, IndexError, OverflowError, RecursionError)
"""What reading a record raises that has a value of another kind or size than its format knows."""


def wrong_form(error: Exception) -> str:
    """Why such a record was left out, without its words."""
    return f"not of the form that was expected ({type(error).__name__})"


def make_speaker(name: str) -> str:
    """A person's name as a speaker. Somebody who calls themselves "user" is not the user."""
    name = " ".join(name.split())
    return f"{name} (a name)" if name.lower() in {USER, COMPANION, ASSISTANT} else name
