"""What happened in a simulated life, as it was seen from outside: what was said, heard, promised, run, and broken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bench.simulator.person import Promise


@dataclass(frozen=True)
class Said:
    """A message of the companion's, delivered at a moment; `row` is its row in the outbox."""

    at: datetime
    row: int
    turn_id: int | None
    turn_key: str | None
    policy: str
    kind: str
    text: str
    buttons: tuple[str, ...] = ()
    message_id: str = ""


@dataclass(frozen=True)
class Heard:
    """Something the person did: a message, a press, a reaction; `row` is its row in the inbox."""

    at: datetime
    row: int
    kind: str
    text: str


@dataclass(frozen=True)
class Ran:
    """A job that had something to do, and what it said."""

    at: datetime
    name: str
    exit_code: int
    summary: str


@dataclass(frozen=True)
class Whereabouts:
    """From when on the companion could know that the person is in a zone."""

    since: datetime
    zone: str


@dataclass(frozen=True)
class Violation:
    """A promise that was broken: which one, when, by what, in words for a person."""

    rule: str
    at: datetime
    words: str

    def as_text(self) -> str:
        """One line."""
        return f"{self.at:%Y-%m-%d %H:%M:%S}Z  {self.rule}: {self.words}"


@dataclass
class Story:
    """Everything, in order. `promises` are reminders that have to come; what has come is taken out."""

    persona: str
    zone: str
    begins: datetime
    seed: int
    said: list[Said] = field(default_factory=list)
    heard: list[Heard] = field(default_factory=list)
    ran: list[Ran] = field(default_factory=list)
    promises: list[Promise] = field(default_factory=list)
    where: list[Whereabouts] = field(default_factory=list)
    violations: list[Violation] = field(default_factory=list)
    asked: dict[str, int] = field(default_factory=dict)
    """How often each job's question was asked."""

    def unprompted(self) -> Sequence[Said]:
        """Messages that nobody asked for."""
        return [one for one in self.said if one.policy == "unprompted"]

    def zone_at(self, moment: datetime) -> str:
        """Where the person is, as far as the companion could know."""
        return next((one.zone for one in reversed(self.where) if one.since <= moment), self.zone)

    def lines(self) -> list[str]:
        """Every message of both, one a line: two runs with the same seed have the same."""
        both: list[Said | Heard] = [*self.said, *self.heard]
        ordered = sorted(both, key=lambda one: (one.at, isinstance(one, Said), one.row))
        return [
            f"{one.at.isoformat()} {'<' if isinstance(one, Heard) else '>'} {one.kind} {one.text}" for one in ordered
        ]
