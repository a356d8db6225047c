"""Names of things: "turn:12", "memory:3", "session:20261121-0930". Evidence, the index and many rows hold them as text.

They are put together by `name` (many of a kind by `names`) and taken apart by `Ref.parse`, or, where there are
thousands of them and all are names of rows, by `row`, `split`, `rows` and `by_kind`. Nothing else in the package knows
what a name looks like, but for SQL.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple, cast, get_args

from furoshiki.core import numbers

Kind = Literal["turn", "memory", "session", "design", "entry", "commitment", "question"]
"""What an answer, a memory or a claim may rest on. A session is named by the row of its document, as the index does, or
by its own id; an entry is one of the journal's; a design is a part of a document about the companion."""

Source = Literal[
    "sessions", "memories", "tasks", "needs", "anticipations", "commitments", "personality_drift_log",
    "inner_monologue", "self_questions", "profile_gaps", "operations", "proposals", "system_events",
    "repair_jobs", "plugins", "plugin_jobs", "skill_runs", "persistent_tasks", "wanderings", "gists",
    "reflection_bank",
]  # fmt: skip
"""What a thought or a question comes from: a table, and the row in it; of needs the name, of the journal the day, of
the profile's gaps the field, of what a skill may not do without a yes its token."""

Key = Literal[
    "inbox", "task", "dead", "orphans", "operation", "scratch", "self_question", "pattern", "consolidation", "window",
    "profile", "deep_reflection",
    "outreach", "mind_queue", "persistent_task", "routing", "wandering",
]  # fmt: skip
"""What a turn, or the cost of a call, is booked under."""

AnyKind = Kind | Source | Key

KINDS: frozenset[str] = frozenset(get_args(Kind) + get_args(Source) + get_args(Key))


class Ref(NamedTuple):
    """A name taken apart."""

    kind: AnyKind
    id: str

    @property
    def row(self) -> int | None:
        """The row it names; None when its id is something else than a row's."""
        return numbers.row(self.id)

    @classmethod
    def parse(cls, text: str) -> Ref | None:
        """What a text names, also one that a person typed ("Turn:12"); None when it is no name."""
        typed, _, id_ = text.partition(":")
        kind = typed.lower()
        return cls(cast(AnyKind, kind), id_) if id_ and kind in KINDS else None

    def __str__(self) -> str:
        return f"{self.kind}:{self.id}"


def name(kind: AnyKind, id_: int | str) -> str:
    """The name of a thing."""
    return f"{kind}:{id_}"


def names(kind: AnyKind, ids: Iterable[int]) -> list[str]:
    """The names of things of one kind, in their order."""
    return [f"{kind}:{id_}" for id_ in ids]


def prefix(kind: AnyKind) -> str:
    """What every name of a kind begins with."""
    return f"{kind}:"


def is_of(text: str, kind: AnyKind) -> bool:
    """Whether a text is a name of this kind."""
    return text.startswith(f"{kind}:")


def row(text: str) -> int:
    """The row that a name names, whatever its kind. Raises ValueError when it names none."""
    return numbers.require_int(text.partition(":")[2])


def split(text: str) -> tuple[str, int]:
    """The kind and the row of a name. Raises ValueError when it names no row."""
    kind, _, number = text.partition(":")
    return kind, numbers.require_int(number)


def rows(names: Iterable[str], kind: AnyKind) -> list[int]:
    """The rows of those names that are of this kind, in their order. Raises ValueError when one names no row."""
    start = f"{kind}:"
    return [numbers.require_int(one[len(start) :]) for one in names if one.startswith(start)]


def by_kind(names: Iterable[str]) -> dict[str, list[int]]:
    """The rows that names name, by kind, in their order. Raises ValueError when one names no row."""
    found: dict[str, list[int]] = {}
    for one in names:
        kind, _, number = one.partition(":")
        found.setdefault(kind, []).append(numbers.require_int(number))
    return found
