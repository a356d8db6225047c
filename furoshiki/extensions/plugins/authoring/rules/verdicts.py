"""Whether a draft is laid before the owner: what was seen in its code, and what reviewers said of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from furoshiki.extensions.plugins.authoring.rules import static_review
from furoshiki.extensions.plugins.authoring.rules.static_review import Finding

LEAST_CONFIDENCE = 0.75
"""An approval that is less sure of itself is a rejection."""

REVIEWS = 2
"""So often a draft is read, each time by somebody who knows nothing of the other."""

NO_ANSWER = "a reviewer gave no usable answer"
CHANGED_ITS_MIND = "the reviewers do not agree with each other"
UNSURE = "a reviewer approves of it with a confidence of {confidence:.2f}, and {least:.2f} is needed"


@dataclass(frozen=True)
class Review:
    """What one reviewer said: whether it may go to the owner, how sure they are (0 to 1), what stands against it, and
    what the plugin can do, in words."""

    approve: bool
    confidence: float
    issues: tuple[str, ...]
    can_do: str


@dataclass(frozen=True)
class Verdict:
    """Whether a draft is proposed; `reasons` are why it is not, `confidence` that of the least sure reviewer."""

    reasons: tuple[str, ...]
    confidence: float

    @property
    def approved(self) -> bool:
        """Whether nothing stands against it."""
        return not self.reasons


def judge(reviews: Sequence[Review | None], findings: Sequence[Finding]) -> Verdict:
    """The verdict on a draft; None stands for a reviewer whose answer was broken. Fewer than REVIEWS are none."""
    said = [one for one in reviews if one is not None]
    against = [str(one) for one in static_review.list_blocking(findings)]
    if len(said) < REVIEWS:
        against.append(NO_ANSWER)
    if len({one.approve for one in said}) > 1:
        against.append(CHANGED_ITS_MIND)
    for one in said:
        against += one.issues
        if one.approve and one.confidence < LEAST_CONFIDENCE:
            against.append(UNSURE.format(confidence=one.confidence, least=LEAST_CONFIDENCE))
        if not one.approve and not one.issues:
            against.append("a reviewer does not approve of it, and says no more")
    return Verdict(tuple(dict.fromkeys(against)), min((one.confidence for one in said), default=0.0))
