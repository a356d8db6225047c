"""What draws attention among all that asks for it: what is said, what is on its mind, what is due.

Everything is weighed alike, wherever it comes from. What loses waits on with less urgency, and is dropped when it
has lost for about a day. That somebody who writes is answered first is not decided here: it always holds.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

Source = Literal["user", "drift", "consolidation", "schedule", "plugin"]
"""Where something comes from: the owner, a passing thought, what became clear, what is due, a program."""

OF_NOVELTY, OF_RELEVANCE, OF_CHARGE, OF_URGENCY = 0.3, 0.3, 0.2, 0.2
"""The parts of salience; they sum to 1."""

URGENT: Mapping[Source, float] = {
    "user": 0.8,
    "schedule": 0.6,
    "drift": 0.2,
    "consolidation": 0.2,
    "plugin": 0.2,
}
"""How urgent something is by where it comes from, before it has lost."""

CONFIDENT: Mapping[Source, float] = {
    "user": 1.0,
    "schedule": 1.0,
    "consolidation": 0.7,
    "plugin": 0.6,
    "drift": 0.5,
}
"""How sure something is by where it comes from, where nobody knows better."""

FADES = 0.9
"""What is left of an urgency each time it loses …"""

LOSES_EVERY = timedelta(minutes=15)
"""… which counts so often at most: an hour of lively talk is no reason to lose sight of a thing."""

LET_GO_AFTER = 96
"""It has lost so often that it draws nothing by itself any more: about a day of being passed over."""

DRAWS = 0.4
"""Above this salience something is worth a word: a passing thought is not by being new alone, what is due is."""

PRESSING_AS_IS = 3
"""The priority at which a thought is as urgent as its source; more pressing ones are more so."""


@dataclass(frozen=True)
class Candidate:
    """Something that asks for attention. `ref` names it ("mind_queue:12"), `content` are the stems of its own words,
    `lost` how often it lost before, `priority` how pressing it is (1 presses most)."""

    ref: str
    source_tag: Source
    source_confidence: float
    text: str
    content: frozenset[str]
    lost: int = 0
    priority: int = PRESSING_AS_IS


@dataclass(frozen=True)
class Around:
    """What candidates are weighed against: the contents of what was said lately and of what is striven for, and how
    strongly they feel (`charge` in [0, 1]), about what."""

    recent: Sequence[frozenset[str]] = ()
    goals: Sequence[frozenset[str]] = ()
    charge: float = 0.0
    felt_about: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Weighed:
    """A candidate with the parts of its salience, each in [0, 1]."""

    candidate: Candidate
    novelty: float
    relevance: float
    charge: float
    urgency: float

    @property
    def salience(self) -> float:
        """How much it draws, in [0, 1]. What was let go of draws only by what is said or felt now."""
        parts = [(OF_RELEVANCE, self.relevance), (OF_CHARGE, self.charge)]
        if not self.let_go:
            parts += [(OF_NOVELTY, self.novelty), (OF_URGENCY, self.urgency)]
        return math.fsum(share * part for share, part in parts)

    @property
    def let_go(self) -> bool:
        """Whether it has lost for too long."""
        return self.candidate.lost >= LET_GO_AFTER

    @property
    def why(self) -> str:
        """What counted most for it, in words for a mind."""
        parts = {
            "it is new": OF_NOVELTY * self.novelty,
            "it has to do with what matters now": OF_RELEVANCE * self.relevance,
            "it touches what they feel": OF_CHARGE * self.charge,
            "it presses": OF_URGENCY * self.urgency,
        }
        return max(parts, key=lambda word: parts[word])


def weigh(one: Candidate, around: Around) -> Weighed:
    """How much a candidate draws. What says nothing is neither new nor to do with anything."""
    novelty = 1.0 - max((alike(one.content, other) for other in around.recent), default=0.0) if one.content else 0.0
    relevance = max((alike(one.content, goal) for goal in around.goals), default=0.0)
    touched = one.source_tag == "user" or bool(one.content & around.felt_about)
    pressing = (2 * PRESSING_AS_IS - one.priority) / PRESSING_AS_IS
    urgency = min(1.0, URGENT[one.source_tag] * pressing) * FADES**one.lost
    return Weighed(one, novelty, relevance, around.charge if touched else 0.0, urgency)


def cycle(candidates: Iterable[Candidate], around: Around) -> tuple[Weighed, ...]:
    """All of them, the strongest first; of equals the one that was named first."""
    return tuple(sorted((weigh(one, around) for one in candidates), key=lambda one: -round(one.salience, 6)))


def find_stronger(weighed: Sequence[Weighed], message: str, told: Iterable[str] = ()) -> Weighed | None:
    """What clearly draws more than the message (by its ref), if anything does that the mind was not `told` of."""
    said = next((one.salience for one in weighed if one.candidate.ref == message), 0.0)
    first = next((one for one in weighed if one.candidate.ref not in {message, *told}), None)
    return first if first is not None and first.salience > max(said, DRAWS) else None


def alike(one: frozenset[str], other: frozenset[str]) -> float:
    """How alike two contents are, in [0, 1]: the geometric mean of the shares they have in common."""
    both = len(one & other)
    return both / math.sqrt(len(one) * len(other)) if both else 0.0
