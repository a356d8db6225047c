"""Results of reading an export: messages, unusable records, and skipped kinds of records."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import BinaryIO, Protocol

from furoshiki.language.testimony import Passage
from furoshiki.messages.values import COMPANION, USER

# the speaker of other assistants' answers, as they are not this companion's
ASSISTANT = "assistant"

# a pause that begins a new session in a chat of people: they answer more slowly than a companion,
# and a message two hours ago may still be the one answered
SESSION_GAP = timedelta(hours=3)


@dataclass(frozen=True)
class ImportedMessage:
    """One message. `id` is permanently unique in its format, also in a later export of the chat.
    `chat` is the conversation's name for people, `session` that for the program. `reply_to` is
    another message's id. An `edited` one may already be stored in its older wording. `foreign` are
    passages in the text by other authors."""

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
    """An unusable record: its place, and the reason."""

    place: str
    reason: str


@dataclass(frozen=True)
class SkippedKind:
    """A kind of record that is no message between people, in the plural: "service messages"."""

    what: str


Found = ImportedMessage | Bad | SkippedKind


@dataclass(frozen=True)
class Owner:
    """Whose messages are the user's: id in the format, display name, and how it is known."""

    id: str
    name: str
    how: str


@dataclass(frozen=True)
class Reading:
    """The owner (None: not in it), the pause between sessions, the zone of local times."""

    owner: Owner | None = None
    gap: timedelta = SESSION_GAP
    zone: tzinfo = UTC


class File(Protocol):
    """The file interface that readers need."""

    def read(self, size: int = -1, /) -> bytes: ...

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Change the position."""

    def __iter__(self) -> Iterator[bytes]: ...


Opener = Callable[[], BinaryIO]  # opens the file again from the beginning


# exceptions when a record has values of an unexpected type or size
NOT_UNDERSTOOD = (TypeError, ValueError, KeyError, AttributeError, IndexError, OverflowError, RecursionError)


def wrong_form(error: Exception) -> str:
    """Return why such a record was left out, without its content."""
    return f"not of the form that was expected ({type(error).__name__})"


def make_speaker(name: str) -> str:
    """Return a name as a speaker; a person named "user" does not become the user."""
    name = " ".join(name.split())
    return f"{name} (a name)" if name.lower() in {USER, COMPANION, ASSISTANT} else name
