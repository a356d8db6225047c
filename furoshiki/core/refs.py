"""References to stored things as text: "turn:12", "memory:3", "session:20261121-0930".

Evidence, the index and many rows hold them. `name` and `names` build them; `Ref.parse` parses them,
or, for thousands of row references, `row`, `split`, `rows` and `by_kind`. Apart from SQL, no other
module knows the format.
"""

from collections.abc import Iterable
from typing import Literal, NamedTuple, cast, get_args

from furoshiki.core import numbers

# Kinds of evidence for an answer, a memory or a claim. A session is named by its document's row, as
# in the index, or by its own id; an entry is the journal's; a design is part of a self-description.
Kind = Literal["turn", "memory", "session", "design", "entry", "commitment", "question"]

# origins of a thought or question: a table and a row id; for needs the name, for the journal the
# day, for profile gaps the field, for a skill that needs permission its token
Source = Literal[
    "sessions", "memories", "tasks", "needs", "anticipations", "commitments", "personality_drift_log",
    "inner_monologue", "self_questions", "profile_gaps", "operations", "proposals", "system_events",
    "repair_jobs", "plugins", "plugin_jobs", "skill_runs", "persistent_tasks", "wanderings", "gists",
    "reflection_bank",
]  # fmt: skip

# keys under which a turn or the cost of a call is recorded
Key = Literal[
    "inbox", "task", "dead", "orphans", "operation", "scratch", "self_question", "pattern", "consolidation", "window",
    "profile", "deep_reflection",
    "outreach", "mind_queue", "persistent_task", "routing", "wandering",
]  # fmt: skip

AnyKind = Kind | Source | Key

KINDS: frozenset[str] = frozenset(get_args(Kind) + get_args(Source) + get_args(Key))


class Ref(NamedTuple):
    """A parsed reference."""

    kind: AnyKind
    id: str

    @property
    def row(self) -> int | None:
        """The row id; None when the id is not a number."""
        return numbers.row(self.id)

    @classmethod
    def parse(cls, text: str) -> "Ref | None":
        """Parse a reference, also one typed by a person ("Turn:12"); None when it is none."""
        typed, _, id_ = text.partition(":")
        kind = typed.lower()
        return cls(cast(AnyKind, kind), id_) if id_ and kind in KINDS else None

    def __str__(self) -> str:
        return f"{self.kind}:{self.id}"


def name(kind: AnyKind, id_: int | str) -> str:
    """Return a reference as text."""
    return f"{kind}:{id_}"


def names(kind: AnyKind, ids: Iterable[int]) -> list[str]:
    """Return references of one kind, in order."""
    return [f"{kind}:{id_}" for id_ in ids]


def prefix(kind: AnyKind) -> str:
    """Return the prefix of all references of a kind."""
    return f"{kind}:"


def is_of(text: str, kind: AnyKind) -> bool:
    return text.startswith(f"{kind}:")


def row(text: str) -> int:
    """Return the row id in a reference of any kind. Raises ValueError when it has none."""
    return numbers.require_int(text.partition(":")[2])


def split(text: str) -> tuple[str, int]:
    """Return kind and row id of a reference. Raises ValueError when it has no row id."""
    kind, _, number = text.partition(":")
    return kind, numbers.require_int(number)


def rows(names: Iterable[str], kind: AnyKind) -> list[int]:
    """Return the row ids of the references of one kind, in order. Raises ValueError, see `row`."""
    start = f"{kind}:"
    return [numbers.require_int(one[len(start) :]) for one in names if one.startswith(start)]


def by_kind(names: Iterable[str]) -> dict[str, list[int]]:
    """Return the row ids by kind, in order. Raises ValueError for a reference without one."""
    found: dict[str, list[int]] = {}
    for one in names:
        kind, _, number = one.partition(":")
        found.setdefault(kind, []).append(numbers.require_int(number))
    return found
