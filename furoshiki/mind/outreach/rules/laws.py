"""All settings of unprompted messages: `config/outreach.toml` overlaid by the owner's file."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import time, timedelta
from typing import Any

from furoshiki.core.config_table import ConfigTable, overlaid

PRIORITIES = (1, 2, 3, 4, 5)
URGENT = 1  # the priority that bypasses quiet hours, cooldowns and the daily cap

OUTCOMES = ("answered", "welcomed", "ignored", "disliked")

_CLOCK = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")


@dataclass(frozen=True)
class QuietHours:
    """Daily quiet hours on the owner's clock; none when both times are equal."""

    since: time
    until: time


@dataclass(frozen=True)
class BackOff:
    """Every `unanswered` messages in a row multiply all cooldowns by `factor`, up to `most`."""

    unanswered: int
    factor: float
    most: float


@dataclass(frozen=True)
class Burst:
    """After an answer within `answered`, up to `most` messages may follow within `lasts`."""

    answered: timedelta
    lasts: timedelta
    most: int


@dataclass(frozen=True)
class WeightLaws:
    """The factor on a kind's weight for each outcome, and the bounds of the weight."""

    factors: Mapping[str, float]
    least: float
    most: float


@dataclass(frozen=True)
class Continuity:
    """Whether one more line may follow in a quiet conversation, and the range of the delay."""

    enabled: bool
    shortest: timedelta
    longest: timedelta


@dataclass(frozen=True)
class OutreachLaws:
    """When the companion writes first. All levels, confidences and cosines are in [0, 1]."""

    quiet: QuietHours
    recent: timedelta
    unhurried: timedelta
    after_weight: timedelta
    cooldown: Mapping[int, timedelta]
    per_day: int
    anger: float
    loneliness: float
    space: tuple[float, float]
    focus: tuple[float, float]
    back_off: BackOff
    same: float
    same_question: float
    same_within: timedelta
    burst: Burst
    nudge_after: timedelta
    nudges: int
    answered_within: timedelta
    weights: WeightLaws
    later: timedelta
    delivery: timedelta
    retry: timedelta
    tries: int
    continuity: Continuity
    nap: QuietHours | None = None  # a second daily quiet period

    @classmethod
    def from_mapping(
        cls, shipped: Mapping[str, Any], own: Mapping[str, Any] | None = None, strange: list[str] | None = None
    ) -> "OutreachLaws":
        """Build the settings from the shipped table overlaid by the owner's; `strange` as in
        ConfigTable. Raises ValueError naming the invalid key."""
        table = ConfigTable(overlaid(shipped, own or {}), strange=strange)
        table.only(_SECTIONS)
        section = {name: table.table(name) for name in _SECTIONS}
        for name, keys in _SECTIONS.items():
            section[name].only(keys)
        room, nudge, retry = section["room"], section["nudge"], section["retry"]
        return cls(
            quiet=QuietHours(_clock(section["quiet_hours"], "from"), _clock(section["quiet_hours"], "to")),
            recent=_minutes(section["recent"], "minutes"),
            unhurried=_minutes(section["recent"], "unhurried_minutes"),
            after_weight=_minutes(section["recent"], "weighing_minutes"),
            cooldown={one: _hours(section["cooldown_hours"], f"p{one}", 24 * 30) for one in PRIORITIES},
            per_day=int(section["cap"].number("per_day", 0, 50)),
            anger=section["mood"].number("anger", 0.0, 1.0),
            loneliness=section["mood"].number("loneliness", 0.0, 1.0),
            space=(room.number("space_level", 0.0, 1.0), room.number("space_confidence", 0.0, 1.0)),
            focus=(room.number("focus_level", 0.0, 1.0), room.number("focus_confidence", 0.0, 1.0)),
            back_off=_back_off(section["back_off"]),
            same=section["novelty"].number("cosine", 0.0, 1.0),
            same_question=section["novelty"].number("nudge_cosine", 0.0, 1.0),
            same_within=timedelta(days=section["novelty"].number("days", 0, 365)),
            burst=_burst(section["burst"]),
            nudge_after=_hours(nudge, "after_hours", 24 * 14),
            nudges=int(nudge.number("most", 0, 5)),
            answered_within=_hours(section["outcome"], "answered_hours", 48),
            weights=_weights(section["weights"]),
            later=_hours(section["later"], "hours", 48),
            delivery=_minutes(section["delivery"], "minutes"),
            retry=_minutes(retry, "minutes"),
            tries=int(retry.number("most", 1, 20)),
            continuity=_continuity(section["continuity"]),
        )


_SECTIONS: Mapping[str, tuple[str, ...]] = {
    "quiet_hours": ("from", "to"),
    "recent": ("minutes", "unhurried_minutes", "weighing_minutes"),
    "cooldown_hours": tuple(f"p{one}" for one in PRIORITIES),
    "cap": ("per_day",),
    "mood": ("anger", "loneliness"),
    "room": ("space_level", "space_confidence", "focus_level", "focus_confidence"),
    "back_off": ("unanswered", "factor", "most"),
    "novelty": ("cosine", "nudge_cosine", "days"),
    "burst": ("answered_minutes", "lasts_minutes", "most"),
    "nudge": ("after_hours", "most"),
    "outcome": ("answered_hours",),
    "weights": (*OUTCOMES, "least", "most"),
    "later": ("hours",),
    "delivery": ("minutes",),
    "retry": ("minutes", "most"),
    "continuity": ("enabled", "shortest_minutes", "longest_minutes"),
}


def _clock(table: ConfigTable, key: str) -> time:
    match = _CLOCK.fullmatch(table.text(key).strip())
    if match is None:
        raise ValueError(f'{table.name(key)} must be a time of day like "23:00", not {table.text(key)!r}')
    return time(int(match[1]), int(match[2]))


def _hours(table: ConfigTable, key: str, most: float) -> timedelta:
    return timedelta(hours=table.number(key, 0, most))


def _minutes(table: ConfigTable, key: str) -> timedelta:
    return timedelta(minutes=table.number(key, 0, 24 * 60))


def _back_off(table: ConfigTable) -> BackOff:
    return BackOff(int(table.number("unanswered", 1, 100)), table.number("factor", 1, 24), table.number("most", 1, 240))


def _burst(table: ConfigTable) -> Burst:
    answered, lasts = _minutes(table, "answered_minutes"), _minutes(table, "lasts_minutes")
    return Burst(answered, lasts, int(table.number("most", 0, 20)))


def _weights(table: ConfigTable) -> WeightLaws:
    factors = {name: table.number(name, 0.1, 10) for name in OUTCOMES}
    return WeightLaws(factors, table.number("least", 0.01, 1.0), table.number("most", 1.0, 10.0))


def _continuity(table: ConfigTable) -> Continuity:
    shortest, longest = _minutes(table, "shortest_minutes"), _minutes(table, "longest_minutes")
    if longest < shortest:
        raise ValueError(f"{table.name('longest_minutes')} must not be less than {table.name('shortest_minutes')}")
    return Continuity(table.flag("enabled"), shortest, longest)
