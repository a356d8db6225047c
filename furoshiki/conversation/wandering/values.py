"""Values of idle wandering and its results."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

# why a seed was chosen: nearly forgotten, recent, important, a conclusion, important but neglected,
# distantly linked, an open tension, the companion's conduct, random
SeedKind = Literal["decaying", "recent", "salient", "insight", "neglected", "distant", "tension", "self", "random"]

# the action for a thought: queue a message, propose a task, ask itself, write in the journal, check
# a pair for a contradiction, search memory, nothing
Action = Literal["COMMUNICATE", "PLAN", "SEED_THREAD", "REFLECT", "RECONCILE", "AMBIENT_TOOL", "NOTHING"]


@dataclass(frozen=True)
class Active:
    """An activated concept and its energy, in (0, 1]."""

    concept: int
    name: str
    energy: float


@dataclass(frozen=True)
class Seed:
    """A seed: a concept, its kind, and its memory, if any. `line` is additional text for the
    model."""

    kind: SeedKind
    concept: int
    name: str
    memory: int | None = None
    line: str = ""


@dataclass(frozen=True)
class Wandering:
    """A stored wandering. `energy` is that of the associations; `outcome` is None when no model was
    asked. `rests_on` names its origins ("turn:12", "memory:3"): it is deleted, with its results,
    when any of them is."""

    seed_kind: SeedKind
    concept: int | None
    activated: tuple[Active, ...]
    energy: float
    action: Action
    scores: Mapping[Action, float]
    outcome: str | None
    reason: str
    at: datetime
    gist: int | None = None
    rests_on: tuple[str, ...] = ()
    cost_usd: float = 0.0
    id: int = 0
