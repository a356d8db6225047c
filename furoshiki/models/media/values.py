"""What is asked of those who paint and hear, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from furoshiki.core.network.providers import ByPiece
from furoshiki.models.llm.plans import ModelRef
from furoshiki.models.llm.values import CallRecord

Use = Literal["pictures", "hearing"]

Why = Literal["declined", "key", "credit", "model", "away", "slow", "busy", "budget", "odd"]
"""Why nothing came: its words were refused; the key, the money, the model are not right; nobody answers, not in time,
not now; the day's money is spent; or what came cannot be used."""


@dataclass(frozen=True)
class Maker:
    """Who paints or hears: the model, how it is asked, where, and with which key."""

    use: Use
    ref: ModelRef
    piece: ByPiece
    address: str
    key: str | None = None

    @property
    def title(self) -> str:
        """How its provider is called."""
        return self.ref.spec.title


@dataclass(frozen=True)
class Made:
    """A picture, what it is ("image/jpeg"), and the line of the ledger about it, which is not written yet."""

    data: bytes
    media_type: str
    record: CallRecord


class NotMade(Exception):
    """Nothing came of it. `said` is for the log: it holds no key, and a line of the server's words at most. What it may
    have cost is in the ledger."""

    def __init__(self, why: Why, said: str) -> None:
        super().__init__(said)
        self.why = why
