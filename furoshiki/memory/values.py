"""The typed values of memory: what is put before a mind, and what a mind wants remembered."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from furoshiki.language.testimony import Passage


@dataclass(frozen=True)
class Shown:
    """A memory put before the mind. `id` is "turn:12", "memory:3" or "session:…".

    `line` is its one line, where there was no room for the text. `until` is when it stopped being true, `past` whether
    it did. `beside` is what was said right before and after it: ("before" or "after", speaker, words). `foreign` are
    the places in its text that are not the speaker's own words.
    """

    id: str
    text: str
    speaker: str
    at: datetime
    score: float
    line: str | None = None
    until: datetime | None = None
    past: bool = False
    beside: tuple[tuple[str, str, str], ...] = ()
    foreign: tuple[Passage, ...] = ()


@dataclass(frozen=True)
class Note:
    """Something the mind wants remembered, written when the turn is committed.

    `turn_ids` are earlier turns it rests on; empty when it rests on what was said just now.
    `instead` is the object that was held until now and was never true.
    """

    text: str
    type: str = "semantic"
    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    category: str | None = None
    turn_ids: tuple[int, ...] = ()
    instead: str | None = None
