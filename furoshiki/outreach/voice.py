"""The words of what is said unasked."""

from __future__ import annotations

from dataclasses import dataclass

from furoshiki.agenda.rules.mind_queue import Waiting
from furoshiki.world import World


@dataclass(frozen=True)
class Worded:
    """Words that are ready to be sent, and who found them."""

    text: str
    provider: str
    model: str


class NoWords(Exception):
    """There are none for now: `reason` in plain words; `vetoed` when it was found that it should not be said at all."""

    def __init__(self, reason: str, vetoed: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.vetoed = vetoed


async def draft(world: World, item: Waiting) -> Worded:
    """Its words. Raises NoWords."""
    raise NoWords("nobody finds words yet")


async def polish(world: World, item: Waiting, drafted: Worded) -> Worded:
    """The same words, fit for a chat. Raises NoWords."""
    return drafted
