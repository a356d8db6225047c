"""The visible events of a simulated life: messages, promises, job runs, violations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bench.simulator.person import Promise


@dataclass(frozen=True)
class Said:
    """A delivered message of the companion; `row` is its outbox row."""

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
    """An action of the person: message, button press, reaction; `row` is its inbox row."""

    at: datetime
    row: int
    kind: str
    text: str


@dataclass(frozen=True)
class Ran:
    """A job run with work, and its summary."""

    at: datetime
    name: str
    exit_code: int
    summary: str


@dataclass(frozen=True)
class Whereabouts:
    """When the companion could first know that the person is in a zone."""

    since: datetime
    zone: str


@dataclass(frozen=True)
class Violation:
    """A broken promise: which, when, and how, in words."""

    rule: str
    at: datetime
    words: str

    def as_text(self) -> str:
        """Return one line."""
        return f"{self.at:%Y-%m-%d %H:%M:%S}Z  {self.rule}: {self.words}"


@dataclass
class Story:
    """All events in order. `promises` are pending reminders; delivered ones are removed."""

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
    """How often each job's check ran."""

    def unprompted(self) -> Sequence[Said]:
        """Return the unprompted messages."""
        return [one for one in self.said if one.policy == "unprompted"]

    def zone_at(self, moment: datetime) -> str:
        """Return the person's zone as far as the companion could know."""
        return next((one.zone for one in reversed(self.where) if one.since <= moment), self.zone)

    def lines(self) -> list[str]:
        """Return every message, one a line: equal seeds give equal lines."""
        both: list[Said | Heard] = [*self.said, *self.heard]
        ordered = sorted(both, key=lambda one: (one.at, isinstance(one, Said), one.row))
        return [
            f"{one.at.isoformat()} {'<' if isinstance(one, Heard) else '>'} {one.kind} {one.text}" for one in ordered
        ]
