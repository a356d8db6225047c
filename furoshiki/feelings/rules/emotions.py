"""The emotions, each in [0, 1]: their drift to a resting level, and the effects of events.

The rows of `config/inner_life.toml` define them; their numbers and words arrive as `EmotionLaws`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, make_dataclass, replace
from datetime import datetime
from typing import Any, get_args

from furoshiki.core.config_table import ConfigTable
from furoshiki.core.paths import ROOT
from furoshiki.core.pictures.values import Colour
from furoshiki.language.lexicon import CATEGORIES

EVENTS = ("excitement_triggered", "worry_triggered", "anger_triggered", "pride_triggered")


# the shipped file, whose rows say which emotions, moods and kinds of thoughts there are
TABLES = tomllib.loads((ROOT / "config" / "inner_life.toml").read_text(encoding="utf-8"))

NAMES: tuple[str, ...] = tuple(
    name for name, row in TABLES["emotions"].items() if isinstance(row, dict) and "natural" in row
)

_Levels: Any = make_dataclass("_Levels", [(name, float) for name in NAMES], frozen=True)


@dataclass(frozen=True)
class Emotions(_Levels):  # type: ignore[misc]
    """The companion's present feelings, each in [0, 1]."""

    def __post_init__(self) -> None:
        for name in NAMES:
            value = getattr(self, name)
            if not 0.0 <= value <= 1.0:
                raise ValueError(f"{name} must lie between 0 and 1, not {value!r}")

    @classmethod
    def from_mapping(cls, values: Mapping[str, float]) -> Emotions:
        """Read the result of `as_mapping`. Raises ValueError for a missing or unknown name."""
        checked = ConfigTable(values, "emotions")
        checked.only(NAMES)
        return cls(**{name: checked.number(name, 0.0, 1.0) for name in NAMES})

    @classmethod
    def recalled(cls, values: Mapping[str, Any], resting: Emotions) -> Emotions:
        """Read feelings written by any release: a missing or invalid value becomes its `resting`
        level, unknown names are ignored."""
        return replace(resting, **{name: values[name] for name in NAMES if _is_share(values.get(name))})

    def as_mapping(self) -> dict[str, float]:
        return {name: getattr(self, name) for name in NAMES}

    def moved(self, deltas: Mapping[str, float]) -> Emotions:
        """Return the feelings with `deltas` added, clamped to [0, 1]."""
        return Emotions(**{n: min(1.0, max(0.0, v + deltas.get(n, 0.0))) for n, v in self.as_mapping().items()})


@dataclass(frozen=True)
class Look:
    """The appearance of an emotion: its colour in pictures, the companion's words for a level far
    above or below rest (or ""), and the signal of memories that it recalls."""

    colour: Colour
    above: str
    below: str
    recalls: str


@dataclass(frozen=True)
class SessionLaws:
    """A finished conversation's effects: deltas per quality and warmth, and of a cold one."""

    cold_below: float
    by_quality: Mapping[str, float]
    by_warmth: Mapping[str, float]
    cold: Mapping[str, float]


@dataclass(frozen=True)
class Plainly:
    """The effect of a user's plainly stated feeling (a strength of `at` or more): emotions rise at
    least to the levels in `least` and fall at least to those in `most`."""

    at: float
    least: Mapping[str, float]
    most: Mapping[str, float]

    def felt(self, emotions: Emotions) -> Emotions:
        """Return the feelings with these levels applied."""
        risen = {name: max(value, self.least.get(name, 0.0)) for name, value in emotions.as_mapping().items()}
        return Emotions(**{name: min(value, self.most.get(name, 1.0)) for name, value in risen.items()})


@dataclass(frozen=True)
class EmotionLaws:
    """The rest level, initial level, drift per hour, effects of events and look of each emotion."""

    natural: Mapping[str, float]
    newborn: Mapping[str, float]
    drift_per_hour: Mapping[str, float]
    longest_hours: float
    message: Mapping[str, float]
    question: Mapping[str, float]
    surfaced_curiosity: Mapping[str, float]
    session: SessionLaws
    events: Mapping[str, Mapping[str, float]]
    signals: Mapping[str, Mapping[str, float]]
    plainly: Mapping[str, Plainly]
    looks: Mapping[str, Look]

    @classmethod
    def from_checked(cls, table: ConfigTable) -> EmotionLaws:
        """Read the `[emotions]` table. Raises ValueError with the wrong key."""
        others = ("message", "question", "surfaced_curiosity", "session", "events", "signals", "plainly")
        table.only((*NAMES, "longest_hours", *others))
        each = {name: table.table(name) for name in NAMES}
        for entry in each.values():
            entry.only(("natural", "newborn", "drift_per_hour", "colour", "above", "below", "recalls"))
        session = table.table("session")
        session.only(("cold_below", "by_quality", "by_warmth", "cold"))
        events, signals = table.table("events"), table.table("signals")
        events.only(EVENTS)
        signals.only(CATEGORIES)
        plainly = table.table("plainly")
        plainly.only(CATEGORIES)
        return cls(
            natural={name: entry.number("natural", 0.0, 1.0) for name, entry in each.items()},
            newborn={
                name: entry.number("newborn" if "newborn" in entry else "natural", 0.0, 1.0)
                for name, entry in each.items()
            },
            drift_per_hour={name: entry.number("drift_per_hour", 0.0, 1.0) for name, entry in each.items()},
            longest_hours=table.number("longest_hours", 0.0, 24.0 * 365),
            message=_deltas(table.table("message")),
            question=_deltas(table.table("question")),
            surfaced_curiosity=_deltas(table.table("surfaced_curiosity")),
            session=SessionLaws(
                cold_below=session.number("cold_below", 0.0, 1.0),
                by_quality=_deltas(session.table("by_quality")),
                by_warmth=_deltas(session.table("by_warmth")),
                cold=_deltas(session.table("cold")),
            ),
            events={name: _deltas(events.table(name)) for name in EVENTS},
            signals={name: _deltas(signals.table(name)) for name in CATEGORIES},
            plainly={name: _plainly(plainly.table(name)) for name in plainly},
            looks={name: _look(entry) for name, entry in each.items()},
        )


def at_rest(laws: EmotionLaws) -> Emotions:
    """Return every emotion at its natural level."""
    return Emotions(**laws.natural)


def count_hours(since: datetime, now: datetime, laws: EmotionLaws) -> float:
    """Return the hours between aware times, in [0, longest_hours]; 0 if the clock was set back."""
    hours = (now - since).total_seconds() / 3600.0
    return min(laws.longest_hours, max(0.0, hours))


def drift(emotions: Emotions, hours: float, laws: EmotionLaws) -> Emotions:
    """Move each emotion towards its natural level by its rate × `hours`, never past it.

    `hours` is clamped to [0, longest_hours]. Linear, so one step of six hours equals six steps of
    one.
    """
    hours = min(laws.longest_hours, max(0.0, hours))
    return Emotions(
        **{
            name: _towards(value, laws.natural[name], laws.drift_per_hour[name] * hours)
            for name, value in emotions.as_mapping().items()
        }
    )


def after_message(emotions: Emotions, laws: EmotionLaws) -> Emotions:
    """Apply the effect of any message of the user."""
    return emotions.moved(laws.message)


def after_question(emotions: Emotions, laws: EmotionLaws) -> Emotions:
    """Apply the effect of a question or a new topic of the user."""
    return emotions.moved(laws.question)


def after_curiosity(emotions: Emotions, laws: EmotionLaws) -> Emotions:
    """Apply the effect of a curiosity of the companion that came up in the conversation."""
    return emotions.moved(laws.surfaced_curiosity)


def after_signals(emotions: Emotions, strengths: Mapping[str, float], laws: EmotionLaws) -> Emotions:
    """Apply the signals of a message: the sum of their deltas, scaled by strength in [0, 1], and
    the levels of a plainly stated feeling."""
    return after_reading(emotions.moved(_sum_signals(strengths, laws)), strengths, laws)


def after_reading(emotions: Emotions, strengths: Mapping[str, float], laws: EmotionLaws) -> Emotions:
    """Apply the levels of the most plainly stated feeling, whether its words were heard at once or not."""
    feeling = plainly_said(strengths, laws)
    return emotions if feeling is None else laws.plainly[feeling].felt(emotions)


def plainly_said(strengths: Mapping[str, float], laws: EmotionLaws) -> str | None:
    """Return the most plainly stated feeling; None if none is plain enough to change a mood."""
    feelings = [name for name, law in laws.plainly.items() if strengths.get(name, 0.0) >= law.at]
    return max(feelings, key=lambda name: strengths[name], default=None)


def after_second_look(
    emotions: Emotions, before: Mapping[str, float], after: Mapping[str, float], laws: EmotionLaws
) -> Emotions:
    """Replace the effect of the signals `before` by that of `after`. Emotions raised by a feeling
    that was not stated after all return to rest."""
    undone, delta_after = _sum_signals(before, laws), _sum_signals(after, laws)
    moved = emotions.moved({name: delta_after[name] - undone[name] for name in NAMES})
    was, feeling = plainly_said(before, laws), plainly_said(after, laws)
    if was is not None and was != feeling:
        home = {name: min(getattr(moved, name), laws.natural[name]) for name in laws.plainly[was].least}
        moved = replace(moved, **home)
    return after_reading(moved, after, laws)


def _sum_signals(strengths: Mapping[str, float], laws: EmotionLaws) -> dict[str, float]:
    total = dict.fromkeys(NAMES, 0.0)
    for category, strength in strengths.items():  # stored turns may have categories of a newer release
        for name, delta in _scale(laws.signals.get(category, {}), min(1.0, max(0.0, strength))).items():
            total[name] += delta
    return total


def after_event(emotions: Emotions, event: str, laws: EmotionLaws) -> Emotions:
    """Apply a `*_triggered` event. Raises ValueError for an unknown one."""
    if event not in laws.events:
        raise ValueError(f"unknown event {event!r}: known are {', '.join(sorted(laws.events))}")
    return emotions.moved(laws.events[event])


def after_session(emotions: Emotions, quality: float, warmth: float, laws: EmotionLaws) -> Emotions:
    """Apply a finished conversation with connection quality and warmth in [0, 1]; a cold one (low
    quality) hurts instead."""
    if quality < laws.session.cold_below:
        return emotions.moved(laws.session.cold)
    return emotions.moved(_scale(laws.session.by_quality, quality)).moved(_scale(laws.session.by_warmth, warmth))


def largest_move(before: Emotions, after: Emotions) -> float:
    """Return the largest change of an emotion, in [0, 1]."""
    old, new = before.as_mapping(), after.as_mapping()
    return max(abs(new[name] - old[name]) for name in NAMES)


def _is_share(value: object) -> bool:
    return not isinstance(value, bool) and isinstance(value, int | float) and 0.0 <= value <= 1.0


def _towards(value: float, home: float, step: float) -> float:
    if abs(home - value) <= step:
        return home
    return value + step if home > value else value - step


def _scale(deltas: Mapping[str, float], factor: float) -> dict[str, float]:
    return {name: delta * factor for name, delta in deltas.items()}


def _plainly(table: ConfigTable) -> Plainly:
    table.only(("at", "least", "most"))
    levels = (table.table(key).numbers(0.0, 1.0, NAMES) for key in ("least", "most"))
    return Plainly(table.number("at", 0.0, 1.0), *levels)


def _look(table: ConfigTable) -> Look:
    above, below = (table.text_or_empty(key) for key in ("above", "below"))
    recalls = table.among("recalls", CATEGORIES) if "recalls" in table else ""
    return Look(table.among("colour", get_args(Colour)), above, below, recalls)


def _deltas(table: ConfigTable) -> dict[str, float]:
    return table.numbers(-1.0, 1.0, NAMES)
