"""What an idle mind came upon, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

SeedKind = Literal["decaying", "recent", "salient", "insight", "neglected", "distant", "tension", "self", "random"]
"""Why a thing came to mind: it is nearly forgotten, came up lately, mattered, was concluded, is important and not
thought of, belongs to something far off, is held open, is about the companion itself, or for no reason."""

Action = Literal["COMMUNICATE", "PLAN", "SEED_THREAD", "REFLECT", "RECONCILE", "AMBIENT_TOOL", "NOTHING"]
"""What becomes of a thought: it waits to be said, becomes work that is proposed, a question of its own, an entry in the
journal, a pair to be looked at for a contradiction, a look into memory, or nothing."""


@dataclass(frozen=True)
class Active:
    """A concept that is on the mind, and how strongly, in (0, 1]."""

    concept: int
    name: str
    energy: float


@dataclass(frozen=True)
class Seed:
    """What came to mind: a concept, why, and the memory it came by, where it was one. `line` is what the mind is told
    of it besides."""

    kind: SeedKind
    concept: int
    name: str
    memory: int | None = None
    line: str = ""


@dataclass(frozen=True)
class Wandering:
    """One of them as it is kept. `energy` is that of what the seed brought along; `outcome` what came of it, None where
    nothing was brought along and no model was asked. `rests_on` names what it came from ("turn:12", "memory:3"): it
    goes with any of them, and what became of it does."""

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
