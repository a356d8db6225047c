"""How feelings went: what moved them besides time, and their curve over days. Pure: the history in, figures out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from furoshiki.feelings.rules import emotions as emotion_rules
from furoshiki.feelings.rules.emotions import NAMES, EmotionLaws, Emotions

NOTICEABLE = 0.03
"""A smaller move is not worth telling; one message moves loneliness by as much."""


@dataclass(frozen=True)
class Moment:
    """How it felt at a time, and what had happened since the moment before ("session_closed")."""

    at: datetime
    emotions: Emotions
    mood: str
    causes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Move:
    """An emotion that did not go where time alone would have taken it: by how much, between which moments, and what had
    happened."""

    emotion: str
    by: float
    after: datetime
    at: datetime
    causes: tuple[str, ...]


def largest(moments: Sequence[Moment], laws: EmotionLaws) -> Move | None:
    """The largest move that time does not explain, the later of equals; None when nothing noticeable happened."""
    found: Move | None = None
    for before, after in pairwise(moments):
        by = _measure_unexplained(before, after, laws)
        name = max(NAMES, key=lambda one: abs(by[one]))
        if abs(by[name]) >= max(NOTICEABLE, 0.0 if found is None else abs(found.by)):
            found = Move(name, by[name], before.at, after.at, after.causes)
    return found


def _measure_unexplained(before: Moment, after: Moment, laws: EmotionLaws) -> dict[str, float]:
    drifted = emotion_rules.drift(
        before.emotions, emotion_rules.count_hours(before.at, after.at, laws), laws
    ).as_mapping()
    felt = after.emotions.as_mapping()
    return {name: felt[name] - drifted[name] for name in NAMES}


def curve(moments: Sequence[Moment], since: datetime, now: datetime, steps: int) -> dict[str, list[float | None]]:
    """Each emotion's mean over `steps` equal stretches of time; None where nothing was written down."""
    width = (now - since) / steps
    sums: list[list[Emotions]] = [[] for _ in range(steps)]
    for one in moments:
        if since < one.at <= now:
            sums[min(steps - 1, int((one.at - since) / width))].append(one.emotions)
    return {
        name: [sum(getattr(one, name) for one in held) / len(held) if held else None for held in sums] for name in NAMES
    }


def list_prevailing(
    moments: Sequence[Moment], zone_days: Mapping[str, tuple[datetime, datetime]]
) -> dict[str, list[str]]:
    """The moods of each day ("Monday": from, until), those that lasted longest first, two at most."""
    found: dict[str, list[str]] = {}
    for day, (start, end) in zone_days.items():
        lasted: dict[str, timedelta] = {}
        for one, then in pairwise((*moments, None)):
            if one is not None and start <= one.at < end:
                until = end if then is None else min(then.at, end)
                lasted[one.mood] = lasted.get(one.mood, timedelta()) + max(until - one.at, timedelta(minutes=1))
        found[day] = sorted(lasted, key=lambda mood: -lasted[mood])[:2]
    return found
