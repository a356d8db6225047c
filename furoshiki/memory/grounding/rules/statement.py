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

# Known: told as fact. Unconfirmed: told with "perhaps". Refused: not stored.
Outcome = Literal["known", "unconfirmed", "refused"]

# the answer of a reader (a model that did not write the statement)
Reading = Literal["supported", "not supported", "contradicted"]

READINGS: tuple[Reading, ...] = ("supported", "not supported", "contradicted")


@dataclass(frozen=True)
class Statement:
    """One or a few sentences that a model wrote about a person, with their possible evidence.

    All words come from one conversation, or from the model's input; `moment` is aware, in the
    owner's zone.
    """

    text: str
    kind: Kind
    # the owner's own words in the cited messages, without quoted, pasted or forwarded text
    cited: Sequence[str]

    cited_whole: Sequence[str]  # the cited messages as they arrived

    own: Sequence[str]  # all the owner's own words in the conversation, cited or not

    # all other words in it: the companion's, and everything forwarded, pasted or quoted
    others: Sequence[str]

    moment: datetime  # the time of the last cited message

    passed_on: Sequence[str] = ()  # those of `others` that the owner forwarded, pasted or quoted

    # facts and names that need no proof: earlier facts, the names of the two
    known: Sequence[str] = ()

    # of the statement and of the conversation, as two-letter codes; "": to be detected
    languages: tuple[str, str] = ("", "")

    # it is about the owner alone, so clauses about other people do not support it
    of_owner: bool = False

    # a question, expectation or feeling of the companion: only its presuppositions need proof
    free: bool = False

    object: str = ""  # the object of a fact, which is stored next to its text


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

    far: float  # below this a statement is unrelated to the cited text

    sure: float  # from here on a statement is near enough to be known

    sure_if_free: float  # the same for the companion's own questions and thoughts

    nearer: float  # by how much nearer to others' words a statement must be to count as theirs


# For the pooled and centred vectors of the built-in encoder. On the development set 80 % of true
# statements are known, none is lost, and 30 % of false ones are known; in cross-validation by
# conversation 77, 0 and 33 %.
BUILT_IN = Scale(far=-0.009, sure=0.091, sure_if_free=0.043, nearer=0.3)


@dataclass(frozen=True)
class Nearness:
    """Similarity by meaning: a text's best cosine to others (at least one), and its scale."""

    cosine: Callable[[str, Sequence[str]], float]
    scale: Scale
