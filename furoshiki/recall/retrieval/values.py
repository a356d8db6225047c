"""What recall finds: things once said, what was made of them, and sessions as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from furoshiki.language.testimony import Passage

Kind = Literal["turn", "memory", "session", "design"]
KINDS: tuple[Kind, ...] = ("turn", "memory", "session")
"""Where recall looks: what was said, and what was made of it."""

INDEXED: tuple[Kind, ...] = (*KINDS, "design")
"""What has vectors: memory, and the companion's documents about itself, which no recall of memories brings up."""


UNCONFIRMED = "unconfirmed"
"""The status of a memory that may not be so. Its row sleeps ('dormant') and says why, so that nothing counts on it."""


PERHAPS = "perhaps: "
"""What stands before such a memory wherever it is shown."""


@dataclass(frozen=True)
class Recalled:
    """One thing found. `id` is "turn:12", "memory:3" or "session:7", and is what evidence and `why` refer to.

    `turn_ids` are the turns it rests on: itself for a turn, its sources for a memory, all of its turns for a session.
    `at` is when it was said (a turn), learned (a memory) or begun (a session). `score` only orders one answer.
    `import_ids` are the ids the same turns had in the file they were imported from, where they were. A memory that is
    no longer true has `valid_to`, and its `status` says what became of it; a turn is always "active". `foreign` are the
    places of a turn's text that are not its speaker's own words.
    """

    id: str
    kind: Kind
    turn_ids: tuple[int, ...]
    session: str | None
    at: datetime
    speaker: str | None
    text: str
    score: float
    import_ids: tuple[str | None, ...] = ()
    status: str = "active"
    valid_to: datetime | None = None
    foreign: tuple[Passage, ...] = ()

    @property
    def past(self) -> bool:
        """Whether it was true once and is not any more."""
        return self.status == "superseded" or self.valid_to is not None


Floor = Literal["asked", "told"]
"""What lies further away than this is left out: the lower one for a question about a life, the higher for all else."""


@dataclass(frozen=True)
class Scope:
    """Where to look: which kinds, ids to leave out ("turn:12"), and how near it must be (None: the best come)."""

    kinds: tuple[Kind, ...] = KINDS
    without: frozenset[str] = frozenset()
    floor: Floor | None = None

    def holds(self, found: Recalled) -> bool:
        """Whether something found lies inside."""
        return found.kind in self.kinds and found.id not in self.without


EVERYWHERE = Scope()
"""No limits."""

EMBED_PREFIX = {
    "episodic": "Personal experience memory: ",
    "semantic": "Factual knowledge: ",
    "procedural": "How-to instruction: ",
    "preference": "User preference: ",
    "reflection": "Self-reflection insight: ",
    "correction": "Past error correction: ",
    "narrative": "Identity narrative: ",
    "tension": "Internal contradiction: ",
}
"""What stands before a memory's content when it is embedded, by its type."""


def compose_turn(speaker: str, text: str) -> str:
    """A turn as the encoder sees it; naming the speaker is the largest free gain there is (R@10 .31 to .43)."""
    return f"{speaker}: {text}"


def compose_design(heading: str, text: str) -> str:
    """A part of a document as the encoder sees it: with the headings it stands under."""
    return f"{heading}: {text}"


def compose_memory(type_: str, content: str) -> str:
    """A memory as the encoder sees it."""
    return EMBED_PREFIX[type_] + content


class Judge(Protocol):
    """Reads a question and a text together, as a cross-encoder does."""

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers the question; nothing where nobody can say. May raise VectorsAway."""
        ...


class Ranks(Judge, Protocol):
    """Ranks memories by meaning; `furoshiki.recall.retrieval.client.Vectors` is one."""

    def recall(
        self,
        text: str,
        *,
        kinds: Sequence[Kind],
        k: int,
        now: datetime,
        without: Sequence[str] = (),
        floor: Floor | None = None,
    ) -> list[tuple[str, float]]:
        """What answers a question best: ids ("turn:12") with their scores, best first; `now` is aware, in the asker's
        zone. Raises VectorsAway."""
        ...

    def expect_recall(
        self, text: str, *, kinds: Sequence[Kind], k: int, now: datetime, without: Sequence[str], floor: Floor | None
    ) -> None:
        """`recall` will be asked the same in a moment. Never raises."""
        ...
