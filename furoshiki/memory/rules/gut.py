"""Gut feeling: how far the moment lies from what the companion is made of, and whether such moments went well.

The subconscious is a point in the space of meaning: half identity, a quarter goals, a quarter everything remembered.
Attention is another: what is being said, the latest weighing most. Their difference is the gut feeling: its length is
the intensity, its direction decides the valence. All vectors are those of one encoder.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from furoshiki.core.similarity import Vector, apart, centroid, correlation, cosine, spread

IDENTITY, GOALS, EVERYTHING = 0.5, 0.25, 0.25
"""The shares of the subconscious. Where there are no goals yet, the others share what would be theirs."""

ATTENTION_HALF_LIFE_S = 600.0
"""After ten minutes what was said holds half as much attention."""

UNUSUAL = 1.0
"""So many standard deviations above the usual intensity a feeling is noticed."""

ENOUGH_FELT = 20
"""Feelings that must have been felt before it can be said what is usual."""

WORDS = ("drawn", "stirred", "wary")
"""What a feeling that is noticed may be called; each has its part of the prompt."""

CLEAR_VALENCE = 0.15
"""From here on a feeling has a direction."""

CLEAR_AXIS = 0.3
"""The cosine from which on a feeling is about what an axis stands for."""

FEWEST_AXES, MOST_AXES = 10, 20
EXPLAINED = 0.8
"""So many axes are kept as explain this share of the variance, within the bounds."""

LEAST_DELTAS = 20
"""Fewer feelings than this have no axes worth looking at."""

LEAST_OUTCOMES = 10
MEANING = 0.3
"""An axis means something when it correlates so much with at least so many outcomes."""

WORDS_A_POLE = 3
COMMON = 0.3
"""A word in more than this share of memories says nothing about any of them."""

_BETWEEN = " ↔ "
_SHORTEST_WORD = 3

_GOOD = ("praise", "warmth", "relief", "excitement")
_BAD = ("anger", "disengagement", "frustration")


@dataclass(frozen=True)
class UsualFeelings:
    """What the latest feelings were like: how many there were, and the mean and spread of their intensity.

    `misled`: what felt good went badly and the other way round, more than chance would make it.
    """

    count: int = 0
    mean: float = 0.0
    spread: float = 0.0
    misled: bool = False

    @classmethod
    def of(cls, felt: Sequence[tuple[float, float, float | None]]) -> UsualFeelings:
        """From the intensity, the valence and the outcome (None while unknown) of each."""
        if not felt:
            return cls()
        strengths = [intensity for intensity, _, _ in felt]
        judged = [(valence, outcome) for _, valence, outcome in felt if outcome is not None]
        agreed = None
        if len(judged) >= LEAST_OUTCOMES:
            agreed = correlation([valence for valence, _ in judged], [outcome for _, outcome in judged])
        misled = agreed is not None and agreed < 0 and telling(agreed, len(judged))
        return cls(len(felt), fmean(strengths), spread(apart(strengths)), misled)


@dataclass(frozen=True)
class Gut:
    """One gut feeling.

    `intensity` is half the length of the difference of two unit vectors, in [0, 1]. `valence`, in [-1, 1], is the
    cosine of the difference with the direction in which good outcomes lie from bad ones; while there are too few of
    both it is the cosine of attention and subconscious: the familiar feels good. `unusual` is by how many standard
    deviations the intensity exceeds the usual one, 0 while nothing is usual yet. `about` are the words of the axis it
    lies on, when one is named. With `misled` the valence is noted, to be judged, and moves nothing.
    """

    intensity: float = 0.0
    valence: float = 0.0
    unusual: float = 0.0
    about: str | None = None
    delta: tuple[float, ...] = ()
    model: str | None = None
    misled: bool = False

    @property
    def charge(self) -> float:
        """How much it pushes anywhere, in [0, 1]: for attention."""
        return 0.0 if self.misled else self.intensity * abs(self.valence)

    @property
    def word(self) -> str | None:
        """How a feeling that is noticed feels: one of `WORDS`; None when it is not noticed."""
        if self.unusual < UNUSUAL:
            return None
        return leaning(0.0 if self.misled else self.valence, *WORDS)

    @property
    def feelings(self) -> dict[str, float]:
        """The same as signals, for whatever compares a memory's feelings with the moment's."""
        if self.charge == 0:
            return {}
        return {"warmth" if self.valence > 0 else "worry": self.charge}


NEUTRAL = Gut()
"""Nothing is felt: there are no memories yet, or nothing is being said."""


def subconscious(identity: Vector | None, goals: Vector | None, everything: Vector | None) -> list[float] | None:
    """The one point made of the three centroids, as far as there are any."""
    shares = ((identity, IDENTITY), (goals, GOALS), (everything, EVERYTHING))
    return centroid((vector, share) for vector, share in shares if vector is not None)


def attention(said: Iterable[tuple[Vector, float]]) -> list[float] | None:
    """The centroid of what was said, each with its age in seconds."""
    return centroid((vector, 0.5 ** (max(0.0, age) / ATTENTION_HALF_LIFE_S)) for vector, age in said)


def feel(
    here: Vector | None,
    deep: Vector | None,
    direction: Vector | None = None,
    usual: UsualFeelings = UsualFeelings(),
    axes: Iterable[tuple[str, Vector]] = (),
    model: str | None = None,
) -> Gut:
    """The gut feeling of attention `here` before the subconscious `deep` (unit vectors of the same length).

    `direction` is where good outcomes lie from bad ones, `axes` are named ones. Neutral when there is nothing to feel
    with.
    """
    if here is None or deep is None or len(here) != len(deep):
        return NEUTRAL
    delta = [a - b for a, b in zip(here, deep, strict=True)]
    length = math.hypot(*delta)
    known = direction is not None and len(direction) == len(delta) and length > 0
    valence = cosine(delta, direction) if known and direction is not None else cosine(here, deep)
    intensity = min(1.0, length / 2)
    unusual = 0.0
    if usual.count >= ENOUGH_FELT and usual.spread > 0:
        unusual = (intensity - usual.mean) / usual.spread
    return Gut(intensity, valence, unusual, _about(delta, axes), tuple(delta), model, usual.misled)


def leaning(valence: float, good: str, neither: str, bad: str) -> str:
    """One of three words for something in [-1, 1], by where it points when it points anywhere."""
    return neither if abs(valence) < CLEAR_VALENCE else good if valence > 0 else bad


def outcome(signals: Mapping[str, float]) -> float:
    """How an answer went down, in [-1, 1], from the signals of what was said next: its joys less its displeasures.

    Worry and sadness are the user's own and say nothing about the answer.
    """
    good = max(signals.get(name, 0.0) for name in _GOOD)
    bad = max(signals.get(name, 0.0) for name in _BAD)
    return max(-1.0, min(1.0, good - bad))


def telling(agreed: float | None, outcomes: int) -> bool:
    """Whether a correlation with so many outcomes means something: it is more than chance would make it."""
    if agreed is None or outcomes < LEAST_OUTCOMES:
        return False
    return abs(agreed) >= max(MEANING, 2.0 / math.sqrt(outcomes))


def key_words(texts: Sequence[Iterable[str]], background: Mapping[str, float]) -> list[str]:
    """The words that stand in most of the texts and in few others (`background`: in which share), most telling first.

    A word must stand in two texts at least, unless there is only one.
    """
    held: dict[str, int] = {}
    for text in texts:
        for word in dict.fromkeys(text):
            held[word] = held.get(word, 0) + 1
    telling = [
        word
        for word, times in held.items()
        if times >= min(2, len(texts))
        and len(word) >= _SHORTEST_WORD
        and not word.isdigit()
        and background.get(word, 0.0) <= COMMON
    ]
    telling.sort(key=lambda word: (-held[word] * math.log(1 / max(background.get(word, 0.0), 1e-3)), word))
    return telling[:WORDS_A_POLE]


def name(towards: Sequence[str], away: Sequence[str]) -> str | None:
    """What an axis is called, by the words at both its ends; None when there are none at the first."""
    if not towards:
        return None
    other = [word for word in away if word not in towards]
    return ", ".join(towards) + (_BETWEEN + ", ".join(other) if other else "")


def _about(delta: Vector, axes: Iterable[tuple[str, Vector]]) -> str | None:
    """The words at that end of the clearest named axis to which the feeling points."""
    best, words = CLEAR_AXIS, None
    for called, axis in axes:
        along = cosine(delta, axis) if len(axis) == len(delta) else 0.0
        towards, _, away = called.partition(_BETWEEN)
        end = towards if along > 0 else away
        if abs(along) >= best and end:
            best, words = abs(along), end
    return words
