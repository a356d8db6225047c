"""The typed values of memory: what is kept, what is put before a mind, and what a mind wants remembered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from furoshiki.language.testimony import Passage


@dataclass(frozen=True)
class NewMemory:
    """A memory before it has a row. `turn_ids` are its sources and may not be empty for a memory about the user.
    `unconfirmed` says why it may not be so."""

    type: str
    content: str
    turn_ids: tuple[int, ...]
    source_tag: str = "external_user"
    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    category: str | None = None
    valid_from: datetime | None = None
    event_time: datetime | None = None
    confidence: float = 1.0
    compressed: str | None = None
    importance: float = 0.3
    charge: float = 0.0
    feelings: Mapping[str, float] | None = None
    immutable: bool = False
    metadata: Mapping[str, Any] | None = None
    unconfirmed: str | None = None


@dataclass(frozen=True)
class Memory:
    """A memory as it is kept.

    `alpha` and `beta` are its weight (see `memory.rules.weights`). `contextualized` says who, when
    and why, `compressed` all of it in a line. `utility` is how often an answer made use of it
    recently where it stood before the mind; `utility`, `importance` and `charge` (how emotional it
    was) lie in [0, 1]; `feelings` are the signals of the words it came from. `cold_since` is set
    while it is no known fact for want of use. `unconfirmed` is why it may not be so, or was not;
    its `status` is "unconfirmed" until the user's word settles it.
    """

    id: int
    type: str
    content: str
    subject: str | None
    predicate: str | None
    object: str | None
    category: str | None
    valid_from: datetime | None
    valid_to: datetime | None
    created_at: datetime
    hit_count: int
    source_tag: str
    status: str
    turn_ids: tuple[int, ...]
    event_time: datetime | None = None
    last_accessed_at: datetime | None = None
    access_count: int = 0
    alpha: float = 1.0
    beta: float = 4.0
    immutable: bool = False
    confidence: float = 1.0
    utility: float = 0.0
    importance: float = 0.3
    charge: float = 0.0
    feelings: Mapping[str, float] = field(default_factory=dict)
    contextualized: str | None = None
    compressed: str | None = None
    cold_since: datetime | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    unconfirmed: str | None = None

    @property
    def is_current(self) -> bool:
        """Whether it is held true now."""
        return self.status == "active" and self.valid_to is None


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
    `instead` is the object that was held until now and was never true, `unconfirmed` why it may not be so.
    """

    text: str
    type: str = "semantic"
    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    category: str | None = None
    turn_ids: tuple[int, ...] = ()
    instead: str | None = None
    unconfirmed: str | None = None
