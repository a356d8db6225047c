"""The input and the result of grounding: a statement with its possible evidence, and an outcome.

The caller, who has the conversation, builds `Statement`; nothing here reads from the database.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Kind = Literal[
    "fact", "correction", "profile", "summary", "mood", "follow_up", "curiosity", "anticipation", "journal", "insight",
    "self", "behaviour", "topic",
]  # fmt: skip

Outcome = Literal["known", "unconfirmed", "refused"]
"""Known: told as fact. Unconfirmed: told with "perhaps". Refused: not stored."""

Reading = Literal["supported", "not supported", "contradicted"]
"""The answer of a reader (a model that did not write the statement)."""

READINGS: tuple[Reading, ...] = ("supported", "not supported", "contradicted")


@dataclass(frozen=True)
class Statement:
    """One or a few sentences that a model wrote about a person, with their possible evidence.

    All words come from one conversation, or from the model's input; `moment` is aware, in the
    owner's zone.
    """

    text: str
    kind: Kind
    cited: Sequence[str]
    """The owner's own words in the cited messages, without quoted, pasted or forwarded text."""

    cited_whole: Sequence[str]
    """The cited messages as they arrived."""

    own: Sequence[str]
    """All the owner's own words in the conversation, cited or not."""

    others: Sequence[str]
    """All other words in it: the companion's, and everything forwarded, pasted or quoted."""

    moment: datetime
    """The time of the last cited message."""

    passed_on: Sequence[str] = ()
    """Those of `others` that the owner forwarded, pasted or quoted."""

    known: Sequence[str] = ()
    """Facts and names that need no proof: earlier facts, the names of the two."""

    languages: tuple[str, str] = ("", "")
    """Of the statement and of the conversation, as two-letter codes; "": to be detected."""

    of_owner: bool = False
    """It is about the owner alone, so clauses about other people do not support it."""

    free: bool = False
    """A question, expectation or feeling of the companion: only its presuppositions need proof."""

    object: str = ""
    """The object of a fact, which is stored next to its text."""


@dataclass(frozen=True)
class Judged:
    """An outcome with its reasons, most important first; none where the rules alone accept it."""

    outcome: Outcome
    reasons: tuple[str, ...] = ()

    @property
    def kept(self) -> bool:
        """Whether it may be stored, with or without a mark."""
        return self.outcome != "refused"

    @property
    def unconfirmed(self) -> bool:
        """Whether it may be stored only with a mark."""
        return self.outcome == "unconfirmed"

    @property
    def reason(self) -> str:
        return "; ".join(self.reasons)


@dataclass(frozen=True)
class Scale:
    """Cosine thresholds of one encoder, fitted by `python -m bench.grounding --fit`."""

    far: float
    """Below this a statement is unrelated to the cited text."""

    sure: float
    """From here on a statement is near enough to be known."""

    sure_if_free: float
    """The same for the companion's own questions and thoughts."""

    nearer: float
    """By how much nearer to others' words a statement must be to count as theirs."""


BUILT_IN = Scale(far=-0.009, sure=0.091, sure_if_free=0.043, nearer=0.3)
"""For the pooled and centred vectors of the built-in encoder. On the development set 80 % of true
statements are known, none is lost, and 30 % of false ones are known; in cross-validation by
conversation 77, 0 and 33 %."""


@dataclass(frozen=True)
class Nearness:
    """Similarity by meaning: a text's best cosine to others (at least one), and its scale."""

    cosine: Callable[[str, Sequence[str]], float]
    scale: Scale
