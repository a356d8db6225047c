"""Values of painting and transcription."""

from dataclasses import dataclass
from typing import Literal

from furoshiki.core.network.providers import ByPiece
from furoshiki.models.llm.plans import ModelRef
from furoshiki.models.llm.values import CallRecord

Use = Literal["pictures", "hearing"]

# why there is no result: content refused; wrong key, no credit, no such model; unreachable, too
# slow, busy; budget spent; or an unusable result
Why = Literal["declined", "key", "credit", "model", "away", "slow", "busy", "budget", "odd"]


@dataclass(frozen=True)
class Maker:
    """A model that paints or transcribes: how, where and with which key it is called."""

    use: Use
    ref: ModelRef
    piece: ByPiece
    address: str
    key: str | None = None

    @property
    def title(self) -> str:
        """The provider's display name."""
        return self.ref.spec.title


@dataclass(frozen=True)
class Made:
    """A picture, its media type ("image/jpeg"), and its ledger record, not stored yet."""

    data: bytes
    media_type: str
    record: CallRecord


class NotMade(Exception):
    """There is no result. `said` is for the log: no key, and at most a line of the server's text.
    The possible cost is in the ledger."""

    def __init__(self, why: Why, said: str) -> None:
        super().__init__(said)
        self.why = why
