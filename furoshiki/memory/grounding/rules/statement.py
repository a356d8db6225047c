"""What is judged, and what comes of it: a statement about somebody with all that could carry it, and an outcome.

`Statement` is made by the caller, who has the conversation; nothing here reads anything itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Kind = Literal[
    "fact", "correction", "profile", "summary", "mood", "follow_up", "curiosity", "anticipation", "journal", "insight",
    "self", "behaviour", "topic",
]  # fmt: skip

Outcome = Literal["known", "unconfirmed", "refused"]
"""Known: may be said as so. Unconfirmed: said with "perhaps", never a reason to act. Refused: not kept."""

Reading = Literal["supported", "not supported", "contradicted"]
"""What a reader, a model that did not write the statement, says of it."""

READINGS: tuple[Reading, ...] = ("supported", "not supported", "contradicted")


@dataclass(frozen=True)
class Statement:
    """One sentence or a few that a mind wrote about somebody, with all that it may rest on.

    All words are those of one conversation, or of what was put before the mind; `moment` is aware, in the owner's zone.
    """

    text: str
    kind: Kind
    cited: Sequence[str]
    """The owner's own words in what it cites: without what they quote, paste or forward."""

    cited_whole: Sequence[str]
    """The same messages as they arrived."""

    own: Sequence[str]
    """Everything that the owner said themselves in the conversation, cited or not."""

    others: Sequence[str]
    """What anybody else said in it: the companion, and all that was passed on."""

    moment: datetime
    """When it was said."""

    passed_on: Sequence[str] = ()
    """Those of `others` that the owner forwarded, pasted or quoted."""

    known: Sequence[str] = ()
    """Facts and names that need no proof: what was known before, how the two are called."""

    languages: tuple[str, str] = ("", "")
    """Of the statement and of the conversation, as two letters; an empty one is told by the words."""

    of_owner: bool = False
    """It speaks of the owner and of nobody else, so that a clause about others carries none of it."""

    free: bool = False
    """A question, an expectation or a feeling of the companion's own: only what it takes for granted needs proof."""

    object: str = ""
    """Of a fact: the thing it tells, which is kept beside its words."""


@dataclass(frozen=True)
class Judged:
    """An outcome with its reasons, the first one first to be told; none where it is known by the rules alone."""

    outcome: Outcome
    reasons: tuple[str, ...] = ()

    @property
    def kept(self) -> bool:
        """Whether anything of it may be kept, be it with a mark."""
        return self.outcome != "refused"

    @property
    def unconfirmed(self) -> bool:
        """Whether it may be kept only with a mark."""
        return self.outcome == "unconfirmed"

    @property
    def reason(self) -> str:
        """All reasons in one line."""
        return "; ".join(self.reasons)


@dataclass(frozen=True)
class Scale:
    """What the cosines of one encoder mean. Fitted on the development set by `python -m bench.grounding --fit`."""

    far: float
    """Below this a statement has nothing to do with what it cites."""

    sure: float
    """From here on a statement is near enough to be known."""

    sure_if_free: float
    """The same for what is the companion's own question or thought."""

    nearer: float
    """By how much nearer to others' words a statement must be to have been said by those."""


BUILT_IN = Scale(far=-0.009, sure=0.091, sure_if_free=0.043, nearer=0.3)
"""Of the pooled and centred vectors of the built-in encoder. On the development set 80 % of what is true are known,
none lost, and 30 % of what is false known; on folds by conversation that had not been seen 77, 0 and 33."""


@dataclass(frozen=True)
class Nearness:
    """How near texts are by meaning: the best cosine of a text to any of others (at least one), and its scale."""

    cosine: Callable[[str, Sequence[str]], float]
    scale: Scale
