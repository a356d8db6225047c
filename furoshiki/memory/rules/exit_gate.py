"""The exit gate of memory: decide about items of the scratch buffer.

Relevance (to the conversation and the companion's identity) and novelty (relative to the nearest
memory) select a cell of a 3x3 matrix. A small share passes against the cell's verdict, as dropped
items cannot be recovered; the share falls with maturity.

Two gaps between the ranges of novelty count as novel: a nearest memory of 0.6 to 0.85 that is not
opposed (more about a known thing), and an opposed one below 0.7 (too distant to be denied).
"""

import math
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Literal

from furoshiki.language.facts.assertions import list_asserted
from furoshiki.language.grounding.words import stems_of
from furoshiki.language.tables.function_words import DENIALS
from furoshiki.language.word_tables import by_language
from furoshiki.language.words import count_words
from furoshiki.memory.rules.entry_gate import own_words

# relevance above the first is core, from the second on peripheral, below it irrelevant
CORE, PERIPHERAL = 0.6, 0.3

# cosine to the nearest memory: above the first it is a repetition, above the second an opposed one
# is contradicted, below the third it is novel
CONFIRMING, CONTRADICTING, NOVEL = 0.85, 0.7, 0.6

# above the first (emotional charge) relevance increases by the second
CHARGED, CHARGE_ADDS = 0.3, 0.15

# the share that passes against a cell's verdict, for a new gate and for a fully mature one
FLOOR_OPEN, FLOOR_TIGHT = 0.1, 0.02

DECAY = 0.5  # d: the exponent with which each use fades with its age
NOISE = 0.4  # s of the logistic noise; its standard deviation is pi*s/sqrt(3) = 0.73
THRESHOLD = 0.0  # tau: the activation needed to be stored
YOUNGEST_S = 1.0  # the least age of a use in seconds, so that the activation stays finite
LEAST_STEMS = 2  # the least content words of a memory
LEAST_BESIDE = 8  # the least words beside a quotation of a memory: the quotation is left out of it

# the text of a stored moment; the words are the user's own
MOMENT = "They said: \u201c{words}\u201d"

Relevance = Literal["core", "peripheral", "irrelevant"]
Novelty = Literal["confirming", "novel", "contradicting"]
Action = Literal["persist", "reinforce", "wait", "skip", "drop"]

# importance in [0, 1] for the levels of the matrix
MAXIMAL, HIGH, MODERATE, LOW = 0.9, 0.7, 0.5, 0.3


@dataclass(frozen=True)
class MatrixCell:
    """A cell: the action, the importance, and whether to flag a contradiction."""

    action: Action
    importance: float
    flagged: bool = False


MATRIX: Mapping[tuple[Relevance, Novelty], MatrixCell] = {
    ("core", "confirming"): MatrixCell("reinforce", MODERATE),
    ("core", "novel"): MatrixCell("persist", HIGH),
    ("core", "contradicting"): MatrixCell("persist", MAXIMAL, flagged=True),
    ("peripheral", "confirming"): MatrixCell("skip", LOW),
    ("peripheral", "novel"): MatrixCell("wait", MODERATE),
    ("peripheral", "contradicting"): MatrixCell("persist", HIGH),
    ("irrelevant", "confirming"): MatrixCell("drop", LOW),
    ("irrelevant", "novel"): MatrixCell("drop", LOW),
    ("irrelevant", "contradicting"): MatrixCell("drop", LOW),
}


@dataclass(frozen=True)
class Evidence:
    """The known data of an item.

    `spreading` is the activation from the focus, core memories and goals (see `compute_spreading`),
    in [-1, 1]; `nearest` its cosine to the nearest memory (None: there is none), `opposed` whether
    it contradicts that one. `charge` is in [0, 1]. `ages_s` are the seconds since each mention of
    the same, this one included. `last`: it is the last chance to decide.
    """

    spreading: float
    nearest: float | None
    opposed: bool
    charge: float
    ages_s: Sequence[float]
    last: bool = False


@dataclass(frozen=True)
class Verdict:
    """The decision about an item, and the figures behind it."""

    action: Action
    relevance: Relevance
    novelty: Novelty
    importance: float
    flagged: bool
    spreading: float
    activation: float
    reason: str

    @property
    def cell(self) -> str:
        """The matrix's cell, in words."""
        return f"{self.relevance}, {self.novelty}"


def judge(evidence: Evidence, maturity: float, rng: random.Random) -> Verdict:
    """Decide about an item. `maturity` is in [0, 1]: 0 lets most things pass, 1 follows the matrix.

    The score is the activation A = B + S + noise: above ACT-R's threshold (0) an item passes
    whatever its cell says, and below it with the probability of the noise floor. An irrelevant item
    mentioned once passes by the noise floor alone, since everything is active a second after it was
    said.
    """
    spreading = evidence.spreading + (CHARGE_ADDS if evidence.charge > CHARGED else 0.0)
    how_relevant, how_novel = relevance(spreading), novelty(evidence.nearest, evidence.opposed)
    cell = MATRIX[how_relevant, how_novel]
    base = base_level(evidence.ages_s)
    score = base + spreading + noise(rng)
    drawn, waited = rng.random(), rng.random()
    action, reason = cell.action, "the matrix"
    if action in ("wait", "skip", "drop"):
        passed: Action = "persist" if how_novel != "confirming" else "reinforce"
        if score >= THRESHOLD and (how_relevant != "irrelevant" or len(evidence.ages_s) > 1):
            action, reason = passed, "it is active enough"
        elif drawn < floor(maturity):
            action, reason = passed, "the noise floor"
        elif action == "wait" and evidence.last:
            stays = waited >= maturity
            action, reason = ("persist", "it waited long enough") if stays else ("drop", "nothing followed")
    return Verdict(action, how_relevant, how_novel, cell.importance, cell.flagged, spreading, score, reason)


def compute_spreading(near: float, matters: float, everyday: float) -> float:
    """Return S, in [-1, 1]: the activation from focus and core memories, or goals if higher.

    All three are highest cosines. `near` is that to the focus, to memories of identity and goals,
    and to facts about the user; `matters` that to the examples of important statements, as knowing
    them is the companion's first goal; `everyday` that to the examples of chatter (both in
    config/matters.toml).

    Cosines to single sentences do not separate the two. With colbert-small, centred, "my father
    died this morning" has 0.26 to the nearest of seven memories of identity and plans, and "I am on
    the bus now" 0.36; core (0.6) is hardly ever reached. So similarity to chatter reduces `near`,
    and goals add the difference between `matters` and `everyday`. Of 24 important sentences outside
    the examples, 17 are core, 6 peripheral and 1 irrelevant (MiniLM: 17, 7, 0), of 24 of chatter 1,
    6 and 17 (MiniLM: 0, 8, 16).
    """
    lent = near - max(0.0, everyday - near)
    return min(1.0, max(-1.0, lent, matters + (matters - everyday)))


def relevance(spreading: float) -> Relevance:
    """Return the row of the matrix."""
    if spreading > CORE:
        return "core"
    return "peripheral" if spreading >= PERIPHERAL else "irrelevant"


def novelty(nearest: float | None, opposed: bool) -> Novelty:
    """Return the column of the matrix. Opposition is checked first."""
    if nearest is None or nearest < NOVEL:
        return "novel"
    if opposed and nearest > CONTRADICTING:
        return "contradicting"
    return "confirming" if nearest > CONFIRMING and not opposed else "novel"


def floor(maturity: float) -> float:
    """Return the probability of passing against a cell's verdict."""
    strictness = min(1.0, max(0.0, maturity))
    return FLOOR_OPEN + (FLOOR_TIGHT - FLOOR_OPEN) * strictness


def base_level(ages_s: Sequence[float]) -> float:
    """Return B = ln of the sum of t^-d over all uses, by age; minus infinity without any."""
    total = math.fsum(map(_use, ages_s))
    return math.log(total) if total > 0 else -math.inf


def noise(rng: random.Random) -> float:
    """Draw logistic noise with mean 0 and variance (pi*NOISE)^2 / 3."""
    drawn = rng.random()
    while not 0.0 < drawn < 1.0:
        drawn = rng.random()
    return NOISE * math.log(drawn / (1.0 - drawn))


def _use(age_s: float) -> float:
    return float(max(age_s, YOUNGEST_S) ** -DECAY)


def explain_emptiness(text: str, charge: float, heard_before: str = "", matters: bool = False) -> str | None:
    """Return why a text cannot become a memory at all, or None if it can.

    Excluded are nods, bare questions to the companion, and echoes of the companion's last words
    (`heard_before`). Where it `matters` one word is enough ("I'm pregnant").
    """
    own = own_words(text)
    least = 1 if matters else LEAST_STEMS
    if len(stems_of(own) - _NODS) < least:
        return "it says nothing"
    asserted = "" if _ONE_QUESTION.fullmatch(own) else " ".join(map(attrgetter("text"), list_asserted(own)))
    if (charge <= CHARGED and len(stems_of(asserted) - _NODS) < least) or _only_leads_in(own):
        return "it only asks or quotes"
    if heard_before and is_redundant(own, heard_before):
        return "it says back what the companion said"
    return None


# a question in Chinese or Japanese without a clause beside it
_ONE_QUESTION = re.compile("[^\uff0c\u3001\u3002\uff01\uff1f,]+\uff1f")


def _only_leads_in(own: str) -> bool:
    """Whether a text only leads in what somebody else said, which was cut out of it: "my flatmate
    wrote:", "my friend says \"\" all the time"."""
    rest = own.replace('""', " ")
    leads = rest != own and count_words(rest) < LEAST_BESIDE
    return leads or (own.endswith((":", "\uff1a")) and not re.search(r"[.!?\u3002\uff01\uff1f]\s*\S", own))


def is_redundant(text: str, statement: str) -> bool:
    """Whether a known text contains all content of this one, and this one denies none of it."""
    words, known_words = stems_of(text), stems_of(statement)
    return words - _NODS <= known_words and not (words & _DENIALS) - known_words


_NODS = stems_of(by_language("small")["en"]["nods"])
_DENIALS = stems_of(" ".join(DENIALS) + " can't don't doesn't didn't isn't aren't wasn't won't longer anymore")
