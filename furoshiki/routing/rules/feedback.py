"""What the next message, or a reaction, says about the way the last one was answered.

Mere going on is no praise: most messages say nothing about it, and then nothing is noted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from furoshiki.language.grounding.words import content_of
from furoshiki.language.nlp import Feedback, Nlp
from furoshiki.routing.rules.decisions import PRAISE, Label

REPEATED = 0.6
"""Two messages that share more than this part of the words that say something (Jaccard) say the same."""

LEAST_WORDS = 2
"""Words that say something which a message must have to be a repetition: "ok" and "ok" is none."""

_LIKED = frozenset({"praise", "warmth", "excitement"})
_DISLIKED = frozenset({"frustration", "anger"})


@dataclass(frozen=True)
class Following:
    """What the next message does, as rules read it; `repeated` is the share of words in [0, 1] it has in common with
    the message before."""

    explicit: Feedback = "none"
    rephrase: bool = False
    lookup: bool = False
    reference: bool = False
    repeated: float = 0.0


def following(said: Nlp, before: str, text: str) -> Following:
    """The next message, from what it does and from the words of both."""
    return Following(
        said.explicit_feedback, said.rephrase, said.lookup_request, said.implicit_reference, in_common(before, text)
    )


def in_common(one: str, other: str) -> float:
    """The part of the words that say something which two messages share, in [0, 1]; 0 where one says next to nothing.

    Of all their words, "what do you know about Lisbon?" and "… about Porto?" would be the same.
    """
    a, b = content_of(one), content_of(other)
    return 0.0 if min(len(a), len(b)) < LEAST_WORDS else len(a & b) / len(a | b)


def label(mode: str, next_: Following) -> Label | None:
    """What the next message says about a message that was answered in this mode; None when nothing.

    Saying it again in other words goes before "thanks": "thanks, but I meant …" is no praise.
    """
    responded = mode == "RESPOND"
    if responded and next_.rephrase:
        return "missed_clarify"
    if next_.explicit == "positive":
        return PRAISE
    if responded and next_.repeated > REPEATED:
        return "missed_clarify"
    if responded and (next_.lookup or next_.reference):
        return "missed_act"
    if mode == "ACKNOWLEDGE" and next_.explicit == "negative":
        return "under_engagement"
    return None


def of_reaction(strengths: Mapping[str, float]) -> Label | None:
    """What a reaction to an answer says about it, from its signals; None where it is about what was told (a tear)."""
    felt = {name for name, strength in strengths.items() if strength > 0}
    if felt & _DISLIKED:
        return "wrong_route"
    return PRAISE if felt & _LIKED else None
