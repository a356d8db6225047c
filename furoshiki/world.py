"""What a use case may touch: one frozen value handed to it, built once per process by `furoshiki.app.run_job`."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from furoshiki.core.database.connection import Database
from furoshiki.core.paths import host_of
from furoshiki.core.prompts import Prompts
from furoshiki.feelings.state_files import StateFiles
from furoshiki.language.reflex.care.helplines import Helplines
from furoshiki.messages.roles import OWNER, Person
from furoshiki.messages.values import Envelope, Shaped
from furoshiki.messages.withheld import Withheld
from furoshiki.models.llm.values import Ask, Question
from furoshiki.recall.retrieval.values import KINDS, Kind, Ranks

if TYPE_CHECKING:
    from furoshiki.core.settings import Settings
    from furoshiki.feelings.rules.laws import InnerLife
    from furoshiki.language.danger_head import DangerHead
    from furoshiki.language.lexicon import Lexicon
    from furoshiki.language.reflex.care.words import CareWords
    from furoshiki.language.signal_head import Head
    from furoshiki.models.media.service import Media


class Clock(Protocol):
    """Tells the time; tests bring their own."""

    def now(self) -> datetime:
        """This moment, aware, in UTC."""
        ...


class Vectors(Ranks, Protocol):
    """What a use case needs of memoryd; every call may raise `furoshiki.recall.retrieval.client.VectorsAway`,
    quickly."""

    def query(self, text: str, kinds: Sequence[Kind] = KINDS, k: int = 150) -> list[tuple[str, float]]:
        """What is nearest in meaning: ids ("turn:12") with their cosines, best first."""
        ...

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Unit vectors of texts, in order."""
        ...

    def said(
        self, texts: Sequence[str], *, multilingual: bool = False, foreign: bool = True
    ) -> tuple[str, list[list[float]]]:
        """The id of the encoder, and unit vectors of what was just said, kept for the recall that follows; the
        `multilingual` encoder is the one for other languages than English."""
        ...

    def compare(self, texts: Sequence[str]) -> list[list[float]]:
        """Unit vectors of texts in any language, to be compared with one another alone."""
        ...

    def expect(self, text: str) -> None:
        """`said` will be asked about this text in a moment. Never raises."""
        ...

    def nudge(self) -> None:
        """There are new rows to index."""
        ...

    def audit(self) -> dict[str, Any]:
        """Ask the index for what it should hold, and drop what no row stands behind; in counts and ids."""
        ...

    def rebuild(self) -> None:
        """Throw the index away and rebuild it from the database, in memoryd's own time."""
        ...

    def stop(self) -> None:
        """Have memoryd end; the next question starts another."""
        ...


class Stage(Protocol):
    """What a person sees while a turn runs: typing, then the growing text."""

    @property
    def shown(self) -> bool:
        """Whether any of the answer has been seen: from then on a new message waits for its own turn."""
        ...

    @property
    def stopped(self) -> bool:
        """Whether the person pressed stop: what was said so far is the answer."""
        ...

    async def begin(self) -> None:
        """The companion has begun to think."""
        ...

    async def show(self, words: Callable[[], str]) -> None:
        """Show more of the answer. `words` makes the whole of it so far fit to be seen: ask when it
        will be."""
        ...

    async def end(self) -> None:
        """The turn is over; the final words come through the outbox."""
        ...


class Silent:
    """A stage nobody watches."""

    shown = False
    stopped = False

    async def begin(self) -> None:
        """Nothing to show."""

    async def show(self, words: Callable[[], str]) -> None:
        """Nothing to show."""

    async def end(self) -> None:
        """Nothing to show."""


@dataclass(frozen=True)
class Report:
    """What a use case did: whether anything, in one sentence, and in numbers for machines."""

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
    """Everything outside the mind, in one place.

    `zone` is the configured zone of the user; `laws` are the numbers of the inner life; `words` loads the words by
    which messages are read, once; `config` is the folder of shipped defaults. `shape` turns a reply in Markdown into a
    channel's messages (channel, text, the links the user gave themselves); `warm` loads what the next answer will need;
    `hand_in` lets questions that are about to be asked be answered together, where batches are on;
    `stage` shows a turn while it runs; `fetch` brings the file that came with an envelope; `follow` returns a world
    with the settings as they stand now.

    `who` is the person this world belongs to. Everybody but the owner has a world of their own, with its own store and
    its own data directory; `shared` is then the owner's, and `arrivals` fetches what they wrote meanwhile.
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
    words: Callable[[], Lexicon]
    config: Path
    stage: Callable[[Envelope], Stage] = field(default=lambda _envelope: Silent())
    warm: Callable[[], Awaitable[None]] = _ignore
    hand_in: Callable[[Sequence[Question]], Awaitable[None]] = _ignore_questions
    shape: Callable[[str, str, frozenset[str]], Sequence[Shaped]] = _as_written
    fetch: Callable[[Envelope], Awaitable[bytes]] = _no_file
    head: Callable[[str], Head | None] = field(default=lambda _encoder: None)
    """The second opinion on signals for the vectors of an encoder (its id)."""
    meaning: Callable[[str], Head | None] = field(default=lambda _encoder: None)
    """The same for what a message means to do (`language.meant`)."""
    danger_head: Callable[[str], DangerHead | None] = field(default=lambda _encoder: None)
    """The same for danger; "" is the head for words without a vector."""
    caring: Callable[[], tuple[tuple[CareWords, ...], Helplines]] = lambda: ((), Helplines())
    """The words by which what is heavy is noticed and answered, and the numbers that help."""
    follow: Callable[[World], World] = field(default=lambda world: world)
    who: Person = OWNER
    shared: Path | None = None
    arrivals: Callable[[], object] = lambda: None
    media: Media | None = None
    """Those who paint, and who hear elsewhere; None where nobody can."""
    withheld: Withheld = field(default_factory=Withheld)
    """The keys that came in messages to this process, until they are tried."""

    @property
    def home(self) -> Path:
        """The data directory that holds what is everybody's: who the companion is, and which channels are live."""
        return self.shared or self.settings.data

    def no_room(self, more: int = 0) -> str | None:
        """Why `more` bytes may not be added on purpose, in a sentence for the owner; None where they may. What is said
        is kept in any case."""
        if host_of(self.home) is None:
            return None
        from furoshiki.models.limits import room

        return room.refusal(self.home, self.settings.furoshiki_host_free_gb, more)

    @property
    def lexicon(self) -> Lexicon:
        """The words by which messages are read. Loading them takes 0.1 s, which a script that reads none saves."""
        return self.words()

    @property
    def care(self) -> tuple[CareWords, ...]:
        """The words by which what is heavy is noticed and answered, in every language there are some for."""
        return self.caring()[0]

    @property
    def helplines(self) -> Helplines:
        """The numbers that help, of every country there are some for."""
        return self.caring()[1]

    @property
    def now(self) -> datetime:
        """This moment, aware, in UTC."""
        return self.clock.now()
