"""Numbers of the router that are moved, and the pressures they are moved against."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

PressureName = Literal["tie_break", "respond_share", "act_share", "misroute", "reflection"]
State = Literal["measuring", "kept", "reverted"]

LEAST_DECISIONS = 10
"""Fewer decisions say nothing."""

IMPROVED = 0.9
"""A change helped when its pressure is under this share of what it was."""

WEEK = timedelta(days=7)
"""How far back decisions count."""


@dataclass(frozen=True)
class Pressure:
    """One thing that is off: `value` is how much of it there is, a share in [0, 1], `excess` how far that lies above
    what is well. `cause` says what is most of it, where that matters."""

    name: PressureName
    value: float
    excess: float
    cause: str = ""

    @property
    def key(self) -> str:
        """Name and cause, as a change keeps them: "misroute.missed_act"."""
        return f"{self.name}.{self.cause}" if self.cause else self.name


@dataclass(frozen=True)
class Change:
    """One number that was moved, why, and what became of it. `version` is that of the numbers its last step made."""

    id: int
    parameter: str
    value_before: float
    value_after: float
    pressure: str
    pressure_before: float
    pressure_after: float | None
    state: State
    version: int
    at: datetime
    measured_at: datetime | None

    @property
    def name(self) -> str:
        """The pressure it was made against, without its cause."""
        return self.pressure.partition(".")[0]

    @property
    def taken_back_by_owner(self) -> bool:
        """Whether it was put back although it helped, or before that was measured: the owner wanted it so."""
        unproved = self.pressure_after is None or helped(self.pressure_before, self.pressure_after)
        return self.state == "reverted" and unproved

    @property
    def touched_at(self) -> datetime:
        """When the number was moved last by it."""
        return self.measured_at if self.state == "reverted" and self.measured_at is not None else self.at


@dataclass(frozen=True)
class Move:
    """A number to move, and why."""

    parameter: str
    before: float
    after: float
    pressure: Pressure


def helped(before: float, after: float) -> bool:
    """Whether a pressure of `before` that is `after` now has clearly gone down."""
    return after < IMPROVED * before
