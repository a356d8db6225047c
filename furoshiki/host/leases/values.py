"""Values of the leases: wishes, claims, rows and holdings of a node, and its errors."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from furoshiki.core.errors import StorageUnavailable

HOME, BOT = "home:", "bot:"
"""Prefixes of the subjects of leases: of the id of a home's data, of the number of a bot."""


class LeasesAway(StorageUnavailable):
    """PostgreSQL cannot be asked for leases: start it, or correct FUROSHIKI_HOST_DATABASE."""


class LeaseLost(StorageUnavailable):
    """Another node has the home, or this one's lease has ended: nothing more is written or sent for it here."""


@dataclass(frozen=True)
class Node:
    """A machine with its folder of homes: its id, and its host name."""

    id: str
    place: str


@dataclass(frozen=True)
class Claim:
    """One requested lease: the subject, the name of the home (or "all" for the shared bot), and the
    fence in this copy of the data."""

    subject: str
    name: str
    known: int = 0


@dataclass(frozen=True)
class Row:
    """A lease in PostgreSQL: its present or last holder, remaining seconds (0 or less: free), its
    fence, and the fence with which the data was last opened."""

    subject: str
    name: str
    node: str
    place: str
    seconds: float
    fence: int
    opened: int


@dataclass(frozen=True)
class Wish:
    """The wishes of a node: homes by name, each with its data and its bot (None: it has none), and
    the home of each bot ("all" for the shared one)."""

    homes: Mapping[str, tuple[Path, int | None]] = field(default_factory=dict)
    bots: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Holding:
    """The leases of a node: the fences of its homes by name, and its bots. New work may begin until
    `soft`, begun work may go on until `hard`; both in seconds since the machine's boot."""

    homes: Mapping[str, int] = field(default_factory=dict)
    bots: frozenset[int] = frozenset()
    soft: float = 0.0
    hard: float = 0.0
