"""The history of feelings: changes not explained by time, and curves over days. Pure functions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from furoshiki.feelings.rules import emotions as emotion_rules
from furoshiki.feelings.rules.emotions import NAMES, EmotionLaws, Emotions

NOTICEABLE = 0.03
"""A smaller change is not reported; one message changes loneliness by as much."""


@dataclass(frozen=True)
class Moment:
    """The feelings at a time, and the events since the previous moment ("session_closed")."""

    at: datetime
    emotions: Emotions
    mood: str
    causes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Move:
    """An emotion's change beyond its drift: amount, the two moments, and the events."""

    emotion: str
    by: float
    after: datetime
    at: datetime
    causes: tuple[str, ...]


def largest(moments: Sequence[Moment], laws: EmotionLaws) -> Move | None:
    """Return the largest unexplained change (ties: the later); None if none is noticeable."""
    move: Move | None = None
    for before, after in pairwise(moments):
        by = _measure_unexplained(before, after, laws)
        name = max(NAMES, key=lambda one: abs(by[one]))
        if abs(by[name]) >= max(NOTICEABLE, 0.0 if move is None else abs(move.by)):
            move = Move(name, by[name], before.at, after.at, after.causes)
    return move


def _measure_unexplained(before: Moment, after: Moment, laws: EmotionLaws) -> dict[str, float]:
    drifted = emotion_rules.drift(
        before.emotions, emotion_rules.count_hours(before.at, after.at, laws), laws
    ).as_mapping()
    felt = after.emotions.as_mapping()
    return {name: felt[name] - drifted[name] for name in NAMES}


def curve(moments: Sequence[Moment], since: datetime, now: datetime, steps: int) -> dict[str, list[float | None]]:
    """Return each emotion's mean over `steps` equal periods; None for a period without data."""
    width = (now - since) / steps
    sums: list[list[Emotions]] = [[] for _ in range(steps)]
    for moment in moments:
        if since < moment.at <= now:
            sums[min(steps - 1, int((moment.at - since) / width))].append(moment.emotions)
    return {
        name: [sum(getattr(emotions, name) for emotions in held) / len(held) if held else None for held in sums]
        for name in NAMES
    }


def list_prevailing(
    moments: Sequence[Moment], zone_days: Mapping[str, tuple[datetime, datetime]]
) -> dict[str, list[str]]:
    """Return the moods of each day ("Monday": from, until), the longest first, at most two."""
    moods_of: dict[str, list[str]] = {}
    for day, (start, end) in zone_days.items():
        lasted: dict[str, timedelta] = {}
        for moment, then in pairwise((*moments, None)):
            if moment is not None and start <= moment.at < end:
                until = end if then is None else min(then.at, end)
                lasted[moment.mood] = lasted.get(moment.mood, timedelta()) + max(
                    until - moment.at, timedelta(minutes=1)
                )
        moods_of[day] = sorted(lasted, key=lambda mood: -lasted[mood])[:2]
    return moods_of
