"""The dependencies of a use case: one frozen value, built once per process by
`furoshiki.app.run_job`."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from furoshiki.core.database.connection import Database
from furoshiki.core.paths import host_of
from furoshiki.core.prompts import Prompts
from furoshiki.feelings.state_files import StateFiles
from furoshiki.language.lexicon import Lexicon
from furoshiki.language.requests.helplines import Helplines
from furoshiki.language.tables.care_words import CareWords
from furoshiki.messages.roles import OWNER, Person
from furoshiki.messages.values import Envelope, Shaped
from furoshiki.messages.withheld import Withheld
from furoshiki.models.llm.values import Ask, Question
from furoshiki.recall.retrieval.values import KINDS, Kind, Ranks

if TYPE_CHECKING:
    from furoshiki.core.settings import Settings
    from furoshiki.feelings.rules.laws import InnerLife
    from furoshiki.language.danger_head import DangerHead
    from furoshiki.language.signal_head import Head
    from furoshiki.models.media.service import Media


T = TypeVar("T")


class Clock(Protocol):
    """A source of the current time; tests use their own."""

    def now(self) -> datetime:
        """Return the current time, aware, in UTC."""


class Vectors(Ranks, Protocol):
    """The part of memoryd that use cases need; every call may raise
    `furoshiki.recall.retrieval.client.VectorsAway`, quickly."""

    def query(self, text: str, kinds: Sequence[Kind] = KINDS, k: int = 150) -> list[tuple[str, float]]:
        """Return the `k` nearest in meaning: ids ("turn:12") with their cosines, best first."""

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return unit vectors of the texts, in order."""

    def said(
        self, texts: Sequence[str], *, multilingual: bool = False, foreign: bool = True
    ) -> tuple[str, list[list[float]]]:
        """Return the encoder's id and unit vectors of texts just received, cached for the recall
        that follows; the `multilingual` encoder is for languages other than English."""

    def near_danger(self, text: str, *, multilingual: bool = False) -> float | None:
        """Return how much nearer a text just received lies to examples of danger than to everyday
        ones; None without examples for the encoder."""

    def compare(self, texts: Sequence[str]) -> list[list[float]]:
        """Return unit vectors of texts in any language, comparable only with one another."""

    def expect(self, text: str) -> None:
        """Announce that `said` will soon be called with this text. Never raises."""

    def nudge(self) -> None:
        """Report that there are new rows to index."""

    def audit(self) -> dict[str, Any]:
        """Delete index entries without a row and queue missing ones; return counts and ids."""

    def rebuild(self) -> None:
        """Discard the index and let memoryd rebuild it from the database in the background."""

    def stop(self) -> None:
        """Stop memoryd; the next query starts a new process."""


class Stage(Protocol):
    """The progress that a person sees during a turn: the typing sign, then the growing text."""

    @property
    def shown(self) -> bool:
        """Whether the answer is visible: from then on a new message waits for its turn."""

    @property
    def stopped(self) -> bool:
        """Whether the person pressed stop: the text so far is then the answer."""

    async def begin(self) -> None:
        """Show that the companion has begun to think."""

    async def show(self, words: Callable[[], str]) -> None:
        """Show more of the answer. `words` returns the whole text so far; call it only when the
        text is about to be shown."""

    async def end(self) -> None:
        """End the turn; the final text is sent through the outbox."""


class Silent:
    """A stage that shows nothing."""

    shown = False
    stopped = False

    async def begin(self) -> None:
        """Do nothing."""

    async def show(self, words: Callable[[], str]) -> None:
        """Do nothing."""

    async def end(self) -> None:
        """Do nothing."""


@dataclass(frozen=True)
class Report:
    """The result of a use case: whether it did anything, one sentence, and data for machines."""

    did: bool
    summary: str
    data: Mapping[str, Any] = field(default_factory=dict)


def _as_written(_channel: str, text: str, _links: frozenset[str]) -> Sequence[Shaped]:
    return (Shaped(text),)


async def _ignore() -> None:
    pass


async def _ignore_questions(_questions: Sequence[Question]) -> None:
    pass


async def _no_file(_envelope: Envelope) -> bytes:
    raise FileNotFoundError("this channel has no files")


@dataclass(frozen=True)
class World:
    """All external dependencies, in one place.

    `zone` is the user's configured time zone; `laws` are the constants of the inner life; `words`
    loads the lexicon for reading messages, once; `config` is the folder of shipped defaults.
    `shape` turns a Markdown reply into a channel's messages (channel, text, the links that the user
    sent); `warm` loads what the next answer needs; `hand_in` lets upcoming questions be answered
    together, where batches are on; `stage` shows a turn while it runs; `fetch` downloads the file
    of an envelope; `follow` returns a world with the current settings.

    `who` is the person to whom this world belongs. Everybody except the owner has a separate world
    with its own store and data directory; `shared` is then the owner's, and `arrivals` fetches new
    messages.
    """

    clock: Clock
    rng: random.Random
    database: Database
    vectors: Vectors
    ask: Ask
    state: StateFiles
    prompts: Prompts
    settings: Settings
    zone: tzinfo
    laws: InnerLife
    words: Callable[[str | None], Lexicon]
    config: Path
    stage: Callable[[Envelope], Stage] = field(default=lambda _envelope: Silent())
    warm: Callable[[], Awaitable[None]] = _ignore
    hand_in: Callable[[Sequence[Question]], Awaitable[None]] = _ignore_questions
    shape: Callable[[str, str, frozenset[str]], Sequence[Shaped]] = _as_written
    fetch: Callable[[Envelope], Awaitable[bytes]] = _no_file
    # returns the classifier of signals for the vectors of an encoder (its id)
    head: Callable[[str], Head | None] = field(default=lambda _encoder: None)
    # returns the classifier of a message's intent (`language.intents`), likewise by encoder
    meaning: Callable[[str], Head | None] = field(default=lambda _encoder: None)
    # returns the classifier of danger, likewise; "" is the one for words without a vector
    danger_head: Callable[[str], DangerHead | None] = field(default=lambda _encoder: None)
    # the words by which distress is noticed and answered, and the helplines
    caring: Callable[[], tuple[tuple[CareWords, ...], Helplines]] = lambda: ((), Helplines())
    follow: Callable[[World], World] = field(default=lambda world: world)
    who: Person = OWNER
    shared: Path | None = None
    arrivals: Callable[[], object] = lambda: None
    # services for images and remote transcription; None if there are none
    media: Media | None = None
    # keys that arrived in messages to this process, until they are tried
    withheld: Withheld = field(default_factory=Withheld)

    @property
    def home(self) -> Path:
        """The shared data directory: the companion's identity and the active channels."""
        return self.shared or self.settings.data

    def no_room(self, more: int = 0) -> str | None:
        """Return why `more` bytes may not be added deliberately, as a sentence for the owner, or
        None. Messages are stored in any case."""
        if host_of(self.home) is None:
            return None
        from furoshiki.models.limits import room

        return room.refusal(self.home, self.settings.furoshiki_host_free_gb, more)

    @property
    def lexicon(self) -> Lexicon:
        """The lexicon for reading messages. Loading takes 0.1 s."""
        return self.words(self.who.language)

    @property
    def care(self) -> tuple[CareWords, ...]:
        """The words by which distress is noticed and answered, for every supported language."""
        return self.caring()[0]

    @property
    def helplines(self) -> Helplines:
        """The helplines of every supported country."""
        return self.caring()[1]

    @property
    def now(self) -> datetime:
        """The current time, aware, in UTC."""
        return self.clock.now()

    async def apart(self, work: Callable[[], T]) -> T:
        """Do what waits for memoryd or the disk: in a thread where other homes share the loop."""
        if host_of(self.home) is None:
            return work()
        from asyncio import to_thread  # most scripts run without it

        return await to_thread(work)

    def held(self) -> World:
        """Return this world with its clock stopped, for work that compares times it reads twice."""
        return replace(self, clock=_Moment(self.now))


@dataclass(frozen=True)
class _Moment:
    """A clock that stands still."""

    at: datetime

    def now(self) -> datetime:
        return self.at
