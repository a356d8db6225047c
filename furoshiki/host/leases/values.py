"""What a node wants, what it has, and what it is told when it gets nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from furoshiki.core.errors import StorageUnavailable

HOME, BOT = "home:", "bot:"
"""How the subjects of leases begin: the id of a home's data, the number of a bot."""


class LeasesAway(StorageUnavailable):
    """PostgreSQL cannot be asked for leases: start it, or correct FUROSHIKI_HOST_DATABASE."""


class LeaseLost(StorageUnavailable):
    """Another node has the home, or this one's lease has ended: nothing more is written or sent for it here."""


@dataclass(frozen=True)
class Node:
    """A machine with its folder of homes: its id, and what people call it."""

    id: str
    place: str


@dataclass(frozen=True)
class Claim:
    """What a node wants: the subject, the name of the home (or "all" for a bot of all), and the fence that its copy of
    the data has seen."""

    subject: str
    name: str
    known: int = 0


@dataclass(frozen=True)
class Row:
    """A lease as PostgreSQL has it: who has or had it, for how many more seconds (0 or less: nobody has it), its fence,
    and the fence with which the data was last opened."""

    subject: str
    name: str
    node: str
    place: str
    seconds: float
    fence: int
    opened: int


@dataclass(frozen=True)
class Wish:
    """What a node would like to have: its homes by name, each with its data and the bot it talks through (None: it has
    none), and whose each bot is ("all" for the shared one)."""

    homes: Mapping[str, tuple[Path, int | None]] = field(default_factory=dict)
    bots: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Holding:
    """What a node has: the fences of its homes by name, and its bots. Until `soft` it may begin something new, until
    `hard` what it has begun may go on; both in seconds of this machine's clock since its start."""

    homes: Mapping[str, int] = field(default_factory=dict)
    bots: frozenset[int] = frozenset()
    soft: float = 0.0
    hard: float = 0.0
