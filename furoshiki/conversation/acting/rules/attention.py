"""The salience of candidates for attention: messages, thoughts, due tasks.

All sources are weighed alike. A loser becomes less urgent and is dropped after about a day. That a
message is answered first is not decided here: it always holds.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

# the source of a candidate: the owner, a passing thought, a conclusion, a due date, a plugin
Source = Literal["user", "drift", "consolidation", "schedule", "plugin"]

# the weights of salience; they sum to 1
OF_NOVELTY, OF_RELEVANCE, OF_CHARGE, OF_URGENCY = 0.3, 0.3, 0.2, 0.2

# the initial urgency by source
URGENT: Mapping[Source, float] = {
    "user": 0.8,
    "schedule": 0.6,
    "drift": 0.2,
    "consolidation": 0.2,
    "plugin": 0.2,
}

# the default confidence by source
CONFIDENT: Mapping[Source, float] = {
    "user": 1.0,
    "schedule": 1.0,
    "consolidation": 0.7,
    "plugin": 0.6,
    "drift": 0.5,
}

FADES = 0.9  # the factor on urgency for each loss

# minimum time between two counted losses, so that a lively hour does not drop a candidate
LOSES_EVERY = timedelta(minutes=15)

# number of losses, about a day's, after which a candidate no longer counts by itself
LET_GO_AFTER = 96

DRAWS = 0.4  # minimum salience to be reported: above a merely new thought, below a due one

# the priority at which a thought has its source's urgency; lower numbers are more urgent
PRESSING_AS_IS = 3


@dataclass(frozen=True)
class Candidate:
    """A candidate. `ref` is its name ("mind_queue:12"), `content` the stems of its words, `lost`
    its losses, `priority` its urgency (1 is highest)."""

    ref: str
    source_tag: Source
    source_confidence: float
    text: str
    content: frozenset[str]
    lost: int = 0
    priority: int = PRESSING_AS_IS


@dataclass(frozen=True)
class Around:
    """The context of weighing: content of recent turns and of goals, and the strength (`charge` in
    [0, 1]) and subject of the user's feelings."""

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
        """Return the salience in [0, 1]. If dropped, only relevance and charge count."""
        parts = [(OF_RELEVANCE, self.relevance), (OF_CHARGE, self.charge)]
        if not self.let_go:
            parts += [(OF_NOVELTY, self.novelty), (OF_URGENCY, self.urgency)]
        return math.fsum(share * part for share, part in parts)

    @property
    def let_go(self) -> bool:
        """Return whether it has lost too often."""
        return self.candidate.lost >= LET_GO_AFTER

    @property
    def why(self) -> str:
        """Return its strongest part, in words for the model."""
        parts = {
            "it is new": OF_NOVELTY * self.novelty,
            "it has to do with what matters now": OF_RELEVANCE * self.relevance,
            "it touches what they feel": OF_CHARGE * self.charge,
            "it presses": OF_URGENCY * self.urgency,
        }
        return max(parts, key=lambda word: parts[word])


def weigh(candidate: Candidate, around: Around) -> Weighed:
    """Weigh a candidate. Without content it is neither new nor relevant."""
    novelty = (
        1.0 - max((alike(candidate.content, other) for other in around.recent), default=0.0)
        if candidate.content
        else 0.0
    )
    relevance = max((alike(candidate.content, goal) for goal in around.goals), default=0.0)
    touched = candidate.source_tag == "user" or bool(candidate.content & around.felt_about)
    pressing = (2 * PRESSING_AS_IS - candidate.priority) / PRESSING_AS_IS
    urgency = min(1.0, URGENT[candidate.source_tag] * pressing) * FADES**candidate.lost
    return Weighed(candidate, novelty, relevance, around.charge if touched else 0.0, urgency)


def cycle(candidates: Iterable[Candidate], around: Around) -> tuple[Weighed, ...]:
    """Return all candidates weighed, strongest first; equals keep their order."""
    return tuple(
        sorted((weigh(candidate, around) for candidate in candidates), key=lambda one: -round(one.salience, 6))
    )


def find_stronger(weighed: Sequence[Weighed], message: str, told: Iterable[str] = ()) -> Weighed | None:
    """Return the candidate that clearly beats `message` (a ref) and was not `told`, or None."""
    said = next((one.salience for one in weighed if one.candidate.ref == message), 0.0)
    first = next((one for one in weighed if one.candidate.ref not in {message, *told}), None)
    return first if first is not None and first.salience > max(said, DRAWS) else None


def alike(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the similarity of two contents in [0, 1]: the geometric mean of their shared parts."""
    both = len(one & other)
    return both / math.sqrt(len(one) * len(other)) if both else 0.0
