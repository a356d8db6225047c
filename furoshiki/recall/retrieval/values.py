"""The results of recall: turns, memories, and sessions as a whole."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from furoshiki.language.testimony import Passage

Kind = Literal["turn", "memory", "session", "design"]
KINDS: tuple[Kind, ...] = ("turn", "memory", "session")  # the kinds that recall searches

# the kinds with vectors: also the companion's own documents (not in recall)
INDEXED: tuple[Kind, ...] = (*KINDS, "design")


# The status of an unconfirmed memory. Its row is 'dormant' with a reason.
UNCONFIRMED = "unconfirmed"


PERHAPS = "perhaps: "  # the prefix of an unconfirmed memory wherever it is shown


@dataclass(frozen=True)
class Recalled:
    """A result. `id` is "turn:12", "memory:3" or "session:7", and is used by evidence and `why`.

    `turn_ids` are its turns: itself for a turn, its sources for a memory, all turns of a session.
    `at` is when it was said (a turn), learned (a memory) or begun (a session). `score` only orders
    one answer. `import_ids` are the ids of the same turns in their import, if any. A memory that is
    no longer true has `valid_to` and a corresponding `status`; a turn is always "active". `foreign`
    are the passages of a turn's text that are not its speaker's own words.
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


# The similarity threshold: lower for a question about the user's life than otherwise.
# "outstanding", for statements in other languages than English, holds for the multilingual encoder
# alone.
Floor = Literal["asked", "told", "outstanding"]


@dataclass(frozen=True)
class Scope:
    """Which kinds to search, ids to leave out ("turn:12"), and the threshold (or None)."""

    kinds: tuple[Kind, ...] = KINDS
    without: frozenset[str] = frozenset()
    floor: Floor | None = None

    def holds(self, found: Recalled) -> bool:
        """Whether a result is inside the scope."""
        return found.kind in self.kinds and found.id not in self.without


EVERYWHERE = Scope()  # no limits

# the prefix of a memory's content when it is embedded, by type
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


def compose_turn(speaker: str, text: str) -> str:
    """Return the encoder's input for a turn; naming the speaker raises R@10 from .31 to .43."""
    return f"{speaker}: {text}"


def compose_design(heading: str, text: str) -> str:
    """Return the encoder's input for a section of a document: with its headings."""
    return f"{heading}: {text}"


def compose_memory(type_: str, content: str) -> str:
    """Return the encoder's input for a memory."""
    return EMBED_PREFIX[type_] + content


class Judge(Protocol):
    """A cross-encoder, which reads a question and a text together."""

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Score how well each text answers the question, or []. May raise VectorsAway."""


class Ranks(Judge, Protocol):
    """Ranks memories by meaning; implemented by `furoshiki.recall.retrieval.client.Vectors`."""

    def recall(self, text: str, *, k: int, now: datetime, scope: Scope = EVERYWHERE) -> list[tuple[str, float]]:
        """Return ids with scores, best first; `now` is in the asker's zone. Raises VectorsAway."""

    def expect_recall(self, text: str, *, k: int, now: datetime, scope: Scope) -> None:
        """Announce that `recall` will be called with this. Never raises."""
