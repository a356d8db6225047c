"""Rules for one more line in a quiet conversation: the delay and the gates."""

from dataclasses import dataclass
from datetime import timedelta

from furoshiki.mind.outreach.rules import gates
from furoshiki.mind.outreach.rules.gates import Candidate, Look, Moment
from furoshiki.mind.outreach.rules.laws import Continuity, OutreachLaws

PRIORITY = 4
"""The priority of such a line: low, so every gate can hold it."""

KIND = "continuity"

_LINE = Candidate(0, KIND, PRIORITY)


@dataclass(frozen=True)
class Mood:
    """The feelings that make the companion write again; each in [0, 1]."""

    excitement: float
    affection: float
    loneliness: float


def after(mood: Mood, laws: Continuity) -> timedelta:
    """Return the delay: shorter the more excited, affectionate or lonely the companion is."""
    stirred = min(1.0, max(0.0, mood.excitement, mood.affection, mood.loneliness))
    return laws.longest - (laws.longest - laws.shortest) * stirred


def looks(moment: Moment, laws: OutreachLaws, goodbye: bool, heavy: bool) -> tuple[Look, ...]:
    """Return the gates' findings: quiet hours and wishes, mood, room, goodbye, heavy topic."""
    return (
        gates.quiet_hours(_LINE, moment, laws),
        gates.mood(_LINE, moment, laws),
        gates.room(_LINE, moment, laws),
        Look("goodbye", not goodbye, "said" if goodbye else "not said", "not said"),
        Look("heavy", not heavy, "said" if heavy else "not said", "not said"),
    )
