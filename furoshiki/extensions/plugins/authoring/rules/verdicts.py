"""The decision whether a draft is proposed to the owner, from code findings and reviews."""

from collections.abc import Sequence
from dataclasses import dataclass

from furoshiki.extensions.plugins.authoring.rules import static_review
from furoshiki.extensions.plugins.authoring.rules.static_review import Finding

LEAST_CONFIDENCE = 0.75  # an approval with a lower confidence counts as a rejection
REVIEWS = 2  # the number of independent reviews of a draft

NO_ANSWER = "a reviewer gave no usable answer"
CHANGED_ITS_MIND = "the reviewers do not agree with each other"
UNSURE = "a reviewer approves of it with a confidence of {confidence:.2f}, and {least:.2f} is needed"


@dataclass(frozen=True)
class Review:
    """A review: approval, confidence (0 to 1), issues, and what the plugin can do."""

    approve: bool
    confidence: float
    issues: tuple[str, ...]
    can_do: str


@dataclass(frozen=True)
class Verdict:
    """The decision on a draft: `reasons` against it, and the lowest `confidence` of a reviewer."""

    reasons: tuple[str, ...]
    confidence: float

    @property
    def approved(self) -> bool:
        """Whether there are no reasons against it."""
        return not self.reasons


def judge(reviews: Sequence[Review | None], findings: Sequence[Finding]) -> Verdict:
    """Judge a draft; None is an unusable review. Needs REVIEWS usable reviews."""
    said = [review for review in reviews if review is not None]
    against = list(map(str, static_review.list_blocking(findings)))
    if len(said) < REVIEWS:
        against.append(NO_ANSWER)
    if len({review.approve for review in said}) > 1:
        against.append(CHANGED_ITS_MIND)
    for review in said:
        against += review.issues
        if review.approve and review.confidence < LEAST_CONFIDENCE:
            against.append(UNSURE.format(confidence=review.confidence, least=LEAST_CONFIDENCE))
        if not review.approve and not review.issues:
            against.append("a reviewer does not approve of it, and says no more")
    return Verdict(tuple(dict.fromkeys(against)), min((review.confidence for review in said), default=0.0))
