"""The exit gate of memory: what becomes of something said that waited in the scratch buffer.

Relevance (what it has to do with the talk and with what the companion is) and novelty (what the nearest memory has to
do with it) choose a cell of a matrix of three by three. A little passes against every cell's verdict, because what was
dropped cannot be mended: the more mature the memory, the less.

Between the named stretches of novelty lie two gaps, and both are read as novel: a nearest memory of 0.6 to 0.85 that
nothing opposes (more is said about a known thing), and one below 0.7 that seems opposed (too far off to deny it).
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from furoshiki.language.facts.assertions import list_asserted
from furoshiki.language.grounding.words import stems_of
from furoshiki.language.tables.denials import DENIALS
from furoshiki.memory.rules.entry_gate import own_words

CORE, PERIPHERAL = 0.6, 0.3
"""Relevance above these is core, or peripheral; below it is irrelevant."""

CONFIRMING, CONTRADICTING, NOVEL = 0.85, 0.7, 0.6
"""Cosine to the nearest memory: above the first it is said again, above the second an opposed one is contradicted,
below the third there is nothing like it."""

CHARGED, CHARGE_ADDS = 0.3, 0.15
"""Above this emotional charge something is more relevant by so much."""

FLOOR_OPEN, FLOOR_TIGHT = 0.1, 0.02
"""The share that passes against a cell's verdict, when the gate is new and when it is fully mature."""

DECAY = 0.5
"""d: how fast each use fades, as a power of its age."""

NOISE = 0.4
"""s of the logistic noise; its standard deviation is pi*s/sqrt(3) = 0.73."""

THRESHOLD = 0.0
"""tau: what is less active than this is not persisted."""

YOUNGEST_S = 1.0
"""A use younger than this counts as this old: what was used just now is not infinitely active."""

LEAST_STEMS = 2
"""With fewer content words nothing was said that could be remembered."""

MOMENT = "They said: \u201c{words}\u201d"
"""What a moment that was kept reads like; the words are the user's own."""

Relevance = Literal["core", "peripheral", "irrelevant"]
Novelty = Literal["confirming", "novel", "contradicting"]
Action = Literal["persist", "reinforce", "wait", "skip", "drop"]

MAXIMAL, HIGH, MODERATE, LOW = 0.9, 0.7, 0.5, 0.3
"""What the words of the matrix are as an importance in [0, 1]."""


@dataclass(frozen=True)
class MatrixCell:
    """What the matrix says: what to do, how important it is, and whether the contradiction is to be looked at."""

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
    """What is known about an item when it is judged.

    `spreading` is what the focus, the core memories and the goals lend it (see `spreading`), in [-1, 1]; `nearest` its
    cosine to the nearest memory (None: there is none), `opposed` whether it contradicts that one. `charge` lies in
    [0, 1]. `ages_s` are the seconds since the same was spoken of, itself included. `last` when it is decided now or
    never.
    """

    spreading: float
    nearest: float | None
    opposed: bool
    charge: float
    ages_s: Sequence[float]
    last: bool = False


@dataclass(frozen=True)
class Verdict:
    """What is to be done with an item, and the figures behind it."""

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
        """The cell of the matrix, in words."""
        return f"{self.relevance}, {self.novelty}"


def judge(evidence: Evidence, maturity: float, rng: random.Random) -> Verdict:
    """Decide an item. `maturity` lies in [0, 1]: 0 lets most things through, 1 keeps to the matrix.

    Its activation A = B + S + noise is the score: above ACT-R's threshold (0) something passes whatever its cell
    says, and below it with the probability of the noise floor. What is irrelevant and was said once passes by the
    noise floor alone: a second after it was said anything at all is active.
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
            kept = waited >= maturity
            action, reason = ("persist", "it waited long enough") if kept else ("drop", "nothing followed")
    return Verdict(action, how_relevant, how_novel, cell.importance, cell.flagged, spreading, score, reason)


def compute_spreading(near: float, matters: float, everyday: float) -> float:
    """S, in [-1, 1]: what the focus and the core memories lend to something said, or what the goals do if it is more.

    All three are largest cosines. `near` is that to the focus, to memories of identity and goals, and to what is known
    about the user; `matters` that to the examples of what matters in a life, for to know of it is the companion's first
    goal; `everyday` that to the examples of chatter (both in config/matters.toml).

    Cosines of single sentences alone do not tell the two apart. With colbert-small, centred, "my father died this
    morning" has 0.26 to the nearest of seven memories of identity and plans, and "I am on the bus now" 0.36; core (0.6)
    is hardly ever reached. So chatter takes away from `near` what is nearer to it, and the goals lend by how much
    something is nearer to them than to chatter. Of 24 sentences about a life that the examples were not written for, 17
    are core, 6 peripheral and 1 irrelevant (MiniLM: 17, 7, 0), of 24 of chatter 1, 6 and 17 (MiniLM: 0, 8, 16).
    """
    lent = near - max(0.0, everyday - near)
    return min(1.0, max(-1.0, lent, matters + (matters - everyday)))


def relevance(spreading: float) -> Relevance:
    """Which row of the matrix."""
    if spreading > CORE:
        return "core"
    return "peripheral" if spreading >= PERIPHERAL else "irrelevant"


def novelty(nearest: float | None, opposed: bool) -> Novelty:
    """Which column of the matrix; opposition comes first, for what denies a memory is often nearest to it."""
    if nearest is None or nearest < NOVEL:
        return "novel"
    if opposed and nearest > CONTRADICTING:
        return "contradicting"
    return "confirming" if nearest > CONFIRMING and not opposed else "novel"


def floor(maturity: float) -> float:
    """The probability with which something passes against its cell's verdict."""
    held = min(1.0, max(0.0, maturity))
    return FLOOR_OPEN + (FLOOR_TIGHT - FLOOR_OPEN) * held


def base_level(ages_s: Sequence[float]) -> float:
    """B = ln of the sum of t^-d over all uses, from their ages; minus infinity for what was never used."""
    total = math.fsum(_use(age) for age in ages_s)
    return math.log(total) if total > 0 else -math.inf


def noise(rng: random.Random, s: float = NOISE) -> float:
    """One draw of logistic noise with mean 0 and variance (pi*s)^2 / 3."""
    drawn = rng.random()
    while not 0.0 < drawn < 1.0:
        drawn = rng.random()
    return s * math.log(drawn / (1.0 - drawn))


def _use(age_s: float) -> float:
    return float(max(age_s, YOUNGEST_S) ** -DECAY)


def explain_emptiness(text: str, charge: float, heard_before: str = "", matters: bool = False) -> str | None:
    """Why these words can be no memory at all, whatever chance says; None when they can.

    Nobody remembers a nod, or a bare question to the companion; and what only says back the companion's last words
    (`heard_before`) is an echo and no evidence. Where it `matters` one word says enough ("I'm pregnant").
    """
    own = own_words(text)
    said = stems_of(own) - _NODS
    if len(said) < (1 if matters else LEAST_STEMS):
        return "it says nothing"
    if charge <= CHARGED and not list_asserted(own):
        return "it only asks or quotes"
    if heard_before and is_redundant(own, heard_before):
        return "it says back what the companion said"
    return None


def is_redundant(text: str, known: str) -> bool:
    """Whether all that a text says is in what is known already, and it denies nothing of it."""
    words, known_words = stems_of(text), stems_of(known)
    return words - _NODS <= known_words and not (words & _DENIALS) - known_words


_NOD_WORDS = """
a about again ah aha all already alright also always am an and any anyway are as at be been but by bye can come could
course did do does doing don't done else enough er even ever exactly fair fine for from gave get go goes going gone
good got great guess ha haha hah had has have he hello hey hi hm hmm hmmm how huh i i'd i'll i'm i've if in indeed
interesting into is it it's its just keep keeps know knew later let let's like lol made make many maybe me mean
mention mentioned mhm mm more morning much my need never new nice night no nope not nothing now of off oh ok okay on
once one only or our out over perfect please point pretty put quite really remember remembered repeat repeating right
said same saw say saying says see seen she should so some something sorry sound sounds still sure take talk tell
telling than thank thanks that that's the their them then there there's these they thing things think this those
thought time to today told too top true uh um understand understood up us very want was way we well were what what's
when where which who why will with wonderful would wow yea yeah yep yes yesterday yet you you'd you're you've your yup
absolutely agreed cool correct definitely alrighty
"""
_NODS = stems_of(_NOD_WORDS)
_DENIALS = stems_of(" ".join(DENIALS) + " can't don't doesn't didn't isn't aren't wasn't won't longer anymore")
