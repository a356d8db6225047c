"""Where a conversation turns to another subject: judged for each message from how far its meaning jumps.

Two moving averages of what is said, a fast and a slow one, drift apart when a subject changes (NEWMA); the message
itself is less like the fast one than messages of this chat usually are (surprise). Both are measured against the talk
so far, gather in a leaky accumulator, and make a boundary when it exceeds a bound. Who says that they change the
subject, or comes back after a silence, needs no statistics.

The constants of `Laws` are fitted by `python -m bench.boundaries --fit` on the one half of a labelled conversation and
judged on the other (tests/routing/labelled_conversation.tsv).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from furoshiki.core.similarity import dot
from furoshiki.routing.values import Kind

SILENCE_S = 2_700.0
FAST, SLOW = 4, 18
"""Over how many messages the averages reach: a share of 2 / (N + 1) of each is new."""

LEAK = 0.4
SHORT_WORDS = 4
"""A message of no more words cannot be a boundary by its meaning: it has too little of it."""

COLD = 5
"""So many messages from a silence on, a static threshold stands in for the statistics."""

Vector = tuple[float, ...]


@dataclass(frozen=True)
class Laws:
    """The fitted constants.

    `bound` is what the accumulator must exceed; `of_drift` the share of drift beside surprise in what it gathers, and
    `least_drift`, `least_surprise` how far one calm message may empty it. A message of `whole_words` counts wholly, one
    of fewer in proportion. Below `cold_likeness` (cosine) a message is a boundary while it is early. A new subject
    lasts `least_messages`. `memory` is how fast what is usual follows; it begins at `drift` and `likeness`, each a mean
    and a standard deviation.
    """

    bound: float = 1.2
    of_drift: float = 0.1
    least_drift: float = 0.0
    least_surprise: float = 0.0
    whole_words: int = 14
    cold_likeness: float = -0.1
    least_messages: int = 5
    memory: float = 0.02
    drift: tuple[float, float] = (0.6, 0.1)
    likeness: tuple[float, float] = (0.2, 0.16)


FITTED = Laws()


@dataclass(frozen=True)
class Usual:
    """What a measure usually is in a chat: a mean and a variance that follow slowly."""

    mean: float
    variance: float

    def z(self, value: float) -> float:
        """How many standard deviations a value lies above the mean."""
        return (value - self.mean) / math.sqrt(self.variance + 1e-9)

    def after(self, value: float, memory: float) -> Usual:
        """The same once this value has been met."""
        away = value - self.mean
        return Usual(self.mean + memory * away, (1.0 - memory) * (self.variance + memory * away * away))


@dataclass(frozen=True)
class Going:
    """A chat as the detector remembers it: the averages (empty before the first vector), the messages since the last
    silence and since the last boundary, the accumulator, and what is usual here."""

    fast: Vector = ()
    slow: Vector = ()
    messages: int = 0
    since: int = 0
    acc: float = 0.0
    drift: Usual | None = None
    likeness: Usual | None = None


NEW = Going()


@dataclass(frozen=True)
class Said:
    """One message as the detector needs it: its unit vector (None when nobody could make one), how many words it has,
    whether they say that the subject changes, the seconds since the last one (None: the first), and for want of a
    vector whether it has no word in common with what was said before it."""

    vector: Vector | None
    words: int
    marker: bool = False
    silence_s: float | None = None
    strange: bool = False


@dataclass(frozen=True)
class Judged:
    """Whether a message begins a new subject, what decided, and the figures behind it where there are any."""

    boundary: bool
    kind: Kind
    similarity: float | None = None
    newma: float | None = None
    surprise: float | None = None
    acc: float | None = None
    bound: float | None = None


def judge(going: Going, said: Said, laws: Laws = FITTED) -> tuple[Judged, Going]:
    """Whether this message begins a new subject, and the chat as it is after it."""
    if said.vector is not None and len(going.fast) not in (0, len(said.vector)):
        going = NEW  # another encoder: nothing of the one before can be compared
    if said.silence_s is None:
        return Judged(True, "first"), _begun(going, said)
    if said.silence_s > SILENCE_S:
        return Judged(True, "silence"), _begun(going, said)
    going = replace(going, messages=going.messages + 1, since=going.since + 1)
    if said.vector is None:
        return _without_vector(going, said, laws)
    if not going.fast:
        return Judged(said.marker, "marker" if said.marker else "none"), replace(
            going, fast=said.vector, slow=said.vector, since=0 if said.marker else going.since
        )
    return _with_vector(going, said, said.vector, laws)


def _begun(going: Going, said: Said) -> Going:
    """After a silence the averages begin anew; what is usual in this chat stays known."""
    start = said.vector or ()
    return Going(start, start, messages=1, since=0, acc=0.0, drift=going.drift, likeness=going.likeness)


def _without_vector(going: Going, said: Said, laws: Laws) -> tuple[Judged, Going]:
    if said.marker:
        return Judged(True, "marker"), replace(going, since=0, acc=0.0)
    if said.strange and said.words > SHORT_WORDS and going.since >= laws.least_messages:
        return Judged(True, "words"), replace(going, since=0, acc=0.0)
    return Judged(False, "none"), going


def _with_vector(going: Going, said: Said, vector: Vector, laws: Laws) -> tuple[Judged, Going]:
    weight = min(1.0, said.words / laws.whole_words)
    slow_like, fast_like = _cosine(vector, going.slow), _cosine(vector, going.fast)
    likeness = (fast_like + slow_like) / 2.0
    fast, slow = _moved(going.fast, vector, FAST, weight), _moved(going.slow, vector, SLOW, weight)
    drift = max(0.0, 2.0 * (1.0 - _cosine(fast, slow)))  # the squared distance of what they point at
    usual_drift = going.drift or Usual(laws.drift[0], laws.drift[1] ** 2)
    usual_likeness = going.likeness or Usual(laws.likeness[0], laws.likeness[1] ** 2)
    newma, surprise = usual_drift.z(drift), -usual_likeness.z(likeness)
    stirred = laws.of_drift * max(newma, laws.least_drift)
    stirred += (1.0 - laws.of_drift) * max(surprise, laws.least_surprise) * weight
    acc = (1.0 - LEAK) * going.acc + stirred
    kind, boundary = _decided(going, said, likeness, acc, laws)
    judged = Judged(boundary, kind, likeness, newma, surprise, acc, laws.bound)
    if boundary:
        return judged, replace(going, fast=fast, slow=slow, acc=0.0, since=0)
    return judged, replace(
        going,
        fast=fast,
        slow=slow,
        acc=acc,
        drift=usual_drift.after(drift, laws.memory),
        likeness=usual_likeness.after(likeness, laws.memory),
    )


def _decided(going: Going, said: Said, likeness: float, acc: float, laws: Laws) -> tuple[Kind, bool]:
    if said.marker:
        return "marker", True
    if said.words <= SHORT_WORDS:
        return "none", False
    if going.messages <= COLD:
        return "cold", likeness < laws.cold_likeness
    return "statistic", acc > laws.bound and going.since >= laws.least_messages


def _moved(average: Vector, vector: Vector, over: int, weight: float) -> Vector:
    """An average after one message more, which counts with `weight` in (0, 1]."""
    share = 2.0 / (over + 1) * weight
    return tuple([(1.0 - share) * before + share * now for before, now in zip(average, vector, strict=True)])


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    lengths = math.sqrt(dot(one, one) * dot(other, other))
    return dot(one, other) / lengths if lengths > 1e-12 else 0.0
