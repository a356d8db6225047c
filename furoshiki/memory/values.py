"""The typed values of memory: stored memories, injected ones, and notes to be stored."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from furoshiki.language.testimony import Passage


@dataclass(frozen=True)
class NewMemory:
    """A memory to store. `turn_ids`: sources, needed about the user; `unconfirmed`: the doubt."""

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


@dataclass(frozen=True, kw_only=True)
class Memory(NewMemory):
    """A stored memory.

    `alpha` and `beta` are its weight (see `memory.rules.weights`). `contextualized` is the text
    with who, when and why, `compressed` a one-line form. `utility` is how often answers used it
    recently when it was injected; `utility`, `importance` and `charge` (emotional charge) are in
    [0, 1]; `feelings` are the signals of its source. `cold_since` is set while it is left out of
    the known facts for lack of use. `unconfirmed` is the reason why it is or was in doubt; `status`
    is "unconfirmed" until the user confirms or denies it.
    """

    id: int
    valid_to: datetime | None
    created_at: datetime
    hit_count: int
    status: str
    last_accessed_at: datetime | None = None
    access_count: int = 0
    alpha: float = 1.0
    beta: float = 4.0
    utility: float = 0.0
    feelings: Mapping[str, float] = field(default_factory=dict)
    contextualized: str | None = None
    cold_since: datetime | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_current(self) -> bool:
        """Whether it is held true now."""
        return self.status == "active" and self.valid_to is None


@dataclass(frozen=True)
class Shown:
    """An item injected into the prompt. `id` is "turn:12", "memory:3" or "session:…".

    `line` replaces the text where there was no room. `until` is when it stopped being true, `past`
    whether it did. `beside` are the turns right before and after: ("before" or "after", speaker,
    text). `foreign` are the passages that are not the speaker's own words.
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
    """A note that the model wants stored, written when the turn is committed.

    `turn_ids` are its earlier source turns; empty for the present turn. `instead` is the previous
    object, which was never true; `unconfirmed` is the reason for doubt.
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
