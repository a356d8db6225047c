"""One line more in a conversation that has gone quiet: after how long, and when rather not."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from furoshiki.mind.outreach.rules import gates
from furoshiki.mind.outreach.rules.gates import Candidate, Look, Moment
from furoshiki.mind.outreach.rules.laws import Continuity, OutreachLaws

PRIORITY = 4
"""How pressing such a line is: it yields to everything that holds anything."""

KIND = "continuity"

_LINE = Candidate(0, KIND, PRIORITY)


@dataclass(frozen=True)
class Mood:
    """What moves the companion to write once more; each in [0, 1]."""

    excitement: float
    affection: float
    loneliness: float


def after(mood: Mood, laws: Continuity) -> timedelta:
    """How long it waits: the shorter the more excited, fond or lonely it is, the longer the calmer."""
    stirred = min(1.0, max(0.0, mood.excitement, mood.affection, mood.loneliness))
    return laws.longest - (laws.longest - laws.shortest) * stirred


def looks(moment: Moment, laws: OutreachLaws, goodbye: bool, heavy: bool) -> tuple[Look, ...]:
    """What the gates see that hold such a line: quiet hours and a quiet that was asked for, moods, a need for room, a
    goodbye, and something heavy."""
    return (
        gates.quiet_hours(_LINE, moment, laws),
        gates.mood(_LINE, moment, laws),
        gates.room(_LINE, moment, laws),
        Look("goodbye", not goodbye, "said" if goodbye else "not said", "not said"),
        Look("heavy", not heavy, "said" if heavy else "not said", "not said"),
    )
